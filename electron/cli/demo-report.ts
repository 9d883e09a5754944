import type { Backend } from '#backend/host.ts'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { exactMoney } from '#shared/money/money.ts'

/** The contents of the journal after the demo. */
type DemoTotals = Awaited<ReturnType<Backend['totals']>>

type MoneyTexts = { readonly grossPnl: string; readonly commission: string; readonly netPnl: string }

/** The output of `--json`, whose `trips` are trades from flat to flat: other programs read these keys. With several currencies the three sums are null, and each currency is listed separately. */
export type DemoReport = {
  readonly accounts: number
  readonly fills: number
  readonly pairs: number
  readonly trips: number
  readonly grossPnl: string | null
  readonly commission: string | null
  readonly netPnl: string | null
  readonly byTradingDay: readonly ({ readonly account: string; readonly tradingDay: string; readonly currency?: string } & MoneyTexts)[]
  readonly byCurrency?: readonly ({ readonly currency: string } & MoneyTexts)[]
  /** The demo profile's records in the cloud; null if it was unreachable. */
  readonly mirrored: number | null
  readonly receipt: Omit<SyncReceipt, 'trades'> & { readonly trips: SyncReceipt['trades'] }
}

const texts = ({ grossPnl, commission, netPnl }: Omit<DemoTotals['money'][number], 'currency'>): MoneyTexts => ({ grossPnl: exactMoney(grossPnl), commission: exactMoney(commission), netPnl: exactMoney(netPnl) })
const nothing: MoneyTexts = { grossPnl: '0.00', commission: '0.00', netPnl: '0.00' }

/** The report of a demo run: money as decimal text with two places. */
export const demoReport = ({ accounts, fills, pairs, trades, money, byTradingDay }: DemoTotals, { trades: trips, ...receipt }: SyncReceipt, mirrored: number | null): DemoReport => {
  const several = money.length > 1
  const [only] = money
  return {
    accounts,
    fills,
    pairs,
    trips: trades,
    ...(several ? { grossPnl: null, commission: null, netPnl: null } : only === undefined ? nothing : texts(only)),
    byTradingDay: byTradingDay.map((row) => ({ account: row.account, tradingDay: row.tradingDay, ...(several ? { currency: row.currency } : {}), ...texts(row) })),
    ...(several ? { byCurrency: money.map((sums) => ({ currency: sums.currency, ...texts(sums) })) } : {}),
    mirrored,
    receipt: { ...receipt, trips },
  }
}

/** The report as lines for a terminal: one row per trading day and account, then the sums. */
export const demoTable = (report: DemoReport): string => {
  const sums = report.byCurrency ?? [{ currency: '', grossPnl: report.grossPnl ?? '', commission: report.commission ?? '', netPnl: report.netPnl ?? '' }]
  const rows = [
    ['Trading day', 'Account', 'Gross P&L', 'Commissions & fees', 'Net P&L', ''],
    ...report.byTradingDay.map((row) => [row.tradingDay, row.account, row.grossPnl, row.commission, row.netPnl, row.currency ?? '']),
    ...sums.map((row) => ['All', '', row.grossPnl, row.commission, row.netPnl, row.currency]),
  ]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string => row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ').trimEnd()
  const { accounts, fills, pairs, trips, mirrored, receipt } = report
  return [
    ...rows.map(line),
    '',
    `${String(accounts)} accounts, ${String(fills)} fills, ${String(pairs)} fill pairs (first in, first out) in ${String(trips)} trades from flat to flat.`,
    `This run: ${String(receipt.fills.added)} fills added, ${String(receipt.fills.unchanged)} already known, ${String(receipt.fills.refused)} rejected.`,
    mirrored === null ? 'The cloud could not be reached: the journal is on this computer only.' : `The cloud holds ${String(mirrored)} of its records.`,
  ].join('\n')
}
