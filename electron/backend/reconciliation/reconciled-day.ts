import type { ReconciledCash, ReconciledDayProof, ReconciledFees, ReconciledPair } from '#shared/api/reconciliation.ts'
import { keyOf } from '#shared/imports/assembly.ts'
import { contractsOfMovements } from '#shared/imports/cash-fees.ts'
import { amountOf, exactMoney, type Currency } from '#shared/money/money.ts'
import { formatPrice } from '#shared/money/price.ts'
import type { ClosedPair } from '#shared/reconcile/closed-pair.ts'
import type { DayCheck } from '#shared/reconcile/day-check.ts'
import { feesByContract } from '#shared/reconcile/day-checks.ts'
import type { PairCheck, PairFigures, PairPrices } from '#shared/reconcile/pair-checks.ts'
import { isoTime } from '../db/iso-time.ts'
import type { AccountReconciled } from './reconcile-account.ts'

/** The pairs and fees of an account's trading day on either side: what differs first, then what only one side tells, by time. */
export const dayProof = (reconciled: AccountReconciled, day: string): Pick<ReconciledDayProof, 'pairs' | 'fees'> => ({ pairs: pairsOfDay(reconciled, day), fees: feesOfDay(reconciled, day) })

/** The identity of a day: its balances, every row of its cash by name, and what breaks it. */
export const cashOfDay = ({ currency, balance, movements, broken, unexplained, terms }: DayCheck): ReconciledCash => ({
  currency,
  balance: balance && { start: exactMoney(balance.start), end: exactMoney(balance.end) },
  movements: movements.map(({ amount, ...movement }) => ({ ...movement, amount: exactMoney(amount) })),
  broken: broken && { ...broken, time: isoTime(broken.time), expected: exactMoney(broken.expected), found: exactMoney(broken.found) },
  unexplained: unexplained === null ? null : exactMoney(unexplained),
  terms: terms.map(({ amount, ...term }) => ({ ...term, amount: exactMoney(amount) })),
})

const rank = { differs: 0, unchecked: 1, equal: 2 }

const pairsOfDay = ({ own, result }: AccountReconciled, day: string): ReconciledPair[] => {
  const checks = result.pairs.filter(({ tradingDay }) => tradingDay === day)
  const removed = new Map(own.removed.filter(({ tradingDay }) => tradingDay === day).map((pair) => [fillsOf(pair.buy.fillId, pair.sell.fillId), pair]))
  const lines: ReconciledPair[] = checks.map((check) => {
    const gone = check.fillbook === null ? removedOf(check, removed) : undefined
    if (gone !== undefined) removed.delete(fillsOf(gone.buy.fillId, gone.sell.fillId))
    return lineOfCheck(check, gone, own.entered)
  })
  const covered = new Set(checks.flatMap((check) => check.own))
  const alone = result.closed.filter((pair) => pair.tradingDay === day && !covered.has(pair))
  return [
    ...lines,
    ...alone.map((pair): ReconciledPair => ({ ...lineOf(pair), fillbook: sideOf(pair), state: 'unchecked', removed: null, entered: own.entered.has(pair) })),
    ...[...removed.values()].map((pair): ReconciledPair => ({ ...lineOf(pair), fillbook: null, state: 'differs', removed: sideOf(pair), entered: false })),
  ].sort((one, other) => rank[one.state] - rank[other.state] || (one.time < other.time ? -1 : one.time > other.time ? 1 : 0))
}

/** The removed pair of a check; a broker that states fills names the closing one alone. */
const removedOf = ({ buyFillId, sellFillId, closedBy }: PairCheck, removed: ReadonlyMap<string, ClosedPair>): ClosedPair | undefined =>
  closedBy === undefined ? removed.get(fillsOf(buyFillId ?? '', sellFillId ?? '')) : [...removed.values()].find(({ buy, sell }) => (buyFillId === null ? sell.fillId === sellFillId : buy.fillId === buyFillId))

const fillsOf = (buy: string, sell: string): string => keyOf(buy, sell)

const lineOf = ({ contract, currency, closedAt, buy, sell }: ClosedPair) =>
  ({ by: null, contract, currency, time: isoTime(closedAt), buyFillId: buy.fillId, sellFillId: sell.fillId, closedBy: null, broker: null, difference: null }) as const

type Side = NonNullable<ReconciledPair['fillbook']>

const sideOf = ({ qty, buy, sell, tickSize, gross }: ClosedPair): Side => ({ qty, buyPrice: formatPrice(buy.price, tickSize), sellPrice: formatPrice(sell.price, tickSize), grossPnl: exactMoney(gross) })

const lineOfCheck = (check: PairCheck, gone: ClosedPair | undefined, entered: ReadonlySet<ClosedPair>): ReconciledPair => {
  const { by, contract, time, buyFillId, sellFillId, closedBy = null, fillbook, broker, own, equal } = check
  const pricesOf = (prices: PairPrices | null) => ({ buyPrice: prices && formatPrice(prices.buy, prices.tickSize), sellPrice: prices && formatPrice(prices.sell, prices.tickSize) })
  // Only some of the broker's files tell how many contracts a sum is about.
  const side = (figures: PairFigures | null): Side | null => figures && { qty: figures.qty === 0 ? null : figures.qty, ...pricesOf(figures.prices), grossPnl: exactMoney(figures.gross) }
  return {
    ...{ by, contract, currency: (own[0] ?? gone)?.currency ?? null, time: isoTime(time), buyFillId, sellFillId, closedBy },
    ...{ fillbook: side(fillbook), broker: side(broker) },
    difference: exactMoney(amountOf(equal ? 0 : (fillbook?.gross ?? 0) - (broker?.gross ?? 0))),
    state: equal ? 'equal' : 'differs',
    removed: gone === undefined ? null : sideOf(gone),
    entered: own.some((pair) => entered.has(pair)),
  }
}

type BrokerFigures = AccountReconciled['sources']['broker']

const feesOfDay = ({ account, sources: { fees, fills, broker }, result: { cutOff, stated } }: AccountReconciled, day: string): ReconciledFees[] => {
  const cash = cutOff.has(keyOf(account.key, day)) ? [] : (broker.cash.length > 0 ? broker.cash : stated).filter(({ tradeDate, movement }) => tradeDate === day && movement !== 'other')
  const own = fees.filter(({ tradingDay }) => tradingDay === day)
  const named = new Set(own.map(({ currency }) => currency))
  const [only = null] = named.size === 1 ? named : []
  const currencyOf = (row: BrokerFigures['cash'][number]): Currency | null => row.currency ?? only
  const currencies = [...new Set([...named, ...cash.map(currencyOf)])]
  const contractOf = contractsOfMovements(fills)
  return currencies
    .flatMap((currency) => feesByContract(own.filter((fee) => fee.currency === currency), cash.filter((row) => currencyOf(row) === currency), contractOf).map((line) => ({ ...line, currency })))
    .map(({ contract, currency, fillbook, broker }) => ({
      ...{ contract, currency },
      fillbook: exactMoney(fillbook),
      broker: broker === null ? null : exactMoney(broker),
      difference: broker === null ? null : exactMoney(amountOf(fillbook - broker)),
    }))
    .sort((one, other) => Number(isZero(one.difference)) - Number(isZero(other.difference)) || ((one.contract ?? '') < (other.contract ?? '') ? -1 : 1))
}

const isZero = (difference: string | null): boolean => difference === null || /^-?0\.00$/.test(difference)
