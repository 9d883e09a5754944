import { keptByRule } from '#shared/backups/keep-rule.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import type { BackupFile } from '../db/backup-names.ts'

/** How many backups of each kind and profile are kept, beyond the daily ones. */
const keptApart = 3

// Backups requested within the same second are dated some seconds ahead.
const aheadMs = 3_600_000

/** Whether a backup's date is from a clock ahead of `now` (UTC ms). */
export const isDatedAhead = (at: number, now: number): boolean => at > now + aheadMs

// A user who restores several backups in a row is searching for something, over some days.
const apartMs = 31 * 86_400_000

/** Of a profile's requested copies, newest first, the last three; before a restore also the first of several, as long as any of them is kept. */
const keptOfKind = (files: readonly BackupFile[]): ReadonlySet<BackupFile> => {
  const kept = new Set(files.slice(0, keptApart))
  let isOfKept = false
  for (const [index, file] of files.entries()) {
    isOfKept ||= file.kind === 'before-restore' && kept.has(file)
    const older = files[index + 1]
    if (older !== undefined && file.at - older.at <= apartMs) continue
    if (isOfKept) kept.add(file)
    isOfKept = false
  }
  return kept
}

/**
 * The names that the rule does not keep: of daily backups all except those of `keptByRule`; of those that a profile
 * requested, and of those before an update, all except the last three of each kind. In a series of restores, each
 * within a month of the previous, the copy before the first is kept as long as one of the others. Backups dated ahead
 * of `now` (UTC ms) are kept by the same rule separately, so that they do not push out newer ones.
 */
export const superfluous = (files: readonly BackupFile[], timeZone: string, now: number): readonly string[] =>
  (['journal', 'copier'] as const).flatMap((whose) =>
    [true, false].flatMap((ahead) => {
      const own = files.filter(({ of, at }) => of === whose && isDatedAhead(at, now) === ahead)
      const daily = own.filter(({ kind }) => kind === 'daily')
      const kept = keptByRule(daily.map(({ name, at }) => ({ name, day: localDate(at, timeZone) })))
      const apart = (['by-hand', 'before-restore', 'before-update'] as const).flatMap((kind) => {
        const ofKind = Map.groupBy(own.filter((one) => one.kind === kind), ({ by }) => by)
        return [...ofKind.values()].flatMap((files) => {
          const stay = keptOfKind(files)
          return files.filter((one) => !stay.has(one))
        })
      })
      return [...daily.filter(({ name }) => !kept.has(name)), ...apart].map(({ name }) => name)
    }),
  )
