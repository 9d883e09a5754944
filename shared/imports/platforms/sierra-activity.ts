import type { Result } from '#shared/base/result.ts'
import { parseDecimal, writeDecimal } from '#shared/money/decimal.ts'
import { readWall } from '../cell-time.ts'
import type { FillReading, RowProblem } from '../reading.ts'
import { cellText, finishRow, priceOf, refuseCell, requiredAccount, requiredSymbol, requiredNet, requiredQty, requiredSide, requiredText, tickSizeOf, type OpenRow } from '../row-cells.ts'
import type { Platform } from './platform.ts'

/** The contract of a symbol: `[Sim]MNQH26_FUT_CME` is `MNQH26`. */
const contractIn = (row: OpenRow): string => requiredSymbol(row, 'Symbol').replace(/^\[SIM\]/, '').replace(/_FUT_\w+$/, '')

const noTime = /^(?:00:00:00[.0]*)?$/

/** When the fill happened, in UTC: in a simulation DateTime may be its arrival. */
const timeIn = (row: OpenRow): number => {
  const column = noTime.test(cellText(row, 'TransDateTime')) ? 'DateTime' : 'TransDateTime'
  const time = readWall(requiredText(row, column))
  if (time === null) refuseCell(row, column, 'bad-time')
  return time ?? 0
}

/** Only rows that are fills are read: orders repeat over many. */
const readFill = (row: OpenRow): Result<FillReading | null, RowProblem> => {
  const type = requiredText(row, 'ActivityType').toLowerCase()
  if (type !== 'fills') {
    if (cellText(row, 'FillPrice') !== '' && !/order|position|balance/.test(type)) refuseCell(row, 'ActivityType', 'contradicts')
    return finishRow(row, null)
  }
  const contract = contractIn(row)
  const tickSize = tickSizeOf(row, contract)
  const time = timeIn(row)
  return finishRow(row, {
    says: 'fill',
    account: { id: null, name: requiredAccount(row, 'TradeAccount', contract) },
    fillId: idOf(row, time),
    orderId: `sierra-${requiredText(row, 'InternalOrderID')}`,
    contract,
    time,
    side: requiredSide(row, 'BuySell'),
    qty: requiredQty(row, 'FilledQuantity'),
    price: priceOf(row, 'FillPrice', plainPrice(row), tickSize),
    tickSize,
    fee: null,
    active: true,
    ...('PositionQuantity' in row.cells ? { netAfter: cellText(row, 'PositionQuantity') === '' ? 0 : requiredNet(row, 'PositionQuantity') } : {}),
    tradeDate: null,
  })
}

const idOf = (row: OpenRow, time: number): string => {
  const own = cellText(row, 'FillExecutionServiceID')
  return `sierra-${own === '' ? [requiredText(row, 'InternalOrderID'), time, cellText(row, 'FilledQuantity'), cellText(row, 'PositionQuantity')].join('-') : own.replaceAll('/', '.')}`
}

/**
 * The fill price as the exchange writes it. Some symbols' prices are times 100: the market beside the fill, `Last: 21000.25`, shows that. Without it only
 * a symbol that is written plainly is read.
 */
const plainPrice = (row: OpenRow): string => {
  const text = requiredText(row, 'FillPrice')
  const price = text.length > 40 ? null : parseDecimal(text)
  if (price === null) return text
  const market = /(?:Last|Bid|Ask): ?(-?\d+(?:\.\d+)?)/.exec(cellText(row, 'OrderActionSource'))?.[1]
  if (market === undefined) {
    if (cellText(row, 'Symbol').includes('_FUT_')) refuseCell(row, 'FillPrice', 'unclear-number')
    return text
  }
  const times = Number(text) / Number(market)
  if (times > 80 && times < 120) return writeDecimal(price.digits, price.scale + 2)
  if (!(times > 0.8 && times < 1.2)) refuseCell(row, 'FillPrice', 'contradicts')
  return text
}

/** Sierra Chart's Trade Activity Log, in UTC. */
export const sierraActivity: Platform = {
  columns: {
    needs: ['ActivityType', 'DateTime', 'InternalOrderID', 'BuySell', 'FillPrice', 'FilledQuantity', 'Symbol', 'TradeAccount'],
    reads: ['TransDateTime', 'PositionQuantity', 'FillExecutionServiceID', 'OrderActionSource'],
  },
  numbers: ['FillPrice'],
  dated: { times: [], dates: [], contract: null, stream: [] },
  isLocal: false,
  isOfClosedTrades: false,
  monthFirst: false,
  read: readFill,
  refused: { account: 'TradeAccount', contract: contractIn, times: ['TransDateTime'], time: timeIn, fillIds: (row) => [idOf(row, timeIn(row))] },
}
