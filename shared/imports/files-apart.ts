import { countWhile } from '#shared/base/count-while.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { compareText, keyOf, type DoubtfulDays, type ImportWarning } from './assembly.ts'
import { onDays } from './doubtful-days.ts'
import { isBrokersId, issuerOf } from './fill-ids.ts'
import { secondOf } from './fill-facts.ts'
import type { Reading } from './reading.ts'

/** A file's rows with their accounts. */
type OwnedFile = { readonly name: string; readonly rows: readonly { readonly reading: Reading; readonly account: AccountKey }[] }

/** A row by the id that its platform or Fillbook gave it; by what a row of another file is the same trade; and its times, UTC ms. */
type Row = { readonly id: string; readonly alike: string; readonly from: number; readonly to: number }

/** What one file has of an account, and the time that it covers. */
type Part = { readonly name: string; readonly rows: Map<string, Row>; from: number; to: number }

/** A part prepared for comparing it with many others: its rows sorted by `to`. */
type Compared = Omit<Readonly<Part>, 'rows'> & { readonly rows: readonly Row[]; readonly ids: ReadonlySet<string>; readonly alike: ReadonlySet<string> }

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

const comparedOf = ({ rows, ...part }: Part): Compared => {
  const inOrder = [...rows.values()].sort((one, other) => one.to - other.to)
  return { ...part, rows: inOrder, ids: new Set(rows.keys()), alike: new Set(inOrder.map((row) => row.alike)) }
}

/** The rows of a part in the time that both cover which the other lacks. Times may be cut to minutes. */
const lackedBy = (other: Compared, { rows }: Compared, from: number, to: number): readonly Row[] => {
  const first = countWhile(rows.length, (place) => (rows[place]?.to ?? Infinity) < from - minute)
  const end = countWhile(rows.length, (place) => (rows[place]?.to ?? Infinity) <= to + minute)
  return rows.slice(first, end).filter(({ id, alike }) => !other.ids.has(id) && !other.alike.has(alike))
}

/** Two files of one platform that are apart: their names, the rows that the other lacks, and how many of these the one with more has. */
type Apart = { readonly names: readonly string[]; readonly lacked: readonly Row[]; readonly most: number }

/** Null if one of two files has all that the other has in the time that both cover. `other` begins while `one` lasts. */
const apartOf = (one: Compared, other: Compared): Apart | null => {
  const [from, to] = [other.from, Math.min(one.to, other.to)]
  const mine = lackedBy(other, one, from, to)
  const others = mine.length === 0 ? [] : lackedBy(one, other, from, to)
  return others.length === 0 ? null : { names: [one.name, other.name], lacked: [...mine, ...others], most: Math.max(mine.length, others.length) }
}

/** All pairs of parts that are apart. */
function* apartAmong(parts: readonly Part[]): Generator<Apart> {
  if (parts.length < 2) return
  const inOrder = parts.map(comparedOf).sort((one, other) => one.from - other.from)
  for (const [place, one] of inOrder.entries()) {
    for (const other of inOrder.slice(place + 1)) {
      // Those behind begin later still.
      if (other.from > one.to) break
      const apart = apartOf(one, other)
      if (apart !== null) yield apart
    }
  }
}

/** What is apart in one account: files, trading days, and the most rows that one file has alone. */
type Found = { readonly names: Set<string>; readonly days: Set<string>; rows: number }

/**
 * Finds files of one platform that cover the same time of an account, where each has rows that the other lacks: most likely the same trades in another
 * form, with other seconds or quantities, or read with other settings, so that they would count twice. Their days prove nothing.
 */
export const filesApart = (files: readonly OwnedFile[], nameOf: (account: AccountKey) => string): { readonly warnings: readonly Extract<ImportWarning, { code: 'files-apart' }>[]; readonly doubtful: readonly DoubtfulDays[] } => {
  if (files.length < 2) return { warnings: [], doubtful: [] }
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
  const found = new Map<AccountKey, Found>()
  for (const { account, byFile } of parts.values()) {
    for (const { names, lacked, most } of apartAmong([...byFile.values()])) {
      const own = found.get(account) ?? { names: new Set<string>(), days: new Set<string>(), rows: 0 }
      found.set(account, own)
      for (const name of names) own.names.add(name)
      for (const row of lacked) own.days.add(tradingDay(row.to))
      own.rows = Math.max(own.rows, most)
    }
  }
  const byAccount = [...found].sort(([one], [other]) => compareText(one, other))
  return {
    warnings: byAccount.map(([account, { names, rows }]) => ({ code: 'files-apart', account: nameOf(account), files: [...names].sort(compareText), rows })),
    doubtful: byAccount.flatMap(([account, { days }]) => onDays([...days].sort(compareText).map((day) => ({ account, day })), 'contradicting-rows')),
  }
}
