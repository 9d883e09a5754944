import { z } from 'zod'
import type { BrokerLimits } from '#shared/rules/day-facts.ts'
import { parseAmount, type Amount } from '#shared/money/money.ts'
import { instant } from './wire.ts'

/** What the broker tells of an account's limits, in several rows: a floor it names only by what it is made of. */
export type ToldLimits = Omit<BrokerLimits, 'floor'> & {
  readonly minNetLiq: Amount | null
  readonly maxNetLiq: Amount | null
  /** How far the floor stays under what it follows, and where it stops. */
  readonly trailing: Amount | null
  readonly stopsAt: Amount | null
}

/** What one row of the broker tells of an account's limits, by the account's number; what it does not speak of is left out. */
export type LimitRow = { readonly accountId: number; readonly limits: Partial<ToldLimits> }

/** The limits that follow from all rows of an account together. */
export const limitsOf = (told: Partial<ToldLimits>): BrokerLimits => {
  const { startingBalance = null, dailyLoss = null, reduceOnly = false, flatBy = null } = told
  return { startingBalance, floor: floorOf(told), dailyLoss, reduceOnly, flatBy }
}

// Nobody documents `minNetLiq`: it is the floor where the account's own trailing loss bears that out, and may be a lowest equity elsewhere.
const floorOf = ({ minNetLiq = null, maxNetLiq = null, trailing = null, stopsAt = null }: Partial<ToldLimits>): Amount | null => {
  if (minNetLiq === null || trailing === null) return null
  const trailed = maxNetLiq !== null && minNetLiq === maxNetLiq - trailing
  const stopped = stopsAt !== null && (minNetLiq === stopsAt || minNetLiq === stopsAt - trailing)
  return trailed || stopped ? minNetLiq : null
}

// Where nothing is set the broker leaves a figure out, or writes one that nobody reaches.
const mostMoney = 100_000_000
const money = z.number().nullish().transform((value): Amount | null => {
  if (value === null || value === undefined || Math.abs(value) >= mostMoney) return null
  const read = parseAmount(value, 'half-even')
  return read.ok ? read.value : null
})
const above = (amount: Amount | null): Amount | null => (amount !== null && amount > 0 ? amount : null)
// Its own number is the account's; some answers name the account besides.
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

const schemas = new Map<string, z.ZodType<LimitRow>>([['userAccountAutoLiq', autoLiq], ['accountRiskStatus', riskStatus], ['account', account]])

/** What a row of an entity, named as in the events, tells of limits; null where it tells nothing, or cannot be read. */
export const readLimits = (entity: string, value: unknown): LimitRow | null => {
  const { data } = schemas.get(entity)?.safeParse(value) ?? {}
  return data === undefined || data.accountId === 0 ? null : data
}
