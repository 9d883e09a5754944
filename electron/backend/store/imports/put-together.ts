import { withoutStops, type Stopping } from '#shared/base/stops.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { sourceRank } from '#shared/fills/source.ts'
import { fileAccount, settleAccounts } from '#shared/imports/accounts.ts'
import { assembling, unnamedAccount } from '#shared/imports/assemble.ts'
import { keyOf, type Assembly, type ImportedFill } from '#shared/imports/assembly.ts'
import type { FillReading, Reading } from '#shared/imports/reading.ts'
import type { Reader } from '../database.ts'
import { query } from '../database.ts'
import type { PricedFill } from '../fills/fill-rows.ts'
import { whoseIs, type WhoseIs } from './import-accounts.ts'
import type { KeptReading } from './imports.ts'
import { ruledAccounts, toldOfAccount } from '../fills/told-fills.ts'

/** A reading with the key of its account as the account's name; `fallback` where nothing in it or beside it tells whose it is. */
export type Placing = { readonly reading: Reading; readonly fallback: boolean }

/** What the journal holds of the accounts that imports have a say in. */
export type PutTogether = {
  /** As `assemble` gives it, under the keys of the journal's accounts. */
  readonly assembly: Assembly
  /** The fills that stand, and what was told of them without imports, by account and id. */
  readonly accounts: ReadonlyMap<AccountKey, AccountTogether>
  /** Accounts that imports name. */
  readonly named: ReadonlySet<AccountKey>
  /** Whose the readings are, in the order in which they were given. */
  readonly placed: readonly Placing[]
}

type AccountTogether = { readonly stands: ReadonlyMap<string, PricedFill>; readonly told: ReadonlyMap<string, PricedFill> }

type Told = ReadonlyMap<AccountKey, ReadonlyMap<string, PricedFill>>

/** Where only some accounts are put together: these, of all that imports name, and whether every row names one. */
export type Within = { readonly accounts: ReadonlySet<AccountKey>; readonly named: ReadonlySet<AccountKey>; readonly allNamed: boolean }

/**
 * Puts all together that was told of fills without imports and what imports that stand say. Nothing in it depends on
 * when or in which order that came: a fill of the API stands as it was told, and files add what it lacks.
 */
export const putTogether = (reader: Reader, userId: string, kept: readonly KeptReading[], whose = whoseIs(reader, userId)): PutTogether => withoutStops(puttingTogether(reader, userId, kept, { whose, within: null }))

/** As `putTogether`, with stops between its steps. With `within` the readings are those of its accounts, and all that can be said of these. */
export function* puttingTogether(reader: Reader, userId: string, kept: readonly KeptReading[], { whose, within }: { readonly whose: WhoseIs; readonly within: Within | null }): Stopping<PutTogether> {
  const named = new Set(within?.named)
  let allNamed = within?.allNamed ?? true
  for (const { reading } of kept) {
    const key = whose(reading.account)
    if (key === null) allNamed = false
    else named.add(key)
  }
  const told = new Map<AccountKey, ReadonlyMap<string, PricedFill>>()
  for (const key of accountsInQuestion(reader, userId, named, allNamed)) {
    if (within?.accounts.has(key) === false) continue
    told.set(key, toldOfAccount(reader, userId, key))
    yield
  }
  const placed = yield* placingReadings(kept, whose, told)
  for (const { reading } of placed) named.add(reading.account.name as AccountKey)
  yield
  const assembly = underKeys(yield* assembling([...placed.map(({ reading }) => reading), ...readingsOf(told)], { account: null }))
  yield
  const byAccount = Map.groupBy(assembly.fills, ({ account }) => account)
  const accounts = new Map<AccountKey, AccountTogether>()
  for (const key of new Set([...told.keys(), ...byAccount.keys()])) {
    const ofAccount = told.get(key) ?? new Map<string, PricedFill>()
    accounts.set(key, { told: ofAccount, stands: standing(byAccount.get(key) ?? [], ofAccount, assembly) })
    yield
  }
  return { assembly, accounts, named, placed }
}

/** Rows that name no account may belong to any. */
const accountsInQuestion = (reader: Reader, userId: string, named: ReadonlySet<AccountKey>, allNamed: boolean): AccountKey[] => {
  const all = query<{ key: AccountKey }>(reader, 'SELECT key FROM accounts WHERE user_id = ? ORDER BY key').all(userId).map(({ key }) => key)
  const ruled = new Set(ruledAccounts(reader, userId))
  return all.filter((key) => !allNamed || named.has(key) || ruled.has(key))
}

const inAccount = <R extends Reading>(reading: R, key: AccountKey): R => ({ ...reading, account: { id: null, name: key } })

/** What was told of fills for sure, as a Fills report would say it. */
const readingsOf = (told: Told): readonly FillReading[] =>
  [...told].flatMap(([key, fills]) =>
    [...fills.values()]
      .filter(isSure)
      .map(({ id, orderId, contract, time, side, qty, price, tickSize, fee, active, tradeDate }) =>
        inAccount({ says: 'fill', account: { id: null, name: null }, fillId: id, orderId, contract, time, side, qty, price, tickSize, fee, active, tradeDate }, key),
      ),
  )

const isSure = ({ source }: PricedFill): boolean => sourceRank(source) === sourceRank('api')

/** Readings under the keys of their accounts. Of a fill that was told for sure a file only adds what is lacking, and that it was busted later. */
function* placingReadings(kept: readonly KeptReading[], whose: WhoseIs, told: Told): Stopping<readonly Placing[]> {
  const otherwise = fallbacks(kept, whose)
  const nowhere = fileAccount('')
  const readings = kept.map(({ reading }) => {
    const key = whose(reading.account)
    return key === null ? reading : inAccount(reading, key)
  })
  yield
  const settled = settleAccounts([...readings, ...readingsOf(told)], '')
  yield
  return readings.map((reading) => {
    const key = settled.of(reading)
    const fallback = key === nowhere
    const account = fallback ? (otherwise.get(rowOf(reading)) ?? fileAccount(unnamedAccount)) : keyBehind(key)
    const fill = reading.says === 'fill' ? told.get(account)?.get(reading.fillId) : undefined
    if (reading.says !== 'fill' || fill === undefined || !isSure(fill)) return { reading: inAccount(reading, account), fallback }
    const { contract, time, side, qty, price, tickSize } = fill
    const added = { fee: fill.fee ?? reading.fee, orderId: fill.orderId ?? reading.orderId, tradeDate: fill.tradeDate ?? reading.tradeDate }
    return { reading: inAccount({ ...reading, contract, time, side, qty, price, tickSize, ...added, active: fill.active && reading.active }, account), fallback }
  })
}

/** What tells one row from another, where two files may hold the same. */
const rowOf = (reading: Reading): string => (reading.says === 'pair' ? keyOf(reading.contract, reading.buy.fillId, reading.sell.fillId) : JSON.stringify(reading))

/** Whose rows are that name no account; where two imports say it differently of the same row, one of them holds for both. */
const fallbacks = (kept: readonly KeptReading[], whose: WhoseIs): ReadonlyMap<string, AccountKey> => {
  const keys = new Map<string, AccountKey>()
  for (const { reading, otherwise } of kept) {
    if (otherwise === null || whose(reading.account) !== null) continue
    const key = whose({ id: null, name: otherwise }) ?? fileAccount(otherwise)
    const row = rowOf(reading)
    const known = keys.get(row)
    if (known === undefined || key < known) keys.set(row, key)
  }
  return keys
}

/** `assemble` knows accounts by names, which here are our keys. */
const keyBehind = (key: AccountKey): AccountKey => key.slice(fileAccount('').length) as AccountKey

const underKeys = ({ fills, specs, pairs, cash, balances, accounts, warnings }: Assembly): Assembly => {
  const behind = <R extends { readonly account: AccountKey }>(row: R): R => ({ ...row, account: keyBehind(row.account) })
  return {
    ...{ specs, warnings },
    ...{ fills: fills.map(behind), pairs: pairs.map(behind), cash: cash.map(behind), balances: balances.map(behind) },
    accounts: new Map([...accounts.keys()].map((key) => [keyBehind(key), keyBehind(key)])),
  }
}

const standing = (assembled: readonly ImportedFill[], told: ReadonlyMap<string, PricedFill>, { specs }: Assembly): ReadonlyMap<string, PricedFill> => {
  const stands = new Map<string, PricedFill>()
  const orders = new Set<string>()
  for (const { id, account, contract, time, side, qty, price, fee, active, source, orderId, tradeDate } of assembled) {
    const known = told.get(id)
    const tickSize = specs.get(contract)?.tickSize ?? ''
    const fill = { id, account, contract, time, side, qty, price, tickSize, fee, active, source, orderId, contractId: known?.contractId ?? null, tradeDate }
    stands.set(id, known !== undefined && isSure(known) ? { ...known, ...{ fee, active, orderId, tradeDate } } : fill)
    if (orderId !== null) orders.add(orderId)
  }
  for (const [id, fill] of told) {
    const isKnown = stands.has(id) || (fill.source === 'orders-file' && fill.orderId !== null && orders.has(fill.orderId))
    if (!isKnown) stands.set(id, fill)
  }
  return stands
}
