import { headerKinds, isPlatformKind, type ExportKind, type OwnKind } from './export-kind.ts'
import type { KindColumns } from './platforms/platform.ts'
import { platforms } from './platforms/platforms.ts'
import { zoneInHeader } from './platforms/rithmic.ts'

/** The export kind whose columns a header has, in any order and among any others; null if none or two match. */
export const recognizeExport = (header: readonly string[]): ExportKind | null => {
  const has = hasColumn(header)
  const kinds = headerKinds.filter((kind) => {
    const { needs, lacks = [] } = columnsOfKind(kind)
    return needs.every((need) => namesOf(need).some(has)) && !lacks.some(has)
  })
  return kinds.length === 1 ? (kinds[0] ?? null) : null
}

/** For each header column the broker's name of it; null for a column that is not read. */
export const columnsRead = (kind: ExportKind, header: readonly string[]): readonly (string | null)[] => {
  const { needs, reads } = columnsOfKind(kind)
  // A platform's alternatives are names of one column, Tradovate's are columns of their own.
  const names = new Map([...needs, ...reads].flatMap((column) => namesOf(column).map((name) => [plainName(name), isPlatformKind(kind) ? (namesOf(column)[0] ?? name) : name])))
  return header.map((name) => names.get(plainName(name)) ?? null)
}

const namesOf = (column: string | readonly string[]): readonly string[] => (typeof column === 'string' ? [column] : column)

const plainName = (name: string): string => (zoneInHeader(name)?.column ?? name).trim().toLowerCase().replaceAll('’', "'")

/** Whether a header has a column, however it is written. */
const hasColumn = (header: readonly string[]): ((name: string) => boolean) => {
  const names = new Set(header.map(plainName))
  return (name) => names.has(plainName(name))
}

/** The kind that a header most likely means, and its missing columns; null if none is near or several are equally near. */
export const nearestExport = (header: readonly string[]): { readonly kind: ExportKind; readonly missing: readonly string[] } | null => {
  const has = hasColumn(header)
  const near = headerKinds.flatMap((kind) => {
    const { needs, lacks = [] } = columnsOfKind(kind)
    const missing = needs.filter((need) => !namesOf(need).some(has)).map((need) => namesOf(need)[0] ?? '')
    const found = needs.length - missing.length
    return missing.length > 0 && found >= 3 && found * 2 >= needs.length && !lacks.some(has) ? [{ kind, missing, share: found / needs.length }] : []
  })
  const [best, next] = near.sort((one, other) => other.share - one.share)
  return best === undefined || best.share === next?.share ? null : { kind: best.kind, missing: best.missing }
}

/** The columns that Fillbook reads of a kind, with the broker's names. */
const columnsOfKind = (kind: ExportKind): KindColumns => (isPlatformKind(kind) ? platforms[kind].columns : ownColumns[kind])

const ownColumns: Readonly<Record<OwnKind, KindColumns>> = {
  performance: {
    needs: ['symbol', 'buyFillId', 'sellFillId', 'qty', 'buyPrice', 'sellPrice', 'pnl', 'boughtTimestamp', 'soldTimestamp'],
    reads: ['_tickSize', 'duration'],
  },
  'position-history': {
    needs: ['Account', 'Contract', 'Buy Fill ID', 'Sell Fill ID', 'Paired Qty', 'Buy Price', 'Sell Price', 'P/L', 'Bought Timestamp', 'Sold Timestamp'],
    reads: ['Position ID', 'Pair ID', 'Trade Date', 'Product', '_tickSize', 'Currency', 'Timestamp', 'Net Pos'],
  },
  fills: {
    needs: [['Fill ID', '_id'], ['_timestamp', 'Timestamp'], 'Account', ['B/S', '_action'], ['Quantity', '_qty'], ['Price', '_price'], 'Contract'],
    reads: ['_orderId', 'Order ID', '_tradeDate', '_active', '_accountId', '_contractId', '_tickSize', 'Product', 'commission'],
  },
  orders: {
    needs: [['orderId', 'Order ID'], 'Account', 'B/S', 'Contract', ['decimalFillAvg', 'avgPrice', 'Avg Fill Price'], ['filledQty', 'Filled Qty'], 'Fill Time'],
    reads: ['Status', 'Timestamp', 'Product', '_tickSize', 'Currency'],
  },
  'cash-history': {
    needs: ['Account', 'Transaction ID', 'Timestamp', 'Date', 'Delta', 'Amount', 'Cash Change Type'],
    reads: ['Currency', 'Contract'],
  },
  'account-balance-history': {
    needs: [['Account Name', 'Account ID'], 'Trade Date', 'Total Amount', 'Total Realized PNL'],
    reads: [],
  },
  'ninjatrader-executions': {
    needs: ['Instrument', 'Action', 'Quantity', 'Price', 'Time', 'ID', ['Account', 'Account display name']],
    reads: ['Position', 'Order ID', 'Commission', 'Rate'],
  },
}

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
