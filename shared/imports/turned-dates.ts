import type { AccountKey } from '#shared/fills/fill.ts'
import { isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import { compareText, type ImportWarning } from './assembly.ts'
import { isBrokersId } from './fill-ids.ts'
import type { Reading } from './reading.ts'

/** A file's rows with their accounts, and the zone in which its local times were read. */
type DatedFile = { readonly name: string; readonly zone: string | null; readonly rows: readonly { readonly reading: Reading; readonly account: AccountKey }[] }

/** What a row says besides its date, and when, UTC ms; null for a row without a time, or under the broker's id, where another date of it contradicts. */
const factsOf = (reading: Reading): { readonly says: string; readonly time: number } | null => {
  switch (reading.says) {
    case 'fill': return isBrokersId(reading.fillId) ? null : { says: ['fill', reading.contract, reading.side, reading.qty, reading.price].join(' '), time: reading.time }
    case 'order': return isBrokersId(reading.orderId) ? null : { says: ['order', reading.contract, reading.side, reading.qty, reading.priceSum].join(' '), time: reading.filledAt }
    case 'pair': return isBrokersId(reading.buy.fillId) ? null : { says: ['pair', reading.contract, reading.qty, reading.buy.price, reading.sell.price, reading.sell.time - reading.buy.time].join(' '), time: reading.buy.time }
    default: return null
  }
}

const dayMs = 86_400_000

/** Warns of rows that two files have of one account, one with day and month the other way round: most likely one file, read again in the other order of dates. */
export const turnedDates = (files: readonly DatedFile[], nameOf: (account: AccountKey) => string): readonly Extract<ImportWarning, { code: 'dates-turned' }>[] => {
  const local = files.flatMap(({ name, zone, rows }) => (zone === null ? [] : [{ name, zone, rows }]))
  if (local.length < 2) return []
  const seen = new Map<string, Set<number>>()
  const turned: { readonly account: AccountKey; readonly key: string; readonly file: number }[] = []
  for (const [file, { zone, rows }] of local.entries()) {
    for (const { reading, account } of rows) {
      const facts = factsOf(reading)
      if (facts === null) continue
      const wall = facts.time + zoneClock(zone).offsetAt(facts.time)
      const [year = '', month = '', day = ''] = isoDate(Math.floor(wall / dayMs)).split('-')
      if (day > '12' || day === month) continue
      const keyOf = (one: string, other: string): string => [account, facts.says, wall % dayMs, year, one, other].join(' ')
      const key = keyOf(month, day)
      seen.set(key, (seen.get(key) ?? new Set()).add(file))
      // Each pair of rows is found once.
      if (month > day) turned.push({ account, key: keyOf(day, month), file })
    }
  }
  const found = turned.flatMap(({ account, key, file }) => [...(seen.get(key) ?? [])].filter((other) => other !== file).slice(0, 1).map((other) => ({ account, names: [local[file]?.name ?? '', local[other]?.name ?? ''] })))
  return [...Map.groupBy(found, ({ account }) => account)]
    .map(([account, own]) => ({ code: 'dates-turned' as const, account: nameOf(account), rows: own.length, files: [...new Set(own.flatMap(({ names }) => names))].sort(compareText) }))
    .sort((one, other) => compareText(one.account, other.account))
}
