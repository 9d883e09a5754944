import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { WorkedOrder } from '#shared/fills/worked-order.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { goesOn, type BrokerFailure } from '../failure.ts'
import type { Answer, FetchedSession } from '../port.ts'
import { readLists, type Lists, type TradovateAsk } from './lists.ts'
import { accountKey, dayOf, mapHoldings, mapSession } from './mapping.ts'
import { workedOrders } from './worked-orders.ts'
import type { ContractRow, CurrencyRow, FillFeeRow, MaturityRow, ProductRow, Rows } from './wire.ts'

type Library = { readonly known: ReadonlyMap<number, ContractSpec>; readonly contracts: readonly ContractRow[]; readonly maturities: readonly MaturityRow[]; readonly products: readonly ProductRow[] }

/** Fetches the running session: its fills with the orders that name their accounts, their fees, the broker's own positions and pairs, and the contracts of all these. */
export const readSession = async (ask: TradovateAsk, currencies: readonly CurrencyRow[] | null): Answer<FetchedSession> => {
  const { progress, side } = ask
  const stepOfFills = (done: number): void => progress({ phase: 'fills', done, total: 2 })
  stepOfFills(0)
  const lists = await readLists(ask)
  if (!lists.ok) return lists
  const { fills, found, orders, books, refused, failures } = lists.value
  for (const failure of failures) ask.failed(failure)
  ask.leaveOut(refused)

  stepOfFills(1)
  // Without the broker's list of currencies no fee can be named: those that are known stay.
  const fees = currencies === null ? ok({ rows: [], settled: false }) : await readFees(ask, lists.value)
  if (!fees.ok) return fees
  ask.fillsFetched()

  progress({ phase: 'contracts', done: 0, total: 1 })
  const library = await readContracts(ask, lists.value)
  if (!library.ok) return library
  const accountOfFill = await knownAccounts(ask, lists.value)
  const mapped = mapSession({ environment: side, fills: [...fills, ...found], orders, accountOfFill, fees: fees.value.rows, currencies: currencies ?? [], ...library.value })
  const holdings = books === null ? null : mapHoldings(side, books.positions, books.pairs, mapped.contracts)
  ask.leaveOut(holdings?.refused ?? [])
  const askedFor = new Set(library.value.contracts.map((row) => row.id))
  return ok({
    ...mapped,
    askedAt: lists.value.askedAt,
    contracts: [...mapped.contracts.values()],
    // Only the broker's own figures are kept: what came from the table is asked for again, since the broker may know it by then.
    asked: [...mapped.contracts].flatMap(([id, spec]) => (spec.source === 'broker' && askedFor.has(id) ? [{ brokerContractId: String(id), spec }] : [])),
    received: lists.value.received,
    answered: new Set([...fills, ...found].map(({ id }) => String(id))),
    books: holdings === null ? null : { ...holdings, isWhole: books?.positionsWhole === true && holdings.refused.length === 0, pairsRead: books?.pairsRead === true, moving: lists.value.moving },
    tradeDate: [...fills, ...(books?.positions ?? [])].map((row) => dayOf(row.tradeDate)).reduce<string | null>((latest, day) => (latest !== null && latest > day ? latest : day), null),
    feesSettled: fees.value.settled,
    worked: () => readWorkedOrders(ask, lists.value, mapped.contracts),
    // Without orders nobody says which account a missing fill is of.
    refusedOfAny: mapped.refusedOfAny || !lists.value.ordersRead || refused.some(({ entity }) => entity === 'fill'),
  })
}

/** What the session's orders worked at. A chart alone shows it, so what fails is asked for again with the next fills and makes this run no worse. */
const readWorkedOrders = async ({ reads, side, signal }: TradovateAsk, { fills, found, orders }: Lists, contracts: ReadonlyMap<number, ContractSpec>): Promise<readonly WorkedOrder[]> => {
  if (orders.length === 0) return []
  const versions = await reads.orderVersions(signal)
  const reports = versions.ok ? await reads.executionReports(signal) : null
  if (!versions.ok || reports?.ok !== true) return []
  return workedOrders({ environment: side, versions: versions.value.rows, reports: reports.value.rows, fills: [...fills, ...found], contracts })
}

/** The accounts of fills by what names them in this run, and by the journal where nothing does: an order may be listed later than its fills, or no longer. */
const knownAccounts = async ({ known }: TradovateAsk, { fills, accountOf }: Lists): Promise<ReadonlyMap<number, number>> => {
  const nameless = fills.filter(({ id }) => !accountOf.has(id)).map(({ id }) => String(id))
  if (nameless.length === 0) return accountOf
  const accounts = await known.accounts()
  const numberOf = new Map(accounts.map(({ key, brokerAccountId }): [AccountKey, number] => [key, Number(brokerAccountId)]))
  const kept = await known.fills([...numberOf.keys()], nameless)
  const named = kept.flatMap(({ account, id }): [number, number][] => [[Number(id), numberOf.get(account) ?? 0]])
  return new Map([...accountOf, ...named])
}

/** Contracts are kept in the journal. Their figures are asked for again in every run but the frequent pulls, since the broker may correct them; what is known stays where an answer fails. */
const readContracts = async (ask: TradovateAsk, { fills, found, books }: Lists): Answer<Library> => {
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

/** Fees of a session's fills, and whether they are those of its end: then nothing more is booked. */
type SessionFees = { readonly rows: readonly FillFeeRow[]; readonly settled: boolean }

/** A fee may be booked in parts, minutes after its fill. */
const feesSettleIn = 30 * 60_000

/** Reads the fees of a session as they are now, in one call where the broker lists them; else those that may have changed. */
const readFees = async (ask: TradovateAsk, { fills, found, accountOf, askedAt }: Lists): Answer<SessionFees> => {
  const { side, reads, known, signal } = ask
  const counting = [...fills, ...found].filter(({ active }) => active)
  if (counting.length === 0) return ok({ rows: [], settled: isOver(askedAt) })
  const listed = await reads.feeList(signal)
  const missing = async (): Answer<Rows<FillFeeRow>> => {
    const accounts = [...new Set(accountOf.values())].map((id) => accountKey(side, id))
    const kept = await known.fills(accounts, counting.map(({ id }) => String(id)))
    const withFee = new Set(kept.filter(({ fee }) => fee !== null).map(({ id }) => Number(id)))
    const latest = counting.reduce((time, { timestamp }) => Math.max(time, timestamp), 0)
    const wanted = counting.filter(({ id, timestamp }) => isOver(askedAt) || !withFee.has(id) || timestamp > latest - feesSettleIn)
    return reads.feesOf(wanted.map(({ id }) => id), signal)
  }
  const fees = !listed.ok ? listed : listed.value === null ? await missing() : ok(listed.value)
  if (!fees.ok) {
    // The fills need not wait for their fees: until they come the rate of the table is used.
    if (!goesOn(fees.error)) return err(fees.error)
    ask.failed(fees.error)
    return ok({ rows: [], settled: false })
  }
  ask.leaveOut(fees.value.refused)
  const ids = new Set(counting.map(({ id }) => id))
  const rows = fees.value.rows.filter(({ id }) => ids.has(id))
  return ok({ rows, settled: isOver(askedAt) && rows.length === ids.size })
}

/** Whether the session is over in which the fills were asked for. */
const isOver = (askedAt: number | null): boolean => askedAt !== null && askedAt >= sessionOf(tradingDay(askedAt)).closes
