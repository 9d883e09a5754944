import { z } from 'zod'
import { utcMs } from '#shared/api/fields.ts'

export { readRow, readRows, type RefusalReason, type RefusedRow, type Rows } from '../rows.ts'

// Ids exceed 2^32 but stay within the safe integers. Fields that Fillbook does not read are left alone:
// the broker adds new ones without notice.
const id = z.int().positive()

const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** A moment as the broker writes it, with or without seconds; UTC milliseconds inside. */
export const instant = z.string().transform((text, context) => {
  const time = isoInstant.test(text) ? Date.parse(text) : NaN
  if (!Number.isNaN(time)) return time
  context.addIssue({ code: 'custom' })
  return z.NEVER
})

// As far as a journal's clock counts.
const keptInstant = instant.refine((time) => utcMs.safeParse(time).success)

/** The exchange's session date; `month` counts from 1. */
const tradeDate = z
  .object({ year: z.int().min(1970).max(9999), month: z.int().min(1).max(12), day: z.int().min(1).max(31) })
  .refine(({ year, month, day }) => new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1)

// As long as a journal keeps names.
const name = z.string().min(1).max(200)

/** One brokerage account. The host tells whether it is real or simulated, no field does. */
export const accountRow = z.object({
  id,
  name,
  userId: id,
  active: z.boolean().optional(),
  closed: z.boolean().optional(),
  archived: z.boolean().optional(),
})
export type WireAccount = z.infer<typeof accountRow>

/** The cash of one account in one currency, now. */
export const cashBalanceRow = z.object({
  id,
  accountId: id,
  timestamp: keptInstant,
  tradeDate,
  currencyId: id,
  amount: z.number(),
  realizedPnL: z.number().optional(),
  amountSOD: z.number().optional(),
})
export type CashBalanceRow = z.infer<typeof cashBalanceRow>

/** One account now, open positions included; figures are missing if there was no trade. */
export const snapshotAnswer = z.object({
  totalCashValue: z.number().optional(),
  netLiq: z.number().optional(),
  openPnL: z.number().optional(),
  realizedPnL: z.number().optional(),
})
export type SnapshotAnswer = z.infer<typeof snapshotAnswer>

/** The broker numbers currencies in its own way: this is the list that resolves them to ISO 4217 codes. */
export const currencyRow = z.object({ id, name: z.string().regex(/^[A-Z]{3}$/) })
export type CurrencyRow = z.infer<typeof currencyRow>

/** One execution. It does not say its account: the order does. */
export const fillRow = z.object({
  id,
  orderId: id,
  contractId: id,
  timestamp: keptInstant,
  tradeDate,
  action: z.string(),
  qty: z.int().positive(),
  price: z.number(),
  active: z.boolean(),
})
export type WireFill = z.infer<typeof fillRow>

const fee = z.number().optional()
const feeCurrency = id.optional()

/** The fees of one fill. The id is the fill's; amounts are for the whole fill. */
export const fillFeeRow = z.object({
  id,
  commission: fee,
  commissionCurrencyId: feeCurrency,
  exchangeFee: fee,
  exchangeCurrencyId: feeCurrency,
  clearingFee: fee,
  clearingCurrencyId: feeCurrency,
  nfaFee: fee,
  nfaCurrencyId: feeCurrency,
  brokerageFee: fee,
  brokerageCurrencyId: feeCurrency,
  ipFee: fee,
  ipCurrencyId: feeCurrency,
  orderRoutingFee: fee,
  orderRoutingCurrencyId: feeCurrency,
})
export type FillFeeRow = z.infer<typeof fillFeeRow>

/** The fields of an order that name its account. */
export const orderRow = z.object({ id, accountId: id })
export type OrderRow = z.infer<typeof orderRow>

/** What an order asks for; each change adds one, with a higher id. */
export const orderVersionRow = z.object({ id, orderId: id, orderQty: z.int().positive(), orderType: z.string(), price: z.number().nullish(), stopPrice: z.number().nullish() })
export type OrderVersionRow = z.infer<typeof orderVersionRow>

/** What became of a command: `commandId` is the one that entered or changed the order. */
export const executionReportRow = z.object({ id, commandId: id, orderId: id, accountId: id, contractId: id, timestamp: keptInstant, execType: z.string(), ordStatus: z.string().nullish(), action: z.string() })
export type ExecutionReportRow = z.infer<typeof executionReportRow>

/** What an account holds of a contract, and what it traded of it in the session of `tradeDate`. */
export const positionRow = z.object({
  id,
  accountId: id,
  contractId: id,
  timestamp: keptInstant,
  tradeDate,
  /** Signed contracts now, and at the end of the session before. */
  netPos: z.int(),
  prevPos: z.int(),
  bought: z.int().nonnegative(),
  sold: z.int().nonnegative(),
})
export type PositionRow = z.infer<typeof positionRow>

/** A buy and a sell that the broker matched; the account and the contract are those of its position. */
export const fillPairRow = z.object({ id, positionId: id, buyFillId: id, sellFillId: id, qty: z.int().positive(), buyPrice: z.number(), sellPrice: z.number(), active: z.boolean() })
export type FillPairRow = z.infer<typeof fillPairRow>

/** A contract, `MESM6`. */
export const contractRow = z.object({ id, name, contractMaturityId: id })
export type ContractRow = z.infer<typeof contractRow>

/** The expiry that leads from a contract to its product. */
// The month is YYYYMM, by one page of the documentation only 1 to 12.
export const maturityRow = z.object({ id, productId: id, expirationMonth: z.number().optional().catch(undefined) })
export type MaturityRow = z.infer<typeof maturityRow>

/** A product, `MES`: what a point is worth, and the tick. */
export const productRow = z.object({
  id,
  name,
  description: z.string().optional(),
  currencyId: id,
  valuePerPoint: z.number().positive(),
  tickSize: z.number().positive(),
})
export type ProductRow = z.infer<typeof productRow>

/** The login's own user. */
export const userRow = z.object({ id, name: z.string() })
export type UserRow = z.infer<typeof userRow>
