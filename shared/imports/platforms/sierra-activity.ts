import type { Result } from '#shared/base/result.ts'
import { parseDecimal, writeDecimal } from '#shared/money/decimal.ts'
import { keyOf } from '../assembly.ts'
import { readWall } from '../cell-time.ts'
import type { FillReading, Reading, RowProblem } from '../reading.ts'
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
    fillId: idOf(row),
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

/** Made of columns that every export has and that are written once, when the fill is logged: which others it shows is the user's choice. */
const idOf = (row: OpenRow): string => ['sierra', requiredText(row, 'InternalOrderID'), cellText(row, 'DateTime').replaceAll(/\D/g, ''), requiredText(row, 'FilledQuantity'), String(Number(cellText(row, 'FillPrice')))].join('-')

/** Numbers equal rows of a file, which are several fills; rows of one execution are one. */
const numberEqual = (): ReturnType<NonNullable<Platform['gather']>> => {
  const counts = new Map<string, number>()
  const executed = new Map<string, string>()
  let readings: Reading[] = []
  return {
    take: ({ reading, row }) => {
      if (reading.says !== 'fill') return
      const own = keyOf(reading.account.name ?? '', reading.fillId)
      const execution = cellText(row, 'FillExecutionServiceID')
      const executionKey = keyOf(reading.account.name ?? '', reading.orderId ?? '', execution)
      const known = execution === '' ? undefined : executed.get(executionKey)
      const count = (counts.get(own) ?? 0) + (known === undefined ? 1 : 0)
      counts.set(own, count)
      const fillId = known ?? (count === 1 ? reading.fillId : `${reading.fillId}-${String(count)}`)
      executed.set(executionKey, fillId)
      readings.push({ ...reading, fillId })
    },
    end: () => {
      const file = readings
      readings = []
      return { readings: file, refused: [], gaps: [] }
    },
  }
}

/**
 * The fill price as the exchange writes it. Some symbols' prices are times 100: the market beside the fill, `Last: 21000.25`, shows that. Without it only
 * a symbol that is written plainly is read.
 */
const plainPrice = (row: OpenRow): string => {
  const text = requiredText(row, 'FillPrice')
  const price = text.length > 40 ? null : parseDecimal(text)
  if (price === null) return text
  // Zero is an unquoted side of the market.
  const market = [...cellText(row, 'OrderActionSource').matchAll(/(?:Last|Bid|Ask): ?(-?\d+(?:\.\d+)?)/g)].map(([, quoted]) => Number(quoted)).find((quoted) => quoted !== 0)
  if (market === undefined) {
    if (cellText(row, 'Symbol').includes('_FUT_')) refuseCell(row, 'FillPrice', 'unknown-scale')
    return text
  }
  const times = Number(text) / market
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
  refused: { account: 'TradeAccount', contract: contractIn, times: ['TransDateTime'], time: timeIn, fillIds: (row) => [idOf(row)] },
  gather: numberEqual,
}
