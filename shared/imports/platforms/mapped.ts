import type { Result } from '#shared/base/result.ts'
import type { Side } from '#shared/fills/fill.ts'
import { productRow, wholeRootOf } from '#shared/market/contract-name.ts'
import { namedContractSpec } from '#shared/market/contract-spec.ts'
import { amountOf, type Amount, type Currency } from '#shared/money/money.ts'
import { readOffset, readWall } from '../cell-time.ts'
import { pairOfTrade } from '../closed-trade.ts'
import { continuousProduct, contractOfInstrument, isKnownDelivery } from '../contract-code.ts'
import { gatherTrades } from '../gather-trades.ts'
import { contractCell, feeCells, issuerCell, textCounts } from '../mapped-format.ts'
import type { FillReading, PairReading, RowProblem } from '../reading.ts'
import { refuseOtherSession } from '../row-contradictions.ts'
import {
  cellText, costInMoney, finishRow, feeByCurrency, optionalCost, optionalCurrency, optionalDate, optionalMoney, refuseCell, requiredAccount, requiredDate, requiredId, requiredNet, requiredPrice, requiredQty, requiredSymbol, requiredText, requiredTimeOrOffset, signedCurrency, statedExcursions, tickSizeOf, type OpenRow,
} from '../row-cells.ts'
import type { Gathered, GatheredRow, Platform } from './platform.ts'

/** The contract of a symbol, as several platforms write it: `CME_MINI:NQU2026`, `/NQU26`, `NQU26_FUT_CME`, `NQU6@CME`, `NQ 09-26`; and whether it is one that Fillbook knows. */
export const contractOfSymbol = (symbol: string): { readonly contract: string; readonly isKnown: boolean } => {
  const plain = symbol.trim().toUpperCase()
  const contract = contractOfInstrument(plain.replace(/^[A-Z_]+:/, '').replace(/^\//, '').replace(/@.*$/, '').replace(/_FUT_\w+$/, '')).replace(/([FGHJKMNQUVXZ])20(\d\d)$/, '$1$2')
  return { contract, isKnown: isKnownDelivery(contract) || continuousProduct(contract) !== null || (plain.startsWith('/') && productRow(contract) !== null) }
}

const productOf = (contract: string): string => {
  const root = continuousProduct(contract) ?? wholeRootOf(contract)
  return productRow(root)?.root ?? root
}

const contractIn = (row: OpenRow): string => {
  const named = cellText(row, contractCell)
  const { contract, isKnown } = contractOfSymbol(requiredSymbol(row, 'symbol'))
  if (named !== '') {
    const meant = contractOfInstrument(named)
    // A format shared by another user would price it by another product's point value.
    if (isKnown && productOf(meant) !== productOf(contract)) refuseCell(row, 'symbol', 'contradicts')
    return meant
  }
  if (!isKnown) refuseCell(row, 'symbol', 'unknown-symbol')
  return contract
}

/** The contract of a rejected row; a price that lies on none of its ticks is more likely another contract's. */
const likelyContract = (row: OpenRow): string => {
  const contract = contractIn(row)
  const { problem } = row
  const tickSize = tickSizeOf(row, contract, continuousProduct(contract))
  for (const column of ['price', 'entryPrice', 'exitPrice']) if (column in row.cells) requiredPrice(row, column, tickSize)
  if (row.problem?.code !== 'off-tick') row.problem = problem
  return contract
}

const offsetsIn = (row: OpenRow, ...columns: readonly string[]): Pick<FillReading, 'hasOffset'> => (columns.every((column) => readOffset(cellText(row, column), row.dayFirst) !== null) ? { hasOffset: true } : {})

const sideIn = (row: OpenRow): Side => {
  const text = requiredText(row, 'side')
  if (text !== 'Buy' && text !== 'Sell') refuseCell(row, 'side', 'bad-side')
  return text === 'Sell' ? 'sell' : 'buy'
}

const sizeIn = (row: OpenRow): { readonly side: Side; readonly qty: number } => {
  if ('signedQuantity' in row.cells) {
    const signed = requiredNet(row, 'signedQuantity')
    if (signed === 0) refuseCell(row, 'signedQuantity', 'bad-number')
    return { side: signed < 0 ? 'sell' : 'buy', qty: Math.abs(signed) }
  }
  const side = sideIn(row)
  if (!cellText(row, 'quantity').startsWith('-')) return { side, qty: requiredQty(row, 'quantity') }
  const signed = requiredNet(row, 'quantity')
  if (side === 'buy') refuseCell(row, 'quantity', 'contradicts')
  return { side, qty: Math.abs(signed) }
}

const accountIn = (row: OpenRow, contract: string): FillReading['account'] => ({ id: null, name: 'account' in row.cells ? requiredAccount(row, 'account', contract) : null })

/** All fees of a row together, each read by `costOf`; null if it has none. */
const costIn = (costOf: (column: string) => Amount | null): Amount | null => feeCells.map(costOf).reduce<Amount | null>((sum, cost) => (cost === null ? sum : amountOf((sum ?? 0) + cost)), null)

/** An id under the name of the format; null if the file has none. */
const idIn = (row: OpenRow, column: string): string | null => (column in row.cells ? `${cellText(row, issuerCell)}-${requiredId(row, column)}` : null)

const readFill = (row: OpenRow): Result<FillReading, RowProblem> => {
  const contract = contractIn(row)
  const product = continuousProduct(contract)
  const tickSize = tickSizeOf(row, contract, product)
  row.signed ??= optionalCurrency(row, 'currency')
  return finishRow(row, {
    says: 'fill',
    account: accountIn(row, contract),
    // Without an id, one is made of the whole file.
    fillId: idIn(row, 'fillId') ?? '',
    orderId: cellText(row, 'orderId') === '' ? null : idIn(row, 'orderId'),
    contract,
    ...(product === null ? {} : { product }),
    time: requiredTimeOrOffset(row, 'time'),
    ...offsetsIn(row, 'time'),
    ...sizeIn(row),
    price: requiredPrice(row, 'price', tickSize),
    tickSize,
    ...feeByCurrency(row, costIn((column) => optionalCost(row, column)), contract, product),
    active: true,
    tradeDate: null,
  })
}

/** What a trade made before its fees, and these; what the row states twice must agree. */
const figuresIn = (row: OpenRow, currency: Currency): { readonly pnl: Amount; readonly fees?: Amount } => {
  const [gross, net, cost] = [optionalMoney(row, 'grossPnl'), optionalMoney(row, 'netPnl'), costIn((column) => costInMoney(row, column, currency, 'grossPnl', 'netPnl'))]
  const isNet = gross === null
  if (isNet && net === null) refuseCell(row, 'grossPnl' in row.cells ? 'grossPnl' : 'netPnl', 'missing')
  if (isNet && cost === null) refuseCell(row, 'grossPnl' in row.cells ? 'grossPnl' : (feeCells[0] ?? ''), 'missing')
  if (gross !== null && net !== null && (cost === null ? gross < net : gross - cost !== net)) refuseCell(row, 'netPnl', 'contradicts')
  const fees = cost ?? (gross === null || net === null ? null : amountOf(gross - net))
  return { pnl: gross ?? amountOf((net ?? 0) + (cost ?? 0)), ...(fees === null ? {} : { fees }) }
}

const readTrade = (row: OpenRow): Result<PairReading, RowProblem> => {
  const contract = contractIn(row)
  const product = continuousProduct(contract)
  const tickSize = tickSizeOf(row, contract, product)
  row.signed ??= optionalCurrency(row, 'currency')
  const leg = (when: string, price: string) => ({ time: requiredTimeOrOffset(row, when), price: requiredPrice(row, price, tickSize) })
  const [entry, exit] = [leg('entryTime', 'entryPrice'), leg('exitTime', 'exitPrice')]
  const { side, qty } = sizeIn(row)
  const id = idIn(row, 'tradeId')
  const tradeDate = optionalDate(row, 'tradingDay')
  if (exit.time < entry.time) refuseCell(row, 'exitTime', 'contradicts')
  refuseOtherSession(row, 'tradingDay', tradeDate, exit.time)
  const { currency } = namedContractSpec(contract, product)
  const figures = figuresIn(row, currency)
  // Only a net beside the gross that the prices make shows that the fees are all of them.
  const isProved = 'netPnl' in row.cells
  return finishRow(row, { ...pairOfTrade({
    account: accountIn(row, contract),
    direction: side === 'buy' ? 'long' : 'short',
    // Without an id, its key is made of the whole file.
    pairId: id,
    key: id ?? '',
    contract,
    ...(product === null ? {} : { product }),
    entry,
    exit,
    tickSize,
    qty,
    ...figures,
    currency: signedCurrency(row, currency),
    tradeDate,
    ...offsetsIn(row, 'entryTime', 'exitTime'),
    ...statedExcursions(row, 'file', 'mfe', 'mae'),
  }), ...(isProved ? {} : { unproved: true as const }) })
}

/** Ids that files give: an id that two rows of a file share identifies neither, and is dropped. */
const repeats = (): ((id: string, at: Omit<GatheredRow, 'reading'>, column: string) => Gathered['refused']) => {
  const countOf = textCounts()
  return (id, { line, row }, column) => (countOf(id) === 1 ? [] : [{ line, problem: { code: 'repeated-id', column, value: cellText(row, column).slice(0, 40) } }])
}

/** Names fills without an id by their content, in any zone; equal rows of a file are several fills. */
const gatherFills = (): ReturnType<NonNullable<Platform['gather']>> => {
  const [countOf, repeated] = [textCounts(), repeats()]
  let [readings, refused]: [FillReading[], Gathered['refused'][number][]] = [[], []]
  return {
    take: ({ reading, line, row }) => {
      if (reading.says !== 'fill') return
      if (reading.fillId !== '') {
        const twice = repeated(`${reading.account.name ?? ''}\n${reading.fillId}`, { line, row }, 'fillId')
        refused.push(...twice)
        if (twice.length === 0) readings.push(reading)
        return
      }
      const time = cellText(row, 'time')
      const { contract, side, price, qty, account } = reading
      const own = [cellText(row, issuerCell), contract, (readWall(time, row.dayFirst) ?? readOffset(time, row.dayFirst) ?? 0) / 1000, side, price, qty].join('-').replaceAll(/[/~\s]/g, '.')
      const count = countOf(`${account.name ?? ''}\n${own}`)
      readings.push({ ...reading, fillId: count === 1 ? own : `${own}-${String(count)}` })
    },
    end: () => {
      const file: Gathered = { readings, refused, gaps: [] }
      ;[readings, refused] = [[], []]
      return file
    },
  }
}

const gatherMappedTrades = (): ReturnType<NonNullable<Platform['gather']>> => {
  const [nameless, repeated] = [gatherTrades({ number: '', total: '', change: '', times: ['entryTime', 'exitTime'], keyed: (row) => cellText(row, issuerCell) }), repeats()]
  const accounts = new Set<string | null>()
  let [named, refused]: [PairReading[], Gathered['refused'][number][]] = [[], []]
  return {
    take: (gathered) => {
      const { reading } = gathered
      if (reading.says !== 'pair') return
      accounts.add(reading.account.name)
      if (reading.pairId === null) return nameless.take(gathered)
      const twice = repeated(`${reading.account.name ?? ''}\n${reading.pairId}`, gathered, 'tradeId')
      refused.push(...twice)
      if (twice.length === 0) named.push(reading)
    },
    end: () => {
      const rest = nameless.end()
      const readings = [...named, ...rest.readings]
      // A row may name the wrong one of them, and nothing beside it would show that.
      const file: Gathered = { ...rest, readings: accounts.size > 1 ? readings.map((reading) => ({ ...reading, unproved: true as const })) : readings, refused: [...refused, ...rest.refused] }
      ;[named, refused] = [[], []]
      return file
    },
  }
}

const common = { isLocal: true, monthFirst: false }
const refused = { account: 'account', contract: likelyContract, time: requiredTimeOrOffset }
// No header shows them: a format names its columns so.
const columns = { needs: [], reads: [] }

/** Fills of a file that the user mapped; cells by the fields of its format. */
export const mappedFills: Platform = {
  ...common,
  columns,
  numbers: ['price', ...feeCells],
  dated: { times: ['time'], dates: [], contract: 'symbol', stream: ['account', 'symbol'] },
  isOfClosedTrades: false,
  read: readFill,
  refused: { ...refused, times: ['time'], fillIds: (row) => [idIn(row, 'fillId') ?? ''].filter((id) => id !== '') },
  gather: gatherFills,
}

/** Closed trades of a file that the user mapped. */
export const mappedTrades: Platform = {
  ...common,
  columns,
  numbers: ['entryPrice', 'exitPrice', 'grossPnl', 'netPnl', ...feeCells],
  dated: { times: ['entryTime', 'exitTime'], dates: ['tradingDay'], contract: 'symbol', stream: [] },
  isOfClosedTrades: true,
  read: readTrade,
  refused: { ...refused, times: ['entryTime', 'exitTime'], tradeDate: (row) => requiredDate(row, 'tradingDay') },
  gather: gatherMappedTrades,
}
