// For each column, the columns that state the same fact.
const counterparts = new Map([
  ['Fill ID', '_id'],
  ['Order ID', '_orderId, orderId'],
  ['_qty', 'Quantity'],
  ['Price', '_price'],
  ['Timestamp', '_timestamp'],
  ['_tradeDate', '_timestamp, Timestamp'],
  ['Date', 'Timestamp'],
  ['B/S', '_action'],
  ['Product', 'Contract'],
  ['Filled Qty', 'filledQty'],
  ['decimalFillAvg', 'avgPrice'],
  ['avgPrice', 'decimalFillAvg'],
  ['Avg Fill Price', 'avgPrice'],
  ['pnl', 'buyPrice, sellPrice'],
  ['duration', 'boughtTimestamp, soldTimestamp'],
  ['P/L', 'Buy Price, Sell Price'],
  ['Trade Date', 'Bought Timestamp, Sold Timestamp'],
])

/** The columns that a column may contradict; null if only the row itself is at fault. */
export const counterpartOf = (column: string): string | null => counterparts.get(column) ?? null
