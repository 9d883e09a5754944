import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { tickedContractSpec, type ContractSpec } from '#shared/market/contract-spec.ts'
import { hasSession, previousTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { parseAmount, type Currency } from '#shared/money/money.ts'
import type { DayWindow } from '#shared/sync/history-windows.ts'
import { isFrequent } from '#shared/sync/plan.ts'
import type { BrokerPosition } from '#shared/sync/holdings.ts'
import type { BrokerFailure } from '../failure.ts'
import type { BrokerAnswer, BrokeragePart, FetchedFills, KnownContract, ListedAccount, PartAsk } from '../port.ts'
import type { RefusedRow } from '../rows.ts'
import type { ProjectxClient } from './client.ts'
import type { ProjectxFirmId } from './hosts.ts'
import { accountKey, mapTrades } from './mapping.ts'
import type { WireAccount, PositionRow, TradeRow } from './wire.ts'

/** Past sessions that are read again: a trade may be voided days after it was stored. */
const sessionsReadAgain = 5
/** Trades and positions are two answers: they are read again until no trade came between. */
const mostRounds = 3
const dollar = 'USD' as Currency
const [long, short] = [1, 2]

/** From a moment to another, UTC ms; null for now. */
type Span = { readonly from: number; readonly to: number | null }

/** The span (UTC ms) of a trading day and of the days without a session before it; it ends where the next one begins. */
export const spanOf = (day: string): { readonly from: number; readonly to: number } => ({ from: sessionOf(previousTradingDay(day)).listedUntil, to: sessionOf(day).listedUntil })

const sessionsIn = ({ from, to }: DayWindow): string[] => {
  const days: string[] = []
  for (let day = dayOfDate(from); day <= dayOfDate(to); day += 1) if (hasSession(isoDate(day))) days.push(isoDate(day))
  return days
}

/** What one account has in the running session, in two answers that fit each other unless it is still moving. */
type Running = { readonly trades: readonly TradeRow[]; readonly positions: readonly PositionRow[]; readonly refused: readonly RefusedRow[]; readonly askedAt: number; readonly moving: boolean }

/** One login on one side of a firm on ProjectX, in one run: its simulated accounts, or those with real money. */
export const projectxPart = (firm: ProjectxFirmId, client: ProjectxClient, ask: PartAsk): BrokeragePart => {
  const { environment, signal, now, known } = ask
  let rows: readonly WireAccount[] = []
  const specs = new Map<string, ContractSpec>()
  const idOf = (account: AccountKey): string => account.slice(account.lastIndexOf(':') + 1)

  /** Resolves contracts by their ids, which name nothing by themselves; those that the broker does not know are left out. */
  const resolve = async (ids: Iterable<string>): BrokerAnswer<readonly KnownContract[]> => {
    const wanted = [...new Set(ids)].filter((id) => !specs.has(id))
    for (const { brokerContractId, spec } of wanted.length === 0 ? [] : await known.contracts(wanted)) specs.set(brokerContractId, spec)
    const asked: KnownContract[] = []
    for (const id of wanted.filter((each) => !specs.has(each))) {
      const contract = await client.contract(id, signal)
      if (!contract.ok) return contract
      const spec = contract.value === null ? null : tickedContractSpec(contract.value.name, contract.value)
      if (spec === null) continue
      specs.set(id, spec)
      asked.push({ brokerContractId: id, spec })
    }
    return ok(asked)
  }

  const fetched = (account: AccountKey, spans: readonly Span[], trades: readonly TradeRow[], unreadable: readonly RefusedRow[], asked: readonly KnownContract[]): FetchedFills => {
    const mapped = mapTrades(account, trades, specs)
    return { ...mapped, stated: { ...mapped.stated, spans: spans.map((span) => ({ account, ...span })) }, asked, received: trades.length + unreadable.length, refused: [...unreadable, ...mapped.refused] }
  }

  /** An account that is gone meanwhile is left out; whatever else fails may fail for all. */
  const nullIfNotFound = <T>(answer: Result<T, BrokerFailure>): Result<T | null, BrokerFailure> => (answer.ok || answer.error.kind !== 'not-found' ? answer : ok(null))

  const readRunning = async (account: AccountKey, span: Span): BrokerAnswer<Running | null> => {
    const trades = (): ReturnType<ProjectxClient['trades']> => client.trades(idOf(account), span, signal)
    let askedAt = now()
    let before = nullIfNotFound(await trades())
    for (let round = 1; ; round += 1) {
      if (!before.ok) return before
      if (before.value === null) return ok(null)
      const positions = nullIfNotFound(await client.positions(idOf(account), signal))
      if (!positions.ok) return positions
      if (positions.value === null) return ok(null)
      const refused = [...before.value.refused, ...positions.value.refused]
      const running = { trades: before.value.rows, positions: positions.value.rows, refused, askedAt }
      // If neither has anything, nothing came between.
      if (running.trades.length + running.positions.length + refused.length === 0) return ok({ ...running, moving: false })
      askedAt = now()
      const after = nullIfNotFound(await trades())
      if (!after.ok) return after
      if (after.value === null) return ok(null)
      const isSame = signatureOf(after.value.rows) === signatureOf(running.trades)
      if (isSame || round === mostRounds) return ok({ ...running, trades: after.value.rows, moving: !isSame })
      before = after
    }
  }

  const positionsOf = (account: AccountKey, { trades, positions }: Running, tradeDate: string): { readonly positions: BrokerPosition[]; readonly refused: RefusedRow[] } => {
    const refused: RefusedRow[] = []
    const sums = new Map<string, { net: number; bought: number; sold: number; time: number }>()
    const { opens } = sessionOf(tradeDate)
    const of = (contractId: string) => getOrInsert(sums, contractId, () => ({ net: 0, bought: 0, sold: 0, time: opens }))
    for (const { id, contractId, type, size } of positions) {
      if (type !== long && type !== short) refused.push({ entity: 'position', id: String(id), reason: 'not-buy-or-sell', field: 'type' })
      else of(contractId).net += type === long ? size : -size
    }
    for (const { contractId, voided, side: bought, size, creationTimestamp } of trades) {
      if (voided) continue
      const sum = of(contractId)
      sum[bought === 0 ? 'bought' : 'sold'] += size
      sum.time = Math.max(sum.time, creationTimestamp)
    }
    const stated = [...sums].flatMap(([contractId, { net, bought, sold, time }]): BrokerPosition[] => {
      const spec = specs.get(contractId)
      if (spec === undefined) {
        refused.push({ entity: 'position', id: contractId, reason: 'no-contract', field: 'contractId' })
        return []
      }
      // The broker reports its position now: less the session's trades, that is the position before the session.
      return [{ account, contract: spec.contract, tradeDate, time, net, carried: net - bought + sold, bought, sold }]
    })
    return { positions: stated, refused }
  }

  return {
    accounts: async () => {
      const listed = await client.accounts(signal)
      if (!listed.ok) return listed
      ask.leaveOut(listed.value.refused)
      const [here, there] = (await Promise.all([known.accounts(), known.accountsOfOtherSide()])).map((accounts) => new Set(accounts.map(({ brokerAccountId }) => brokerAccountId)))
      // An account that changes between simulated and real keeps its key: under two keys its trades would count twice.
      rows = listed.value.rows.filter(({ id, simulated }) => (here?.has(String(id)) === there?.has(String(id)) ? simulated === (environment === 'demo') : here?.has(String(id))))
      return ok(rows.map(({ id, name, isVisible }): ListedAccount => ({ key: accountKey(firm, environment, id), environment, brokerAccountId: String(id), name, closed: !isVisible })))
    },
    balances: () => {
      const at = now()
      const balances = rows.flatMap(({ id, balance }) => {
        const amount = parseAmount(balance, 'half-even')
        if (amount.ok) return [{ account: accountKey(firm, environment, id), amount: amount.value, currency: dollar, time: at }]
        ask.leaveOut([{ entity: 'cashBalance', id: String(id), reason: 'amount-unreadable', field: 'balance' }])
        return []
      })
      return Promise.resolve(ok(balances))
    },
    past: async (account, days) => {
      const whole = { from: spanOf(days.from).from, to: spanOf(days.to).to }
      const first = nullIfNotFound(await client.trades(idOf(account), whole, signal))
      if (!first.ok) return first
      const trades: TradeRow[] = []
      const unreadable: RefusedRow[] = []
      const spans: Span[] = []
      // The broker states no maximum: an answer about many days may be cut off, but an empty one is complete.
      if (first.value !== null && first.value.rows.length + first.value.refused.length > 0) {
        for (const day of sessionsIn(days)) {
          const ofDay = nullIfNotFound(await client.trades(idOf(account), spanOf(day), signal))
          if (!ofDay.ok) return ofDay
          if (ofDay.value === null) continue
          spans.push(spanOf(day))
          trades.push(...ofDay.value.rows)
          unreadable.push(...ofDay.value.refused)
        }
      }
      const asked = await resolve(trades.map(({ contractId }) => contractId))
      return asked.ok ? ok(fetched(account, spans, trades, unreadable, asked.value)) : asked
    },
    session: async (accounts) => {
      const listed = accounts.filter((account) => rows.some(({ id }) => account === accountKey(firm, environment, id)))
      const askedAt = now()
      const tradeDate = tradingDay(askedAt)
      const over: string[] = []
      // The frequent pulls read the running session alone.
      for (let day = tradeDate; !isFrequent(ask.trigger) && over.length < sessionsReadAgain; ) over.push((day = previousTradingDay(day)))
      const parts: FetchedFills[] = []
      const positions: BrokerPosition[] = []
      const refusedOf = new Set<AccountKey>()
      const unread: RefusedRow[] = []
      const running = new Map<AccountKey, Running>()
      for (const [index, account] of listed.entries()) {
        ask.progress({ phase: 'fills', done: index, total: listed.length })
        const current = await readRunning(account, { from: spanOf(tradeDate).from, to: null })
        if (!current.ok) return current
        if (current.value === null) {
          refusedOf.add(account)
          ask.failed({ kind: 'not-found' })
          continue
        }
        running.set(account, current.value)
        const trades: TradeRow[] = [...current.value.trades]
        const spans: Span[] = [{ from: spanOf(tradeDate).from, to: null }]
        const unreadable: RefusedRow[] = current.value.refused.filter(({ entity }) => entity === 'fill')
        unread.push(...current.value.refused.filter(({ entity }) => entity !== 'fill'))
        for (const day of over) {
          const again = nullIfNotFound(await client.trades(idOf(account), spanOf(day), signal))
          if (!again.ok) return again
          if (again.value === null) continue
          spans.push(spanOf(day))
          trades.push(...again.value.rows)
          unreadable.push(...again.value.refused)
        }
        const asked = await resolve([...trades, ...current.value.positions].map(({ contractId }) => contractId))
        if (!asked.ok) return asked
        const part = fetched(account, spans, trades, unreadable, asked.value)
        if (part.refused.length > 0) refusedOf.add(account)
        parts.push(part)
        const books = positionsOf(account, current.value, tradeDate)
        positions.push(...books.positions)
        unread.push(...books.refused)
      }
      ask.fillsFetched()
      ask.progress({ phase: 'contracts', done: 0, total: 1 })
      ask.leaveOut(unread)
      const fills = parts.flatMap((part) => part.fills)
      return ok({
        fills, refusedOf, refusedOfAny: false, askedAt, tradeDate,
        specs: parts.flatMap((part) => part.specs),
        asked: parts.flatMap((part) => part.asked),
        received: parts.reduce((sum, part) => sum + part.received, 0),
        refused: parts.flatMap((part) => part.refused),
        stated: { fills: parts.flatMap((part) => part.stated?.fills ?? []), voided: parts.flatMap((part) => part.stated?.voided ?? []), spans: parts.flatMap((part) => part.stated?.spans ?? []) },
        answered: new Set(fills.map(({ id }) => id)),
        contracts: [...specs.values()],
        books: { positions, pairs: [], isWhole: unread.length === 0, pairsRead: false, moving: [...running.values()].some(({ moving }) => moving) },
        // Trades come with all their fees.
        feesSettled: askedAt >= sessionOf(tradeDate).closes,
      })
    },
  }
}

const signatureOf = (trades: readonly TradeRow[]): string => JSON.stringify(trades.map(({ id, voided }) => [id, voided]).sort())

