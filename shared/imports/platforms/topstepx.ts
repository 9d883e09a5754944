import type { Result } from '#shared/base/result.ts'
import { namedContractSpec } from '#shared/market/contract-spec.ts'
import { amountOf } from '#shared/money/money.ts'
import { readDate, readOffset } from '../cell-time.ts'
import { legIds, pairOfTrade } from '../closed-trade.ts'
import type { PairReading, RowProblem } from '../reading.ts'
import { cellText, costInMoney, finishRow, refuseCell, requiredDirection, requiredSymbol, requiredFillId, requiredId, requiredMoney, requiredPrice, requiredQty, requiredText, requiredTime, signedCurrency, tickSizeOf, type OpenRow } from '../row-cells.ts'
import { refuseOtherSession } from '../row-contradictions.ts'
import type { Platform } from './platform.ts'

/** A closed trade of TopstepX (ProjectX): its gross P&L, and the fees and commissions of the whole round turn. */
const readTrade = (time: (row: OpenRow, column: string) => number, tradeDateOf: (row: OpenRow) => string | null) => (row: OpenRow): Result<PairReading, RowProblem> => {
  const contract = requiredSymbol(row, 'ContractName')
  const tickSize = tickSizeOf(row, contract)
  const leg = (when: string, price: string) => ({ time: time(row, when), price: requiredPrice(row, price, tickSize) })
  const [entry, exit] = [leg('EnteredAt', 'EntryPrice'), leg('ExitedAt', 'ExitPrice')]
  const { currency } = namedContractSpec(contract, null)
  const [fees, commissions] = [costInMoney(row, 'Fees', currency, 'PnL'), costInMoney(row, 'Commissions', currency, 'PnL')]
  const reading = pairOfTrade({
    account: { id: null, name: null },
    direction: requiredDirection(row, 'Type'),
    pairId: requiredFillId(row, 'Id'),
    key: `topstepx-${requiredId(row, 'Id')}`,
    contract,
    entry, exit, tickSize,
    qty: requiredQty(row, 'Size'),
    pnl: requiredMoney(row, 'PnL'),
    // Older files have no commissions; without the fees, the rest is not what the trade cost.
    ...(fees === null ? {} : { fees: amountOf(fees + (commissions ?? 0)) }),
    currency: signedCurrency(row, currency),
    tradeDate: tradeDateOf(row),
  })
  if (exit.time < entry.time) refuseCell(row, 'ExitedAt', 'contradicts')
  refuseOtherSession(row, 'TradeDay', reading.tradeDate, exit.time)
  refuseOtherSpan(row, 'TradeDuration', exit.time - entry.time)
  return finishRow(row, reading)
}

const spanShape = /^(?:(\d+)\.)?(\d{1,2}):(\d{2}):(\d{2}(?:\.\d+)?)$/

/** Rejects a trade whose times contradict its duration column. */
const refuseOtherSpan = (row: OpenRow, column: string, ms: number): void => {
  if (cellText(row, column) === '') return
  const [whole, days = '0', hours = '0', minutes = '0', seconds = '0'] = spanShape.exec(cellText(row, column)) ?? []
  const span = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)
  if (whole === undefined || Math.abs(span * 1000 - ms) > 2000) refuseCell(row, column, 'contradicts')
}

/** A time with its offset. */
const offsetTime = (row: OpenRow, column: string): number => {
  const time = readOffset(requiredText(row, column), row.dayFirst)
  if (time === null) refuseCell(row, column, 'bad-time')
  return time ?? 0
}

/** The exchange's day as written: its offset is the exchange's, in some files UTC. */
const tradeDayOf = (row: OpenRow): string => {
  const date = readDate(requiredText(row, 'TradeDay').split(/[ T]/)[0] ?? '', row.dayFirst)
  if (date === null) refuseCell(row, 'TradeDay', 'bad-date')
  return date ?? ''
}

const columns = ['Id', 'ContractName', 'EnteredAt', 'ExitedAt', 'EntryPrice', 'ExitPrice', 'Fees', 'PnL', 'Size', 'Type']

const common = {
  numbers: ['EntryPrice', 'ExitPrice', 'PnL', 'Fees', 'Commissions'],
  dated: { times: ['EnteredAt', 'ExitedAt'], dates: [], contract: 'ContractName', stream: [] },
  isOfClosedTrades: true,
  monthFirst: true,
}
const refused = { account: null, contract: (row: OpenRow) => requiredSymbol(row, 'ContractName'), times: ['EnteredAt', 'ExitedAt'], fillIds: (row: OpenRow) => legIds(`topstepx-${requiredId(row, 'Id')}`) }

/** The Trades export of TopstepX: times with their offset, and the exchange's day. */
export const topstepx: Platform = {
  ...common,
  columns: { needs: [...columns, 'TradeDay'], reads: ['TradeDuration', 'Commissions'] },
  isLocal: false,
  read: readTrade(offsetTime, tradeDayOf),
  refused: { ...refused, time: offsetTime, tradeDate: tradeDayOf },
}

/** The same without the exchange's day and without offsets. */
export const topstepxLocal: Platform = {
  ...common,
  columns: { needs: columns, reads: ['TradeDuration', 'Commissions'], lacks: ['TradeDay'] },
  isLocal: true,
  read: readTrade(requiredTime, () => null),
  refused: { ...refused, time: requiredTime },
}
