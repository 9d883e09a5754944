import { asc, eq } from 'drizzle-orm'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { runUnsliced, type Sliced } from '#shared/base/sliced.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { feeFactsOf, withFeeOf } from '#shared/fills/merge.ts'
import { sourceRank } from '#shared/fills/source.ts'
import { fileAccount } from '#shared/imports/accounts.ts'
import { assembling } from '#shared/imports/assemble.ts'
import { placeholderAccount } from '#shared/imports/assemble-files.ts'
import type { Assembly, DoubtfulDays, ImportedFill, ImportWarning, RetimedFill } from '#shared/imports/assembly.ts'
import type { KnownBy } from '#shared/imports/attribute.ts'
import type { FileRows } from '#shared/imports/file-rows.ts'
import type { AccountNamed, FillReading, Reading } from '#shared/imports/reading.ts'
import { orderFillIds } from '#shared/imports/order-fills.ts'
import { settlingFiles, type SettledRow } from '#shared/imports/settle-files.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { areSameAmounts, noAmounts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import { zero, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Reader } from '../db/database.ts'
import { accounts as accountTable } from '../db/schema/brokerage.ts'
import { imports } from '../db/schema/imports.ts'
import type { PricedFill } from '../fills/fill-rows.ts'
import { isOwn, mergeUndated } from '../fills/merge-rules.ts'
import { withPointValue } from '../fills/specs.ts'
import { accountAttribution, allAccounts, type AccountAttribution, joiningAccounts } from './import-accounts.ts'
import type { StoredReading } from './queries.ts'
import { writtenFills } from './retime-notes.ts'
import { accountsWithBaseFills, fillsWithoutImports } from '../fills/base-fills.ts'
import { importsOfHistory } from './history-queries.ts'

/** A reading's account, and how it is known if the reading names none. */
export type Placing = { readonly account: AccountKey; readonly by: KnownBy | null }

/** What the journal should hold of the accounts that imports change. */
export type AssembledImports = {
  /** As `assemble` gives it, under the keys of the journal's accounts. */
  readonly assembly: Assembly
  readonly accounts: ReadonlyMap<AccountKey, AssembledAccount>
  /** Accounts that imports name. */
  readonly named: ReadonlySet<AccountKey>
  /** The readings' accounts, in the order of the readings. */
  readonly placed: readonly Placing[]
  /** Warnings about the accounts and times of files; those of the assembly are in `assembly`. */
  readonly warnings: readonly ImportWarning[]
  /** Fills whose times were corrected: those of trades with notes in their own files, and all that a better source has in another second. */
  readonly retimed: readonly RetimedFill[]
}

/** An account's fills by id. */
type AssembledAccount = {
  /** With imports; computed at each call, so that a caller who goes through all accounts holds one at a time. */
  readonly fills: () => ReadonlyMap<string, PricedFill>
  /** Without imports. */
  readonly base: ReadonlyMap<string, PricedFill>
}

/** Whether a fill without a fee counts in a warning. */
type WarnsOfFees = (fill: ImportedFill) => boolean

/** The part of the accounts to assemble: these, all accounts that imports name, and whether every row names one. */
export type Within = { readonly accounts: ReadonlySet<AccountKey>; readonly named: ReadonlySet<AccountKey>; readonly allNamed: boolean }

/**
 * Assembles an account's fills from its other sources and from all active imports. The result does not depend on the order
 * in which they came: a fill of the API keeps its values, and files add what it lacks. `kept` is emptied as soon as its
 * readings are placed in their accounts, so that a large journal is not held twice.
 */
export const assembleImports = (reader: Reader, userId: string, kept: StoredReading[], { attribute = accountAttribution(reader, userId), warnsOfFees }: { readonly attribute?: AccountAttribution; readonly warnsOfFees?: WarnsOfFees } = {}): AssembledImports => runUnsliced(assemblingImports(reader, userId, kept, { attribute, within: null, warnsOfFees }))

/** As `assembleImports`, in slices. With `within` the readings are those of its accounts, and all that can be said of these. */
export function* assemblingImports(reader: Reader, userId: string, kept: StoredReading[], { attribute, within, warnsOfFees }: { readonly attribute: AccountAttribution; readonly within: Within | null; readonly warnsOfFees?: WarnsOfFees | undefined }): Sliced<AssembledImports> {
  const { named, base, accountOf } = yield* readingJournalFills(reader, userId, kept, { attribute, within })
  const { found, warnings, doubtful, moved } = yield* findingAccounts(reader, userId, kept, { attribute, base, accountOf })
  const corrections = latestCorrections(reader, userId, kept, found, base)
  kept.length = 0
  yield
  const placed = found.map(placingOf)
  const readings = [...found.map(({ reading }) => reading), ...readingsOf(base, accountOf, isAssembled)].map((reading) => corrected(reading, corrections))
  found.length = 0
  for (const { account } of placed) named.add(account)
  const assembly = yield* assembling(readings, { account: null, keyOfName: (name) => name as AccountKey, ...(warnsOfFees === undefined ? {} : { warnsOfFees }) })
  yield
  const byAccount = Map.groupBy(assembly.fills, ({ account }) => account)
  const accounts = new Map<AccountKey, AssembledAccount>()
  for (const key of new Set([...base.keys(), ...byAccount.keys()])) {
    const ofAccount = base.get(key) ?? new Map<string, PricedFill>()
    accounts.set(key, { base: ofAccount, fills: () => mergedFills(byAccount.get(key) ?? [], ofAccount, assembly, corrections) })
  }
  return { assembly: { ...assembly, doubtful: [...assembly.doubtful, ...doubtful], warnings: unanswered(reader, userId, assembly) }, accounts, named, placed, warnings, retimed: [...moved, ...assembly.retimed] }
}

type JournalFills = { readonly named: Set<AccountKey>; readonly base: FillsByAccount; readonly accountOf: AccountOf }

/** The fills without imports of the accounts that these readings may belong to. */
function* readingJournalFills(reader: Reader, userId: string, kept: readonly StoredReading[], { attribute, within }: { readonly attribute: AccountAttribution; readonly within: Within | null }): Sliced<JournalFills> {
  const named = new Set(within?.named)
  let allNamed = within?.allNamed ?? true
  for (const { reading } of kept) {
    const key = attribute(reading.account)
    if (key === null) allNamed = false
    else named.add(key)
  }
  const base = new Map<AccountKey, ReadonlyMap<string, PricedFill>>()
  // Accounts that join others are never assembled without them.
  const joining = within === null ? joiningAccounts(reader, userId, attribute) : new Map<AccountKey, AccountKey>()
  for (const key of accountsInQuestion(reader, userId, new Set([...named, ...joining.keys(), ...joining.values()]), allNamed)) {
    if (within?.accounts.has(key) === false) continue
    base.set(key, fillsWithoutImports(reader, userId, key))
    yield
  }
  for (const [from, to] of joining) {
    base.set(to, withFillsOf(to, base.get(to) ?? noFills, base.get(from) ?? noFills))
    base.set(from, noFills)
  }
  return { named, base, accountOf: accountsOfKeys() }
}

const noFills: ReadonlyMap<string, PricedFill> = new Map()

/** The fills of an account with those of one that joins it: the better source wins, each supplies what the other lacks. */
const withFillsOf = (account: AccountKey, own: ReadonlyMap<string, PricedFill>, joining: ReadonlyMap<string, PricedFill>): ReadonlyMap<string, PricedFill> =>
  new Map([...own, ...[...joining].map(([id, fill]) => [id, mergeUndated(own.get(id), { ...fill, account })] as const)])

/** The readings' accounts, in the order of the readings. */
export const placedReadings = (reader: Reader, userId: string, kept: readonly StoredReading[]): readonly Placing[] => {
  const attribute = accountAttribution(reader, userId)
  const journal = runUnsliced(readingJournalFills(reader, userId, kept, { attribute, within: null }))
  return runUnsliced(findingAccounts(reader, userId, kept, { attribute, ...journal })).found.map(placingOf)
}

/** Rows that name no account may belong to any. */
const accountsInQuestion = (reader: Reader, userId: string, named: ReadonlySet<AccountKey>, allNamed: boolean): AccountKey[] => {
  const all = reader.orm.select({ key: accountTable.key }).from(accountTable).where(eq(accountTable.userId, userId)).orderBy(asc(accountTable.key)).all().map(({ key }) => key)
  const changed = new Set(accountsWithBaseFills(reader, userId))
  return all.filter((key) => !allNamed || named.has(key) || changed.has(key))
}

type AccountOf = (key: AccountKey) => AccountNamed

/** One object per key: a million readings share it, and `inAccount` compares it by identity. */
const accountsOfKeys = (): AccountOf => {
  const known = new Map<AccountKey, AccountNamed>()
  return (key) => getOrInsert(known, key, () => ({ id: null, name: key }))
}

const inAccount = <R extends Reading>(reading: R, account: AccountNamed): R => (reading.account === account ? reading : { ...reading, account })

/** A reading with its account and the name of its file, in one copy: there may be a million. */
const placedIn = (reading: Reading, account: AccountNamed, file: string): Reading => (reading.says === 'position' || reading.says === 'refused' ? { ...reading, account } : { ...reading, account, file })

/** Fills without imports, as rows of a Fills report. */
const readingsOf = (base: FillsByAccount, accountOf: AccountOf, isWanted: (fill: PricedFill) => boolean): readonly FillReading[] =>
  [...base].flatMap(([key, fills]) =>
    [...fills.values()]
      .filter(isWanted)
      .map(({ id, orderId, contract, time, side, qty, price, tickSize, fee, otherFees, active, tradeDate, source }) =>
        ({ says: 'fill', account: accountOf(key), fillId: id, orderId, contract, time, side, qty, price, tickSize, fee, ...feeFactsOf({ otherFees }), active, tradeDate, ...(isOwn(source) ? {} : { mirrored: source }) }),
      ),
  )

/** Whether a fill is combined with those of files: all but fills added through the API. */
const isAssembled = ({ source }: PricedFill): boolean => source !== 'handed-in'

type AttributedFills = Pick<JournalFills, 'base' | 'accountOf'> & { readonly attribute: AccountAttribution }

const corrected = (reading: Reading, corrections: Corrections): Reading => {
  const correction = reading.says === 'fill' && corrections.size > 0 ? corrections.get(correctionKey(reading.account.name, reading.fillId)) : undefined
  return correction === undefined ? reading : { ...reading, ...correction }
}

type AttributedReading = { readonly reading: Reading; readonly by: KnownBy | null }

const placingOf = ({ reading, by }: AttributedReading): Placing => ({ account: reading.account.name as AccountKey, by })

/** The readings with the keys of their accounts and corrected times. To a fill of a sure source a file only adds what it lacks, and a later bust. */
function* findingAccounts(reader: Reader, userId: string, kept: readonly StoredReading[], { attribute, base, accountOf }: AttributedFills): Sliced<{ readonly found: AttributedReading[]; readonly warnings: AssembledImports['warnings']; readonly doubtful: readonly DoubtfulDays[]; readonly moved: readonly RetimedFill[] }> {
  const byFile = Map.groupBy(kept.keys(), (index) => kept[index]?.file.key ?? '')
  const files = [...byFile.values()].flatMap((places): readonly FileRows[] => {
    const file = kept[places[0] ?? 0]?.file
    const readings = places.flatMap((place) => {
      const reading = kept[place]?.reading
      const key = reading === undefined ? null : attribute(reading.account)
      return reading === undefined || file === undefined ? [] : [key === null ? reading : placedIn(reading, accountOf(key), file.name)]
    })
    return file === undefined ? [] : [{ name: file.name, kind: file.kind, zone: file.zone, accountGiven: file.accountGiven, ...(file.at === undefined ? {} : { at: file.at }), readings }]
  })
  yield
  const names = namesOf(reader, userId)
  const api = [...base.keys()].map((key): FileRows => ({ name: '', kind: null, zone: null, accountGiven: null, readings: readingsOf(new Map([[key, base.get(key) ?? new Map<string, PricedFill>()]]), accountOf, isAssembled) }))
  const settled = yield* settlingFiles([...files, ...api], {
    named: ({ id, name }) => (id === null && name === null ? null : (name as AccountKey)),
    keyOfName: (name) => attribute({ id: null, name }) ?? fileAccount(name),
    placeholderFor: (place) => fileAccount(placeholderAccount(place)),
    nameOf: (key) => names.get(key)?.name ?? key.slice(fileAccount('').length),
    others: [...names].flatMap(([key, { isRemoved }]) => (isRemoved ? [] : [key])),
  })
  yield
  const found: AttributedReading[] = []
  const moved: RetimedFill[] = []
  const written = writtenFills(reader, userId)
  for (const [index, places] of [...byFile.values()].entries()) {
    for (const [at, place] of places.entries()) {
      const row = settled.files[index]?.[at]
      const read = kept[place]?.reading
      if (row !== undefined && read !== undefined && written.size > 0) moved.push(...movedFills(read, row, written))
      if (row !== undefined) found[place] = { reading: withSureFacts(inAccount(row.reading, accountOf(row.account)), base.get(row.account)), by: row.attribution?.by ?? null }
    }
  }
  return { found, warnings: settled.warnings, doubtful: settled.doubtful, moved }
}

/** A row's fills that the user wrote on and that have another time now. */
const movedFills = (read: Reading, { reading, account }: Pick<SettledRow, 'reading' | 'account'>, written: ReadonlySet<string>): readonly RetimedFill[] =>
  fillsOf(reading).flatMap(({ id, time }, index) => (written.has(id) && fillsOf(read)[index]?.time !== time ? [{ account, id, time }] : []))

/** A row's fills, by their ids in the journal. */
const fillsOf = (row: Reading): readonly Pick<RetimedFill, 'id' | 'time'>[] => {
  switch (row.says) {
    case 'fill': return [{ id: row.fillId, time: row.time }]
    case 'pair': return [row.buy, row.sell].map(({ fillId, time }) => ({ id: fillId, time }))
    case 'order': return orderFillIds(row.orderId).map((id) => ({ id, time: row.filledAt }))
    default: return []
  }
}

const withSureFacts = (reading: Reading, base: ReadonlyMap<string, PricedFill> | undefined): Reading => {
  const fill = reading.says === 'fill' ? base?.get(reading.fillId) : undefined
  if (reading.says !== 'fill' || fill === undefined || !isSure(fill)) return reading
  const { contract, time, side, qty, price, tickSize } = fill
  const added = { fee: fill.fee ?? reading.fee, ...feeFactsOf({ otherFees: fill.otherFees }), orderId: fill.orderId ?? reading.orderId, tradeDate: fill.tradeDate ?? reading.tradeDate }
  return { ...reading, contract, time, side, qty, price, tickSize, ...added, active: fill.active && reading.active }
}

const namesOf = (reader: Reader, userId: string): ReadonlyMap<AccountKey, { readonly name: string; readonly isRemoved: boolean }> =>
  new Map(allAccounts(reader, userId).map(({ key, name, removedAt }) => [key, { name, isRemoved: removedAt !== null }]))

/** Warnings by the names of the journal's accounts, without contracts whose point value the user set. */
const unanswered = (reader: Reader, userId: string, { specs, warnings }: Assembly): readonly ImportWarning[] => {
  const isAnswered = (contract: string): boolean => {
    const spec = specs.get(contract)
    return spec !== undefined && withPointValue(reader, userId, spec).source === 'user'
  }
  const names = namesOf(reader, userId)
  // An account that only these files have is not in the journal yet.
  const nameOf = (key: string): string => names.get(key as AccountKey)?.name ?? (key.startsWith(fileAccount('')) ? key.slice(fileAccount('').length) : key)
  return warnings.flatMap((warning): readonly ImportWarning[] => {
    if (warning.code === 'accounts-alike') return [{ ...warning, accounts: warning.accounts.map(nameOf) }]
    if (warning.code === 'days-without-file') return [{ ...warning, account: nameOf(warning.account) }]
    if (warning.code !== 'unknown-contract' && warning.code !== 'partial-root') return [warning]
    const contracts = warning.contracts.filter((contract) => !isAnswered(contract))
    return contracts.length === 0 ? [] : [{ ...warning, contracts }]
  })
}

/** An account's fills: the assembled ones, then the broker's own that were not assembled. */
const mergedFills = (assembled: readonly ImportedFill[], base: ReadonlyMap<string, PricedFill>, { specs }: Assembly, corrections: Corrections): ReadonlyMap<string, PricedFill> => {
  const fills = new Map<string, PricedFill>()
  for (const fill of assembled) {
    const isCorrected = corrections.get(correctionKey(fill.account, fill.id))?.price !== undefined
    fills.set(fill.id, mergedFill(fill, base.get(fill.id), { tickSize: specs.get(fill.contract)?.tickSize ?? '', isCorrected }))
  }
  // The broker's own is never left out.
  for (const [id, fill] of base) if (isOwn(fill.source) && !fills.has(id)) fills.set(id, fill)
  return fills
}

/** An assembled fill as the journal has it. One known from a sure source or another computer keeps its facts and takes what files add; `isCorrected`: its price and time too. */
const mergedFill = (assembled: ImportedFill, known: PricedFill | undefined, { tickSize, isCorrected }: { readonly tickSize: string; readonly isCorrected: boolean }): PricedFill => {
  const { id, account, contract, time, side, qty, price, fee, otherFees, feeFrom, active, source, orderId, tradeDate, mirrored } = assembled
  const ambiguous = assembled.ambiguous === true ? { ambiguous: true as const } : {}
  if (known === undefined || (!isSure(known) && mirrored !== true)) {
    const fill = { id, account, contract, time, side, qty, price, tickSize, fee, ...feeFactsOf({ otherFees }), active, source, orderId, contractId: known?.contractId ?? null, tradeDate, ...ambiguous }
    return known?.qty === qty ? withFeeOf(fill, known) : fill
  }
  const isRepriced = known.fee !== fee || !areSameAmounts(known.otherFees, otherFees)
  const { ambiguous: _, ...sure } = known
  return { ...sure, ...(isSure(known) ? {} : { qty }), fee, otherFees, feeFrom: isRepriced ? feeFrom : undefined, active, orderId, tradeDate, ...(isCorrected ? { price, tickSize, time } : {}), ...ambiguous }
}

/** Fills without imports, by account and id. */
type FillsByAccount = ReadonlyMap<AccountKey, ReadonlyMap<string, PricedFill>>

/** Whether a fill is of a sure source: the API, or one as good. */
const isSure = ({ source }: PricedFill): boolean => sourceRank(source) === sourceRank('api')

/** When each import was made, UTC ms. */
const importMoments = ({ orm }: Reader, userId: string): ReadonlyMap<string, number> =>
  new Map(orm.select().from(imports).where(eq(imports.userId, userId)).all().map(({ id, at }) => [id, at]))

/** What a file says of a fill of a sure source; `price` is in ticks of `tickSize`, `time` UTC ms. */
type Correction = { readonly fee?: Amount; readonly otherFees?: CurrencyAmounts; readonly feeFrom?: string; readonly price?: Ticks; readonly tickSize?: string; readonly time?: number }
/** By `correctionKey`. */
type Corrections = ReadonlyMap<string, Correction>

/** The key of a fill's correction. */
const correctionKey = (account: string | null, fillId: string): string => `${String(account)}/${fillId}`

/**
 * Corrections of fills of a sure source by the latest file that was imported after their session ended: fees are booked
 * late, prices and times are corrected, and the API shows it only while it lists the fill. A file from the user, which may
 * have been edited, corrects fees only; a report that Fillbook fetched corrects all three.
 */
const latestCorrections = (reader: Reader, userId: string, kept: readonly StoredReading[], placed: readonly { readonly reading: Reading }[], base: FillsByAccount): Corrections => {
  const [moments, ofBroker] = [importMoments(reader, userId), importsOfHistory(reader, userId)]
  const corrections = new Map<string, Correction>()
  const latest = new Map<string, { fee: number; price: number }>()
  const largest = new Map<string, Amount>()
  const ends = new Map<string, number>()
  const endOf = (day: string): number => getOrInsert(ends, day, () => sessionOf(day).closes)
  for (const [index, { reading: row, file }] of kept.entries()) {
    const key = placed[index]?.reading.account.name as AccountKey
    const fill = row.says === 'fill' ? base.get(key)?.get(row.fillId) : undefined
    if (row.says !== 'fill' || fill === undefined || !isSure(fill)) continue
    const importId = file.key.split('\n')[0] ?? ''
    // An import that is not saved yet is the latest.
    const at = moments.get(importId) ?? Infinity
    if (at < endOf(fill.tradeDate ?? tradingDay(fill.time))) continue
    const name = correctionKey(key, row.fillId)
    const before = latest.get(name) ?? { fee: -Infinity, price: -Infinity }
    const known = corrections.get(name)
    const fees = correctedFees(row.fee, fill)
    const isLaterFee = row.fee !== null && fees !== null && (at > before.fee || (at === before.fee && row.fee > (largest.get(name) ?? -Infinity)))
    const isLaterPrice = ofBroker.has(importId) && at > before.price
    if (!isLaterFee && !isLaterPrice) continue
    if (isLaterFee) largest.set(name, row.fee)
    corrections.set(name, { ...known, ...(isLaterFee ? { ...fees, feeFrom: file.name } : {}), ...(isLaterPrice ? { price: row.price, tickSize: row.tickSize, time: row.time } : {}) })
    latest.set(name, { fee: isLaterFee ? at : before.fee, price: isLaterPrice ? at : before.price })
  }
  return corrections
}

/**
 * A fee column's value as a correction of a fill. The column names no currency, so it means the one in which the fill is
 * known to be charged. Null if it is empty, or if the fill was charged in several currencies.
 */
const correctedFees = (fee: Amount | null, { fee: known, otherFees = noAmounts }: PricedFill): Pick<Correction, 'fee' | 'otherFees'> | null => {
  const [other, ...more] = otherFees
  if (fee === null) return null
  if (other === undefined) return { fee }
  return (known ?? 0) === 0 && more.length === 0 ? { fee: zero, otherFees: fee === 0 ? noAmounts : [{ currency: other.currency, amount: fee }] } : null
}
