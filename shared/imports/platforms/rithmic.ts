import type { Result } from '#shared/base/result.ts'
import { namedContractSpec } from '#shared/market/contract-spec.ts'
import { amountOf } from '#shared/money/money.ts'
import { readWall } from '../cell-time.ts'
import { priceSumOf } from '../order-rows.ts'
import type { OrderReading, RowProblem } from '../reading.ts'
import { cellText, costInMoney, finishRow, refuseCell, requiredAccount, requiredSymbol, requiredId, requiredQty, requiredSide, requiredText, requiredTime, tickSizeOf, type OpenRow } from '../row-cells.ts'
import type { Platform } from './platform.ts'

const hour = 3_600_000
/** What the abbreviations in Rithmic's headers mean, in hours from UTC. */
const offsets: ReadonlyMap<string, number> = new Map([['UTC', 0], ['GMT', 0], ['EST', -5], ['EDT', -4], ['CST', -6], ['CDT', -5], ['MST', -7], ['MDT', -6], ['PST', -8], ['PDT', -7], ['CET', 1], ['CEST', 2]])

const clockAlone = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AP]\.?M\.?)?(?:\s+[A-Z]{3,4})?$/i

const timeIn = (zoned: boolean) => (row: OpenRow, column: string): number => {
  // A column of R|Trader may show only the time: its file lacks the date.
  if (clockAlone.test(cellText(row, column))) {
    refuseCell(row, column, 'no-day')
    return 0
  }
  if (!zoned) return requiredTime(row, column)
  const [, wallText = '', name = ''] = /^(.*\S)\s+([A-Z]{3,4})$/.exec(requiredText(row, column)) ?? []
  const [wall, offset] = [readWall(wallText, row.dayFirst), offsets.get(name)]
  if (wall === null || offset === undefined) {
    refuseCell(row, column, 'bad-time')
    return 0
  }
  return wall - offset * hour
}

/** An order of R|Trader's Working or Completed Orders: its filled part, whatever became of the rest; null if nothing filled. */
const readOrder = (updated: string, created: string, time: (row: OpenRow, column: string) => number) => (row: OpenRow): Result<OrderReading | null, RowProblem> => {
  if (/^0?$/.test(cellText(row, 'Qty Filled')) && cellText(row, 'Status').toLowerCase() !== 'filled') return finishRow(row, null)
  const contract = requiredSymbol(row, 'Symbol')
  const tickSize = tickSizeOf(row, contract)
  const filledAt = time(row, updated)
  const qty = requiredQty(row, 'Qty Filled')
  const rate = costInMoney(row, 'Commission Fill Rate', namedContractSpec(contract, null).currency)
  return finishRow(row, {
    says: 'order',
    account: { id: null, name: requiredAccount(row, 'Account', contract) },
    orderId: `rithmic-${requiredId(row, 'Order Number')}`,
    contract,
    placedAt: cellText(row, created) === '' ? filledAt : Math.min(time(row, created), filledAt),
    filledAt,
    side: requiredSide(row, 'Buy/Sell'),
    qty,
    priceSum: priceSumOf(row, 'Avg Fill Price', qty, tickSize),
    tickSize,
    currency: null,
    ...(rate === null ? {} : { fee: amountOf(rate * qty) }),
  })
}

const reportOf = (zoned: boolean): Platform => {
  // Where the header names a zone that is known, each time carries it.
  const [updated, created] = zoned ? ['Update Time with zone', 'Create Time with zone'] : ['Update Time', 'Create Time']
  const time = timeIn(zoned)
  return {
    columns: { needs: ['Account', 'Status', 'Buy/Sell', 'Symbol', 'Avg Fill Price', 'Order Number', 'Qty Filled', updated], reads: [created, 'Commission Fill Rate'] },
    numbers: ['Avg Fill Price', 'Commission Fill Rate'],
    dated: { times: [updated, created], dates: [], contract: 'Symbol', stream: [] },
    isLocal: !zoned,
    isOfClosedTrades: false,
    monthFirst: false,
    read: readOrder(updated, created, time),
    refused: { account: 'Account', contract: (row) => requiredSymbol(row, 'Symbol'), times: [updated], time, orderId: (row) => `rithmic-${requiredId(row, 'Order Number')}` },
  }
}

/** Orders of Rithmic's R|Trader, with a zone in its header. */
export const rithmic = reportOf(true)

/** The same with an abbreviation that may mean any zone, or none. */
export const rithmicLocal = reportOf(false)

/** The zone abbreviation in a header column, `Update Time (CDT)`, if it is known: rows carry it then. */
export const zoneInHeader = (name: string): { readonly column: string; readonly zone: string | null } | null => {
  const [, column = '', zone = ''] = /^((?:update|create) time) \(([a-z]{2,5})\)$/i.exec(name.trim()) ?? []
  if (column === '') return null
  return offsets.has(zone.toUpperCase()) ? { column: `${column} with zone`, zone: zone.toUpperCase() } : { column, zone: null }
}
