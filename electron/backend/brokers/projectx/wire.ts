import { z } from 'zod'
import { utcMs } from '#shared/api/fields.ts'

// Fields that Fillbook does not read are left alone. An id beyond the safe integers was rounded on its way: its row is refused.
const id = z.int().positive()
const name = z.string().min(1).max(200)

const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** A moment with its offset, `2026-02-05T13:31:02.418337+00:00`; whole UTC milliseconds inside. */
const instant = z
  .string()
  .transform((text, context) => {
    // Only milliseconds are kept, and a clock reads no more than three digits by its standard.
    const time = isoInstant.test(text) ? Date.parse(text.replace(/(\.\d{3})\d+/, '$1')) : NaN
    if (!Number.isNaN(time)) return time
    context.addIssue({ code: 'custom' })
    return z.NEVER
  })
  .refine((time) => utcMs.safeParse(time).success)

/** Around every answer. Failures of the business come with HTTP 200, and each call numbers its own. */
export const envelope = z.object({ success: z.boolean(), errorCode: z.int(), errorMessage: z.string().nullish() })

/** The answer to a login. */
export const loginAnswer = z.object({ token: z.string().min(1) })

/** What a token that still lives is swapped for. */
export const validateAnswer = z.object({ newToken: z.string().min(1) })

/** The rows of a list, each parsed separately. */
export const accountList = z.object({ accounts: z.array(z.unknown()) }).transform(({ accounts }) => accounts)

/** One account. A blown one can't trade, and a hidden one is not visible. */
export const accountRow = z.object({ id, name, balance: z.number(), canTrade: z.boolean(), isVisible: z.boolean(), simulated: z.boolean() })
export type WireAccount = z.infer<typeof accountRow>

export const tradeList = z.object({ trades: z.array(z.unknown()) }).transform(({ trades }) => trades)

/** One half of a turn, which is a fill. */
export const tradeRow = z.object({
  id,
  accountId: id,
  contractId: name,
  creationTimestamp: instant,
  price: z.number(),
  /** Gross P&L realized by this fill; null if it opened or added. */
  profitAndLoss: z.number().nullish(),
  fees: z.number().nullish(),
  /** Newer than `fees`, and in addition to them. */
  commissions: z.number().nullish(),
  /** 0 buy, 1 sell. */
  side: z.int(),
  size: z.int().positive(),
  voided: z.boolean(),
  orderId: z.int().nullish(),
})
export type TradeRow = z.infer<typeof tradeRow>

export const positionList = z.object({ positions: z.array(z.unknown()) }).transform(({ positions }) => positions)

/** An open position. */
export const positionRow = z.object({
  id,
  accountId: id,
  contractId: name,
  creationTimestamp: instant,
  /** 1 long, 2 short. */
  type: z.int(),
  size: z.int().nonnegative(),
  averagePrice: z.number().nullish(),
})
export type PositionRow = z.infer<typeof positionRow>

export const orderList = z.object({ orders: z.array(z.unknown()) }).transform(({ orders }) => orders)

/** An order, as far as it works: 1 open, 6 pending. */
export const orderRow = z.object({ id, accountId: id, status: z.int() })
export type OrderRow = z.infer<typeof orderRow>

/** A contract: its name, its tick, and what a tick is worth. */
export const contractAnswer = z.object({ contract: z.object({ id: name, name, tickSize: z.number().positive(), tickValue: z.number().positive() }) })
export type ContractRow = z.infer<typeof contractAnswer>['contract']

export const barList = z.object({ bars: z.array(z.unknown()).nullable() }).transform(({ bars }) => bars ?? [])

/** A bar; it begins at `t`. */
export const barRow = z.object({ t: instant, o: z.number(), h: z.number(), l: z.number(), c: z.number(), v: z.number() })
export type BarRow = z.infer<typeof barRow>

/** What the hub says of an account, a position, a trade, and an order: rows like those of the searches, bare or as the data of a change. A flat position may lack what an open one has. */
const changed = <T extends z.ZodObject>(row: T) => z.preprocess((value) => (typeof value === 'object' && value !== null && 'data' in value ? value.data : value), row)
export const accountChanged = changed(z.object({ id, balance: z.number(), canTrade: z.boolean() }))
export const positionChanged = changed(z.object({ accountId: id, contractId: name, type: z.int(), size: z.int().nonnegative(), averagePrice: z.number().nullish() }))
export const tradeChanged = changed(z.object({ accountId: id, id }))
export const orderChanged = changed(orderRow)
