import { isPlatformKind, type ExportKind, type OwnKind } from './export-kind.ts'
import type { KindColumns } from './platforms/platform.ts'
import { platforms } from './platforms/platforms.ts'

/** The columns that Fillbook reads of a kind, with the broker's names. */
export const columnsOfKind = (kind: ExportKind): KindColumns => (isPlatformKind(kind) ? platforms[kind].columns : ownColumns[kind])

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
