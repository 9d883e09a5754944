import type { AccountNamed, BalanceReading, CashReading, FillReading, OrderReading, PairReading, Reading } from '#shared/imports/reading.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'

/** UTC ms of a time of 10 June 2026, a Wednesday in the middle of a session. */
export const at = (clock: string, date = '2026-06-10'): number => Date.parse(`${date}T${clock}Z`)

const named = (name: string | null): AccountNamed => ({ id: null, name })
const money = (dollars: number): Amount => Math.round(dollars * 10_000) as Amount

type Given<R, Money extends string> = Partial<Omit<R, 'account' | Money | 'says'>> & { readonly account?: string | null }

/** A fill of MESM6 in account A: `1` bought at tick 100. */
export const fillOf = (fillId: string, { account = 'A', fee, price = 100, ...rest }: Omit<Given<FillReading, 'fee' | 'price'>, 'fillId'> & { readonly fee?: number; readonly price?: number } = {}): FillReading => ({
  says: 'fill', account: named(account), fillId, orderId: null, contract: 'MESM6', time: at('15:00:00'), side: 'buy', qty: 1, price: price as Ticks, tickSize: '0.25',
  fee: fee === undefined ? null : money(fee), active: true, tradeDate: null,
  ...rest,
})

/** What was filled of an order in MESM6 in account A. */
export const orderOf = (orderId: string, { account = 'A', ...rest }: Omit<Given<OrderReading, never>, 'orderId'> = {}): OrderReading => ({
  says: 'order', account: named(account), orderId, contract: 'MESM6', placedAt: at('15:00:00'), filledAt: at('15:00:00'), side: 'buy', qty: 1, priceSum: 100, tickSize: '0.25', currency: null,
  ...rest,
})

type PairGiven = Omit<Given<PairReading, 'pnl' | 'buy' | 'sell'>, never> & { readonly pnl?: number; readonly buy?: readonly [time: number, ticks: number]; readonly sell?: readonly [time: number, ticks: number] }

/** A pair of MESM6 without an account, as in a Performance report: bought at tick 100, sold a minute later. */
export const pairOf = (buyId: string, sellId: string, { account = null, pnl, buy = [at('15:00:00'), 100], sell = [at('15:01:00'), 104], qty = 1, ...rest }: PairGiven = {}): PairReading => ({
  says: 'pair', account: named(account), pairId: null, contract: 'MESM6', qty, tickSize: '0.25', currency: null, tradeDate: null,
  buy: { fillId: buyId, time: buy[0], price: buy[1] as Ticks },
  sell: { fillId: sellId, time: sell[0], price: sell[1] as Ticks },
  pnl: money(pnl ?? (sell[1] - buy[1]) * 1.25 * qty),
  ...rest,
})

/** A movement of cash of account A on 10 June 2026. */
export const cashOf = (transactionId: string, movement: CashReading['movement'], delta: number, { account = 'A', ...rest }: Omit<Given<CashReading, 'delta'>, 'transactionId' | 'movement' | 'amount'> & { readonly amount?: CashReading['amount'] } = {}): CashReading => ({
  says: 'cash', account: named(account), transactionId, time: at('15:00:00'), tradeDate: '2026-06-10', movement, delta: money(delta), amount: money(50_000), currency: null, contract: 'MESM6',
  ...rest,
})

/** The balance of account A at the end of a session. */
export const balanceOf = (tradeDate: string, realized: number, { account = 'A', total = 50_000 }: { readonly account?: string; readonly total?: number } = {}): BalanceReading => ({ says: 'balance', account: named(account), tradeDate, total: money(total), realized: money(realized) })

/** Readings whose cash rows follow each other from 50,000.00 on, by time, and whose balances hold what those rows, or else the realized P&L, came to. */
export const chained = (readings: readonly Reading[]): readonly Reading[] => {
  const cash = readings.filter((reading) => reading.says === 'cash').toSorted((one, other) => one.time - other.time)
  const held = new Map<Reading, Amount>()
  const amounts = new Map<string, number>()
  for (const row of cash) {
    const key = `${row.account.name ?? ''} ${row.currency ?? ''}`
    amounts.set(key, (amounts.get(key) ?? 500_000_000) + row.delta)
    held.set(row, amounts.get(key) as Amount)
  }
  let total = 500_000_000
  const balances = readings.filter((reading) => reading.says === 'balance').toSorted((one, other) => (one.tradeDate < other.tradeDate ? -1 : 1))
  for (const row of balances) held.set(row, (total = cash.length === 0 ? total + row.realized : (held.get(cash.findLast(({ tradeDate }) => tradeDate <= row.tradeDate) ?? row) ?? total)) as Amount)
  return readings.map((reading) => (reading.says === 'cash' ? { ...reading, amount: held.get(reading) ?? reading.amount } : reading.says === 'balance' ? { ...reading, total: held.get(reading) ?? reading.total } : reading))
}
