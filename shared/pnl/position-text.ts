import { z } from 'zod'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { openLots, type Position } from './position.ts'

const whole = z.int()
const amount = whole.transform((units) => units as Amount)
const ticks = whole.transform((count) => count as Ticks)
const account = z.string().transform((key) => key as AccountKey)
const otherFees = z.array(z.object({ currency: z.string().transform((code) => code as Currency), amount }))
const feeSource = z.enum(['broker', 'file', 'setting', 'table', 'mixed'])
const warning = z.enum(['unknown-contract', 'partial-root', 'unknown-commission', 'incomplete', 'approximate', 'ambiguous-order'])

const fillShape = z.object({
  id: z.string(),
  account,
  contract: z.string(),
  time: whole,
  side: z.enum(['buy', 'sell']),
  qty: whole.positive(),
  price: ticks,
  fee: amount.nullable(),
  otherFees: otherFees.optional(),
  feeFrom: z.string().optional(),
  active: z.boolean(),
  source: z.enum(['api', 'fills-file', 'handed-in', 'orders-file', 'pairs-file']),
  ambiguous: z.boolean().optional(),
})

const tradeShape = z.object({
  id: z.string(),
  account,
  contract: z.string(),
  direction: z.enum(['long', 'short']),
  date: z.string(),
  entryTime: whole,
  exitTime: whole,
  // Missing in texts of earlier versions.
  tradeDate: z.string().nullable().default(null),
  qty: whole.nonnegative(),
  maxPosition: whole.positive(),
  pairCount: whole.nonnegative(),
  basePrice: ticks,
  entrySum: whole,
  exitSum: whole,
  grossPnl: amount,
  commission: amount,
  otherFees: otherFees.default([]),
  netPnl: amount,
  feeSource: feeSource.nullable(),
  warnings: z.array(warning),
  missing: whole.nonnegative().nullable().default(null),
})

const positionShape = z.object({
  net: whole,
  used: whole.nonnegative(),
  open: z.array(fillShape),
  trade: tradeShape.nullable(),
  unknown: whole.default(0),
  doubt: z.object({ contracts: whole.nonnegative(), settled: z.boolean() }).nullable().default(null),
})

/**
 * Serializes a position to store with its batch. Two positions from which matching continues identically have the same text, so later batches stay
 * valid as long as the text does not change.
 */
export const encodePosition = (position: Position): string => {
  // Parsing normalizes field order and drops foreign fields.
  const open = openLots(position).map(({ fill }) => fillShape.parse(fill))
  const used = open.length === 0 ? 0 : position.queue.used
  const trade = position.trade && tradeShape.parse(position.trade)
  const { net, unknown, doubt } = position
  // Rare fields are written only if present.
  return JSON.stringify({ net, used, open, trade: trade && { ...trade, otherFees: trade.otherFees.length === 0 ? undefined : trade.otherFees, missing: trade.missing ?? undefined }, ...(unknown === 0 ? {} : { unknown }), ...(doubt === null ? {} : { doubt }) })
}

/** Reads what `encodePosition` wrote for a contract of this spec; throws on anything else. */
export const decodePosition = (text: string, spec: ContractSpec): Position => {
  const { net, used, open, trade, unknown, doubt } = positionShape.parse(JSON.parse(text))
  return { net, unknown, doubt, queue: { fills: open, head: 0, tail: open.length, used }, trade: trade && { ...trade, spec } }
}
