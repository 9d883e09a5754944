import { keptByRule } from '#shared/backups/keep-rule.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import type { BackupFile } from '../store/backup-names.ts'

/** How many of those that were made for a reason stay. */
const keptApart = 3

/** The names that the rule no longer keeps: of daily ones all but those of `keptByRule`, of every other kind all but the last three. */
export const superfluous = (files: readonly BackupFile[], timeZone: string): readonly string[] =>
  (['journal', 'copier'] as const).flatMap((whose) => {
    const own = files.filter(({ of }) => of === whose)
    const daily = own.filter(({ kind }) => kind === 'daily')
    const kept = keptByRule(daily.map(({ name, at }) => ({ name, day: localDate(at, timeZone) })))
    const apart = (['by-hand', 'before-restore', 'before-update'] as const).flatMap((kind) => own.filter((one) => one.kind === kind).slice(keptApart))
    return [...daily.filter(({ name }) => !kept.has(name)), ...apart].map(({ name }) => name)
  })
