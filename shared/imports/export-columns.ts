import type { ExportKind } from './export-kind.ts'

type KindColumns = {
  /** What the kind cannot do without; of several in one place any will do. */
  readonly needs: readonly (string | readonly string[])[]
  /** What is read where it is there. */
  readonly reads: readonly string[]
}

/** The columns of each kind that Fillbook reads, as the broker writes their names. */
export const exportColumns: Readonly<Record<ExportKind, KindColumns>> = {
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
