import type { Result } from '#shared/base/result.ts'
import { namedContractSpec } from '#shared/market/contract-spec.ts'
import { pairOfTrade } from '../closed-trade.ts'
import { gatherTrades } from '../gather-trades.ts'
import type { PairReading, RowProblem } from '../reading.ts'
import { finishRow, refuseCell, requiredAccount, requiredSymbol, requiredMoney, requiredNet, requiredPrice, requiredTime, signedCurrency, tickSizeOf, type OpenRow } from '../row-cells.ts'
import type { Platform } from './platform.ts'

/** The contract of an instrument: `MESU5@CME` is `MESU5`. */
const contractIn = (row: OpenRow): string => requiredSymbol(row, 'Instrument').replace(/@.*$/, '')

/** A closed trade of ATAS's journal, whose volumes are signed. */
const readTrade = (row: OpenRow): Result<PairReading, RowProblem> => {
  const contract = contractIn(row)
  const tickSize = tickSizeOf(row, contract)
  const leg = (when: string, price: string) => ({ time: requiredTime(row, when), price: requiredPrice(row, price, tickSize) })
  const [entry, exit] = [leg('Open time', 'Open price'), leg('Close time', 'Close price')]
  const [opened, closed] = [requiredNet(row, 'Open volume'), requiredNet(row, 'Close volume')]
  if (opened === 0) refuseCell(row, 'Open volume', 'bad-number')
  if (opened !== 0 - closed) refuseCell(row, 'Close volume', 'contradicts')
  if (exit.time < entry.time) refuseCell(row, 'Close time', 'contradicts')
  return finishRow(row, pairOfTrade({
    account: { id: null, name: requiredAccount(row, 'Account', contract) },
    direction: opened > 0 ? 'long' : 'short',
    // Its key is made of the whole file.
    pairId: null, key: '',
    contract,
    entry, exit, tickSize,
    qty: Math.abs(opened),
    pnl: requiredMoney(row, 'PnL'),
    currency: signedCurrency(row, namedContractSpec(contract, null).currency),
    tradeDate: null,
  }))
}

/** The journal of ATAS, saved as CSV. */
export const atas: Platform = {
  columns: { needs: ['Account', 'Instrument', 'Open time', 'Open price', 'Open volume', 'Close time', 'Close price', 'Close volume', 'PnL'], reads: [] },
  numbers: ['Open price', 'Close price', 'PnL'],
  dated: { times: ['Open time', 'Close time'], dates: [], contract: null, stream: [] },
  isLocal: true,
  isOfClosedTrades: true,
  monthFirst: false,
  read: readTrade,
  refused: { account: 'Account', contract: contractIn, times: ['Open time', 'Close time'], time: requiredTime },
  gather: () => gatherTrades({ number: '', total: '', change: '', times: ['Open time', 'Close time'], keyed: 'atas' }),
}
