import type { NewTrade, Trade } from '#shared/api/records.ts'
import { contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { addAmounts, multiplyDivide, negate, parseAmount, toDecimalString, toJsonNumber, type Amount } from '#shared/money/money.ts'
import { parsePrice, type Ticks } from '#shared/money/price.ts'
import { momentOf, wallTime } from './wall-time.ts'

/** A trade as its form holds it: text, as it was typed. Times are wall times of the profile's zone. */
export type Draft = {
  readonly symbol: string
  readonly account: string
  readonly accountId: string
  readonly side: 'long' | 'short'
  readonly qty: string
  readonly entryPrice: string
  readonly exitPrice: string
  readonly entryTime: string
  readonly exitTime: string
  /** Of the whole trade; empty takes the contract table's. */
  readonly commission: string
}

/** What is wrong with a field; the screen owns the words. */
export type DraftProblem = 'missing' | 'not-whole' | 'not-a-number' | 'too-large' | 'no-time' | 'before-entry' | 'negative'

/** What a draft comes to: amounts in 1/10,000 of the contract's currency. */
export type Preview = { readonly spec: ContractSpec; readonly gross: Amount; readonly commission: Amount; readonly net: Amount }

/** A draft that was read: what can be saved, or what is wrong with which field. `preview` is there as soon as the figures are. */
export type ReadDraft = {
  readonly trade: Omit<NewTrade, 'id'> | null
  readonly preview: Preview | null
  readonly problems: Partial<Record<keyof Draft, DraftProblem>>
  /** The steps in which the contract's price moves, `"0.25"`. */
  readonly tickSize: string
  /** Prices that lie between two ticks, as the average of an order may. */
  readonly betweenTicks: readonly ('entryPrice' | 'exitPrice')[]
}

const largestQty = 1_000_000
// Fine enough for the average of an order in every contract.
const finestStep = '0.00000001'

/** A form for a new trade that was closed at `now` (ISO 8601). */
export const emptyDraft = (now: string, zone: string): Draft => {
  const time = wallTime(now, zone).slice(0, 16)
  return { symbol: '', account: '', accountId: '', side: 'long', qty: '1', entryPrice: '', exitPrice: '', entryTime: time, exitTime: time, commission: '' }
}

/** The form of a trade that was entered by hand. */
export const draftOf = (trade: Trade, zone: string): Draft => ({
  symbol: trade.symbol,
  account: trade.account,
  accountId: trade.accountId,
  side: trade.side,
  qty: String(trade.qty),
  entryPrice: String(trade.entryPrice),
  exitPrice: String(trade.exitPrice),
  entryTime: wallTime(trade.entryTime, zone),
  exitTime: wallTime(trade.exitTime, zone),
  commission: trade.commission,
})

/** Reads a form: nothing is guessed, and everything that is wrong is named at once. */
export const readDraft = (draft: Draft, zone: string): ReadDraft => {
  const problems: Partial<Record<keyof Draft, DraftProblem>> = {}
  const symbol = draft.symbol.trim()
  if (symbol === '') problems.symbol = 'missing'

  const qty = Number(draft.qty)
  if (!/^\s*\d+\s*$/.test(draft.qty) || qty < 1) problems.qty = 'not-whole'
  else if (qty > largestQty) problems.qty = 'too-large'

  const spec = contractSpecOf(symbol)
  const betweenTicks: ('entryPrice' | 'exitPrice')[] = []
  const price = (field: 'entryPrice' | 'exitPrice'): Ticks | null => {
    const text = draft[field].trim()
    const read = parsePrice(text, finestStep)
    if (!read.ok || Math.abs(Number(text)) >= 1e12) {
      problems[field] = text === '' ? 'missing' : read.ok || read.error === 'too-large' ? 'too-large' : 'not-a-number'
      return null
    }
    if (!parsePrice(text, spec.tickSize).ok) betweenTicks.push(field)
    return read.value
  }
  const entry = price('entryPrice')
  const exit = price('exitPrice')

  const commission = draft.commission.trim() === '' ? null : parseAmount(draft.commission.trim())
  if (commission?.ok === false) problems.commission = 'not-a-number'
  else if (commission?.ok === true && commission.value < 0) problems.commission = 'negative'

  const entryTime = momentOf(draft.entryTime, zone)
  const exitTime = momentOf(draft.exitTime, zone)
  if (entryTime === null) problems.entryTime = 'no-time'
  if (exitTime === null) problems.exitTime = 'no-time'
  if (entryTime !== null && exitTime !== null && exitTime < entryTime) problems.exitTime = 'before-entry'

  const figured = entry !== null && exit !== null && problems.qty === undefined && problems.commission === undefined
  const preview = figured ? previewOf(spec, draft.side, qty, entry, exit, commission?.ok === true ? commission.value : null) : null
  if (figured && preview === null) problems.exitPrice = 'too-large'
  if (Object.keys(problems).length > 0 || entryTime === null || exitTime === null) return { trade: null, preview, problems, tickSize: spec.tickSize, betweenTicks }
  return {
    trade: {
      symbol,
      account: draft.account.trim(),
      accountId: draft.accountId,
      side: draft.side,
      qty,
      entryPrice: Number(draft.entryPrice),
      exitPrice: Number(draft.exitPrice),
      entryTime,
      exitTime,
      ...(commission?.ok === true ? { commission: toDecimalString(commission.value) } : {}),
      platform: '',
    },
    preview,
    problems,
    tickSize: spec.tickSize,
    betweenTicks,
  }
}

const previewOf = (spec: ContractSpec, side: Draft['side'], qty: number, entry: Ticks, exit: Ticks, entered: Amount | null): Preview | null => {
  const steps = parsePrice(spec.tickSize, finestStep)
  const stepsPerTick = steps.ok ? steps.value : 1
  try {
    const gross = multiplyDivide(side === 'long' ? exit - entry : entry - exit, spec.tickValue.num, qty, spec.tickValue.den * stepsPerTick)
    const commission = entered ?? multiplyDivide(spec.feePerSide, 2, qty, 1)
    return { spec, gross, commission, net: addAmounts(gross, negate(commission)) }
  } catch (error) {
    // More than an exact amount can hold.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** What a row shows of a draft until the journal answers. */
export const shownOf = (trade: Omit<NewTrade, 'id'>, preview: Preview, zone: string): Partial<Trade> => ({
  symbol: trade.symbol,
  account: trade.account,
  accountId: trade.accountId,
  side: trade.side ?? 'long',
  qty: trade.qty,
  entryPrice: trade.entryPrice,
  exitPrice: trade.exitPrice,
  entryTime: trade.entryTime,
  exitTime: trade.exitTime,
  date: wallTime(trade.exitTime, zone).slice(0, 10),
  tradingDay: tradingDay(Date.parse(trade.exitTime)),
  pnl: toJsonNumber(preview.net),
  grossPnl: toDecimalString(preview.gross),
  commission: toDecimalString(preview.commission),
  netPnl: toDecimalString(preview.net),
  currency: preview.spec.currency,
  multiplierSource: preview.spec.source,
  feeSource: trade.commission === undefined ? 'table' : 'entered',
  warnings: preview.spec.source === 'unknown' ? ['unknown-contract'] : preview.spec.rootIsWhole ? [] : ['partial-root'],
})
