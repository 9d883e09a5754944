import type { FillPairRecord, NewTrade } from '#shared/api/records.ts'
import { err } from '#shared/base/result.ts'
import { bookedDay } from '#shared/fills/booked-day.ts'
import { contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import { exactMoney } from '#shared/money/money.ts'
import { parsePrice } from '#shared/money/price.ts'
import { hasExponent, typedAmount, typedNumber } from '#shared/money/typed-number.ts'
import { enteredFigures, type EnteredFigures } from '#shared/pnl/entered-trade.ts'
import { z } from 'zod'
import { finestTick } from './trade-risk.ts'
import { readUserDraft, type UserDraft, type UserFields } from './user-fields.ts'
import { momentOf, wallTime } from './wall-time.ts'

/** The facts of a trade entered by hand as its form has them: text, as typed. Times are wall times of the profile's zone. */
export type FactsDraft = {
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

/** The form of a trade: its facts, null if they cannot be changed, and the user's own fields. */
export type TradeDraft = { readonly facts: FactsDraft | null; readonly own: UserDraft }

/** What is wrong with a field; the screen owns the words. */
export type DraftProblem = 'missing' | 'not-whole' | 'not-a-number' | 'too-large' | 'no-time' | 'before-entry' | 'negative'

/** A draft's P&L, and the contract figures that it uses. */
export type Preview = EnteredFigures & { readonly spec: ContractSpec }

/** A parsed draft: the trade to save, or the problem of each field. It has a `preview` as soon as its figures are valid. */
export type ReadDraft = {
  readonly trade: Omit<NewTrade, 'id'> | null
  readonly preview: Preview | null
  readonly problems: Partial<Record<keyof FactsDraft, DraftProblem>>
  readonly tickSize: string
  /** Prices that are off the tick, as the average of an order may be. */
  readonly betweenTicks: readonly ('entryPrice' | 'exitPrice')[]
}

const largestQty = 1_000_000

/** The facts of a new trade that was closed at `now` (ISO 8601). */
export const emptyDraft = (now: string, zone: string): FactsDraft => {
  const time = wallTime(now, zone).slice(0, 16)
  return { symbol: '', account: '', accountId: '', side: 'long', qty: '1', entryPrice: '', exitPrice: '', entryTime: time, exitTime: time, commission: '' }
}

/** The facts of a trade entered by hand, to edit them. */
export const draftOf = (pair: FillPairRecord, zone: string): FactsDraft => ({
  symbol: pair.symbol,
  account: pair.account,
  accountId: pair.accountId,
  side: pair.side,
  qty: String(pair.qty),
  entryPrice: String(pair.entryPrice),
  exitPrice: String(pair.exitPrice),
  entryTime: wallTime(pair.entryTime, zone),
  exitTime: wallTime(pair.exitTime, zone),
  commission: pair.commission,
})

/** Parses a draft: guesses nothing, and names every problem at once. */
export const readDraft = (draft: FactsDraft, zone: string): ReadDraft => {
  const problems: Partial<Record<keyof FactsDraft, DraftProblem>> = {}
  const symbol = draft.symbol.trim()
  if (symbol === '') problems.symbol = 'missing'

  const qty = Number(draft.qty)
  if (!/^\s*\d+\s*$/.test(draft.qty) || qty < 1) problems.qty = 'not-whole'
  else if (qty > largestQty) problems.qty = 'too-large'

  const spec = contractSpecOf(symbol)
  const betweenTicks: ('entryPrice' | 'exitPrice')[] = []
  const price = (field: 'entryPrice' | 'exitPrice'): number => {
    const text = typedNumber(draft[field])
    const read = hasExponent(text) ? err('not-a-number' as const) : parsePrice(text, finestTick)
    const isTooLarge = read.ok ? Math.abs(Number(text)) >= 1e12 : read.error === 'too-large'
    if (text === '') problems[field] = 'missing'
    else if (isTooLarge) problems[field] = 'too-large'
    else if (!read.ok) problems[field] = 'not-a-number'
    else if (!parsePrice(text, spec.tickSize).ok) betweenTicks.push(field)
    return Number(text)
  }
  const entryPrice = price('entryPrice')
  const exitPrice = price('exitPrice')

  const commission = draft.commission.trim() === '' ? null : typedAmount(draft.commission)
  if (commission?.ok === false) problems.commission = 'not-a-number'
  else if (commission?.ok === true && commission.value < 0) problems.commission = 'negative'

  const entryTime = momentOf(draft.entryTime, zone)
  const exitTime = momentOf(draft.exitTime, zone)
  if (entryTime === null) problems.entryTime = 'no-time'
  if (exitTime === null) problems.exitTime = 'no-time'
  if (entryTime !== null && exitTime !== null && exitTime < entryTime) problems.exitTime = 'before-entry'

  const facts = { side: draft.side, qty, entryPrice, exitPrice, ...(commission?.ok === true ? { commission: exactMoney(commission.value) } : {}) }
  const isFigured = [problems.qty, problems.entryPrice, problems.exitPrice, problems.commission].every((problem) => problem === undefined)
  const figures = isFigured ? enteredFigures(facts, spec) : null
  // More than an exact amount can hold.
  if (figures?.ok === false) problems.exitPrice = 'too-large'
  const preview = figures?.ok === true ? { ...figures.value, spec } : null
  const isWrong = Object.keys(problems).length > 0 || entryTime === null || exitTime === null
  const trade = isWrong ? null : { ...facts, symbol, account: draft.account.trim(), accountId: draft.accountId, entryTime, exitTime, platform: '' }
  return { trade, preview, problems, tickSize: spec.tickSize, betweenTicks }
}

/** A draft as the logbook's row shows it until the journal answers. */
export const shownOf = (trade: Omit<NewTrade, 'id'>, preview: Preview, zone: string): Partial<FillPairRecord> => {
  const { symbol, account, accountId, side = 'long', qty, entryPrice, exitPrice, entryTime, exitTime } = trade
  const { gross, commission, net, currency, multiplierSource, feeSource, warnings } = preview
  return {
    symbol, account, accountId, side, qty, entryPrice, exitPrice, entryTime, exitTime, currency, multiplierSource, feeSource, warnings,
    date: wallTime(exitTime, zone).slice(0, 10),
    tradingDay: bookedDay({ contract: symbol, time: Date.parse(exitTime), tradeDate: null }),
    pnl: Number(exactMoney(net)),
    grossPnl: exactMoney(gross),
    commission: exactMoney(commission),
    netPnl: exactMoney(net),
  }
}

/** A new trade as the logbook shows it until the journal answers; null while something in its form is wrong. */
export const draftedTrade = (id: string, userId: string, { trade, preview }: ReadDraft, fields: UserFields | null, zone: string): FillPairRecord | null => {
  if (trade === null || preview === null || fields === null) return null
  const empty = { platform: '', tradeId: null, origin: 'manual' } as const
  return { ...empty, ...fields, ...(shownOf(trade, preview, zone) as FillPairRecord), id, userId }
}

/** The form of a new trade. */
export type TypedTrade = { facts: FactsDraft; own: UserDraft }

/** A new trade as typed, and as it is sent and shown until the journal answers. Errors are codes; the screen owns the words. */
export const newTradeFields = (zone: string, userId: string) =>
  z.custom<TypedTrade>().transform(({ facts, own }, { issues }) => {
    const read = readDraft(facts, zone)
    const { fields, problems } = readUserDraft(own)
    const shown = draftedTrade(crypto.randomUUID(), userId, read, fields, zone)
    if (read.trade !== null && fields !== null && shown !== null) return { sent: { id: shown.id, ...fields, ...read.trade }, shown }
    for (const [field, message] of Object.entries(read.problems)) issues.push({ code: 'custom', input: facts, path: ['facts', field], message })
    for (const [field, message] of Object.entries(problems)) issues.push({ code: 'custom', input: own, path: ['own', field], message })
    return z.NEVER
  })
