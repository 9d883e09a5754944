import type { NewTrade, TradeUpdates } from '#shared/api/records.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { bookedDay } from '#shared/fills/booked-day.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import { writeDecimal } from '#shared/money/decimal.ts'
import { multiplyToCents, usualRounding } from '#shared/money/cents.ts'
import { amountOf, parseAmount, type Amount } from '#shared/money/money.ts'
import { parsePrice, priceToJsonNumber, type Ticks } from '#shared/money/price.ts'
import { type ExactPair, type UserField, userFields } from './exact-pair.ts'

/** The inputs of an entered trade's figures. */
export type EnteredFacts = Pick<NewTrade, 'side' | 'qty' | 'entryPrice' | 'exitPrice' | 'pnl' | 'commission'>

/** A trade entered by hand, times in UTC ms. */
export type EnteredByHand = EnteredFacts & Pick<NewTrade, 'symbol' | 'account' | 'accountId' | 'platform' | 'date'> & { readonly entryTime: number; readonly exitTime: number }

/** The figures computed from entered facts. */
export type EnteredFigures = Pick<ExactPair, 'side' | 'tickSize' | 'entryPrice' | 'exitPrice' | 'gross' | 'commission' | 'net' | 'currency' | 'multiplierSource' | 'feeSource' | 'warnings'>

/** An entered trade as stored; `account` is the name entered with it. */
export type EnteredTrade = ExactPair & { readonly account: string | null }

type Prices = { readonly tickSize: string; readonly entry: Ticks; readonly exit: Ticks; readonly worth: (gain: number, qty: number) => Amount }

// An average price may lie between ticks: it is stored in steps fine enough for every contract.
const finestTick = '0.00000001'

const pricesIn = (tickSize: string, facts: EnteredFacts, worth: Prices['worth']): Prices | null => {
  const [entry, exit] = [parsePrice(facts.entryPrice, tickSize), parsePrice(facts.exitPrice, tickSize)]
  // A price far below a tick is indistinguishable from floating-point noise.
  const isLost = [[facts.entryPrice, entry], [facts.exitPrice, exit]] as const
  if (isLost.some(([given, read]) => given !== 0 && read.ok && read.value === 0)) return null
  return entry.ok && exit.ok ? { tickSize, entry: entry.value, exit: exit.value, worth } : null
}

const readPrices = (facts: EnteredFacts, { tickSize, tickValue: { num, den }, rounding }: ContractSpec): Prices | null => {
  const mode = rounding ?? usualRounding
  const onTicks = pricesIn(tickSize, facts, (gain, qty) => multiplyToCents(gain, qty, num, den, mode))
  if (onTicks !== null) return onTicks
  const steps = parsePrice(tickSize, finestTick)
  return steps.ok ? pricesIn(finestTick, facts, (gain, qty) => multiplyToCents(gain, qty, num, den * steps.value, mode)) : null
}

// Prices make the gross: the net may be a loss by its commission alone.
const sideOf = ({ side }: EnteredFacts, rise: number, gross: number): ExactPair['side'] => side ?? (gross * rise < 0 ? 'short' : 'long')

const exactly = <T>(work: () => T): T | null => {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** A hundred million: thousands of such trades still sum exactly. */
const mostMoney = 1_000_000_000_000

/**
 * Computes a trade's figures: an entered `pnl` is its exact net, and missing values come from prices and contract. `unreadable-price`: a price or
 * amount cannot be kept exactly; `too-large`: its money exceeds a hundred million. `ownFee` is the user's own rate per side, which goes before the table's.
 */
export const enteredFigures = (facts: EnteredFacts, spec: ContractSpec, ownFee: Amount | null = null): Result<EnteredFigures, 'unreadable-price' | 'too-large'> => {
  const prices = readPrices(facts, spec)
  const commission = facts.commission === undefined ? ok(amountOf((ownFee ?? spec.feePerSide) * 2 * facts.qty)) : parseAmount(facts.commission, 'half-even')
  const entered = facts.pnl === undefined ? null : parseAmount(facts.pnl, 'half-even')
  if ([commission, entered].some((read) => read?.ok === false && read.error === 'too-large')) return err('too-large')
  if (prices === null || !commission.ok || entered?.ok === false) return err('unreadable-price')
  const { tickSize, entry, exit, worth } = prices
  const side = sideOf(facts, exit - entry, entered === null ? exit - entry : entered.value + commission.value)
  const money = exactly(() => {
    const gross = entered === null ? worth(side === 'long' ? exit - entry : entry - exit, facts.qty) : amountOf(entered.value + commission.value)
    return { gross, commission: commission.value, net: entered?.value ?? amountOf(gross - commission.value) }
  })
  if (money === null || Object.values(money).some((amount) => Math.abs(amount) > mostMoney)) return err('too-large')
  const unknown = spec.source === 'unknown' ? (['unknown-contract'] as const) : []
  const partial = spec.rootIsWhole ? [] : (['partial-root'] as const)
  return ok({
    side,
    tickSize,
    entryPrice: entry,
    exitPrice: exit,
    ...money,
    currency: spec.currency,
    multiplierSource: entered === null ? spec.source : 'entered',
    feeSource: facts.commission !== undefined ? 'entered' : ownFee === null ? 'table' : 'setting',
    warnings: entered === null ? [...unknown, ...partial] : [],
  })
}

/** Why an entered trade is rejected; trades of a removed account would be invisible. */
export type NotEntered = 'account-removed' | 'unreadable-price' | 'too-large' | 'exit-before-entry'

/** The trade to store for what was entered; without an entered date, it is the exit's date in `zone` (IANA). */
export const enteredTrade = (trade: EnteredByHand, spec: ContractSpec, zone: string, ownFee: Amount | null = null): Result<EnteredTrade, NotEntered> => {
  const { symbol, account, accountId, platform, qty, entryTime, exitTime } = trade
  if (exitTime < entryTime) return err('exit-before-entry')
  const figures = enteredFigures(trade, spec, ownFee)
  if (!figures.ok) return figures
  const date = trade.date ?? localDate(exitTime, zone)
  return ok({ ...figures.value, accountId, account: account === '' ? null : account, symbol, date, tradingDay: bookedDay({ contract: symbol, time: exitTime, tradeDate: null }), qty, entryTime, exitTime, platform, tradeId: null })
}

/** Reads ISO 8601 as UTC ms. */
type ReadTime = (iso: string) => number

/** A new trade from an API call. */
export const byHand = (trade: NewTrade, readTime: ReadTime): EnteredByHand => ({ ...trade, entryTime: readTime(trade.entryTime), exitTime: readTime(trade.exitTime) })

/** Whether an edit changes facts of a trade, not only the user's own fields. */
export const changesFacts = (updates: TradeUpdates): boolean => Object.keys(factsIn(updates)).length > 0

/** A stored trade re-entered with an edit's facts; null if the edit has none. */
export const changedByHand = (kept: EnteredTrade, updates: TradeUpdates, readTime: ReadTime): EnteredByHand | null => {
  if (!changesFacts(updates)) return null
  const { entryTime, exitTime, commission, ...facts } = factsIn(updates)
  const { date, commission: keptFee, ...before } = enteredAgain(kept)
  const fee = commission === undefined ? keptFee : (commission ?? undefined)
  return {
    ...before,
    ...facts,
    ...(fee === undefined ? {} : { commission: fee }),
    ...(entryTime === undefined ? {} : { entryTime: readTime(entryTime) }),
    ...(exitTime === undefined ? { date } : { exitTime: readTime(exitTime) }),
  }
}

type Facts = { readonly [Name in Exclude<keyof TradeUpdates, UserField>]?: Exclude<TradeUpdates[Name], undefined> }

const factsIn = (updates: TradeUpdates): Facts =>
  Object.fromEntries(Object.entries(updates).filter(([name, value]) => value !== undefined && !(userFields as readonly string[]).includes(name))) as Facts

// Leave out computed values, so they are computed again.
const enteredAgain = (kept: EnteredTrade): EnteredByHand => ({
  symbol: kept.symbol,
  account: kept.account ?? '',
  accountId: kept.accountId,
  side: kept.side,
  qty: kept.qty,
  entryPrice: priceToJsonNumber(kept.entryPrice, kept.tickSize),
  exitPrice: priceToJsonNumber(kept.exitPrice, kept.tickSize),
  entryTime: kept.entryTime,
  exitTime: kept.exitTime,
  date: kept.date,
  platform: kept.platform,
  ...(kept.multiplierSource === 'entered' ? { pnl: Number(exactText(kept.net)) } : {}),
  ...(kept.feeSource === 'entered' ? { commission: exactText(kept.commission) } : {}),
})

const exactText = (amount: Amount): string => writeDecimal(BigInt(amount), 4)
