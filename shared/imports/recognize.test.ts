import { describe, expect, it } from 'vitest'
import { isPlatformKind, type ExportKind, type MappedKind } from './export-kind.ts'
import { columnsRead, recognizeExport } from './recognize.ts'

const headers: Record<Exclude<ExportKind, MappedKind>, string> = {
  performance: 'symbol,_priceFormat,_priceFormatType,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration',
  'position-history': 'Position ID,Timestamp,Trade Date,Net Pos,Net Price,Bought,Avg. Buy,Sold,Avg. Sell,Account,Contract,Product,Product Description,_priceFormat,_priceFormatType,_tickSize,Pair ID,Buy Fill ID,Sell Fill ID,Paired Qty,Buy Price,Sell Price,P/L,Currency,Bought Timestamp,Sold Timestamp',
  fills: '_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission',
  orders: 'orderId,Account,Order ID,B/S,Contract,Product,Product Description,avgPrice,filledQty,Fill Time,lastCommandId,Status,_priceFormat,_priceFormatType,_tickSize,spreadDefinitionId,Version ID,Timestamp,Date,Quantity,Text,Type,Limit Price,Stop Price,decimalLimit,decimalStop,Filled Qty,Avg Fill Price,decimalFillAvg',
  'cash-history': 'Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract',
  'account-balance-history': 'Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL',
  'topstepx-trades': 'Id,ContractName,EnteredAt,ExitedAt,EntryPrice,ExitPrice,Fees,PnL,Size,Type,TradeDay,TradeDuration,Commissions',
  'topstepx-local-trades': 'Id,ContractName,EnteredAt,ExitedAt,EntryPrice,ExitPrice,Fees,PnL,Size,Type',
  'ninjatrader-trades': 'Trade number,Instrument,Account,Strategy,Market pos.,Qty,Entry price,Exit price,Entry time,Exit time,Entry name,Exit name,Profit,Cum. net profit,Commission,MAE,MFE,ETD,Bars,',
  'rithmic-orders': 'Account,Status,Remarks,Buy/Sell,Qty To Fill,Symbol,Price Type,Avg Fill Price,Limit Price,Order Number,Update Time (CDT),Qty Filled,Create Time (CDT),Commission,Commission Fill Rate',
  'rithmic-local-orders': 'Account,Status,Remarks,Buy/Sell,Qty To Fill,Symbol,Price Type,Avg Fill Price,Limit Price,Order Number,Update Time (RDT),Qty Filled,Create Time (RDT),Commission,Commission Fill Rate',
  'sierra-activity': 'ActivityType,DateTime,TransDateTime,Symbol,OrderActionSource,InternalOrderID,Quantity,BuySell,FillPrice,FilledQuantity,TradeAccount,OpenClose,PositionQuantity,FillExecutionServiceID',
  'tradingview-orders': 'Symbol,Side,Type,Quantity,Limit price,Stop price,Fill price,Status,Commission,Placing time,Closing time,Order ID,Level ID,Leverage,Margin',
  'quantower-trades': 'Account,Date/Time,Symbol,Description,Symbol type,Expiration date,Strike price,Side,Order type,Quantity,Price,Gross P/L,Fee,Net P/L,Trade value,Trade ID,Order ID,Connection name',
  'atas-journal': 'Account,Instrument,Open time,Open price,Open volume,Close time,Close price,Close volume,PnL,Comment',
  'ninjatrader-executions': 'Instrument,Action,Quantity,Price,Time,ID,E/X,Position,Order ID,Name,Commission,Rate,Account,Connection,',
}
const kinds = Object.entries(headers).map(([kind, header]) => [kind, header.split(',')] as [ExportKind, string[]])

describe('an export is recognized by its header', () => {
  it.each(kinds)('%s', (kind, header) => {
    expect(recognizeExport(header)).toBe(kind)
    expect(recognizeExport(header.toReversed())).toBe(kind)
    expect(recognizeExport([...header, 'Venue', 'Notional Value', 'TradeValidation'])).toBe(kind)
    expect(recognizeExport(header.map((name) => ` ${name.toUpperCase()} `))).toBe(kind)
  })

  it.each(kinds.filter(([kind]) => !isPlatformKind(kind)))('%s, with fewer columns too, as long as each fact is there once', (kind, header) => {
    const doubles = ['_id', 'Order ID', '_action', '_qty', 'Price', 'avgPrice', 'Avg Fill Price', 'Filled Qty', 'Account ID', 'duration', 'E/X', 'Rate']
    expect(recognizeExport(header.filter((name) => !doubles.includes(name) || kind === 'ninjatrader-executions' && name === 'Price'))).toBe(kind)
  })

  it('NinjaTrader names the account in two ways', () => {
    expect(recognizeExport('Instrument,Action,Quantity,Price,Time,ID,E/X,Position,Order ID,Name,Commission,Rate,Account display name,Connection'.split(','))).toBe('ninjatrader-executions')
  })

  it.each([
    [['undefined']],
    [[]],
    [['Trade #', 'Instrument', 'Account', 'Strategy', 'Market pos.', 'Quantity', 'Entry price', 'Exit price']],
    [['Date', 'Contract', 'B/S', 'Qty', 'Price', 'P&L', 'Cumulative P&L', 'Commission']],
    [['symbol', 'buyFillId', 'sellFillId', 'qty', 'buyPrice', 'sellPrice', 'boughtTimestamp', 'soldTimestamp']],
    [[...(kinds[2]?.[1] ?? []), ...(kinds[3]?.[1] ?? [])]],
  ])('%j is none that is known, or could be two', (header) => expect(recognizeExport(header)).toBeNull())
})

it('columns are matched to the broker’s names', () => {
  expect(columnsRead('account-balance-history', [' total amount', 'TRADE DATE', 'Venue', 'Account Name', 'Total Realized PNL '])).toEqual(['Total Amount', 'Trade Date', null, 'Account Name', 'Total Realized PNL'])
})
