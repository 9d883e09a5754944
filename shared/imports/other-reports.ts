import { hasColumn } from './recognize.ts'

/** Reports that have no fills and no closed trades of an account, by their platforms' names, and the columns that show them. */
const otherReports: readonly { readonly name: string; readonly has: readonly string[] }[] = [
  { name: 'NinjaTrader period summary', has: ['Period', '#', 'Cum. net profit'] },
  { name: 'NinjaTrader orders', has: ['Instrument', 'Action', 'Order type', 'Limit', 'Stop', 'State'] },
  { name: 'TradingView list of trades, a back-test', has: ['Trade #', 'Type', 'Signal'] },
  { name: 'TradingView balance history', has: ['Time', 'Balance before', 'Balance after', 'Action'] },
  { name: 'Rithmic performance report', has: ['Entry Order Number', 'Exit Order Number', 'Fill Size'] },
]

/** The name of a report that is known and not read; null for any other header. */
export const otherReport = (header: readonly string[]): string | null => {
  const has = hasColumn(header)
  return otherReports.find((report) => report.has.every(has))?.name ?? null
}
