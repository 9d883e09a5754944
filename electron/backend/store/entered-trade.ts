import type { NewTrade } from '#shared/api/records.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import { amountOf, multiplyDivide, parseAmount, type Amount } from '#shared/money/money.ts'
import { parsePrice, type Ticks } from '#shared/money/price.ts'
import type { Direction } from '#shared/pnl/pair.ts'
import type { trades } from './schema/journal.ts'

type Prices = { readonly tickSize: string; readonly entry: Ticks; readonly exit: Ticks; readonly worth: (gain: number, qty: number) => Amount }

// An average price lies between ticks: it is kept in steps fine enough for every contract.
const finestTick = '0.00000001'

const pricesIn = (tickSize: string, trade: NewTrade, worth: Prices['worth']): Prices | null => {
  const [entry, exit] = [parsePrice(trade.entryPrice, tickSize), parsePrice(trade.exitPrice, tickSize)]
  return entry.ok && exit.ok ? { tickSize, entry: entry.value, exit: exit.value, worth } : null
}

const readPrices = (trade: NewTrade, { tickSize, tickValue }: ContractSpec): Prices | null => {
  const onTicks = pricesIn(tickSize, trade, (gain, qty) => multiplyDivide(gain, qty, tickValue.num, tickValue.den))
  if (onTicks !== null) return onTicks
  const steps = parsePrice(tickSize, finestTick)
  return steps.ok ? pricesIn(finestTick, trade, (gain, qty) => multiplyDivide(gain, qty, tickValue.num, tickValue.den * steps.value)) : null
}

const sideOf = ({ side, pnl }: NewTrade, rise: number): Direction => side ?? ((pnl ?? rise) * rise < 0 ? 'short' : 'long')

const exact = (work: () => Amount): Amount | null => {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/**
 * Works a trade out as it was entered: `pnl` is its net to the letter, and what is missing comes from prices and the
 * contract. `unreadable-price` where a price or an amount can't be kept exactly.
 */
export const enteredTrade = (userId: string, trade: NewTrade, spec: ContractSpec, zone: string): Result<Omit<typeof trades.$inferInsert, 'ref'>, 'unreadable-price'> => {
  const prices = readPrices(trade, spec)
  const commission = trade.commission === undefined ? ok(amountOf(spec.feePerSide * 2 * trade.qty)) : parseAmount(trade.commission, 'half-even')
  const net = trade.pnl === undefined ? null : parseAmount(trade.pnl, 'half-even')
  if (prices === null || !commission.ok || net?.ok === false) return err('unreadable-price')
  const { tickSize, entry, exit, worth } = prices
  const side = sideOf(trade, exit - entry)
  const gross = exact(() => (net === null ? worth(side === 'long' ? exit - entry : entry - exit, trade.qty) : amountOf(net.value + commission.value)))
  if (gross === null) return err('unreadable-price')
  const exitTime = Date.parse(trade.exitTime)
  const warnings = net === null ? [...(spec.source === 'unknown' ? ['unknown-contract'] : []), ...(spec.rootIsWhole ? [] : ['partial-root'])] : []
  return ok({
    userId,
    id: trade.id,
    origin: 'manual',
    accountId: trade.accountId,
    account: trade.account === '' ? null : trade.account,
    symbol: trade.symbol,
    date: trade.date ?? localDate(exitTime, zone),
    tradingDay: tradingDay(exitTime),
    side,
    qty: trade.qty,
    tickSize,
    entryPrice: entry,
    exitPrice: exit,
    entryTime: Date.parse(trade.entryTime),
    exitTime,
    gross,
    commission: commission.value,
    net: net?.value ?? amountOf(gross - commission.value),
    currency: spec.currency,
    platform: trade.platform,
    tripId: null,
    multiplierSource: net === null ? spec.source : 'entered',
    feeSource: trade.commission === undefined ? 'table' : 'entered',
    warnings: JSON.stringify(warnings),
  })
}
