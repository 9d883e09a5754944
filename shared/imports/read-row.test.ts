import { describe, expect, it } from 'vitest'
import type { ExportKind } from './export-kind.ts'
import { readRow } from './read-row.ts'
import type { Reading, RowProblem, Writing } from './reading.ts'
import { readingShape } from './reading-shape.ts'

const chicago = 'America/Chicago'

const performance = {
  symbol: 'MESH5', _tickSize: '0.25', buyFillId: '6008478034', sellFillId: '6008478078', qty: '1', buyPrice: '6117.75', sellPrice: '6130.25', pnl: '$62.50',
  boughtTimestamp: '01/22/2025 23:02:03', soldTimestamp: '01/23/2025 00:30:16', duration: '1h 28min 12sec',
}
const position = {
  'Position ID': '468156750012', 'Trade Date': '2026-04-13', Account: 'LFE489002', Contract: 'MESM6', _tickSize: '0.25', 'Pair ID': '468156750026', 'Buy Fill ID': '468156750010', 'Sell Fill ID': '468156750024',
  'Paired Qty': '14', 'Buy Price': '6816.75', 'Sell Price': '6830.25', 'P/L': '945.00', Currency: 'USD', 'Bought Timestamp': '04/13/2026 09:40:47', 'Sold Timestamp': '04/13/2026 10:23:44',
}
const fill = {
  _id: '536938980008', _orderId: '536938980005', _timestamp: '2026-06-10 12:41:43.083Z', _tradeDate: '2026-06-10', _action: '0', _qty: '2', _price: '28949.75', _active: 'true', _accountId: '53696616',
  'Fill ID': '536938980008', 'Order ID': '536938980005', Timestamp: '06/10/2026 14:41:43', Date: '6/10/26', Account: 'LFE160003', 'B/S': ' Buy', Quantity: '2', Price: '28949.75', _tickSize: '0.25', Contract: 'MNQM6', commission: '1.04',
}
const order = {
  orderId: '537862110206', Account: 'TDFY938221', 'Order ID': '537862110206', 'B/S': ' Sell', Contract: 'MNQU6', avgPrice: '30740.75', filledQty: '5', 'Fill Time': '06/16/2026 10:19:37', Status: ' Filled', _tickSize: '0.25',
  Timestamp: '06/16/2026 09:10:14', 'Filled Qty': '5', 'Avg Fill Price': '30740.75', decimalFillAvg: '30740.75', Currency: 'USD',
}
const cash = {
  Account: 'APEX0012', 'Transaction ID': '671418950024', Timestamp: '09/23/2026 13:34:57', Date: '2026-09-23', Delta: '-1.04', Amount: '49,998.96', 'Cash Change Type': ' Commission', Currency: 'USD', Contract: 'MNQZ6',
}
const balance = { 'Account ID': '54823063', 'Account Name': 'FTDFYG347', 'Trade Date': '2026-06-29', 'Total Amount': '51,170.00', 'Total Realized PNL': '(2,230.50)' }
const ninja = {
  Instrument: 'MNQ MAR25', Action: 'SellShort', Quantity: '3', Price: '21000.25', Time: '1/15/2025 2:45:30 PM', ID: '303363433426_1', 'Order ID': '24901', Commission: '$1.56', Account: 'APEX-50K',
}

const read = (kind: ExportKind, cells: Record<string, string>, zone = chicago, writing?: Writing): Reading | null => {
  const result = readRow(kind, { line: 2, cells, ...(writing === undefined ? {} : { writing }) }, zone)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}
const problem = (kind: ExportKind, cells: Record<string, string>): RowProblem | null => {
  const result = readRow(kind, { line: 2, cells }, chicago)
  return result.ok ? null : result.error
}
const at = (text: string): number => Date.parse(text)

describe('a row of each kind', () => {
  it('Performance', () => {
    expect(read('performance', performance)).toEqual({
      says: 'pair', account: { id: null, name: null }, pairId: null, contract: 'MESH5', qty: 1, tickSize: '0.25', pnl: 625_000, currency: null, tradeDate: null,
      buy: { fillId: '6008478034', time: at('2025-01-23T05:02:03Z'), price: 24_471 },
      sell: { fillId: '6008478078', time: at('2025-01-23T06:30:16Z'), price: 24_521 },
    })
  })

  it('Position History', () => {
    expect(read('position-history', position)).toEqual({
      says: 'pair', account: { id: null, name: 'LFE489002' }, pairId: '468156750026', contract: 'MESM6', qty: 14, tickSize: '0.25', pnl: 9_450_000, currency: 'USD', tradeDate: '2026-04-13',
      buy: { fillId: '468156750010', time: at('2026-04-13T14:40:47Z'), price: 27_267 },
      sell: { fillId: '468156750024', time: at('2026-04-13T15:23:44Z'), price: 27_321 },
    })
  })

  it('Fills', () => {
    expect(read('fills', fill)).toEqual({
      says: 'fill', account: { id: '53696616', name: 'LFE160003' }, fillId: '536938980008', orderId: '536938980005', contract: 'MNQM6', time: at('2026-06-10T12:41:43.083Z'), side: 'buy', qty: 2,
      price: 115_799, tickSize: '0.25', fee: 10_400, active: true, tradeDate: '2026-06-10',
    })
  })

  it('Orders', () => {
    expect(read('orders', order)).toEqual({
      says: 'order', account: { id: null, name: 'TDFY938221' }, orderId: '537862110206', contract: 'MNQU6', placedAt: at('2026-06-16T14:10:14Z'), filledAt: at('2026-06-16T15:19:37Z'), side: 'sell', qty: 5,
      priceSum: 614_815, tickSize: '0.25', currency: 'USD',
    })
  })

  it('Cash History', () => {
    expect(read('cash-history', cash)).toEqual({
      says: 'cash', account: { id: null, name: 'APEX0012' }, transactionId: '671418950024', time: at('2026-09-23T18:34:57Z'), tradeDate: '2026-09-23', movement: 'fee', type: 'Commission', delta: -10_400, amount: 499_989_600,
      currency: 'USD', contract: 'MNQZ6',
    })
  })

  it('Account Balance History', () => {
    expect(read('account-balance-history', balance)).toEqual({ says: 'balance', account: { id: '54823063', name: 'FTDFYG347' }, tradeDate: '2026-06-29', total: 511_700_000, realized: -22_305_000 })
  })

  it("NinjaTrader's executions", () => {
    expect(read('ninjatrader-executions', ninja)).toEqual({
      says: 'fill', account: { id: null, name: 'APEX-50K' }, fillId: '303363433426_1', orderId: '24901', contract: 'MNQH5', time: at('2025-01-15T20:45:30Z'), side: 'sell', qty: 3, price: 84_001, tickSize: '0.25',
      fee: 15_600, active: true, tradeDate: null,
    })
    // An appended firm name is the same account.
    expect(read('ninjatrader-executions', { ...ninja, Account: 'APEX-50K!Apex!Apex' })).toMatchObject({ account: { name: 'APEX-50K' } })
  })
})

describe('cases that break naive readers', () => {
  it('losses and thousands', () => {
    expect(read('performance', { ...performance, buyPrice: performance.sellPrice, sellPrice: performance.buyPrice, pnl: '$(41.25)' })).toMatchObject({ pnl: -412_500 })
    expect(read('performance', { ...performance, pnl: '$1,200.00' })).toMatchObject({ pnl: 12_000_000 })
    const lost = { ...position, 'Buy Price': position['Sell Price'], 'Sell Price': position['Buy Price'] }
    expect(read('position-history', { ...lost, 'P/L': '-12.50' })).toMatchObject({ pnl: -125_000 })
    expect(read('position-history', { ...lost, 'P/L': '$(20.00)' })).toMatchObject({ pnl: -200_000 })
    expect(read('cash-history', { ...cash, Delta: '$(1,000.00)' })).toMatchObject({ delta: -10_000_000 })
  })

  it.each([[' Buy', '0', 'buy'], [' Sell', '1', 'sell'], ['buy', '', 'buy'], ['', '1', 'sell']])('a blank before a side: %j with action %j', (side, action, expected) =>
    expect(read('fills', { ...fill, 'B/S': side, _action: action })).toMatchObject({ side: expected }),
  )

  it.each([['Buy', 'buy'], ['Sell', 'sell'], ['BuyToCover', 'buy'], ['SellShort', 'sell'], ['Sell short', 'sell'], ['Buy to cover', 'buy']])('%s in NinjaTrader', (action, side) =>
    expect(read('ninjatrader-executions', { ...ninja, Action: action })).toMatchObject({ side }),
  )

  it.each([['1h 28min 12sec', '01/23/2025 00:30:16'], ['18min 54sec', '01/22/2025 23:20:57'], ['54sec', '01/22/2025 23:02:57'], ['3min ', '01/22/2025 23:05:03'], ['2h 5min ', '01/23/2025 01:07:03'], ['1h 7sec', '01/23/2025 00:02:10'], ['', '01/22/2025 23:02:03']])(
    'a duration of %j agrees with its times', (duration, soldTimestamp) => expect(read('performance', { ...performance, duration, soldTimestamp })).not.toBeNull())

  it.each<[ExportKind, Record<string, string>, object]>([
    ['fills', { ...fill, commission: '€1.04' }, { fee: 0, otherFees: [{ currency: 'EUR', amount: 10_400 }] }],
    ['fills', { ...fill, Contract: 'FDXMM6', _price: '24000', Price: '24000', _tickSize: '1', commission: '€1.04' }, { fee: 10_400 }],
    ['fills', { ...fill, Contract: 'FDXMM6', _price: '24000', Price: '24000', _tickSize: '1', commission: '$1.04' }, { fee: 10_400 }],
    ['ninjatrader-executions', { ...ninja, Commission: '1.56 €' }, { fee: 0, otherFees: [{ currency: 'EUR', amount: 15_600 }] }],
    ['performance', { ...performance, pnl: '£62.50' }, { currency: 'GBP' }],
    ['cash-history', { ...cash, Delta: '€-1.04', Currency: '' }, { currency: 'EUR' }],
    ['cash-history', { ...cash, Delta: '$-1.04', Currency: 'CAD' }, { currency: 'CAD' }],
    ['account-balance-history', { ...balance, 'Total Amount': '€51,170.00' }, { currency: 'EUR' }],
  ])('the sign of money is its currency: %s %j', (kind, cells, expected) => expect(read(kind, cells)).toMatchObject(expected))

  it.each<[ExportKind, Record<string, string>, string]>([
    ['cash-history', { ...cash, Delta: '€-1.04' }, 'Currency'],
    ['cash-history', { ...cash, Delta: '€-1.04', Amount: '£49,998.96' }, 'Amount'],
    ['position-history', { ...position, 'P/L': '€945.00' }, 'Currency'],
    ['account-balance-history', { ...balance, 'Total Amount': '€51,170.00', 'Total Realized PNL': '£(2,230.50)' }, 'Total Realized PNL'],
  ])('money of a row with two currencies is refused: %s %j', (kind, cells, column) => expect(problem(kind, cells)).toMatchObject({ code: 'contradicts', column }))

  it('float noise', () => {
    expect(read('fills', { ...fill, _price: '2647.1000000000004', Price: '2647.10', _tickSize: '0.1', Contract: 'GCJ5' })).toMatchObject({ price: 26_471, tickSize: '0.1' })
    expect(read('fills', { ...fill, _price: '112.515625', Price: "112'165", _tickSize: '0.015625', Contract: 'ZNM6' })).toMatchObject({ price: 7201 })
    expect(read('orders', { ...order, filledQty: '2', 'Filled Qty': '2', decimalFillAvg: '4396.900000000001', avgPrice: '4396.9', 'Avg Fill Price': '4396.9', _tickSize: '0.1', Contract: 'MGCZ6' })).toMatchObject({ priceSum: 87_938 })
  })

  it('a short is sold before it is bought', () => {
    const short = read('performance', { ...performance, boughtTimestamp: '01/23/2025 00:30:16', soldTimestamp: '01/22/2025 23:02:03' })
    expect(short).toMatchObject({ buy: { time: at('2025-01-23T06:30:16Z') }, sell: { time: at('2025-01-23T05:02:03Z') } })
  })

  it('a local time is in the given zone, and UTC wins over it', () => {
    expect(read('performance', performance, 'Europe/Berlin')).toMatchObject({ buy: { time: at('2025-01-22T22:02:03Z') } })
    expect(read('performance', { ...performance, soldTimestamp: '07/23/2025 00:30:16', duration: '' }, 'Europe/Berlin')).toMatchObject({ sell: { time: at('2025-07-22T22:30:16Z') } })
    expect(read('fills', fill, 'Asia/Tokyo')).toMatchObject({ time: at('2026-06-10T12:41:43.083Z') })
    expect(read('fills', { ...fill, _timestamp: '' }, 'Europe/Berlin')).toMatchObject({ time: at('2026-06-10T12:41:43Z') })
    expect(read('fills', { ...fill, Timestamp: 'x' })).toMatchObject({ time: at('2026-06-10T12:41:43.083Z') })
  })

  it('the session is the broker’s, not the local date', () => {
    expect(read('fills', { ...fill, _tradeDate: '2026-06-11' })).toMatchObject({ tradeDate: '2026-06-11' })
    expect(read('fills', { ...fill, _tradeDate: '' })).toMatchObject({ tradeDate: null })
  })

  it('an open position has its size if the file does', () => {
    const pair = ['Pair ID', 'Buy Fill ID', 'Sell Fill ID', 'Paired Qty', 'Buy Price', 'Sell Price', 'P/L', 'Currency', 'Bought Timestamp', 'Sold Timestamp']
    const open = { ...position, ...Object.fromEntries(pair.map((name) => [name, ''])) }
    expect(read('position-history', open)).toBeNull()
    expect(read('position-history', { ...open, Timestamp: '04/13/2026 10:23:44', 'Net Pos': '-2' })).toEqual({ says: 'position', account: { id: null, name: 'LFE489002' }, contract: 'MESM6', time: at('2026-04-13T15:23:44Z'), tradeDate: '2026-04-13', net: -2 })
    expect(problem('position-history', { ...open, Timestamp: '04/13/2026 10:23:44', 'Net Pos': 'two' })).toMatchObject({ code: 'bad-number', column: 'Net Pos' })
    expect(problem('position-history', { ...position, 'Sell Fill ID': '' })).toMatchObject({ code: 'missing', column: 'Sell Fill ID' })
  })

  it('only the filled part of an order counts, even if canceled later', () => {
    const unfilled = { ...order, filledQty: '', 'Filled Qty': '', avgPrice: '', 'Avg Fill Price': '', decimalFillAvg: '', 'Fill Time': '', Status: ' Canceled' }
    expect(read('orders', unfilled)).toBeNull()
    expect(read('orders', { ...unfilled, filledQty: '0', 'Filled Qty': '0' })).toBeNull()
    expect(read('orders', { ...order, Status: ' Canceled', filledQty: '2', 'Filled Qty': '2' })).toMatchObject({ qty: 2, priceSum: 245_926 })
    expect(problem('orders', { ...unfilled, Status: ' Filled' })).toMatchObject({ code: 'missing', column: 'filledQty' })
    expect(problem('orders', { ...order, 'Filled Qty': '4' })).toMatchObject({ code: 'contradicts', column: 'Filled Qty' })
  })

  it('an average need not be on a tick, its sum is', () => {
    const filled = (qty: string, average: string, written = average): Record<string, string> => ({ ...order, filledQty: qty, 'Filled Qty': qty, avgPrice: average, decimalFillAvg: average, 'Avg Fill Price': written })
    expect(read('orders', filled('3', '30740.833333333332', '30740.83'))).toMatchObject({ priceSum: 368_890 })
    expect(read('orders', { ...filled('3', '', '30740.83'), avgPrice: '' })).toMatchObject({ priceSum: 368_890 })
    expect(problem('orders', filled('1', '30740.80'))).toMatchObject({ code: 'off-tick', column: 'decimalFillAvg' })
    expect(problem('orders', { ...filled('30', '', '30740.83'), avgPrice: '' })).toMatchObject({ code: 'off-tick', column: 'Avg Fill Price' })
  })

  it('an order modified after its fill was placed before it', () => {
    expect(read('orders', { ...order, Timestamp: '06/16/2026 11:00:00' })).toMatchObject({ placedAt: at('2026-06-16T15:19:37Z') })
    expect(read('orders', { ...order, Timestamp: '' })).toMatchObject({ placedAt: at('2026-06-16T15:19:37Z') })
  })

  it.each([
    [' Trade Paired', 'pair'], ['TradePaired', 'pair'], [' Commission', 'fee'], ['Exchange Fee', 'fee'], ['Clearing Fee', 'fee'], ['Nfa Fee', 'fee'], ['Brokerage Fee', 'fee'], ['IP Fee', 'fee'], ['Order Routing Fee', 'fee'],
    ['Cancelled Paired Trade', 'pair'], ['Liquidation Fee', 'fee'], ['Options Trade', 'other'], ['Cash Settlement', 'other'], ['Platform Fee', 'other'],
  ])('cash that moves as %j is %s', (type, movement) => {
    const reading = read('cash-history', { ...cash, 'Cash Change Type': type, Contract: '' })
    expect(reading).toMatchObject({ movement, type: type.trim(), contract: null })
    // It round-trips through the journal file.
    expect(readingShape.parse(reading)).toEqual(reading)
    expect(reading).not.toHaveProperty('transfer')
  })

  it('a fee under a firm\'s own name is a trading fee if it names a contract', () => {
    for (const type of ['Platform Fee', 'Exchange Fees', 'Broker Commissions']) expect(read('cash-history', { ...cash, 'Cash Change Type': type, Contract: 'MNQZ6' })).toMatchObject({ movement: 'fee', type })
    for (const type of ['Market Data Fee', 'Rebate', 'Feed']) expect(read('cash-history', { ...cash, 'Cash Change Type': type, Contract: 'MNQZ6' })).toMatchObject({ movement: 'other', type })
  })

  it.each(['Fund Transaction', 'FundTransaction', 'Challenge Payout', ' Manual Adjustment', 'Debit', 'Market Data Fee'])('cash of type %j is a transfer', (type) =>
    expect(read('cash-history', { ...cash, 'Cash Change Type': type, Contract: '' })).toMatchObject({ movement: 'other', transfer: true, contract: null }))

  it('a busted fill is inactive, and one without a commission has no fee', () => {
    expect(read('fills', { ...fill, _active: 'false', commission: '' })).toMatchObject({ active: false, fee: null })
    expect(read('ninjatrader-executions', { ...ninja, Commission: '$0.00' })).toMatchObject({ fee: 0 })
  })

  it('a row’s tick size wins over the table, which is the default', () => {
    expect(read('performance', { ...performance, _tickSize: '0.05' })).toMatchObject({ tickSize: '0.05', buy: { price: 122_355 } })
    expect(read('performance', { ...performance, _tickSize: '' })).toMatchObject({ tickSize: '0.25', buy: { price: 24_471 } })
    expect(read('performance', { ...performance, symbol: 'MYMM6', _tickSize: '1.0', buyPrice: '48591', sellPrice: '48640' })).toMatchObject({ tickSize: '1', buy: { price: 48_591 } })
    expect(read('performance', { ...performance, symbol: '6JM6', _tickSize: '5.0E-7', buyPrice: '0.0067125', sellPrice: '0.0067130' })).toMatchObject({ tickSize: '0.0000005', buy: { price: 13_425 } })
    expect(read('performance', { ...performance, symbol: 'XYZM6', _tickSize: '', buyPrice: '1.25', sellPrice: '1.5' })).toMatchObject({ tickSize: '0.00000001', buy: { price: 125_000_000 } })
    expect(problem('performance', { ...performance, _tickSize: '0' })).toMatchObject({ code: 'bad-number', column: '_tickSize' })
  })

  it("NinjaTrader uses the computer’s number format", () => {
    const european = { Instrument: 'MES JUN26', Action: 'Sell', Quantity: '1', Price: '7200,75', Time: '27/04/2026 6:05:02', ID: '601743f828ce41728b67d8c9ba4a56ab', Commission: '0,62 $', 'Account display name': 'Playback101' }
    expect(read('ninjatrader-executions', european, 'Europe/Madrid', { decimals: 'comma', dayFirst: true })).toMatchObject({
      account: { name: 'Playback101' }, contract: 'MESM6', price: 28_803, time: at('2026-04-27T04:05:02Z'), fee: 6_200, orderId: null,
    })
  })
})

describe('an unreadable row is rejected with the column at fault', () => {
  it.each<[ExportKind, Record<string, string>, string, string]>([
    ['performance', { ...performance, buyFillId: '' }, 'missing', 'buyFillId'],
    ['performance', { ...performance, buyFillId: '6.00848E+09' }, 'bad-number', 'buyFillId'],
    ['performance', { ...performance, sellFillId: '6008478078.0' }, 'bad-number', 'sellFillId'],
    ['ninjatrader-executions', { ...ninja, ID: 'B/1' }, 'bad-number', 'ID'],
    ['performance', { ...performance, qty: '0' }, 'bad-number', 'qty'],
    ['performance', { ...performance, qty: '1.5' }, 'bad-number', 'qty'],
    ['performance', { ...performance, qty: '' }, 'missing', 'qty'],
    ['performance', { ...performance, pnl: '' }, 'missing', 'pnl'],
    ['performance', { ...performance, pnl: '=1+1' }, 'bad-number', 'pnl'],
    ['performance', { ...performance, buyPrice: '6117.80' }, 'off-tick', 'buyPrice'],
    ['performance', { ...performance, soldTimestamp: '01/32/2025 00:30:16' }, 'bad-time', 'soldTimestamp'],
    ['performance', { ...performance, symbol: '' }, 'missing', 'symbol'],
    ['performance', { ...performance, symbol: 'X'.repeat(41) }, 'too-large', 'symbol'],
    ['performance', { ...performance, buyPrice: '9'.repeat(60) }, 'too-large', 'buyPrice'],
    ['performance', { ...performance, buyPrice: '10000000.25' }, 'too-large', 'buyPrice'],
    ['performance', { ...performance, qty: '1,000,001' }, 'too-large', 'qty'],
    ['performance', { ...performance, _tickSize: '0.000000001' }, 'bad-number', '_tickSize'],
    ['orders', { ...order, decimalFillAvg: '99999999' }, 'too-large', 'decimalFillAvg'],
    ['position-history', { ...position, Currency: 'usd' }, 'bad-currency', 'Currency'],
    ['position-history', { ...position, 'Trade Date': '2026-02-30' }, 'bad-date', 'Trade Date'],
    ['fills', { ...fill, 'B/S': 'Hold' }, 'bad-side', 'B/S'],
    ['fills', { ...fill, 'B/S': ' Sell' }, 'contradicts', 'B/S'],
    ['fills', { ...fill, Price: '2/4/26' }, 'bad-number', 'Price'],
    ['fills', { ...fill, _price: '28950', Price: '28950.' }, 'bad-number', 'Price'],
    ['fills', { ...fill, _timestamp: '41:43.1' }, 'bad-time', '_timestamp'],
    ['fills', { ...fill, Account: ' ' }, 'missing', 'Account'],
    ['fills', { ...fill, _active: 'maybe' }, 'contradicts', '_active'],
    ['orders', { ...order, 'Fill Time': '' }, 'missing', 'Fill Time'],
    ['orders', { ...order, decimalFillAvg: 'x' }, 'bad-number', 'decimalFillAvg'],
    ['cash-history', { ...cash, Amount: '' }, 'missing', 'Amount'],
    ['account-balance-history', { ...balance, 'Account ID': '', 'Account Name': '' }, 'missing', 'Account Name'],
    ['account-balance-history', { ...balance, 'Account ID': 'FTDFYG347', 'Account Name': '54823063' }, 'bad-number', 'Account ID'],
    ['fills', { ...fill, _accountId: 'FTDFYG347' }, 'bad-number', '_accountId'],
    ['ninjatrader-executions', { ...ninja, ID: '' }, 'missing', 'ID'],
    ['ninjatrader-executions', { ...ninja, Account: '' }, 'missing', 'Account'],
    ['ninjatrader-executions', { ...ninja, Rate: 'PA-7', Account: 'Apex' }, 'bad-number', 'Rate'],
  ])('%s %#', (kind, cells, code, column) => expect(problem(kind, cells)).toEqual({ code, column, value: (cells[column] ?? '').slice(0, 40) }))

  it.each<[string, ExportKind, Record<string, string>, string]>([
    ['two fill ids', 'fills', { ...fill, 'Fill ID': '1' }, 'Fill ID'],
    ['two order ids', 'fills', { ...fill, 'Order ID': '1' }, 'Order ID'],
    ['two quantities', 'fills', { ...fill, Quantity: '3' }, '_qty'],
    ['two prices', 'fills', { ...fill, Price: '28950.75' }, 'Price'],
    ['two times', 'fills', { ...fill, Timestamp: '06/13/2026 14:41:43' }, 'Timestamp'],
    ['a session of another week', 'fills', { ...fill, _tradeDate: '2026-06-01' }, '_tradeDate'],
    ['a session before its time', 'fills', { ...fill, _tradeDate: '2026-06-09' }, '_tradeDate'],
    ['two order ids of an order', 'orders', { ...order, 'Order ID': '1' }, 'Order ID'],
    ['two averages', 'orders', { ...order, avgPrice: '30741.75' }, 'avgPrice'],
    ['a wrong duration', 'performance', { ...performance, duration: '1h 29min 12sec' }, 'duration'],
    ['an id in the contract column', 'performance', { ...performance, symbol: '536938980008' }, 'symbol'],
    ['a false gain', 'performance', { ...performance, pnl: '$(62.50)' }, 'pnl'],
    ['a false loss', 'position-history', { ...position, 'P/L': '-945.00' }, 'P/L'],
    ['a session of another month', 'position-history', { ...position, 'Trade Date': '2026-05-13' }, 'Trade Date'],
    ['a date that does not match the time', 'cash-history', { ...cash, Date: '2026-09-01' }, 'Date'],
  ])('two columns that contradict each other: %s', (_, kind, cells, column) => expect(problem(kind, cells)).toMatchObject({ code: 'contradicts', column }))

  it.each<[ExportKind, Record<string, string>, readonly string[]]>([
    ['performance', performance, ['_tickSize', 'buyFillId', 'sellFillId', 'qty', 'buyPrice', 'sellPrice', 'pnl']],
    ['position-history', position, ['_tickSize', 'Pair ID', 'Buy Fill ID', 'Sell Fill ID', 'Paired Qty', 'Buy Price', 'Sell Price', 'P/L']],
    ['fills', fill, ['_id', '_orderId', '_qty', '_price', '_accountId', 'Fill ID', 'Order ID', 'Quantity', 'Price', '_tickSize', 'commission']],
    ['orders', order, ['orderId', 'Order ID', 'avgPrice', 'filledQty', 'Filled Qty', 'Avg Fill Price', 'decimalFillAvg', '_tickSize']],
    ['cash-history', cash, ['Transaction ID', 'Delta', 'Amount']],
    ['account-balance-history', balance, ['Account ID', 'Total Amount', 'Total Realized PNL']],
    ['ninjatrader-executions', ninja, ['Quantity', 'Price', 'Commission']],
  ])('a number that was cut off behind its decimal sign is refused in every column: %s', (kind, cells, columns) => {
    for (const column of columns) {
      for (const cut of ['0.', '0,', `${(cells[column] ?? '').split('.')[0] ?? ''}.`]) expect([column, cut, problem(kind, { ...cells, [column]: cut })]).toEqual([column, cut, expect.objectContaining({ code: expect.stringMatching(/^bad-number$|^contradicts$/) as string })])
    }
  })

  it('a display price may lack decimals, and a clock change explains an hour', () => {
    expect(read('fills', { ...fill, Price: '28949.8' })).not.toBeNull()
    expect(read('fills', { ...fill, Price: '28949' })).not.toBeNull()
    expect(read('performance', { ...performance, duration: '28min 12sec' })).not.toBeNull()
  })

  it('an unknown zone throws', () => {
    expect(() => readRow('fills', { line: 2, cells: fill }, 'Mars/Olympus')).toThrow(RangeError)
  })
})
