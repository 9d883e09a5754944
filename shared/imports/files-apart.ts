import type { AccountKey } from '#shared/fills/fill.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { compareText, keyOf, type DoubtfulDays, type ImportWarning } from './assembly.ts'
import { onDays } from './doubtful-days.ts'
import { isBrokersId, issuerOf } from './fill-ids.ts'
import { secondOf } from './fill-facts.ts'
import type { Reading } from './reading.ts'

/** A file's rows with their accounts. */
type OwnedFile = { readonly name: string; readonly rows: readonly { readonly reading: Reading; readonly account: AccountKey }[] }

/** A row by the id that its platform or Fillbook gave it; by what other files are held against it; and its times, UTC ms. */
type Row = { readonly id: string; readonly alike: string; readonly from: number; readonly to: number }

/** What one file has of an account, and the time that it covers. */
type Part = { readonly name: string; readonly rows: Map<string, Row>; from: number; to: number }

/** Null for rows under the broker's ids, by which each counts once, and for rows that are no trades. */
const rowOf = (reading: Reading): Row | null => {
  switch (reading.says) {
    case 'fill': return isBrokersId(reading.fillId) ? null : { id: reading.fillId, alike: keyOf(reading.contract, reading.side, reading.qty, reading.price, secondOf(reading.time)), from: reading.time, to: reading.time }
    case 'order': return isBrokersId(reading.orderId) ? null : { id: reading.orderId, alike: reading.orderId, from: reading.filledAt, to: reading.filledAt }
    case 'pair': {
      const [entry, exit] = reading.closing === 'buy' ? [reading.sell, reading.buy] : [reading.buy, reading.sell]
      return reading.closing === undefined ? null : { id: keyOf(entry.fillId, exit.fillId), alike: keyOf(reading.contract, reading.closing, exit.time), from: entry.time, to: exit.time }
    }
    default: return null
  }
}

const minute = 60_000

/** The rows of a part in the time that both cover which the other lacks. Times may be cut to minutes. */
const lackedBy = (other: Part, { rows }: Part, from: number, to: number): readonly Row[] => {
  const alone = [...rows.values()].filter((row) => row.to >= from - minute && row.to <= to + minute && !other.rows.has(row.id))
  if (alone.length === 0) return alone
  const alike = new Set([...other.rows.values()].map((row) => row.alike))
  return alone.filter((row) => !alike.has(row.alike))
}

/** The days on which two files of one platform are apart, and how many rows; null if one of them has all that the other has. `other` begins while `one` lasts. */
const apartOn = (one: Part, other: Part): { readonly rows: number; readonly days: readonly string[] } | null => {
  const [from, to] = [other.from, Math.min(one.to, other.to)]
  const [mine, others] = [lackedBy(other, one, from, to), lackedBy(one, other, from, to)]
  return mine.length === 0 || others.length === 0 ? null : { rows: Math.max(mine.length, others.length), days: [...mine, ...others].map((row) => tradingDay(row.to)) }
}

/**
 * Finds files of one platform that cover the same time of an account, where each has rows that the other lacks: most likely the same trades in another
 * form, with other seconds or quantities, or read by other answers, so that they would count twice. Their days prove nothing.
 */
export const filesApart = (files: readonly OwnedFile[]): { readonly warnings: readonly Extract<ImportWarning, { code: 'files-apart' }>[]; readonly doubtful: readonly DoubtfulDays[] } => {
  const parts = new Map<string, { readonly account: AccountKey; readonly byFile: Map<number, Part> }>()
  for (const [index, { name, rows }] of files.entries()) {
    for (const { reading, account } of rows) {
      const row = rowOf(reading)
      if (row === null) continue
      const key = keyOf(account, reading.says, issuerOf(row.id))
      const { byFile } = parts.get(key) ?? { byFile: new Map<number, Part>() }
      parts.set(key, { account, byFile })
      const part = byFile.get(index) ?? { name, rows: new Map<string, Row>(), from: row.from, to: row.to }
      byFile.set(index, part)
      part.rows.set(row.id, row)
      part.from = Math.min(part.from, row.from)
      part.to = Math.max(part.to, row.to)
    }
  }
  const found = [...parts.values()].flatMap(({ account, byFile }) => {
    const inOrder = [...byFile.values()].toSorted((one, other) => one.from - other.from)
    return inOrder.flatMap((one, place) => {
      // Those behind begin later still.
      const end = inOrder.findIndex((other, at) => at > place && other.from > one.to)
      return inOrder.slice(place + 1, end < 0 ? undefined : end).flatMap((other) => {
        const apart = apartOn(one, other)
        return apart === null ? [] : [{ account, files: [one.name, other.name], ...apart }]
      })
    })
  })
  const byAccount = [...Map.groupBy(found, ({ account }) => account)].sort(([one], [other]) => compareText(one, other))
  return {
    warnings: byAccount.map(([account, own]) => ({ code: 'files-apart', account, files: [...new Set(own.flatMap((one) => one.files))].sort(compareText), rows: Math.max(...own.map(({ rows }) => rows)) })),
    doubtful: byAccount.flatMap(([account, own]) => onDays([...new Set(own.flatMap(({ days }) => days))].sort(compareText).map((day) => ({ account, day })), 'contradicting-rows')),
  }
}
