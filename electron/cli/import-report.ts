import { compareText } from '#shared/base/compare-text.ts'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import { type Assembly } from '#shared/imports/assembly.ts'
import type { ImportedTrades } from '#shared/imports/derive-trades.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { addCurrencyAmounts, amountTexts, noAmounts } from '#shared/money/currency-amounts.ts'
import { amountOf, exactMoney, type Amount, type Currency } from '#shared/money/money.ts'
import type { TradeWarning } from '#shared/pnl/fill-pair.ts'
import type { ClosedPair } from '#shared/reconcile/closed-pair.ts'
import type { DayCheck } from '#shared/reconcile/day-check.ts'
import type { DayCounts, Reconciliation } from '#shared/reconcile/reconcile.ts'

/** The result of one file; `kind` is null if it was rejected as a whole. */
export type FileReport = {
  readonly path: string
  readonly kind: ExportKind | null
  readonly rows: number
  readonly accepted: number
  readonly rejected: readonly { readonly line: number; readonly reason: string }[]
}

type MoneyTexts = {
  readonly grossPnl: string
  readonly commission: string
  readonly netPnl: string
  /** What is charged in other currencies, which no sum has in it; missing where nothing is. */
  readonly otherFees?: readonly { readonly currency: string; readonly amount: string }[]
}
type Counts = { readonly fills: number; readonly pairs: number; readonly trips: number }
type InCurrency = { readonly currency?: Currency | null }
type Group = { readonly account: ClosedPair['account']; readonly currency: Currency; fills: number; trips: number; readonly closed: ClosedPair[] }
type Rate = { readonly count: number; readonly winRate: number | null }

type Named = { readonly name: string | null; readonly amount: string }

/**
 * One account and trading day compared with the broker's figures: its state, why it cannot be checked, and the causes
 * of a difference; `movements` is every row of the day's cash by name, `brokenAt` the row before which others are
 * missing.
 */
type DayReport = { readonly account: string; readonly tradingDay: string } & InCurrency & MoneyTexts & {
  readonly brokerNet: string | null
  readonly difference: string | null
  readonly state: DayCheck['state']
  readonly reason: DayCheck['reason']
  readonly balance: { readonly start: string; readonly end: string } | null
  readonly movements: readonly (Named & { readonly of: string; readonly rows: number })[]
  readonly terms: readonly (Named & { readonly of: string })[]
  readonly brokenAt: { readonly transactionId: string; readonly after: string; readonly expected: string; readonly found: string } | null
  readonly unexplained: string | null
}

/** The output of `--json`: money as decimal text with two to four places, rates from 0 to 1, unknown as null. Its `trips` are trades from flat to flat: other programs read these keys. */
export type ImportReport = Counts & {
  readonly files: readonly FileReport[]
  readonly currency: Currency | null
  readonly grossPnl: string | null
  readonly commission: string | null
  readonly netPnl: string | null
  readonly otherFees?: MoneyTexts['otherFees']
  readonly byCurrency?: readonly ({ readonly currency: Currency } & MoneyTexts)[]
  readonly byAccount: readonly ({ readonly account: string } & InCurrency & Counts & MoneyTexts)[]
  readonly byTradingDay: readonly DayReport[]
  readonly statistics: { readonly perPair: Rate; readonly perTrip: Rate }
  readonly reconciliation: Pick<Reconciliation, 'pairsChecked' | 'pairsEqual' | keyof DayCounts>
  /** Trades based on a missing fill, or on a position that disagrees with the files. */
  readonly incomplete?: { readonly pairs: number; readonly trips: number }
  /** How many fill pairs are based on averages of orders, or could be matched in another order; missing if none. */
  readonly approximate?: number
  readonly ambiguous?: number
  /** Open positions after the files. */
  readonly open?: readonly { readonly account: string; readonly contract: string; readonly side: 'long' | 'short'; readonly quantity: number }[]
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

/** The report of an import. Currencies are never summed; each is listed separately. */
export const importReport = (
  files: readonly FileReport[],
  assembly: Assembly,
  { pairs, trades, open }: ImportedTrades,
  { closed, days, pairsChecked, pairsEqual, daysEqual, daysDiffer, daysUnchecked }: Reconciliation,
  warnings: ImportReport['warnings'],
): ImportReport => {
  // A busted fill does not count.
  const standing = assembly.fills.filter(({ active }) => active)
  const currencyOf = ({ contract }: { readonly contract: string }): Currency => (assembly.specs.get(contract) ?? contractSpecOf(contract)).currency
  const currencies = [...new Set(assembly.fills.map(currencyOf))].sort()
  const several = currencies.length > 1
  const severalDays = new Set(days.map(({ currency }) => currency)).size > 1
  const inCurrency = (currency: Currency | null): InCurrency => (several ? { currency } : {})
  const nameOf = (account: ClosedPair['account']): string => assembly.accounts.get(account) ?? account
  const groups = new Map<string, Group>()
  const groupOf = (account: ClosedPair['account'], currency: Currency): Group => {
    const known = groups.get(`${account}\n${currency}`)
    if (known !== undefined) return known
    const group: Group = { account, currency, fills: 0, trips: 0, closed: [] }
    groups.set(`${account}\n${currency}`, group)
    return group
  }
  for (const fill of standing) groupOf(fill.account, currencyOf(fill)).fills += 1
  for (const { account, spec } of trades) groupOf(account, spec.currency).trips += 1
  for (const pair of closed) groupOf(pair.account, pair.currency).closed.push(pair)
  const byAccount = [...groups.values()].sort((one, other) => compareText(nameOf(one.account), nameOf(other.account)) || compareText(one.currency, other.currency))
  const incomplete = { pairs: marked(pairs, 'incomplete'), trips: marked(trades, 'incomplete') }
  const approximate = marked(pairs, 'approximate')
  const ambiguous = marked(pairs, 'ambiguous-order')
  return {
    files,
    fills: standing.length, pairs: pairs.length, trips: trades.length,
    currency: several ? null : (currencies[0] ?? null),
    ...(several ? { grossPnl: null, commission: null, netPnl: null } : sums(closed)),
    ...(several ? { byCurrency: currencies.map((currency) => ({ currency, ...sums(closed.filter((pair) => pair.currency === currency)) })) } : {}),
    byAccount: byAccount.map((group) => ({ account: nameOf(group.account), ...inCurrency(group.currency), fills: group.fills, pairs: group.closed.length, trips: group.trips, ...sums(group.closed) })),
    byTradingDay: days.map((day) => ({ account: nameOf(day.account), tradingDay: day.tradingDay, ...(several || severalDays ? { currency: day.currency } : {}), ...dayTexts(day) })),
    statistics: { perPair: rateOf(pairs), perTrip: rateOf(trades) },
    reconciliation: { pairsChecked, pairsEqual, daysEqual, daysDiffer, daysUnchecked },
    ...(incomplete.pairs + incomplete.trips === 0 ? {} : { incomplete }),
    ...(approximate === 0 ? {} : { approximate }),
    ...(ambiguous === 0 ? {} : { ambiguous }),
    ...(open.length === 0 ? {} : { open: open.map(({ account, ...position }) => ({ account: nameOf(account), ...position })) }),
    warnings,
  }
}

const marked = (trades: readonly { readonly warnings: readonly TradeWarning[] }[], mark: TradeWarning): number => trades.filter(({ warnings }) => warnings.includes(mark)).length

const dayTexts = ({ fillbook, broker, balance, movements, difference, state, reason, broken, unexplained, terms }: DayCheck) => ({
  grossPnl: exactMoney(fillbook.gross), commission: exactMoney(fillbook.fees), netPnl: exactMoney(fillbook.net),
  brokerNet: textOf(broker.net), difference: textOf(difference), state, reason,
  balance: balance && { start: exactMoney(balance.start), end: exactMoney(balance.end) },
  movements: movements.map(({ of, name, amount, rows }) => ({ of, name, amount: exactMoney(amount), rows })),
  terms: terms.map(({ of, name, amount }) => ({ of, name, amount: exactMoney(amount) })),
  brokenAt: broken && { transactionId: broken.transactionId, after: broken.after, expected: exactMoney(broken.expected), found: exactMoney(broken.found) },
  unexplained: textOf(unexplained),
})

const textOf = (amount: Amount | null): string | null => (amount === null ? null : exactMoney(amount))

const sums = (pairs: readonly ClosedPair[]): MoneyTexts => {
  const total = (of: 'gross' | 'fees' | 'net'): string => exactMoney(amountOf(pairs.reduce((sum, pair) => sum + pair[of], 0)))
  const otherFees = pairs.reduce((sum, pair) => addCurrencyAmounts(sum, pair.otherFees), noAmounts)
  return { grossPnl: total('gross'), commission: total('fees'), netPnl: total('net'), ...(otherFees.length === 0 ? {} : { otherFees: amountTexts(otherFees) }) }
}

const rateOf = (trades: readonly { readonly grossPnl: Amount }[]): Rate => ({
  count: trades.length,
  winRate: trades.length === 0 ? null : trades.filter(({ grossPnl }) => grossPnl > 0).length / trades.length,
})
