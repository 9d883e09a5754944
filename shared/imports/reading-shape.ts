import { z } from 'zod'
import { exportKinds } from './export-kind.ts'
import { brokerCurrency, calendarDay, contractCount as qty, currencyCode, isKeptAsItIs, tickSizeText, utcMs as time } from '../api/fields.ts'
import { fee, money, ticks } from '../mirror/record.ts'

const text = z.string().max(1_000).refine(isKeptAsItIs)
const whole = z.number().int()
const netPosition = whole.min(-1_000_000_000).max(1_000_000_000)
const side = z.enum(['buy', 'sell'])
const currency = currencyCode.nullable()
const account = z.strictObject({ id: text.nullable(), name: text.nullable() })
const otherFees = z.array(z.strictObject({ currency: brokerCurrency, amount: fee }))
const pairedFill = z.strictObject({ fillId: text, time, price: ticks })
const tradeDate = calendarDay.nullable()
const excursions = z.strictObject({ by: z.enum(['ninjatrader', 'file']), mfe: money.nullable(), mae: money.nullable() })
const line = whole.positive().optional()

/** Parses an exported reading: exactly the shape of `Reading`. */
export const readingShape = z.discriminatedUnion('says', [
  z.strictObject({
    says: z.literal('fill'), line, account, fillId: text, orderId: text.nullable(), contract: text, product: text.optional(), time, side, qty,
    price: ticks, tickSize: tickSizeText, fee: fee.nullable(), otherFees: otherFees.optional(), active: z.boolean(), realized: money.optional(), netAfter: netPosition.optional(), rank: whole.optional(), row: whole.optional(), hasOffset: z.literal(true).optional(), tradeDate,
  }),
  z.strictObject({
    says: z.literal('order'), line, account, orderId: text, contract: text, product: text.optional(), placedAt: time, filledAt: time, side, qty,
    /** The price in ticks, per contract. */
    priceSum: ticks, tickSize: tickSizeText, currency, fee: fee.optional(),
  }),
  z.strictObject({
    says: z.literal('pair'), line, account, pairId: text.nullable(), contract: text, product: text.optional(), buy: pairedFill, sell: pairedFill, qty,
    tickSize: tickSizeText, pnl: money, closing: side.optional(), fees: fee.optional(), unproved: z.literal(true).optional(), hasOffset: z.literal(true).optional(), currency, tradeDate, excursions: excursions.optional(),
  }),
  z.strictObject({
    says: z.literal('cash'), line, account, transactionId: text, time, tradeDate: calendarDay, movement: z.enum(['pair', 'fee', 'other']), type: text.optional(), transfer: z.literal(true).optional(),
    delta: money, amount: money, currency, contract: text.nullable(),
  }),
  z.strictObject({ says: z.literal('position'), account, contract: text, time, tradeDate: calendarDay, net: netPosition }),
  z.strictObject({
    says: z.literal('refused'), kind: z.enum(exportKinds), line: whole, account, contract: text.nullable(), time: time.nullable(),
    fillIds: z.array(text), orderId: text.nullable(), days: z.strictObject({ from: tradeDate, to: tradeDate }).optional(), moved: z.strictObject({ delta: money.nullable(), amount: money.nullable() }).optional(),
    beside: z.array(z.strictObject({ contract: text, fillId: text })),
  }),
  z.strictObject({ says: z.literal('balance'), line, account, tradeDate: calendarDay, total: money, realized: money, currency: currencyCode.optional() }),
])
