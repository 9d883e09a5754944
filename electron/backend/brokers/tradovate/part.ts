import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { WorkedOrder } from '#shared/fills/worked-order.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { areSameAmounts } from '#shared/money/currency-amounts.ts'
import { goesOn, type BrokerFailure } from '../failure.ts'
import type { BrokerageLogin, BrokeragePart, BrokerAnswer, FetchedSession, PartAsk } from '../port.ts'
import { tradovateBars } from './charts.ts'
import type { Login } from './login.ts'
import { accountKey, mapBalances, readCurrencies, createAmountReader, mostFee, totalFee, dayOf, mapHoldings, mapSession, workedOrders } from './mapping.ts'
import { createReads, type BrokerReads } from './reads.ts'
import { renewalFailure, type RenewalOutcome } from './tokens.ts'
import type { CurrencyRow, ContractRow, FillFeeRow, MaturityRow, ProductRow, Rows, FillPairRow, WireFill, OrderRow, PositionRow, RefusedRow } from './wire.ts'

/** A Tradovate login for runs: its token is renewed before a run if it is due, so that it does not expire during the run. */
export const tradovateLogin = (login: Login): BrokerageLogin => {
  const own = withNewSession(login)
  return {
    prepare: async () => {
      const outcome = await login.renewIfDue()
      return outcome?.kind === 'refused' ? renewalFailure(outcome) : null
    },
    part: (ask) => tradovatePart({ ...ask, reads: createReads(own, ask.environment) }),
    bars: (ask, signal) => tradovateBars(login, ask, signal),
  }
}

/** A login that opens a new session, once, if newer ones of the same user closed its own: the user or the schedule wants the run. */
const withNewSession = (login: Login): Login => {
  let reopened: Promise<RenewalOutcome> | null = null
  return {
    ...login,
    read: async (call, signal) => {
      const answer = await login.read(call, signal)
      if (answer.ok || answer.error.kind !== 'session-pushed-out') return answer
      const outcome = await (reopened ??= login.reopen())
      return outcome.kind === 'renewed' ? login.read(call, signal) : err(renewalFailure(outcome))
    },
  }
}

/** What a part needs, and the reads of its login and side. */
type TradovateAsk = PartAsk & { readonly reads: BrokerReads }

/** One login on one side of Tradovate, in one run. */
const tradovatePart = (ask: TradovateAsk): BrokeragePart => {
  const { environment, reads, progress, signal } = ask
  /** Null if the list could not be read: then no amount has a currency. */
  let currencies: readonly CurrencyRow[] | null = null

  return {
    accounts: async () => {
      const listed = await reads.accounts(signal)
      if (!listed.ok) return listed
      ask.leaveOut(listed.value.refused)
      return ok(listed.value.rows.map(({ id, name, closed, archived }) => ({ key: accountKey(environment, id), environment, brokerAccountId: String(id), name, closed: closed === true || archived === true })))
    },
    balances: async () => {
      const named = await reads.currencies(signal)
      if (!named.ok && !goesOn(named.error)) return named
      if (named.ok) ask.leaveOut(named.value.refused)
      else ask.failed(named.error)
      currencies = named.ok ? named.value.rows : null
      progress({ phase: 'balances', done: 1, total: 2 })
      if (currencies === null) return ok([])
      const listed = await reads.cashBalances(signal)
      if (!listed.ok) {
        if (!goesOn(listed.error)) return err(listed.error)
        ask.failed(listed.error)
        return ok([])
      }
      const { balances, refused } = mapBalances(environment, listed.value.rows, currencies)
      ask.leaveOut([...listed.value.refused, ...refused])
      return ok(balances)
    },
    session: () => readSession(ask, currencies),
    bookedSince: async (fills, specs) => {
      if (currencies === null) return ok(null)
      const fees = await reads.feesOf(fills.map(({ id }) => Number(id)), signal)
      // The broker's last answer stays.
      if (!fees.ok) return fees.error.kind === 'permission-missing' ? ok([]) : fees
      const amountOf = createAmountReader(mostFee)
      const currencyOf = readCurrencies(currencies)
      const rows = new Map(fees.value.rows.map((row) => [String(row.id), row]))
      return ok(
        fills.flatMap((fill) => {
          const [row, spec] = [rows.get(fill.id), specs.get(fill.contract)]
          if (row === undefined || spec?.tickSize !== fill.tickSize) return []
          const fee = totalFee(row, spec.currency, amountOf, currencyOf)
          return !fee.ok || fee.value.fee === null || (fee.value.fee === fill.fee && areSameAmounts(fee.value.otherFees, fill.otherFees)) ? [] : [{ ...fill, ...fee.value }]
        }),
      )
    },
  }
}

type Library = { readonly known: ReadonlyMap<number, ContractSpec>; readonly contracts: readonly ContractRow[]; readonly maturities: readonly MaturityRow[]; readonly products: readonly ProductRow[] }

/** Fetches the running session: its fills with the orders that name their accounts, their fees, the broker's own positions and pairs, and the contracts of all these. */
const readSession = async (ask: TradovateAsk, currencies: readonly CurrencyRow[] | null): BrokerAnswer<FetchedSession> => {
  const { progress, environment } = ask
  const stepOfFills = (done: number): void => progress({ phase: 'fills', done, total: 2 })
  stepOfFills(0)
  const lists = await readLists(ask)
  if (!lists.ok) return lists
  const { fills, found, orders, books, refused, failures } = lists.value
  for (const failure of failures) ask.failed(failure)
  ask.leaveOut(refused)

  stepOfFills(1)
  // Without the broker's list of currencies no fee has one: known fees stay.
  const fees = currencies === null ? ok({ rows: [], settled: false }) : await readFees(ask, lists.value)
  if (!fees.ok) return fees
  ask.fillsFetched()

  progress({ phase: 'contracts', done: 0, total: 1 })
  const library = await readContracts(ask, lists.value)
  if (!library.ok) return library
  const accountOfFill = await knownAccounts(ask, lists.value)
  const mapped = mapSession({ environment, fills: [...fills, ...found], orders, accountOfFill, fees: fees.value.rows, currencies: currencies ?? [], ...library.value })
  const holdings = books === null ? null : mapHoldings(environment, books.positions, books.pairs, mapped.contracts)
  ask.leaveOut(holdings?.refused ?? [])
  const askedFor = new Set(library.value.contracts.map((row) => row.id))
  return ok({
    ...mapped,
    askedAt: lists.value.askedAt,
    contracts: [...mapped.contracts.values()],
    // Only the broker's own figures are saved: those from the table are requested again, since the broker may have them by then.
    asked: [...mapped.contracts].flatMap(([id, spec]) => (spec.source === 'broker' && askedFor.has(id) ? [{ brokerContractId: String(id), spec }] : [])),
    received: lists.value.received,
    answered: new Set([...fills, ...found].map(({ id }) => String(id))),
    books: holdings === null ? null : { ...holdings, isWhole: books?.positionsWhole === true && holdings.refused.length === 0, pairsRead: books?.pairsRead === true, moving: lists.value.moving },
    tradeDate: [...fills, ...(books?.positions ?? [])].map((row) => dayOf(row.tradeDate)).reduce<string | null>((latest, day) => (latest !== null && latest > day ? latest : day), null),
    feesSettled: fees.value.settled,
    worked: () => readWorkedOrders(ask, lists.value, mapped.contracts),
    // Without orders the account of a missing fill is unknown.
    refusedOfAny: mapped.refusedOfAny || !lists.value.ordersRead || refused.some(({ entity }) => entity === 'fill'),
  })
}

/** The prices that the session's orders worked at. Only charts show them, so a failed read is no failure of the run and is repeated with the next fills. */
const readWorkedOrders = async ({ reads, environment, signal }: TradovateAsk, { fills, found, orders }: Lists, contracts: ReadonlyMap<number, ContractSpec>): Promise<readonly WorkedOrder[]> => {
  if (orders.length === 0) return []
  const versions = await reads.orderVersions(signal)
  const reports = versions.ok ? await reads.executionReports(signal) : null
  if (!versions.ok || reports?.ok !== true) return []
  return workedOrders({ environment, versions: versions.value.rows, reports: reports.value.rows, fills: [...fills, ...found], contracts })
}

/** The accounts of fills, by this run's orders and pairs, else by the journal: an order may be listed later than its fills, or no longer. */
const knownAccounts = async ({ known }: TradovateAsk, { fills, accountOf }: Lists): Promise<ReadonlyMap<number, number>> => {
  const nameless = fills.filter(({ id }) => !accountOf.has(id)).map(({ id }) => String(id))
  if (nameless.length === 0) return accountOf
  const accounts = await known.accounts()
  const numberOf = new Map(accounts.map(({ key, brokerAccountId }): [AccountKey, number] => [key, Number(brokerAccountId)]))
  const kept = await known.fills([...numberOf.keys()], nameless)
  const named = kept.flatMap(({ account, id }): [number, number][] => [[Number(id), numberOf.get(account) ?? 0]])
  return new Map([...accountOf, ...named])
}

/** Contracts are kept in the journal. Every run but the frequent pulls requests their figures again, since the broker may correct them; known figures stay if a request fails. */
const readContracts = async (ask: TradovateAsk, { fills, found, books }: Lists): BrokerAnswer<Library> => {
  const { trigger, reads, signal } = ask
  const held = (books?.positions ?? []).filter(({ netPos, prevPos, bought, sold }) => netPos !== 0 || prevPos !== 0 || bought > 0 || sold > 0)
  const ids = [...new Set([...fills, ...found, ...held].map(({ contractId }) => contractId))]
  const kept = await ask.known.contracts(ids.map(String))
  const known = new Map(kept.map((row) => [Number(row.brokerContractId), row.spec]))
  const nothing = { known, contracts: [], maturities: [], products: [] }
  const failed = (failure: BrokerFailure, library: Library): Result<Library, BrokerFailure> => {
    if (!goesOn(failure)) return { ok: false, error: failure }
    ask.failed(failure)
    return ok(library)
  }
  const contracts = await reads.contracts(trigger === 'schedule' ? ids.filter((id) => !known.has(id)) : ids, signal)
  if (!contracts.ok) return failed(contracts.error, nothing)
  const maturities = await reads.maturities(contracts.value.rows.map((row) => row.contractMaturityId), signal)
  if (!maturities.ok) return failed(maturities.error, { ...nothing, contracts: contracts.value.rows })
  const products = await reads.products(maturities.value.rows.map((row) => row.productId), signal)
  if (!products.ok) return failed(products.error, { ...nothing, contracts: contracts.value.rows })
  ask.leaveOut([...contracts.value.refused, ...maturities.value.refused, ...products.value.refused])
  return ok({ known, contracts: contracts.value.rows, maturities: maturities.value.rows, products: products.value.rows })
}

/** Fees of a session's fills, and whether they were read after its end: then nothing more is booked. */
type SessionFees = { readonly rows: readonly FillFeeRow[]; readonly settled: boolean }

/** A fee may be booked in parts, minutes after its fill. */
const feesSettleIn = 30 * 60_000

/** Reads a session's current fees, in one call if the broker lists them; otherwise those that may have changed. */
const readFees = async (ask: TradovateAsk, { fills, found, accountOf, askedAt }: Lists): BrokerAnswer<SessionFees> => {
  const { environment, reads, known, signal } = ask
  const counting = [...fills, ...found].filter(({ active }) => active)
  if (counting.length === 0) return ok({ rows: [], settled: isOver(askedAt) })
  const listed = await reads.feeList(signal)
  const missing = async (): BrokerAnswer<Rows<FillFeeRow>> => {
    const accounts = [...new Set(accountOf.values())].map((id) => accountKey(environment, id))
    const kept = await known.fills(accounts, counting.map(({ id }) => String(id)))
    const withFee = new Set(kept.filter(({ fee }) => fee !== null).map(({ id }) => Number(id)))
    const latest = counting.reduce((time, { timestamp }) => Math.max(time, timestamp), 0)
    const wanted = counting.filter(({ id, timestamp }) => isOver(askedAt) || !withFee.has(id) || timestamp > latest - feesSettleIn)
    return reads.feesOf(wanted.map(({ id }) => id), signal)
  }
  const fees = !listed.ok ? listed : listed.value === null ? await missing() : ok(listed.value)
  if (!fees.ok) {
    // The fills need not wait for their fees: until then the table's rate is used.
    if (!goesOn(fees.error)) return err(fees.error)
    ask.failed(fees.error)
    return ok({ rows: [], settled: false })
  }
  ask.leaveOut(fees.value.refused)
  const ids = new Set(counting.map(({ id }) => id))
  const rows = fees.value.rows.filter(({ id }) => ids.has(id))
  return ok({ rows, settled: isOver(askedAt) && rows.length === ids.size })
}

/** Whether the session is over in which the fills were requested. */
const isOver = (askedAt: number | null): boolean => askedAt !== null && askedAt >= sessionOf(tradingDay(askedAt)).closes

/** The broker's own books. */
type BookRows = { readonly positions: readonly PositionRow[]; readonly pairs: readonly FillPairRow[]; readonly positionsWhole: boolean; readonly pairsRead: boolean }

/** What the broker lists of its running session. */
type Lists = {
  readonly fills: readonly WireFill[]
  /** Fills that only a pair named, of earlier sessions too, and that the broker still knew. */
  readonly found: readonly WireFill[]
  /** Rows of both, refused ones too. */
  readonly received: number
  readonly orders: readonly OrderRow[]
  readonly ordersRead: boolean
  /** Null if the positions could not be read. */
  readonly books: BookRows | null
  /** The account of each fill that has an order or a pair. */
  readonly accountOf: ReadonlyMap<number, number>
  /** Whether the lists were still changing at the last read: then they need not agree. */
  readonly moving: boolean
  readonly refused: readonly RefusedRow[]
  readonly failures: readonly BrokerFailure[]
  /** When the fills were requested, UTC ms; null if the broker's next session began meanwhile. */
  readonly askedAt: number | null
}

const mostRounds = 3
/** Fills that only a pair names are requested by their ids: one request each if the broker does not know them. */
const mostAskedFor = 20

/** Reads fills, then positions and pairs. If they do not agree, a fill may have come between: then all is read again, until they agree or stay the same. */
const readLists = async (ask: TradovateAsk): BrokerAnswer<Lists> => {
  const first = await readRound(ask)
  if (!first.ok) return first
  let last = first.value
  let moving = false
  for (let round = 1; round < mostRounds && !fits(last); round += 1) {
    const again = await readRound(ask)
    if (!again.ok) return goesOn(again.error) ? ok({ ...last, moving: true }) : again
    moving = signatureOf(again.value) !== signatureOf(last)
    last = again.value
    if (!moving) break
  }
  return ok({ ...last, moving: moving && !fits(last) })
}

const readRound = async (ask: TradovateAsk): BrokerAnswer<Lists> => {
  const { now, reads, signal } = ask
  const failures: BrokerFailure[] = []
  const refused: RefusedRow[] = []
  const askedAt = now()
  const fills = await reads.fills(signal)
  if (!fills.ok) return fills
  // The broker may have cleared the list between request and answer.
  const isOneSession = tradingDay(now()) === tradingDay(askedAt)
  refused.push(...fills.value.refused)

  const books = await readBooks(ask, failures, refused)
  if (!books.ok) return books
  const found = await fillsOfPairs(ask, fills.value.rows, books.value, failures)
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

const readBooks = async ({ reads, signal }: TradovateAsk, failures: BrokerFailure[], refused: RefusedRow[]): BrokerAnswer<BookRows | null> => {
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

/** Fills that a pair names and the list lacks: carried ones of earlier sessions, or others that it left out. */
const fillsOfPairs = async ({ reads, known: journal, signal }: TradovateAsk, listed: readonly WireFill[], books: BookRows | null, failures: BrokerFailure[]): BrokerAnswer<readonly WireFill[]> => {
  const known = new Set(listed.map(({ id }) => id))
  const named = new Set((books?.pairs ?? []).flatMap(({ buyFillId, sellFillId }) => [buyFillId, sellFillId]))
  const lacking = [...named].filter((id) => !known.has(id))
  if (lacking.length === 0) return ok([])
  const accounts = (await journal.accounts()).map(({ key }) => key)
  const kept = new Set((await journal.fills(accounts, lacking.map(String))).map(({ id }) => Number(id)))
  const wanted = lacking.filter((id) => !kept.has(id)).slice(0, mostAskedFor)
  const found = await reads.fillsOf(wanted, signal)
  if (found.ok) return ok(found.value.rows)
  if (!goesOn(found.error)) return err(found.error)
  failures.push(found.error)
  return ok([])
}

const accountsOf = (fills: readonly WireFill[], orders: readonly OrderRow[], books: BookRows | null): ReadonlyMap<number, number> => {
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

/** Whether the positions count exactly the fills that came with them. */
const fits = ({ fills, books, accountOf }: Lists): boolean => {
  if (books === null) return true
  const traded = new Map<string, { bought: number; sold: number }>()
  const keyOf = (account: number | undefined, contract: number, { year, month, day }: WireFill['tradeDate']): string => [account, contract, year, month, day].join()
  for (const { id, contractId, tradeDate, action, qty, active } of fills) {
    if (!active) continue
    getOrInsert(traded, keyOf(accountOf.get(id), contractId, tradeDate), () => ({ bought: 0, sold: 0 }))[action === 'Buy' ? 'bought' : 'sold'] += qty
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
