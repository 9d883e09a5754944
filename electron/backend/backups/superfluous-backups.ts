import { keptByRule } from '#shared/backups/keep-rule.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import type { BackupFile } from '../db/backup-names.ts'

/** How many of those that were made for a reason stay, of each profile that asked for them. */
const keptApart = 3

// Presses within one second are dated some seconds ahead.
const aheadMs = 3_600_000

/** Whether a backup is dated by a clock that was ahead of the one of `now` (UTC ms). */
export const isDatedAhead = (at: number, now: number): boolean => at > now + aheadMs

// Who restores one backup after the other looks for something, over some days.
const apartMs = 31 * 86_400_000

/** Of copies that a profile asked for, newest first, the last three; before a restore also the first of several, as long as any of them is kept. */
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
 * The names that the rule no longer keeps: of daily ones all but those of `keptByRule`, of those that a profile asked for, and of those
 * before an update, all but the last three of each kind. Of several restores, each within a month of the one before, the copy of before the first
 * is kept as long as one of the others. What is dated ahead of `now` (UTC ms) is kept by the same rule apart, so that it pushes nothing out that was
 * made since.
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
