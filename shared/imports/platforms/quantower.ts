import type { Result } from '#shared/base/result.ts'
import type { FillReading, RowProblem } from '../reading.ts'
import { cellText, feesOf, finishRow, optionalMoney, refuseCell, requiredAccount, requiredSymbol, requiredId, requiredNet, requiredPrice, requiredSide, requiredTimeOrOffset, tickSizeOf, type OpenRow } from '../row-cells.ts'
import type { Platform } from './platform.ts'

const readFill = (row: OpenRow): Result<FillReading, RowProblem> => {
  const contract = requiredSymbol(row, 'Symbol')
  const tickSize = tickSizeOf(row, contract)
  const [side, signed] = [requiredSide(row, 'Side'), requiredNet(row, 'Quantity')]
  if (signed === 0) refuseCell(row, 'Quantity', 'bad-number')
  // Sells have a negative quantity.
  if (signed < 0 && side === 'buy') refuseCell(row, 'Quantity', 'contradicts')
  const [gross, net] = [optionalMoney(row, 'Gross P/L'), optionalMoney(row, 'Net P/L')]
  const costs = feesOf(row, 'Fee', contract)
  if (gross !== null && net !== null && costs.fee !== null && costs.otherFees === undefined && gross - costs.fee !== net) refuseCell(row, 'Net P/L', 'contradicts')
  return finishRow(row, {
    says: 'fill',
    account: { id: null, name: requiredAccount(row, 'Account', contract) },
    fillId: `quantower-${requiredId(row, 'Trade ID')}`,
    orderId: cellText(row, 'Order ID') === '' ? null : `quantower-${requiredId(row, 'Order ID')}`,
    contract,
    time: requiredTimeOrOffset(row, 'Date/Time'),
    side,
    qty: Math.abs(signed),
    price: requiredPrice(row, 'Price', tickSize),
    tickSize,
    ...costs,
    active: true,
    // Only a fill that closes something has one.
    ...(gross === null || gross === 0 ? {} : { realized: gross }),
    tradeDate: null,
  })
}

/** Quantower's Trades panel: fills, with the gross P&L of those that close. */
export const quantower: Platform = {
  columns: { needs: ['Account', 'Date/Time', 'Symbol', 'Side', 'Quantity', 'Price', 'Trade ID'], reads: ['Order ID', 'Fee', 'Gross P/L', 'Net P/L'] },
  numbers: ['Price', 'Gross P/L', 'Fee', 'Net P/L'],
  dated: { times: ['Date/Time'], dates: [], contract: 'Symbol', stream: ['Account', 'Symbol'] },
  isLocal: true,
  isOfClosedTrades: false,
  monthFirst: false,
  read: readFill,
  refused: { account: 'Account', contract: (row) => requiredSymbol(row, 'Symbol'), times: ['Date/Time'], time: requiredTimeOrOffset, fillIds: (row) => [`quantower-${requiredId(row, 'Trade ID')}`] },
}
