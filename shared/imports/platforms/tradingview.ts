import type { Result } from '#shared/base/result.ts'
import { namedContractSpec } from '#shared/market/contract-spec.ts'
import { amountOf } from '#shared/money/money.ts'
import { continuousProduct } from '../contract-code.ts'
import { priceSumOf } from '../order-rows.ts'
import type { OrderReading, RowProblem } from '../reading.ts'
import { cellText, costInMoney, finishRow, refuseCell, requiredSymbol, requiredId, requiredQty, requiredSide, requiredTime, tickSizeOf, type OpenRow } from '../row-cells.ts'
import type { Platform } from './platform.ts'

/** The contract of a symbol: `CME_MINI:NQU2026` is `NQU26`; a continuous `CME_MINI:ES1!` names no month and stays so. */
const contractIn = (row: OpenRow): string => requiredSymbol(row, 'Symbol').replace(/^[A-Z_]+:/, '').replace(/([FGHJKMNQUVXZ])20(\d\d)$/, '$1$2')

const unfilled = new Set(['cancelled', 'canceled', 'rejected', 'expired', 'working', 'placed', 'placing', 'pending', 'inactive'])

/** An order of TradingView's order history; null if it did not fill. */
const readOrder = (row: OpenRow): Result<OrderReading | null, RowProblem> => {
  const [status, hasPrice] = [cellText(row, 'Status').toLowerCase(), cellText(row, 'Fill Price') !== '']
  if (status !== '' && status !== 'filled' && (hasPrice || !unfilled.has(status))) refuseCell(row, 'Status', 'contradicts')
  if (status === '' ? !hasPrice : status !== 'filled') return finishRow(row, null)
  const contract = contractIn(row)
  const product = continuousProduct(contract)
  const tickSize = tickSizeOf(row, contract, product)
  const filledAt = requiredTime(row, 'Closing Time')
  const qty = requiredQty(row, 'Qty')
  const commission = costInMoney(row, 'Commission', namedContractSpec(contract, product).currency)
  return finishRow(row, {
    says: 'order',
    account: { id: null, name: null },
    orderId: `tradingview-${requiredId(row, 'Order ID')}`,
    contract,
    ...(product === null ? {} : { product }),
    placedAt: cellText(row, 'Placing Time') === '' ? filledAt : Math.min(requiredTime(row, 'Placing Time'), filledAt),
    filledAt,
    side: requiredSide(row, 'Side'),
    qty,
    priceSum: priceSumOf(row, 'Fill Price', qty, tickSize),
    tickSize,
    currency: null,
    ...(commission === null ? {} : { fee: amountOf(commission) }),
  })
}

/** TradingView's order history, of a paper account or a broker's. */
export const tradingView: Platform = {
  columns: { needs: ['Symbol', 'Side', 'Type', ['Qty', 'Quantity'], 'Fill Price', 'Closing Time', 'Order ID'], reads: ['Status', 'Commission', 'Placing Time'] },
  numbers: ['Fill Price', 'Commission'],
  dated: { times: ['Closing Time', 'Placing Time'], dates: [], contract: null, stream: [] },
  isLocal: true,
  isOfClosedTrades: false,
  monthFirst: false,
  read: readOrder,
  refused: { account: null, contract: contractIn, times: ['Closing Time'], time: requiredTime, orderId: (row) => `tradingview-${requiredId(row, 'Order ID')}` },
}
