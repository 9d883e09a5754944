import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { BrokerPair, BrokerPosition } from '#shared/sync/holdings.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { BrokerFailure } from '../brokers/tradovate/failure.ts'
import { dayOf, mapHoldings, mapSession, type MappedSession } from '../brokers/tradovate/mapping.ts'
import type { ContractRow, CurrencyRow, FillPairRow, FillRow, MaturityRow, OrderRow, PositionRow, ProductRow, RefusedRow } from '../brokers/tradovate/wire.ts'
import { readFees } from './fees.ts'
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

/** The broker's own books beside its fills. */
type BookRows = { readonly positions: readonly PositionRow[]; readonly pairs: readonly FillPairRow[]; readonly positionsWhole: boolean; readonly pairsRead: boolean }

/** What the broker lists of its running session. */
type Lists = {
  readonly fills: readonly FillRow[]
  /** Fills that only a pair named, of earlier sessions too, and that the broker still knew. */
  readonly found: readonly FillRow[]
  /** Rows of both, refused ones too. */
  readonly received: number
  readonly orders: readonly OrderRow[]
  readonly ordersRead: boolean
  /** Null where the positions could not be read. */
  readonly books: BookRows | null
  /** The account of each fill that something names: its order, or a pair of it. */
  readonly accountOf: ReadonlyMap<number, number>
  /** Whether the lists still changed when they were read last: then they need not fit each other. */
  readonly moving: boolean
  readonly refused: readonly RefusedRow[]
  readonly failures: readonly BrokerFailure[]
  /** When the fills were asked for, UTC ms; null where the broker's next session began meanwhile. */
  readonly askedAt: number | null
}

const mostRounds = 3
/** Fills that only a pair names are asked for by their ids, which is one question each where the broker does not know them. */
const mostAskedFor = 20

/** Reads fills, then positions and pairs. Where those do not fit each other a fill may have come between: then all is read again, until it fits or stays the same. */
const readLists = async (setup: PartSetup): Read<Lists> => {
  const first = await readRound(setup)
  if (!first.ok) return first
  let last = first.value
  let moving = false
  for (let round = 1; round < mostRounds && !fits(last); round += 1) {
    const again = await readRound(setup)
    if (!again.ok) return goesOn(again.error) ? ok({ ...last, moving: true }) : again
    moving = signatureOf(again.value) !== signatureOf(last)
    last = again.value
    if (!moving) break
  }
  return ok({ ...last, moving: moving && !fits(last) })
}

const readRound = async (setup: PartSetup): Read<Lists> => {
  const { now, reads, signal } = setup
  const failures: BrokerFailure[] = []
  const refused: RefusedRow[] = []
  const askedAt = now()
  const fills = await reads.fills(signal)
  if (!fills.ok) return fills
  // A list that was asked for before the broker cleared it may have been answered after.
  const isOneSession = tradingDay(now()) === tradingDay(askedAt)
  refused.push(...fills.value.refused)

  const books = await readBooks(setup, failures, refused)
  if (!books.ok) return books
  const found = await fillsOfPairs(setup, fills.value.rows, books.value, failures)
  if (!found.ok) return found
  const all = [...fills.value.rows, ...found.value]

  const orders = all.length === 0 ? ok({ rows: [], refused: [] }) : await reads.orders(new Set(all.map((row) => row.orderId)), signal)
  if (!orders.ok) {
    if (!goesOn(orders.error)) return orders
    failures.push(orders.error)
  }
  const orderRows: readonly OrderRow[] = orders.ok ? orders.value.rows : []
  if (orders.ok) refused.push(...orders.value.refused)
  const accountOf = accountsOf(all, orderRows, books.value)
  const received = all.length + fills.value.refused.length
  return ok({ fills: fills.value.rows, found: found.value, received, orders: orderRows, ordersRead: orders.ok, books: books.value, accountOf, moving: false, refused, failures, askedAt: isOneSession ? askedAt : null })
}

const readBooks = async ({ reads, signal }: PartSetup, failures: BrokerFailure[], refused: RefusedRow[]): Read<BookRows | null> => {
  const positions = await reads.positions(signal)
  const pairs = positions.ok && positions.value.rows.length === 0 ? ok({ rows: [], refused: [] }) : await reads.fillPairs(signal)
  for (const list of [positions, pairs]) {
    if (list.ok) refused.push(...list.value.refused)
    else if (!goesOn(list.error)) return list
    else failures.push(list.error)
  }
  if (!positions.ok) return ok(null)
  return ok({ positions: positions.value.rows, pairs: pairs.ok ? pairs.value.rows : [], positionsWhole: positions.value.refused.length === 0, pairsRead: pairs.ok && pairs.value.refused.length === 0 })
}

/** Fills that a pair names and no list has: carried ones of earlier sessions, or such as the list left out. */
const fillsOfPairs = async ({ userId, side, reads, journal, signal, loginId }: PartSetup, listed: readonly FillRow[], books: BookRows | null, failures: BrokerFailure[]): Read<readonly FillRow[]> => {
  const known = new Set(listed.map(({ id }) => id))
  const named = new Set((books?.pairs ?? []).flatMap(({ buyFillId, sellFillId }) => [buyFillId, sellFillId]))
  const lacking = [...named].filter((id) => !known.has(id))
  if (lacking.length === 0) return ok([])
  const accounts = (await journal.read.accountsOfLogin({ userId, loginId })).filter(({ environment }) => environment === side).map(({ key }) => key)
  const kept = new Set((await journal.read.knownFills({ userId, accounts, ids: lacking.map(String) })).map(({ id }) => Number(id)))
  const wanted = lacking.filter((id) => !kept.has(id)).slice(0, mostAskedFor)
  const found = await reads.fillsOf(wanted, signal)
  if (found.ok) return ok(found.value.rows)
  if (!goesOn(found.error)) return err(found.error)
  failures.push(found.error)
  return ok([])
}

const accountsOf = (fills: readonly FillRow[], orders: readonly OrderRow[], books: BookRows | null): ReadonlyMap<number, number> => {
  const accounts = new Map<number, number>()
  const ofPosition = new Map(books?.positions.map(({ id, accountId }) => [id, accountId]))
  for (const { positionId, buyFillId, sellFillId } of books?.pairs ?? []) {
    const account = ofPosition.get(positionId)
    if (account === undefined) continue
    accounts.set(buyFillId, account)
    accounts.set(sellFillId, account)
  }
  const ofOrder = new Map(orders.map(({ id, accountId }) => [id, accountId]))
  for (const { id, orderId } of fills) {
    const account = ofOrder.get(orderId)
    if (account !== undefined) accounts.set(id, account)
  }
  return accounts
}

/** Whether the positions count just the fills that came with them. */
const fits = ({ fills, books, accountOf }: Lists): boolean => {
  if (books === null) return true
  const traded = new Map<string, { bought: number; sold: number }>()
  const keyOf = (account: number | undefined, contract: number, { year, month, day }: FillRow['tradeDate']): string => [account, contract, year, month, day].join()
  for (const { id, contractId, tradeDate, action, qty, active } of fills) {
    if (!active) continue
    const key = keyOf(accountOf.get(id), contractId, tradeDate)
    const sum = traded.get(key) ?? { bought: 0, sold: 0 }
    sum[action === 'Buy' ? 'bought' : 'sold'] += qty
    traded.set(key, sum)
  }
  for (const { accountId, contractId, tradeDate, bought, sold } of books.positions) {
    const key = keyOf(accountId, contractId, tradeDate)
    const sum = traded.get(key) ?? { bought: 0, sold: 0 }
    if (sum.bought !== bought || sum.sold !== sold) return false
    traded.delete(key)
  }
  return traded.size === 0
}

const signatureOf = ({ fills, books }: Lists): string => JSON.stringify([fills.map(({ id, active }) => [id, active]).sort(), books?.positions.map(({ id, netPos, bought, sold }) => [id, netPos, bought, sold]).sort()])
