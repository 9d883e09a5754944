import { and, eq } from 'drizzle-orm'
import type { ChartLimits } from '#shared/api/chart-limits.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay as tradingDayOf } from '#shared/market/trading-day.ts'
import { foldDays } from '#shared/rules/fold.ts'
import { noRules } from '#shared/rules/terms.ts'
import { unexplainedBy } from '#shared/rules/unexplained.ts'
import type { Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { openCosts } from '../rules/open-costs.ts'
import { rulesOf } from '../own-data/account-rules.ts'
import { daysOf } from '../rules/rule-days.ts'
import { pairsOfSession } from './chart-trade.ts'

/** What the loss limits of a trade's account depend on in the session of its last fill; null if there is no such trade. */
export const chartLimitsOf = (reader: Reader, { userId, id }: OfUser & { readonly id: string }): ChartLimits | null => {
  const found = pairsOfSession(reader, { userId, id })
  if (found === null) return null
  const { first: { account, currency }, own: pairs, besides, ended, isAlike } = found
  const rules = rulesOf(reader, userId, account)
  // Its broker may limit an account without rules of its own.
  const own = rules?.set?.currency === currency ? rules.set : null
  const set = own ?? noRules(currency)
  const tradingDay = tradingDayOf(ended)
  const days = daysOf(reader, { userId, account, since: rules?.since ?? null, currency })
  const { past } = foldDays(set, days.filter((day) => day.tradingDay < tradingDay))
  const today = days.find((day) => day.tradingDay === tradingDay)
  const { opens } = sessionOf(tradingDay)
  const kept = reader.orm.select().from(accounts).where(and(eq(accounts.userId, userId), eq(accounts.key, account as AccountKey))).get()
  const balance = kept === undefined || kept.balance === null || kept.balanceAt === null || kept.currency !== currency ? null : { amount: kept.balance, at: kept.balanceAt }
  return {
    set, tradingDay,
    past: { days: past.days, profit: past.profit, highestClose: past.highestClose, highest: past.highest, maxLoss: past.lost['max-loss'], dailyLoss: past.lost['daily-loss'] },
    booked: [...pairs, ...besides].filter((row) => row.tradingDay === tradingDay).map((row) => ({ from: row.entryTime, at: row.exitTime, gross: row.gross, net: row.net, apart: !isAlike(row) })),
    moves: [...(today === undefined || today.adjustment === 0 ? [] : [{ at: opens, amount: today.adjustment }]), ...(today?.moves ?? [])],
    differs: past.foreign !== null || (own !== null && balance !== null && unexplainedBy(days, set, { ...balance, openCosts: openCosts(reader, userId, tradingDay)(account, currency) }) !== 0),
  }
}
