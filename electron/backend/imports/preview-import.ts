import type { ImportOutcome, ImportPreviewAnswer } from '#shared/api/imports.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { Assembly, ImportedFill } from '#shared/imports/assembly.ts'
import type { KnownBy } from '#shared/imports/attribute.ts'
import { isBrokersId } from '#shared/imports/fill-ids.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { addCurrencyAmounts, amountTexts, noAmounts } from '#shared/money/currency-amounts.ts'
import { amountOf, exactMoney, InexactAmount } from '#shared/money/money.ts'
import { pairIdOf, type Pair, type TradeWarning } from '#shared/pnl/pair.ts'
import { reconcile } from '#shared/reconcile/reconcile.ts'
import { query, type Reader } from '../db/database.ts'
import { alikeBeside, sameFilesBeside } from '../reconciliation/fills-counted-twice.ts'
import { fillsOfAccount, isSame, type PricedFill } from '../fills/fill-rows.ts'
import { accountAttribution } from './import-accounts.ts'
import { activeReadings, type KeptReading } from './queries.ts'
import { openKeys, rowOf, type RowOfFile } from './open-files.ts'
import { assembleImports, type AssembledImports } from './assemble-imports.ts'
import { previewTrades } from './preview-trades.ts'
import type { OfUser } from '../db/rows.ts'
import type { PreviewInput, PreviewedFile } from './rows.ts'

type Preview = Pick<ImportPreviewAnswer, 'accounts' | 'unnamed' | 'outcome' | 'without'>
type Account = { readonly name: string; readonly removed: boolean }
type Counts = { added: number; removed: number }

// Beyond it a preview would hold too much at once, and take the reader from the screens for too long.
const mostReadings = 100_000

/** What an import of these readings would come to; nothing is written. */
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

  const standing = [...activeReadings(reader, userId)].flat()
  const kept = [...standing, ...files.flatMap(readingsOf)]
  try {
    const own = new Set(files.map(keyOf))
    const warnsOfFees = notInJournal(reader, userId)
    const whole = assembleImports(reader, userId, [...kept], { attribute, warnsOfFees })
    const rows = whole.placed.flatMap((one, index): readonly RowOfFile[] => rowOf(one, kept[index]))
    const open = openKeys(rows, (key) => own.has(key))
    // Rows without an account name are an account of their own.
    const placed = rows.slice(standing.length).map((row): RowOfFile => (row.by === 'nothing' && !open.has(row.file) ? { ...row, by: 'ids' } : row))
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
      outcome: outcomeOf(reader, userId, { whole, before: once(() => assembleImports(reader, userId, [...standing], { warnsOfFees })), touched, unnamed: new Set(ofUnnamed.map(({ account }) => account)), accounts }),
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

const readingsOf = (file: PreviewedFile): readonly KeptReading[] => {
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

const accountsOf = (reader: Reader, userId: string): ReadonlyMap<AccountKey, Account> =>
  new Map(
    query<{ key: AccountKey; name: string; removed_at: number | null }>(reader, 'SELECT key, name, removed_at FROM accounts WHERE user_id = ?')
      .all(userId)
      .map(({ key, name, removed_at }) => [key, { name, removed: removed_at !== null }]),
  )

const standingRows = (reader: Reader, userId: string): number => {
  const sql = `SELECT sum(accepted) AS rows FROM import_files JOIN imports ON imports.user_id = import_files.user_id AND imports.id = import_id WHERE import_files.user_id = ? AND state = 'standing'`
  return query<{ rows: number | null }>(reader, sql).get(userId)?.rows ?? 0
}

type Parts = { readonly whole: AssembledImports; readonly before: () => AssembledImports; readonly touched: ReadonlySet<AccountKey>; /** Those that rows do not name themselves. */ readonly unnamed: ReadonlySet<AccountKey>; readonly accounts: ReadonlyMap<AccountKey, Account> }

const outcomeOf = (reader: Reader, userId: string, parts: Parts): ImportOutcome => {
  const { whole, before, touched, accounts } = parts
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
  const pairsBefore = idsOf(reader, `SELECT id FROM trades WHERE user_id = ? AND account_id = ? AND origin = 'synced'`, userId, moved)
  const tripsBefore = idsOf(reader, 'SELECT id FROM trips WHERE user_id = ? AND account_id = ?', userId, moved)
  const ofTouched = <R extends { readonly account: AccountKey }>(rows: readonly R[]): R[] => rows.filter(({ account }) => touched.has(account))
  const { assembly } = whole
  const checked = { ...assembly, fills: ofTouched(assembly.fills), pairs: ofTouched(assembly.pairs), cash: ofTouched(assembly.cash), balances: ofTouched(assembly.balances) }
  const { pairsChecked, pairsEqual, daysEqual, daysDiffer, daysUnchecked } = reconcile(checked, derived.pairs.filter(({ opening }) => touched.has(opening.account)), ofTouched(derived.incompleteDays))
  const marked = (mark: TradeWarning): number => derived.pairs.filter(({ opening, warnings }) => touched.has(opening.account) && warnings.includes(mark)).length
  const isStill = fills.added + fills.changed + fills.removed === 0 && [...touched].every((key) => accounts.get(key)?.removed === false)
  return {
    fills,
    pairs: difference(pairsBefore, derived.pairs.map(pairIdOf)),
    trips: difference(tripsBefore, derived.trips),
    money: moneyOf(derived.pairs.filter((pair) => !pairsBefore.has(pairIdOf(pair)))),
    open: derived.open.filter(({ account }) => touched.has(account)).map(({ account, ...position }) => ({ account: accounts.get(account)?.name ?? account.slice('file:'.length), ...position })),
    ...{ incomplete: marked('incomplete'), approximate: marked('approximate'), ambiguous: marked('ambiguous-order') },
    checks: { pairsChecked, pairsEqual, daysEqual, daysDiffer, daysUnchecked },
    known: isStill && sizeOf(before().assembly) === sizeOf(assembly),
    warnings: [...broughtWarnings(parts), ...[...besideBroker].map(([account, rows]) => ({ code: 'beside-broker' as const, account: accounts.get(account)?.name ?? account, rows })), ...alikeWarnings(reader, userId, parts)],
  }
}

const dayOf = ({ tradeDate, time }: Pick<PricedFill, 'tradeDate' | 'time'>): string => tradeDate ?? tradingDay(time)

/** What these files are to be warned of: without what the imports before them are warned of as well. */
const broughtWarnings = ({ whole, before }: Parts): ImportOutcome['warnings'] => {
  const all = [...whole.warnings, ...whole.assembly.warnings]
  if (all.length === 0) return all
  const old = new Set([...before().warnings, ...before().assembly.warnings].map((warning) => JSON.stringify(warning)))
  return all.filter((warning) => !old.has(JSON.stringify(warning)))
}

/** Whether the journal lacks a fill. */
const notInJournal = (reader: Reader, userId: string): ((fill: ImportedFill) => boolean) => {
  const known = new Map<AccountKey, ReadonlySet<string>>()
  return ({ account, id }) => {
    const ids = known.get(account) ?? new Set(query<{ id: string }>(reader, 'SELECT id FROM fills WHERE user_id = ? AND account = ?').all(userId, account).map((row) => row.id))
    known.set(account, ids)
    return !ids.has(id)
  }
}

const once = <T extends object>(make: () => T): (() => T) => {
  let made: T | null = null
  return () => (made ??= make())
}

/** Accounts of the journal, synced ones too, that have the fills of these files under another name. */
const alikeWarnings = (reader: Reader, userId: string, { whole, touched, unnamed, accounts }: Parts): ImportOutcome['warnings'] => {
  const coming = [...touched].flatMap((account) => [...(whole.accounts.get(account)?.fills().values() ?? [])].map((fill) => ({ ...fill, account })))
  const nameOf = (key: AccountKey): string => accounts.get(key)?.name ?? key.slice('file:'.length)
  // Accounts of files alone are compared where these are put together.
  const beside = alikeBeside(reader, userId, coming).filter(({ accounts: both }) => both.every((key) => !whole.accounts.has(key) || touched.has(key)))
  const same = sameFilesBeside(reader, userId, coming.filter(({ account }) => unnamed.has(account)))
  return [...beside, ...same].map(({ accounts: both, rows }) => ({ code: 'accounts-alike', accounts: both.map(nameOf), rows }))
}

/** Everything but fills in these files, each once: if an import adds to it, the import brings something new. Row numbers do not count. */
const sizeOf = ({ pairs, cash, balances, positions, missing, doubtful, warnings }: Assembly): string =>
  JSON.stringify([pairs.length, cash.length, balances.length, positions, missing, doubtful, balances.filter(({ contradicted }) => contradicted).length, warnings], (key, value: unknown) => (key === 'at' || key === 'told' ? undefined : value))

const idsOf = (reader: Reader, sql: string, userId: string, keys: ReadonlySet<AccountKey>): Set<string> =>
  new Set([...keys].flatMap((key) => query<{ id: string }>(reader, sql).all(userId, key).map(({ id }) => id)))

const difference = (before: ReadonlySet<string>, after: readonly string[]): Counts => {
  const known = new Set(after)
  return { added: after.filter((id) => !before.has(id)).length, removed: [...before].filter((id) => !known.has(id)).length }
}

const moneyOf = (pairs: readonly Pair[]): ImportOutcome['money'] =>
  [...Map.groupBy(pairs, ({ spec }) => spec.currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, own]) => {
      const total = (of: 'grossPnl' | 'commission' | 'netPnl'): string => exactMoney(amountOf(own.reduce((sum, pair) => sum + pair[of], 0)))
      const otherFees = own.reduce((sum, pair) => addCurrencyAmounts(sum, pair.otherFees ?? noAmounts), noAmounts)
      return { currency, grossPnl: total('grossPnl'), commission: total('commission'), netPnl: total('netPnl'), ...(otherFees.length === 0 ? {} : { otherFees: amountTexts(otherFees) }) }
    })
