import { dayOfDate } from '#shared/market/zone-clock.ts'

/** A daily backup: a name that sorts by creation time, and its calendar day, `YYYY-MM-DD`. */
export type DatedBackup = { readonly name: string; readonly day: string }

const buckets: readonly { readonly most: number; readonly of: (day: string) => string | number }[] = [
  { most: 7, of: (day) => day },
  // Weeks begin on Monday; 1 January 1970 was a Thursday.
  { most: 4, of: (day) => Math.floor((dayOfDate(day) + 3) / 7) },
  { most: 12, of: (day) => day.slice(0, 7) },
]

/** The names to keep: the newest of each of the last seven days, four weeks and twelve months that have one. The newest of all is always kept. */
export const keptByRule = (backups: readonly DatedBackup[]): ReadonlySet<string> => {
  const newestFirst = backups.toSorted((a, b) => (a.name < b.name ? 1 : a.name > b.name ? -1 : 0))
  const kept = new Set<string>()
  for (const { most, of } of buckets) {
    const seen = new Set<string | number>()
    for (const { name, day } of newestFirst) {
      const bucket = of(day)
      if (seen.has(bucket)) continue
      if (seen.size === most) break
      seen.add(bucket)
      kept.add(name)
    }
  }
  return kept
}
