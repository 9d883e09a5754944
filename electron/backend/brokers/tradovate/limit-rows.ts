import { z } from 'zod'
import type { BrokerLimits } from '#shared/rules/day-facts.ts'
import { parseAmount, type Amount } from '#shared/money/money.ts'
import { instant } from './wire.ts'

/** The broker's limits of an account, from several rows; it gives a floor only by its components. */
export type ReportedLimits = Omit<BrokerLimits, 'drawdownLimit' | 'trailing'> & {
  readonly minNetLiq: Amount | null
  readonly maxNetLiq: Amount | null
  /** The drawdown limit's trailing distance, and where it locks. */
  readonly trailing: Amount | null
  readonly stopsAt: Amount | null
}

/** One row's limits of an account, by account number; absent fields are left out. */
export type LimitRow = { readonly accountId: number; readonly limits: Partial<ReportedLimits> }

/** An account's limits from all its rows. */
export const limitsOf = (reported: Partial<ReportedLimits>): BrokerLimits => {
  const { startingBalance = null, dailyLoss = null, trailing = null, reduceOnly = false, flatBy = null } = reported
  const drawdownLimit = floorOf(reported)
  return { startingBalance, drawdownLimit, trailing: drawdownLimit === null ? null : trailing, dailyLoss, reduceOnly, flatBy }
}

// `minNetLiq` is undocumented: it is the drawdown limit if the account's trailing loss agrees, otherwise it may be a lowest equity.
const floorOf = ({ minNetLiq = null, maxNetLiq = null, trailing = null, stopsAt = null }: Partial<ReportedLimits>): Amount | null => {
  if (minNetLiq === null || trailing === null) return null
  const trailed = maxNetLiq !== null && minNetLiq === maxNetLiq - trailing
  const stopped = stopsAt !== null && (minNetLiq === stopsAt || minNetLiq === stopsAt - trailing)
  return trailed || stopped ? minNetLiq : null
}

// If unset, the broker omits the figure or sends an unreachable one.
const mostMoney = 100_000_000
const money = z.number().nullish().transform((value): Amount | null => {
  if (value === null || value === undefined || Math.abs(value) >= mostMoney) return null
  const read = parseAmount(value, 'half-even')
  return read.ok ? read.value : null
})
const above = (amount: Amount | null): Amount | null => (amount !== null && amount > 0 ? amount : null)
// The row id is the account's; some answers also have an account id.
const ids = { id: z.int().positive().nullish(), accountId: z.int().positive().nullish() }
const accountOf = ({ id, accountId }: { readonly id?: number | null | undefined; readonly accountId?: number | null | undefined }): number => accountId ?? id ?? 0

const autoLiq = z
  .object({ ...ids, dailyLossAutoLiq: money, trailingMaxDrawdown: money.catch(null), trailingMaxDrawdownLimit: money.catch(null), flattenTimestamp: instant.nullish().catch(null) })
  .transform((row): LimitRow => ({
    accountId: accountOf(row),
    limits: { dailyLoss: above(row.dailyLossAutoLiq), trailing: above(row.trailingMaxDrawdown), stopsAt: above(row.trailingMaxDrawdownLimit), flatBy: row.flattenTimestamp ?? null },
  }))

const reducing: ReadonlySet<string> = new Set(['AgreedOnLiqOnlyModeByAutoLiq', 'AgreedOnLiquidationByAutoLiq', 'AgreedOnAutoLiquidationByAutoLiq', 'LiquidateImmediately', 'LiquidateOnlyModeImmediately', 'LockTradingImmediately'])

const riskStatus = z
  .object({ ...ids, adminAction: z.string().nullish(), liquidateOnly: z.string().nullish(), userTriggeredLiqOnly: z.boolean().nullish(), minNetLiq: money, maxNetLiq: money.catch(null) })
  .transform((row): LimitRow => ({
    accountId: accountOf(row),
    limits: { minNetLiq: above(row.minNetLiq), maxNetLiq: above(row.maxNetLiq), reduceOnly: reducing.has(row.adminAction ?? '') || row.userTriggeredLiqOnly === true || (row.adminAction !== 'Normal' && Boolean(row.liquidateOnly)) },
  }))

const account = z.object({ id: z.int().positive(), evaluationSize: money }).transform((row): LimitRow => ({ accountId: row.id, limits: { startingBalance: above(row.evaluationSize) } }))

const schemas = new Map<string, z.core.$ZodType<LimitRow>>([['userAccountAutoLiq', autoLiq], ['accountRiskStatus', riskStatus], ['account', account]])

/** The limits in a row of an entity, named as in events; null if none or unreadable. */
export const readLimits = (entity: string, value: unknown): LimitRow | null => {
  const schema = schemas.get(entity)
  const data = schema && z.safeParse(schema, value).data
  return data === undefined || data.accountId === 0 ? null : data
}
