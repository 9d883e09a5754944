import { and, eq, isNull, sql } from 'drizzle-orm'
import type { ImportOutcome, ImportPreviewAnswer } from '#shared/api/imports.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { compareFills } from '#shared/fills/order.ts'
import type { Assembly, ImportedFill } from '#shared/imports/assembly.ts'
import type { KnownBy } from '#shared/imports/attribute.ts'
import { doubtsIn, leftOpen, type IncompleteDay, type LeftOpen } from '#shared/imports/derive-trades.ts'
import { isBrokersId } from '#shared/imports/fill-ids.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { unattributedGroups, type UnattributedRow } from '#shared/imports/unattributed.ts'
import { contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { addCurrencyAmounts, amountTexts, noAmounts } from '#shared/money/currency-amounts.ts'
import { amountOf, exactMoney, InexactAmount } from '#shared/money/money.ts'
import { reprice } from '#shared/money/price.ts'
import { deriveBatches } from '#shared/pnl/derive-batches.ts'
import { type FillPair, pairIdOf, type TradeWarning } from '#shared/pnl/fill-pair.ts'
import { reconcile } from '#shared/reconcile/reconcile.ts'
import type { Reader } from '../db/database.ts'
import { accounts as accountTable } from '../db/schema/brokerage.ts'
import { importFiles, importReadings, imports } from '../db/schema/imports.ts'
import { fillPairs, fills as fillTable, trades } from '../db/schema/journal.ts'
import { alikeBeside, sameFilesBeside } from './fills-counted-twice.ts'
import { fillsOfAccount, isSame, type PricedFill } from '../fills/fill-rows.ts'
import { accountAttribution } from './import-accounts.ts'
import { fileOfPart, givenAccount, importOfPart } from './part-facts.ts'
import { activeReadings, type StoredReading, readingsOfImport } from './queries.ts'
import { assembleImports, type AssembledImports, placedReadings, type Placing } from './assemble-imports.ts'
import type { OfUser } from '../db/rows.ts'
import type { PreviewInput, PreviewedFile, OfImport } from './rows.ts'
import { keptSpec, withPointValue } from '../fills/specs.ts'
import { zoneOf } from '../db/zone.ts'

type Preview = Pick<ImportPreviewAnswer, 'accounts' | 'unnamed' | 'outcome' | 'without'>
type Account = { readonly name: string; readonly removed: boolean }
type Counts = { added: number; removed: number }

// Beyond it a preview would hold too much at once, and take the reader from the screens for too long.
const mostReadings = 100_000

/** What an import of these readings would do; nothing is written. */
export const previewImport = (reader: Reader, { userId, files, isTooMuch }: OfUser & PreviewInput): Preview => {
  const seen = files.flatMap((file) => file.seen)
  const attribute = accountAttribution(reader, userId, seen)
  const accounts = accountsOf(reader, userId)
  const nameOf = (key: AccountKey): string => accounts.get(key)?.name ?? key.slice('file:'.length)
  const stateOf = (key: AccountKey): Preview['accounts'][number]['state'] => {
    const known = accounts.get(key)
    return known === undefined ? 'new' : known.removed ? 'removed' : 'known'
  }
  const named = countBy(seen.flatMap((one): [AccountKey, number][] => listOf(attribute(one), one.rows)))
  const unnamedOf = (file: PreviewedFile): number => file.seen.reduce((sum, one) => sum + (attribute(one) === null ? one.rows : 0), 0)
  const unnamed = files.reduce((sum, file) => sum + unnamedOf(file), 0)
  const shown = [...named].map(([key, rows]) => ({ name: nameOf(key), rows, state: stateOf(key) }))
  const open = files.filter((file) => unnamedOf(file) > 0).map((file): UnnamedFile => ({ place: file.place, rows: unnamedOf(file), placed: [], left: unnamedOf(file), by: 'nothing' }))
  const without = (reason: Preview['without']): Preview => ({ accounts: shown, unnamed: { rows: unnamed, placed: [], left: unnamed, files: open }, outcome: null, without: reason })
  if (seen.length === 0) return without('nothing-read')
  if (isTooMuch || standingRows(reader, userId) + [...named.values(), unnamed].reduce((sum, rows) => sum + rows, 0) > mostReadings) return without('too-many-rows')

  const active = [...activeReadings(reader, userId)].flat()
  const kept = [...active, ...files.flatMap(readingsOf)]
  try {
    const own = new Set(files.map(keyOf))
    const warnsOfFees = notInJournal(reader, userId)
    const whole = assembleImports(reader, userId, [...kept], { attribute, warnsOfFees })
    const rows = whole.placed.flatMap((one, index): readonly RowOfFile[] => rowOf(one, kept[index]))
    const open = openKeys(rows, (key) => own.has(key))
    // Rows without an account name are an account of their own.
    const placed = rows.slice(active.length).map((row): RowOfFile => (row.by === 'nothing' && !open.has(row.file) ? { ...row, by: 'ids' } : row))
    const touched = new Set(placed.map(({ account }) => account))
    const ofUnnamed = placed.filter(({ by }) => by !== null)
    const placedOf = (rows: typeof ofUnnamed): { name: string; rows: number }[] =>
      [...countBy(rows.filter(({ by }) => !isAsked(by)).map(({ account }) => [account, 1]))].map(([key, count]) => ({ name: nameOf(key), rows: count }))
    const leftOf = (rows: typeof ofUnnamed): number => rows.filter(({ by }) => isAsked(by)).length
    const byFile = Map.groupBy(ofUnnamed, ({ file }) => file)
    const unnamedFiles = files.flatMap((file): UnnamedFile[] => {
      const rows = byFile.get(keyOf(file)) ?? []
      const [first] = rows
      return first?.by === undefined || first.by === null ? [] : [{ place: file.place, rows: rows.length, placed: placedOf(rows), left: leftOf(rows), by: rows.find(({ by }) => isAsked(by))?.by ?? first.by }]
    })
    return {
      accounts: shown,
      unnamed: { rows: unnamed, placed: placedOf(ofUnnamed), left: leftOf(ofUnnamed), files: unnamedFiles },
      outcome: outcomeOf(reader, userId, { whole, before: once(() => assembleImports(reader, userId, [...active], { warnsOfFees })), touched, unnamed: new Set(ofUnnamed.map(({ account }) => account)), accounts }),
      without: null,
    }
  } catch (error) {
    // Sums of money beyond what is exact.
    if (error instanceof InexactAmount) return without('figures-too-large')
    throw error
  }
}

type UnnamedFile = Preview['unnamed']['files'][number]

const isAsked = (by: KnownBy | null): boolean => by === 'user' || by === 'nothing'

// No import has such an id.
const keyOf = ({ place }: PreviewedFile): string => `\n${String(place)}`

const readingsOf = (file: PreviewedFile): readonly StoredReading[] => {
  const { place, name, kind, zone, accountGiven } = file
  // Behind all imports so far.
  const kept = { key: keyOf(file), place, name, kind, zone, accountGiven, at: Number.MAX_SAFE_INTEGER }
  return file.readings.flatMap((part) => JSON.parse(new TextDecoder().decode(part)) as readonly Reading[]).map((reading) => ({ reading, file: kept }))
}

const listOf = (key: AccountKey | null, rows: number): [AccountKey, number][] => (key === null ? [] : [[key, rows]])

const countBy = (counted: readonly (readonly [AccountKey, number])[]): Map<AccountKey, number> => {
  const counts = new Map<AccountKey, number>()
  for (const [key, rows] of counted) counts.set(key, (counts.get(key) ?? 0) + rows)
  return counts
}

const accountsOf = ({ orm }: Reader, userId: string): ReadonlyMap<AccountKey, Account> =>
  new Map(orm.select().from(accountTable).where(eq(accountTable.userId, userId)).all().map(({ key, name, removedAt }) => [key, { name, removed: removedAt !== null }]))

const standingRows = ({ orm }: Reader, userId: string): number =>
  orm
    .select({ rows: sql<number | null>`sum(${importFiles.accepted})` })
    .from(importFiles)
    .innerJoin(imports, and(eq(imports.userId, importFiles.userId), eq(imports.id, importFiles.importId)))
    .where(and(eq(importFiles.userId, userId), eq(imports.state, 'standing')))
    .get()?.rows ?? 0

type Assembled = {
  readonly whole: AssembledImports
  readonly before: () => AssembledImports
  readonly touched: ReadonlySet<AccountKey>
  /** Those that rows do not name themselves. */
  readonly unnamed: ReadonlySet<AccountKey>
  readonly accounts: ReadonlyMap<AccountKey, Account>
}

const outcomeOf = (reader: Reader, userId: string, assembled: Assembled): ImportOutcome => {
  const { whole, before, touched, accounts } = assembled
  const fills = { added: 0, changed: 0, removed: 0 }
  const moved = new Set(touched)
  const besideBroker = new Map<AccountKey, number>()
  for (const [account, { fills: withImport }] of whole.accounts) {
    const wantedFills = withImport()
    const rows = fillsOfAccount(reader, userId, account)
    const syncedDays = new Set([...rows.values()].filter(({ source }) => source === 'api').map(dayOf))
    for (const id of new Set([...rows.keys(), ...wantedFills.keys()])) {
      const [row, wanted] = [rows.get(id), wantedFills.get(id)]
      if (isSame(row, wanted)) continue
      fills[row === undefined ? 'added' : wanted === undefined ? 'removed' : 'changed'] += 1
      if (row === undefined && wanted !== undefined && !isBrokersId(id) && syncedDays.has(dayOf(wanted))) besideBroker.set(account, (besideBroker.get(account) ?? 0) + 1)
      moved.add(account)
    }
  }
  const derived = previewTrades(reader, userId, whole, moved)
  const { orm } = reader
  const pairsBefore = idsOf(moved, (account) => orm.select({ id: fillPairs.id }).from(fillPairs).where(and(eq(fillPairs.userId, userId), eq(fillPairs.accountId, account), eq(fillPairs.origin, 'synced'))).all())
  const tradesBefore = idsOf(moved, (account) => orm.select({ id: trades.id }).from(trades).where(and(eq(trades.userId, userId), eq(trades.accountId, account))).all())
  const ofTouched = <R extends { readonly account: AccountKey }>(rows: readonly R[]): R[] => rows.filter(({ account }) => touched.has(account))
  const { assembly } = whole
  const checked = { ...assembly, fills: ofTouched(assembly.fills), pairs: ofTouched(assembly.pairs), cash: ofTouched(assembly.cash), balances: ofTouched(assembly.balances) }
  const { pairsChecked, pairsEqual, daysEqual, daysDiffer, daysUnchecked } = reconcile(checked, derived.pairs.filter(({ opening }) => touched.has(opening.account)), ofTouched(derived.incompleteDays))
  const marked = (mark: TradeWarning): number => derived.pairs.filter(({ opening, warnings }) => touched.has(opening.account) && warnings.includes(mark)).length
  const isStill = fills.added + fills.changed + fills.removed === 0 && [...touched].every((key) => accounts.get(key)?.removed === false)
  return {
    fills,
    pairs: difference(pairsBefore, derived.pairs.map(pairIdOf)),
    trades: difference(tradesBefore, derived.trades),
    money: moneyOf(derived.pairs.filter((pair) => !pairsBefore.has(pairIdOf(pair)))),
    open: derived.open.filter(({ account }) => touched.has(account)).map(({ account, ...position }) => ({ account: accounts.get(account)?.name ?? account.slice('file:'.length), ...position })),
    incomplete: marked('incomplete'), approximate: marked('approximate'), ambiguous: marked('ambiguous-order'),
    checks: { pairsChecked, pairsEqual, daysEqual, daysDiffer, daysUnchecked },
    known: isStill && sizeOf(before().assembly) === sizeOf(assembly),
    warnings: [...newWarnings(assembled), ...[...besideBroker].map(([account, rows]) => ({ code: 'beside-broker' as const, account: accounts.get(account)?.name ?? account, rows })), ...alikeWarnings(reader, userId, assembled)],
  }
}

const dayOf = ({ tradeDate, time }: Pick<PricedFill, 'tradeDate' | 'time'>): string => tradeDate ?? tradingDay(time)

/** What these files are to be warned of: without what the imports before them are warned of as well. */
const newWarnings = ({ whole, before }: Assembled): ImportOutcome['warnings'] => {
  const all = [...whole.warnings, ...whole.assembly.warnings]
  if (all.length === 0) return all
  const old = new Set([...before().warnings, ...before().assembly.warnings].map((warning) => JSON.stringify(warning)))
  return all.filter((warning) => !old.has(JSON.stringify(warning)))
}

/** Whether the journal lacks a fill. */
const notInJournal = ({ orm }: Reader, userId: string): ((fill: ImportedFill) => boolean) => {
  const known = new Map<AccountKey, ReadonlySet<string>>()
  return ({ account, id }) => {
    const ids = known.get(account) ?? new Set(orm.select({ id: fillTable.id }).from(fillTable).where(and(eq(fillTable.userId, userId), eq(fillTable.account, account))).all().map((row) => row.id))
    known.set(account, ids)
    return !ids.has(id)
  }
}

const once = <T extends object>(make: () => T): (() => T) => {
  let made: T | null = null
  return () => (made ??= make())
}

/** Accounts of the journal, synced ones too, that have the fills of these files under another name. */
const alikeWarnings = (reader: Reader, userId: string, { whole, touched, unnamed, accounts }: Assembled): ImportOutcome['warnings'] => {
  const coming = [...touched].flatMap((account) => [...(whole.accounts.get(account)?.fills().values() ?? [])].map((fill) => ({ ...fill, account })))
  const nameOf = (key: AccountKey): string => accounts.get(key)?.name ?? key.slice('file:'.length)
  // Accounts of files alone are compared where these are put together.
  const beside = alikeBeside(reader, userId, coming).filter(({ accounts: both }) => both.every((key) => !whole.accounts.has(key) || touched.has(key)))
  const same = sameFilesBeside(reader, userId, coming.filter(({ account }) => unnamed.has(account)))
  return [...beside, ...same].map(({ accounts: both, rows }) => ({ code: 'accounts-alike', accounts: both.map(nameOf), rows }))
}

/** Everything but fills in these files, each once: if an import adds to it, the import brings something new. Row numbers do not count. */
const sizeOf = ({ pairs, cash, balances, positions, missing, doubtful, warnings }: Assembly): string =>
  JSON.stringify([pairs.length, cash.length, balances.length, positions, missing, doubtful, balances.filter(({ contradicted }) => contradicted).length, warnings], (key, value: unknown) => (key === 'at' || key === 'conflicts' ? undefined : value))

const idsOf = (keys: ReadonlySet<AccountKey>, rowsOf: (key: AccountKey) => readonly { readonly id: string }[]): Set<string> =>
  new Set([...keys].flatMap((key) => rowsOf(key).map(({ id }) => id)))

const difference = (before: ReadonlySet<string>, after: readonly string[]): Counts => {
  const known = new Set(after)
  return { added: after.filter((id) => !before.has(id)).length, removed: [...before].filter((id) => !known.has(id)).length }
}

const moneyOf = (pairs: readonly FillPair[]): ImportOutcome['money'] =>
  [...Map.groupBy(pairs, ({ spec }) => spec.currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, own]) => {
      const total = (of: 'grossPnl' | 'commission' | 'netPnl'): string => exactMoney(amountOf(own.reduce((sum, pair) => sum + pair[of], 0)))
      const otherFees = own.reduce((sum, pair) => addCurrencyAmounts(sum, pair.otherFees ?? noAmounts), noAmounts)
      return { currency, grossPnl: total('grossPnl'), commission: total('commission'), netPnl: total('netPnl'), ...(otherFees.length === 0 ? {} : { otherFees: amountTexts(otherFees) }) }
    })

/** What the fills of some accounts would come to, trades by their ids. */
type Derived = { readonly pairs: readonly FillPair[]; readonly trades: readonly string[]; readonly open: readonly LeftOpen[]; readonly incompleteDays: readonly IncompleteDay[] }

/** Matches the fills that these accounts would have after the import; nothing is written. */
const previewTrades = (reader: Reader, userId: string, { accounts: together, assembly }: AssembledImports, keys: ReadonlySet<AccountKey>): Derived => {
  const zone = zoneOf(reader, userId)
  const specs = new Map<string, ContractSpec>()
  const specOf = (contract: string): ContractSpec => {
    const known = specs.get(contract)
    if (known !== undefined) return known
    const kept = keptSpec(reader, userId, contract)
    const fileSpec = assembly.specs.get(contract) ?? contractSpecOf(contract)
    const spec = kept?.source === 'broker' ? { ...kept, rounding: fileSpec.rounding ?? kept.rounding } : withPointValue(reader, userId, fileSpec)
    specs.set(contract, spec)
    return spec
  }
  const [pairs, trades, open, incompleteDays] = [[] as FillPair[], new Set<string>(), [] as LeftOpen[], [] as IncompleteDay[]]
  for (const key of keys) {
    const fills = [...(together.get(key)?.fills().values() ?? [])].flatMap((fill) => inTicksOf(specOf(fill.contract), fill)).sort(compareFills)
    const underWay = new Map<string, string | null>()
    const ends = new Map<string, number>()
    for (const batch of deriveBatches(fills, { zone, specOf, doubtsOf: doubtsIn({ fills, positions: assembly.positions, missing: assembly.missing }) })) {
      ends.set(batch.contract, batch.end.net)
      for (const tradingDay of batch.doubtfulDays) incompleteDays.push({ account: key, tradingDay, currency: specOf(batch.contract).currency })
      for (const pair of batch.pairs) pairs.push(pair)
      for (const { id } of batch.trades) trades.add(id)
      const { trade } = batch.end
      underWay.set(batch.contract, trade !== null && trade.pairCount > 0 ? trade.id : null)
    }
    for (const id of underWay.values()) if (id !== null) trades.add(id)
    for (const [contract, net] of ends) {
      const left = leftOpen(key, contract, net)
      if (left !== null) open.push(left)
    }
  }
  return { pairs, trades: [...trades], open, incompleteDays }
}

/** None where the price lies on no tick of the contract: the journal leaves such a fill out. */
const inTicksOf = ({ tickSize }: ContractSpec, { tickSize: own, ...fill }: PricedFill): Fill[] => {
  const price = reprice(fill.price, own, tickSize)
  return price === null ? [] : [{ ...fill, price }]
}

/** A row, whose it is, and the key of its file. */
type RowOfFile = Placing & { readonly reading: Reading; readonly file: string }

/** A row as it was kept, with whose it is. */
const rowOf = (placing: Placing, row: StoredReading | undefined): readonly RowOfFile[] => (row === undefined ? [] : [{ ...placing, reading: row.reading, file: row.file.key }])

/**
 * The keys of new files whose account nobody knows: neither their rows nor their user name it, and no account has their fills.
 * Rows without an account name are an account of their own, and a file with one of its fills is of that one.
 */
const openKeys = (rows: readonly RowOfFile[], isNew: (file: string) => boolean): ReadonlySet<string> => {
  const keys = [...new Set(rows.map(({ file }) => file))]
  const places = new Map(keys.map((key, place) => [key, place]))
  const left = rows.flatMap(({ reading, by, file }): readonly UnattributedRow[] => (reading.says === 'pair' && by === 'nothing' ? [{ file: places.get(file) ?? 0, pair: reading }] : []))
  const groups = unattributedGroups(left, true).map(({ files }) => [...files].map((place) => keys[place] ?? ''))
  // Orders and fills without an account are of one where they share any.
  const loose = rows.filter(({ reading: { says }, by }) => by === 'nothing' && (says === 'order' || says === 'fill'))
  const ofLoose = [...Map.groupBy(loose, ({ account }) => account).values()].map((own) => [...new Set(own.map(({ file }) => file))])
  return new Set([...groups, ...ofLoose].filter((files) => files.every(isNew)).flat())
}

/** Of an import that was read and is not active yet: the places of files whose account is unknown while there are several it may be. */
export const openFiles = (reader: Reader, { userId, importId }: OfImport): readonly number[] => {
  if (!hasOpenRows(reader, userId, importId)) return []
  const own = [...readingsOfImport(reader, userId, importId)].flat()
  const kept: readonly StoredReading[] = [...[...activeReadings(reader, userId)].flat(), ...own]
  const rows = placedReadings(reader, userId, kept).flatMap((placing, index) => rowOf(placing, kept[index]))
  const ownKeys = new Set(own.map(({ file }) => file.key))
  const open = openKeys(rows, (key) => ownKeys.has(key))
  const isOpen = ({ file }: RowOfFile): boolean => open.has(file)
  // One account that nobody names is its own, whatever it is called; beside another it may be that one.
  const ofOwn = new Set(rows.filter(({ file }) => ownKeys.has(file)).map(({ account }) => account))
  const isBesideOthers = ofOwn.size > 1 || hasAccounts(reader, userId) || rows.some((row) => row.by === 'nothing' && !isOpen(row))
  return isBesideOthers ? [...new Set(own.filter(({ file }) => open.has(file.key)).map(({ file }) => file.place))].sort((one, other) => one - other) : []
}

const hasOpenRows = ({ orm }: Reader, userId: string, importId: string): boolean =>
  orm
    .select({ part: importReadings.part })
    .from(importReadings)
    .innerJoin(imports, importOfPart)
    .leftJoin(importFiles, fileOfPart)
    .where(and(eq(importReadings.userId, userId), eq(importReadings.importId, importId), isNull(importReadings.accountName), isNull(importReadings.accountId), isNull(givenAccount)))
    .get() !== undefined

const hasAccounts = ({ orm }: Reader, userId: string): boolean =>
  orm.select({ key: accountTable.key }).from(accountTable).where(and(eq(accountTable.userId, userId), isNull(accountTable.removedAt))).get() !== undefined
