import { keptByRule } from '#shared/backups/keep-rule.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import type { BackupFile } from '../store/backups/backup-names.ts'

/** How many of those that were made for a reason stay, of each profile that asked for them. */
const keptApart = 3

/** The names that the rule no longer keeps: of daily ones all but those of `keptByRule`, of those that a profile asked for all but its last three of each kind, and of those before an update all but the last three. */
export const superfluous = (files: readonly BackupFile[], timeZone: string): readonly string[] =>
  (['journal', 'copier'] as const).flatMap((whose) => {
    const own = files.filter(({ of }) => of === whose)
    const daily = own.filter(({ kind }) => kind === 'daily')
    const kept = keptByRule(daily.map(({ name, at }) => ({ name, day: localDate(at, timeZone) })))
    const apart = (['by-hand', 'before-restore', 'before-update'] as const).flatMap((kind) => {
      const ofKind = Map.groupBy(own.filter((one) => one.kind === kind), ({ by }) => by)
      return [...ofKind.values()].flatMap((files) => files.slice(keptApart))
    })
    return [...daily.filter(({ name }) => !kept.has(name)), ...apart].map(({ name }) => name)
  })
