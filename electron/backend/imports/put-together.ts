import { withoutStops, type Stopping } from '#shared/base/stops.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { feeFactsOf } from '#shared/fills/merge.ts'
import { fileAccount } from '#shared/imports/accounts.ts'
import { assembling } from '#shared/imports/assemble.ts'
import { nobodysAccount } from '#shared/imports/assemble-files.ts'
import type { Assembly, ImportedFill, ImportWarning } from '#shared/imports/assembly.ts'
import type { KnownBy } from '#shared/imports/attribute.ts'
import type { FileRows } from '#shared/imports/file-rows.ts'
import type { AccountNamed, FillReading, Reading } from '#shared/imports/reading.ts'
import { settlingFiles } from '#shared/imports/settle-files.ts'
import { areSameAmounts } from '#shared/money/currency-amounts.ts'
import type { Reader } from '../db/database.ts'
import { query } from '../db/database.ts'
import type { PricedFill } from '../fills/fill-rows.ts'
import { withPointValue } from '../fills/specs.ts'
import { whoseIs, type WhoseIs } from './import-accounts.ts'
import type { KeptReading } from './queries.ts'
import { isSure, lastWords, wordOn, type Told, type Words } from './last-words.ts'
import { ruledAccounts, toldOfAccount } from '../fills/told-fills.ts'

/** Whose a reading is, and how that is known where it names no account itself. */
export type Placing = { readonly account: AccountKey; readonly by: KnownBy | null }

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
  /** What a user must know of the accounts and times of files; what the assembly has to say stands in it. */
  readonly warnings: readonly ImportWarning[]
}

/** `stands` makes its fills anew at each call: whoever needs one account after another holds no more than one. */
type AccountTogether = { readonly stands: () => ReadonlyMap<string, PricedFill>; readonly told: ReadonlyMap<string, PricedFill> }

/** Where only some accounts are put together: these, of all that imports name, and whether every row names one. */
export type Within = { readonly accounts: ReadonlySet<AccountKey>; readonly named: ReadonlySet<AccountKey>; readonly allNamed: boolean }

/**
 * Puts all together that was told of fills without imports and what imports that stand say. Nothing in it depends on
 * when or in which order that came: a fill of the API stands as it was told, and files add what it lacks. `kept` is emptied
 * as soon as its readings are known under their accounts, so that a large journal is not held twice.
 */
export const putTogether = (reader: Reader, userId: string, kept: KeptReading[], whose = whoseIs(reader, userId)): PutTogether => withoutStops(puttingTogether(reader, userId, kept, { whose, within: null }))

/** As `putTogether`, with stops between its steps. With `within` the readings are those of its accounts, and all that can be said of these. */
export function* puttingTogether(reader: Reader, userId: string, kept: KeptReading[], { whose, within }: { readonly whose: WhoseIs; readonly within: Within | null }): Stopping<PutTogether> {
  const { named, told, accountOf } = yield* besideFiles(reader, userId, kept, { whose, within })
  const { readings, placed, words, warnings } = yield* placingReadings(reader, userId, kept, { whose, told, accountOf })
  for (const { account } of placed) named.add(account)
  const assembly = yield* assembling(readings, { account: null, keyOfName: (name) => name as AccountKey })
  yield
  const byAccount = Map.groupBy(assembly.fills, ({ account }) => account)
  const accounts = new Map<AccountKey, AccountTogether>()
  for (const key of new Set([...told.keys(), ...byAccount.keys()])) {
    const ofAccount = told.get(key) ?? new Map<string, PricedFill>()
    accounts.set(key, { told: ofAccount, stands: () => standing(byAccount.get(key) ?? [], ofAccount, assembly, words) })
  }
  return { assembly: { ...assembly, warnings: unanswered(reader, userId, assembly) }, accounts, named, placed, warnings }
}

type BesideFiles = { readonly named: Set<AccountKey>; readonly told: Told; readonly accountOf: AccountOf }

/** What was told without files of the accounts that these readings may be of. */
function* besideFiles(reader: Reader, userId: string, kept: readonly KeptReading[], { whose, within }: { readonly whose: WhoseIs; readonly within: Within | null }): Stopping<BesideFiles> {
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
  return { named, told, accountOf: accountsOfKeys() }
}

/** Whose the readings are, in the order in which they are given. */
export const placedReadings = (reader: Reader, userId: string, kept: readonly KeptReading[]): readonly Placing[] => {
  const whose = whoseIs(reader, userId)
  const beside = withoutStops(besideFiles(reader, userId, kept, { whose, within: null }))
  return withoutStops(findingAccounts(reader, userId, kept, { whose, ...beside })).found.map(placingOf)
}

/** Rows that name no account may belong to any. */
const accountsInQuestion = (reader: Reader, userId: string, named: ReadonlySet<AccountKey>, allNamed: boolean): AccountKey[] => {
  const all = query<{ key: AccountKey }>(reader, 'SELECT key FROM accounts WHERE user_id = ? ORDER BY key').all(userId).map(({ key }) => key)
  const ruled = new Set(ruledAccounts(reader, userId))
  return all.filter((key) => !allNamed || named.has(key) || ruled.has(key))
}

type AccountOf = (key: AccountKey) => AccountNamed

/** The same object for the same key, so that a reading can be held against it, and a million need not have one each. */
const accountsOfKeys = (): AccountOf => {
  const known = new Map<AccountKey, AccountNamed>()
  return (key) => {
    const account = known.get(key) ?? { id: null, name: key }
    known.set(key, account)
    return account
  }
}

const inAccount = <R extends Reading>(reading: R, account: AccountNamed): R => (reading.account === account ? reading : { ...reading, account })

/** The same with the name of its file, in one copy: of a million rows each counts. */
const placedIn = (reading: Reading, account: AccountNamed, file: string): Reading => (reading.says === 'position' || reading.says === 'refused' ? { ...reading, account } : { ...reading, account, file })

/** What was told of fills for sure, as a Fills report would say it. */
const readingsOf = (told: Told, accountOf: AccountOf): readonly FillReading[] =>
  [...told].flatMap(([key, fills]) =>
    [...fills.values()]
      .filter(isSure)
      .map(({ id, orderId, contract, time, side, qty, price, tickSize, fee, otherFees, active, tradeDate }) =>
        ({ says: 'fill', account: accountOf(key), fillId: id, orderId, contract, time, side, qty, price, tickSize, fee, ...feeFactsOf({ otherFees }), active, tradeDate }),
      ),
  )

type Beside = { readonly whose: WhoseIs; readonly told: Told; readonly accountOf: AccountOf }

/** Readings under the keys of their accounts, which are their names here. */
type PlacedReadings = Pick<PutTogether, 'placed' | 'warnings'> & { /** Those of files, then those that were told without them. */ readonly readings: Reading[]; readonly words: Words }

/** Readings of files as the last words on their fills have them, and what was told beside them; `kept` is emptied. */
function* placingReadings(reader: Reader, userId: string, kept: KeptReading[], beside: Beside): Stopping<PlacedReadings> {
  const { told, accountOf } = beside
  const { found, warnings } = yield* findingAccounts(reader, userId, kept, beside)
  const words = lastWords(reader, userId, kept, found, told)
  kept.length = 0
  const corrected = <R extends Reading>(reading: R): R => {
    const word = reading.says === 'fill' && words.size > 0 ? words.get(wordOn(reading.account.name, reading.fillId)) : undefined
    return word === undefined ? reading : { ...reading, ...word }
  }
  yield
  return {
    ...{ words, warnings },
    placed: found.map(placingOf),
    readings: [...found.map(({ reading }) => reading), ...readingsOf(told, accountOf)].map(corrected),
  }
}

type Found = { readonly reading: Reading; readonly by: KnownBy | null }

const placingOf = ({ reading, by }: Found): Placing => ({ account: reading.account.name as AccountKey, by })

/** Readings under the keys of their accounts, in time. Of a fill that was told for sure a file only adds what is lacking, and that it was busted later. */
function* findingAccounts(reader: Reader, userId: string, kept: readonly KeptReading[], { whose, told, accountOf }: Beside): Stopping<{ readonly found: readonly Found[]; readonly warnings: PutTogether['warnings'] }> {
  const byFile = Map.groupBy(kept.keys(), (index) => kept[index]?.file.key ?? '')
  const files = [...byFile.values()].flatMap((places): readonly FileRows[] => {
    const file = kept[places[0] ?? 0]?.file
    const readings = places.flatMap((place) => {
      const reading = kept[place]?.reading
      const key = reading === undefined ? null : whose(reading.account)
      return reading === undefined || file === undefined ? [] : [key === null ? reading : placedIn(reading, accountOf(key), file.name)]
    })
    return file === undefined ? [] : [{ name: file.name, kind: file.kind, zone: file.zone, said: file.said, readings }]
  })
  yield
  const names = namesOf(reader, userId)
  const api = [...told.keys()].map((key): FileRows => ({ name: '', kind: null, zone: null, said: null, readings: readingsOf(new Map([[key, told.get(key) ?? new Map<string, PricedFill>()]]), accountOf) }))
  const settled = yield* settlingFiles([...files, ...api], {
    named: ({ id, name }) => (id === null && name === null ? null : (name as AccountKey)),
    said: (name) => whose({ id: null, name }) ?? fileAccount(name),
    nobodys: (place) => fileAccount(nobodysAccount(place)),
    nameOf: (key) => names.get(key) ?? key.slice(fileAccount('').length),
  })
  yield
  const found: Found[] = []
  for (const [index, places] of [...byFile.values()].entries()) {
    for (const [at, place] of places.entries()) {
      const row = settled.files[index]?.[at]
      if (row !== undefined) found[place] = { reading: asTold(inAccount(row.reading, accountOf(row.account)), told.get(row.account)), by: row.whose?.by ?? null }
    }
  }
  return { found, warnings: settled.warnings }
}

const asTold = (reading: Reading, told: ReadonlyMap<string, PricedFill> | undefined): Reading => {
  const fill = reading.says === 'fill' ? told?.get(reading.fillId) : undefined
  if (reading.says !== 'fill' || fill === undefined || !isSure(fill)) return reading
  const { contract, time, side, qty, price, tickSize } = fill
  const added = { fee: fill.fee ?? reading.fee, ...feeFactsOf({ otherFees: fill.otherFees }), orderId: fill.orderId ?? reading.orderId, tradeDate: fill.tradeDate ?? reading.tradeDate }
  return { ...reading, contract, time, side, qty, price, tickSize, ...added, active: fill.active && reading.active }
}

const namesOf = (reader: Reader, userId: string): ReadonlyMap<string, string> =>
  new Map(query<{ key: string; name: string }>(reader, 'SELECT key, name FROM accounts WHERE user_id = ?').all(userId).map(({ key, name }) => [key, name]))

/** Warnings by the names of the journal's accounts, but for contracts of which the user has said what a point is worth. */
const unanswered = (reader: Reader, userId: string, { specs, warnings }: Assembly): readonly ImportWarning[] => {
  const isAnswered = (contract: string): boolean => {
    const spec = specs.get(contract)
    return spec !== undefined && withPointValue(reader, userId, spec).source === 'user'
  }
  const names = namesOf(reader, userId)
  return warnings.flatMap((warning): readonly ImportWarning[] => {
    if (warning.code === 'accounts-alike') return [{ ...warning, accounts: warning.accounts.map((key) => names.get(key) ?? key) }]
    if (warning.code !== 'unknown-contract' && warning.code !== 'partial-root') return [warning]
    const contracts = warning.contracts.filter((contract) => !isAnswered(contract))
    return contracts.length === 0 ? [] : [{ ...warning, contracts }]
  })
}

const standing = (assembled: readonly ImportedFill[], told: ReadonlyMap<string, PricedFill>, { specs }: Assembly, words: Words): ReadonlyMap<string, PricedFill> => {
  const stands = new Map<string, PricedFill>()
  const orders = new Set<string>()
  for (const { id, account, contract, time, side, qty, price, fee, otherFees, feeFrom, active, source, orderId, tradeDate, ambiguous } of assembled) {
    const known = told.get(id)
    const tickSize = specs.get(contract)?.tickSize ?? ''
    const fill = { id, account, contract, time, side, qty, price, tickSize, fee, ...feeFactsOf({ otherFees }), active, source, orderId, contractId: known?.contractId ?? null, tradeDate, ...(ambiguous === true ? { ambiguous } : {}) }
    const isCorrected = words.get(wordOn(account, id))?.price !== undefined
    const isRepriced = known !== undefined && (known.fee !== fee || !areSameAmounts(known.otherFees, otherFees))
    stands.set(id, known !== undefined && isSure(known) ? { ...known, ...{ fee, otherFees, feeFrom: isRepriced ? feeFrom : undefined, active, orderId, tradeDate }, ...(isCorrected ? { price, tickSize, time } : {}), ...(ambiguous === true ? { ambiguous } : {}) } : fill)
    if (orderId !== null) orders.add(orderId)
  }
  for (const [id, fill] of told) {
    const isKnown = stands.has(id) || (fill.source === 'orders-file' && fill.orderId !== null && orders.has(fill.orderId))
    if (!isKnown) stands.set(id, fill)
  }
  return stands
}
