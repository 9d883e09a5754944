import { ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { BrokerPair, BrokerPosition } from '#shared/sync/holdings.ts'
import type { BrokerFailure } from '../brokers/tradovate/failure.ts'
import { dayOf, mapHoldings, type MappedSession, mapSession } from '../brokers/tradovate/mapping.ts'
import type { ContractRow, CurrencyRow, MaturityRow, ProductRow } from '../brokers/tradovate/wire.ts'
import { readFees } from './fees.ts'
import { readLists, type Lists } from './lists.ts'
import { goesOn, leaveOut, type PartSetup, type Tally } from './tally.ts'

type Read<T> = Promise<Result<T, BrokerFailure>>

/** What the broker lists of the running session, mapped. */
export type FetchedSession = MappedSession & {
  readonly received: number
  /** The ids of all fills of the answer. */
  readonly answered: ReadonlySet<string>
  readonly ordersRead: boolean
  /** Contracts whose figures came from the broker in this run. */
  readonly askedContracts: ReadonlySet<number>
  /** The broker's own books; null where they could not be read. */
  readonly books: { readonly positions: readonly BrokerPosition[]; readonly pairs: readonly BrokerPair[]; readonly isWhole: boolean; readonly pairsRead: boolean; readonly moving: boolean } | null
  /** The session of the fills and positions, `YYYY-MM-DD`; null where there is neither. */
  readonly tradeDate: string | null
  readonly feesSettled: boolean
}

type Library = { readonly known: ReadonlyMap<number, ContractSpec>; readonly contracts: readonly ContractRow[]; readonly maturities: readonly MaturityRow[]; readonly products: readonly ProductRow[] }

/** Fetches the running session: its fills with the orders that name their accounts, their fees, the broker's own positions and pairs, and the contracts of all these. */
export const readSession = async (setup: PartSetup, tally: Tally, currencies: readonly CurrencyRow[] | null): Read<FetchedSession> => {
  const { barrier, progress, side } = setup
  const stepOfFills = (done: number): void => progress({ phase: 'fills', done, total: 2 })
  stepOfFills(0)
  const lists = await readLists(setup)
  if (!lists.ok) return lists
  const { fills, found, orders, books, refused, failures } = lists.value
  tally.askedAt = lists.value.askedAt
  tally.failures.push(...failures)
  leaveOut(tally, refused)

  stepOfFills(1)
  // Without the broker's list of currencies no fee can be named: those that are known stay.
  const fees = currencies === null ? ok({ rows: [], settled: false }) : await readFees(setup, tally, lists.value)
  if (!fees.ok) return fees
  barrier('fills-fetched')

  progress({ phase: 'contracts', done: 0, total: 1 })
  const library = await readContracts(setup, tally, lists.value)
  if (!library.ok) return library
  const accountOfFill = await knownAccounts(setup, lists.value)
  const mapped = mapSession({ environment: side, fills: [...fills, ...found], orders, accountOfFill, fees: fees.value.rows, currencies: currencies ?? [], ...library.value })
  const holdings = books === null ? null : mapHoldings(side, books.positions, books.pairs, mapped.contracts)
  leaveOut(tally, holdings?.refused ?? [])
  return ok({
    ...mapped,
    received: lists.value.received,
    answered: new Set([...fills, ...found].map(({ id }) => String(id))),
    ordersRead: lists.value.ordersRead,
    askedContracts: new Set(library.value.contracts.map((row) => row.id)),
    books: holdings === null ? null : { ...holdings, isWhole: books?.positionsWhole === true && holdings.refused.length === 0, pairsRead: books?.pairsRead === true, moving: lists.value.moving },
    tradeDate: [...fills, ...(books?.positions ?? [])].map((row) => dayOf(row.tradeDate)).reduce<string | null>((latest, day) => (latest !== null && latest > day ? latest : day), null),
    feesSettled: fees.value.settled,
    refusedOfAny: mapped.refusedOfAny || refused.some(({ entity }) => entity === 'fill'),
  })
}

/** The accounts of fills by what names them in this run, and by the journal where nothing does: an order may be listed later than its fills, or no longer. */
const knownAccounts = async ({ userId, loginId, side, journal }: PartSetup, { fills, accountOf }: Lists): Promise<ReadonlyMap<number, number>> => {
  const nameless = fills.filter(({ id }) => !accountOf.has(id)).map(({ id }) => String(id))
  if (nameless.length === 0) return accountOf
  const accounts = (await journal.read.accountsOfLogin({ userId, loginId })).filter(({ environment }) => environment === side)
  const numberOf = new Map(accounts.map(({ key, brokerAccountId }): [AccountKey, number] => [key, Number(brokerAccountId)]))
  const known = await journal.read.knownFills({ userId, accounts: [...numberOf.keys()], ids: nameless })
  const named = known.flatMap(({ account, id }): [number, number][] => [[Number(id), numberOf.get(account) ?? 0]])
  return new Map([...accountOf, ...named])
}

/** Contracts are kept in the journal. Their figures are asked for again in every run but the frequent pulls, since the broker may correct them; what is known stays where an answer fails. */
const readContracts = async ({ userId, side, trigger, reads, journal, signal }: PartSetup, tally: Tally, { fills, found, books }: Lists): Read<Library> => {
  const held = (books?.positions ?? []).filter(({ netPos, prevPos, bought, sold }) => netPos !== 0 || prevPos !== 0 || bought > 0 || sold > 0)
  const ids = [...new Set([...fills, ...found, ...held].map(({ contractId }) => contractId))]
  const kept = await journal.read.knownContracts({ userId, environment: side, brokerContractIds: ids.map(String) })
  const known = new Map(kept.map((row) => [Number(row.brokerContractId), row.spec]))
  const nothing = { known, contracts: [], maturities: [], products: [] }
  const failed = (failure: BrokerFailure, library: Library): Result<Library, BrokerFailure> => {
    if (!goesOn(failure)) return { ok: false, error: failure }
    tally.failures.push(failure)
    return ok(library)
  }
  const contracts = await reads.contracts(trigger === 'schedule' ? ids.filter((id) => !known.has(id)) : ids, signal)
  if (!contracts.ok) return failed(contracts.error, nothing)
  const maturities = await reads.maturities(contracts.value.rows.map((row) => row.contractMaturityId), signal)
  if (!maturities.ok) return failed(maturities.error, { ...nothing, contracts: contracts.value.rows })
  const products = await reads.products(maturities.value.rows.map((row) => row.productId), signal)
  if (!products.ok) return failed(products.error, { ...nothing, contracts: contracts.value.rows })
  leaveOut(tally, [...contracts.value.refused, ...maturities.value.refused, ...products.value.refused])
  return ok({ known, contracts: contracts.value.rows, maturities: maturities.value.rows, products: products.value.rows })
}
