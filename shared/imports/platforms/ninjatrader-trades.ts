import type { Result } from '#shared/base/result.ts'
import { namedContractSpec, specInTicks } from '#shared/market/contract-spec.ts'
import { amountOf, multiplyDivide, type Amount } from '#shared/money/money.ts'
import { readMoney } from '../cell-number.ts'
import { contractOfInstrument } from '../contract-code.ts'
import { gatherTrades } from '../gather-trades.ts'
import { pairOfTrade } from '../closed-trade.ts'
import type { PairReading, RowProblem } from '../reading.ts'
import { accountWithoutFirm, cellText, costInMoney, finishRow, refuseCell, requiredAccount, requiredSymbol, requiredDirection, requiredMoney, requiredPrice, requiredQty, requiredTime, signedCurrency, statedExcursions, tickSizeOf, type OpenRow } from '../row-cells.ts'
import type { Platform } from './platform.ts'

// Beside the commission, columns that a user may hide: the profit is net of all of them, shown or not.
const costs = ['Commission', 'Clearing Fee', 'Exchange Fee', 'IP Fee', 'NFA Fee']

/** A closed trade of NinjaTrader's Trade Performance. Its profit is net, so its gross is what remains with all costs that the row shows. */
const readTrade = (row: OpenRow): Result<PairReading, RowProblem> => {
  const contract = contractIn(row)
  const tickSize = tickSizeOf(row, contract)
  const leg = (when: string, price: string) => ({ time: requiredTime(row, when), price: requiredPrice(row, price, tickSize) })
  const [entry, exit] = [leg('Entry time', 'Entry price'), leg('Exit time', 'Exit price')]
  const { currency } = namedContractSpec(contract, null)
  const fees = costs.map((column) => costInMoney(row, column, currency, 'Profit')).filter((cost) => cost !== null).reduce<Amount | null>((sum, cost) => amountOf((sum ?? 0) + cost), null)
  const reading = pairOfTrade({
    account: { id: null, name: accountWithoutFirm(requiredAccount(row, 'Account', contract)) },
    direction: requiredDirection(row, 'Market pos.'),
    // Its key is made of the whole file.
    pairId: null, key: '',
    contract,
    entry, exit, tickSize,
    qty: requiredQty(row, 'Qty'),
    pnl: amountOf(requiredMoney(row, 'Profit') + (fees ?? 0)),
    ...(fees === null ? {} : { fees }),
    currency: signedCurrency(row, currency),
    tradeDate: null,
  })
  if (!/^\d*$/.test(cellText(row, 'Trade number'))) refuseCell(row, 'Trade number', 'bad-number')
  if (exit.time < entry.time) refuseCell(row, 'Exit time', 'contradicts')
  return finishRow(row, isInMoney(row, reading) ? { ...reading, ...excursionsIn(row) } : reading)
}

/** NinjaTrader rounds the profit and up to five costs to cents. */
const mostRounded = 300

/** Whether its profit has a currency sign, or follows from its prices: a report in ticks, points, or pips shows all of its figures in them. */
const isInMoney = (row: OpenRow, { contract, tickSize, buy, sell, qty, pnl }: PairReading): boolean => {
  // If costs are hidden, only the sign shows that the profit is money.
  if (/\p{Sc}/u.test(cellText(row, 'Profit'))) return true
  const spec = specInTicks(namedContractSpec(contract, null), tickSize)
  if (spec === null || spec.source === 'unknown') return true
  return Math.abs(multiplyDivide(sell.price - buy.price, qty, spec.tickValue.num, spec.tickValue.den) - pnl) <= mostRounded
}

/** Its MFE and MAE, which are money unless the report shows ticks, points, pips, or percent: then the profit that it gave back is not the rest of the MFE. */
const excursionsIn = (row: OpenRow): ReturnType<typeof statedExcursions> => {
  const [mfe, profit, back] = ['MFE', 'Profit', 'ETD'].map((column) => readMoney(cellText(row, column), row.decimals))
  const isMoney = cellText(row, 'ETD') === '' || (mfe?.ok === true && profit?.ok === true && back?.ok === true && mfe.value - profit.value === back.value)
  return isMoney ? statedExcursions(row, 'ninjatrader', 'MFE', 'MAE') : {}
}

const contractIn = (row: OpenRow): string => contractOfInstrument(requiredSymbol(row, 'Instrument'))

/** The Trades grid of NinjaTrader 8's Trade Performance, in English and French. */
export const ninjaTraderTrades: Platform = {
  columns: {
    needs: [
      'Instrument', ['Account', 'Compte'], ['Market pos.', 'Pos. marché.'], ['Qty', 'Quantity', 'Qté'], ['Entry price', "Prix d'entrée"], ['Exit price', 'Prix de sortie'],
      ['Entry time', "Heure d'entrée"], ['Exit time', 'Heure de sortie'], 'Profit',
    ],
    reads: [['Trade number', 'Trade #', 'Trade-#', "Numéro d'ordre"], ['Cum. net profit', 'Profit net cum.'], ...costs, 'MAE', 'MFE', 'ETD'],
  },
  numbers: ['Entry price', 'Exit price', 'Profit', ...costs],
  dated: { times: ['Entry time', 'Exit time'], dates: [], contract: 'Instrument', stream: ['Account', 'Instrument'] },
  isLocal: true,
  isOfClosedTrades: true,
  monthFirst: false,
  read: readTrade,
  refused: { account: 'Account', contract: contractIn, times: ['Entry time', 'Exit time'], time: requiredTime },
  gather: () => gatherTrades({ number: 'Trade number', total: 'Cum. net profit', change: 'Profit', times: ['Entry time', 'Exit time'], keyed: 'ninjatrader' }),
}
