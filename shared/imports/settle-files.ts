import { compareText } from '#shared/base/compare-text.ts'
import { countWhile } from '#shared/base/count-while.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { Sliced } from '#shared/base/sliced.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import { type DoubtfulDays, type ImportWarning, keyOf } from './assembly.ts'
import { attributing, type AccountFiles, type Named, type RowAttribution } from './attribute.ts'
import type { FileRows } from './file-rows.ts'
import type { Reading } from './reading.ts'
import { correctingTimes, type Dated, type ZoneShift } from './zone-shift.ts'
import { onDays } from './doubtful-days.ts'
import { isBrokersId, issuerOf } from './fill-ids.ts'
import { secondOf } from './fill-facts.ts'

/** A row with corrected times and its account. */
export type SettledRow = {
  readonly reading: Reading
  readonly account: AccountKey
  /** How its account is known if it names none; null if it names one. */
  readonly attribution: RowAttribution | null
}

/** The rows of all files in order, and warnings about accounts and times. */
export type SettledFiles = { readonly files: readonly (readonly SettledRow[])[]; readonly warnings: readonly ImportWarning[]; readonly doubtful: readonly DoubtfulDays[] }

/** How accounts are resolved, and names for placeholder accounts, numbered from 0. */
export type Accounts = Named & {
  readonly placeholderFor: (place: number) => AccountKey
  readonly nameOf: (account: AccountKey) => string
  /** Accounts that are there beside those of the files. */
  readonly others?: readonly AccountKey[]
}

/** Attributes the rows of all files and corrects their times before assembly. The result depends neither on file order nor on duplicates. */
export function* settlingFiles(files: readonly FileRows[], accounts: Accounts): Sliced<SettledFiles> {
  const attribution = yield* attributing(files, accounts)
  const owned: (readonly SettledRow[])[] = []
  const dated: Dated[] = []
  const names = Map.groupBy(files, ({ name }) => name)
  for (const [place, file] of files.entries()) {
    const isOneOfMany = file.kind !== null && (names.get(file.name)?.length ?? 0) > 1
    const rows = file.readings.map((reading): SettledRow => {
      const own = attribution.of(file, reading)
      const account = own === null ? accounts.named(reading.account) : own.account
      return { reading: ofFile(reading, file.name, place, isOneOfMany), attribution: own, account: account ?? accounts.placeholderFor(own?.place ?? 0) }
    })
    owned.push(rows)
    for (const [account, own] of Map.groupBy(rows, (row) => row.account)) dated.push({ file, account, rows: own.map(({ reading }) => reading) })
    yield
  }
  const { rows: inTime, shifts } = yield* correctingTimes(dated)
  // Files that name no account may be of several, as long as nothing shows whose they are.
  const isAssumed = owned.filter((rows) => rows.some(({ attribution }) => attribution?.by === 'nothing')).length > 1
  const assumed = (row: SettledRow): SettledRow => (isAssumed && row.attribution?.by === 'nothing' && row.reading.says === 'pair' ? { ...row, reading: { ...row.reading, accountAssumed: true } } : row)
  const settled = shifts.length === 0 && !isAssumed ? owned : owned.map((rows) => rows.map((row) => assumed({ ...row, reading: inTime(row.reading) })))
  yield
  const apart = filesApart(files.flatMap(({ name, kind }, index) => (kind === null ? [] : [{ name, rows: settled[index] ?? [] }])), accounts.nameOf)
  return {
    files: settled,
    doubtful: apart.doubtful,
    warnings: [
      ...apart.warnings,
      ...shiftWarnings(shifts),
      ...filesWarnings('accounts-mixed', attribution.mixed, accounts),
      ...filesWarnings('account-overruled', attribution.overruled, accounts),
      ...placeWarnings(files, owned, accounts),
      ...numberWarnings(files),
      ...turnedDates(files.map(({ name, zone }, index) => ({ name, zone, rows: owned[index] ?? [] })), accounts.nameOf),
      ...spellingWarnings(owned, accounts),
    ],
  }
}

/** A reading with the name of its file; a closed trade, or a row of one of several files of that name, with its place among all files too. */
const ofFile = (reading: Reading, name: string, place: number, isOneOfMany: boolean): Reading => {
  if ((reading.says === 'pair' && reading.closing !== undefined) || (isOneOfMany && (reading.says === 'pair' || reading.says === 'fill'))) return { ...reading, file: name, ofFile: place }
  return reading.says === 'position' || reading.says === 'refused' || reading.file === name ? reading : { ...reading, file: name }
}

const filesWarnings = (code: 'accounts-mixed' | 'account-overruled', found: readonly AccountFiles[], { nameOf }: Accounts): readonly ImportWarning[] =>
  found.map(({ account, files }) => ({ code, account: nameOf(account), files }))

const shiftWarnings = (shifts: readonly ZoneShift[]): readonly ImportWarning[] =>
  [...Map.groupBy(shifts, ({ minutes, fits }) => `${String(minutes)} ${fits}`)]
    .sort(([one], [other]) => compareText(one, other))
    .flatMap(([, alike]) => {
      const [first] = alike
      const files = [...new Set(alike.map(({ file }) => file))].sort()
      return first === undefined ? [] : [{ code: 'zone-mismatch' as const, rows: alike.reduce((sum, { rows }) => sum + rows, 0), at: [], shift: { files, minutes: first.minutes, fits: first.fits } }]
    })

const numberWarnings = (files: readonly FileRows[]): readonly ImportWarning[] => {
  const names = new Map<string, Set<string>>()
  for (const { readings } of files) {
    for (const { says, account: { id, name } } of readings) {
      // A number in the name column is the same account.
      if (says === 'refused' || id === null || name === null || id === name) continue
      getOrInsert(names, id, () => new Set()).add(name)
    }
  }
  return [...names].sort(([one], [other]) => compareText(one, other)).flatMap(([number, of]) => (of.size === 1 ? [] : [{ code: 'accounts-one-number' as const, number, accounts: [...of].sort() }]))
}

/** A name as it is meant, whatever its case, spaces, and dashes. */
const plainName = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/[\s\p{P}]+/gu, '')

const spellingWarnings = (owned: readonly (readonly SettledRow[])[], { nameOf, others = [] }: Accounts): readonly ImportWarning[] => {
  const named = new Set(owned.flatMap((rows) => [...new Set(rows.map(({ account }) => account))]))
  return [...Map.groupBy(new Set([...named, ...others]), (account) => plainName(nameOf(account)))].sort(([one], [other]) => compareText(one, other)).flatMap(([plain, alike]) => {
    const names = [...new Set(alike.map(nameOf))].sort(compareText)
    return plain === '' || names.length === 1 || !alike.some((account) => named.has(account)) ? [] : [{ code: 'accounts-spelled' as const, accounts: names }]
  })
}

const placeWarnings = (files: readonly FileRows[], owned: readonly (readonly SettledRow[])[], { nameOf }: Accounts): readonly ImportWarning[] => {
  const found = new Map<AccountKey, Set<string>>()
  const apart = new Set<string>()
  let places = 0
  for (const [index, rows] of owned.entries()) {
    for (const { account, attribution } of rows) {
      const name = files[index]?.name ?? ''
      if (attribution?.by === 'rows') getOrInsert(found, account, () => new Set()).add(name)
      if (attribution?.by === 'nothing') {
        apart.add(name)
        places = Math.max(places, attribution.place)
      }
    }
  }
  return [
    ...[...found].sort(([one], [other]) => compareText(one, other)).map(([account, names]) => ({ code: 'account-by-rows' as const, account: nameOf(account), files: [...names].sort() })),
    ...(places === 0 ? [] : [{ code: 'accounts-apart' as const, files: [...apart].sort() }]),
  ]
}

/** A file's rows with their accounts. */
type OwnedFile = { readonly name: string; readonly rows: readonly { readonly reading: Reading; readonly account: AccountKey }[] }

/** A row by the id that its platform or Fillbook gave it; by what a row of another file is the same trade; and its times, UTC ms. */
type FileRow = { readonly id: string; readonly alike: string; readonly from: number; readonly to: number }

/** What one file has of an account, and the time that it covers. */
type FilePart = { readonly name: string; readonly rows: Map<string, FileRow>; from: number; to: number }

/** A part prepared for comparing it with many others: its rows sorted by `to`. */
type Compared = Omit<Readonly<FilePart>, 'rows'> & { readonly rows: readonly FileRow[]; readonly ids: ReadonlySet<string>; readonly alike: ReadonlySet<string> }

/** Null for rows under the broker's ids, by which each counts once, and for rows that are no trades. */
const rowOf = (reading: Reading): FileRow | null => {
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

const comparedOf = ({ rows, ...part }: FilePart): Compared => {
  const inOrder = [...rows.values()].sort((one, other) => one.to - other.to)
  return { ...part, rows: inOrder, ids: new Set(rows.keys()), alike: new Set(inOrder.map((row) => row.alike)) }
}

/** The rows of a part in the time that both cover which the other lacks. Times may be cut to minutes. */
const lackedBy = (other: Compared, { rows }: Compared, from: number, to: number): readonly FileRow[] => {
  const first = countWhile(rows.length, (place) => (rows[place]?.to ?? Infinity) < from - minute)
  const end = countWhile(rows.length, (place) => (rows[place]?.to ?? Infinity) <= to + minute)
  return rows.slice(first, end).filter(({ id, alike }) => !other.ids.has(id) && !other.alike.has(alike))
}

/** Two files of one platform that are apart: their names, the rows that the other lacks, and how many of these the one with more has. */
type Apart = { readonly names: readonly string[]; readonly lacked: readonly FileRow[]; readonly most: number }

/** Null if one of two files has all that the other has in the time that both cover. `other` begins while `one` lasts. */
const apartOf = (one: Compared, other: Compared): Apart | null => {
  const [from, to] = [other.from, Math.min(one.to, other.to)]
  const mine = lackedBy(other, one, from, to)
  const others = mine.length === 0 ? [] : lackedBy(one, other, from, to)
  return others.length === 0 ? null : { names: [one.name, other.name], lacked: [...mine, ...others], most: Math.max(mine.length, others.length) }
}

/** All pairs of parts that are apart. */
function* apartAmong(parts: readonly FilePart[]): Generator<Apart> {
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
type FilesApart = { readonly names: Set<string>; readonly days: Set<string>; rows: number }

/**
 * Finds files of one platform that cover the same time of an account, where each has rows that the other lacks: most likely the same trades in another
 * form, with other seconds or quantities, or read with other settings, so that they would count twice. Their days prove nothing.
 */
export const filesApart = (files: readonly OwnedFile[], nameOf: (account: AccountKey) => string): { readonly warnings: readonly Extract<ImportWarning, { code: 'files-apart' }>[]; readonly doubtful: readonly DoubtfulDays[] } => {
  if (files.length < 2) return { warnings: [], doubtful: [] }
  const parts = new Map<string, { readonly account: AccountKey; readonly byFile: Map<number, FilePart> }>()
  for (const [index, { name, rows }] of files.entries()) {
    for (const { reading, account } of rows) {
      const row = rowOf(reading)
      if (row === null) continue
      const key = keyOf(account, reading.says, issuerOf(row.id))
      const { byFile } = getOrInsert(parts, key, () => ({ account, byFile: new Map() }))
      const part = getOrInsert(byFile, index, () => ({ name, rows: new Map(), from: row.from, to: row.to }))
      part.rows.set(row.id, row)
      part.from = Math.min(part.from, row.from)
      part.to = Math.max(part.to, row.to)
    }
  }
  const found = new Map<AccountKey, FilesApart>()
  for (const { account, byFile } of parts.values()) {
    for (const { names, lacked, most } of apartAmong([...byFile.values()])) {
      const own = getOrInsert(found, account, () => ({ names: new Set(), days: new Set(), rows: 0 }))
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

/** A file's rows with their accounts, and the zone in which its local times were read. */
type DatedFile = { readonly name: string; readonly zone: string | null; readonly rows: readonly { readonly reading: Reading; readonly account: AccountKey }[] }

/** A row's content without its date, and its time, UTC ms; null for a row without a time, or under the broker's id, where another date contradicts. */
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
      getOrInsert(seen, key, () => new Set()).add(file)
      // Each pair of rows is found once.
      if (month > day) turned.push({ account, key: keyOf(day, month), file })
    }
  }
  const found = turned.flatMap(({ account, key, file }) => [...(seen.get(key) ?? [])].filter((other) => other !== file).slice(0, 1).map((other) => ({ account, names: [local[file]?.name ?? '', local[other]?.name ?? ''] })))
  return [...Map.groupBy(found, ({ account }) => account)]
    .map(([account, own]) => ({ code: 'dates-turned' as const, account: nameOf(account), rows: own.length, files: [...new Set(own.flatMap(({ names }) => names))].sort(compareText) }))
    .sort((one, other) => compareText(one.account, other.account))
}
