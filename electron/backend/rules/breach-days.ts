import type { Report } from '#shared/api/reports.ts'
import type { DayOutcome } from '#shared/rules/day-facts.ts'
import { foldDays } from '#shared/rules/fold.ts'
import type { Reader } from '../db/database.ts'
import { daysOf } from './rule-days.ts'
import { rulesOf } from '../own-data/account-rules.ts'

/** The trading days of a period on which an account's own rules were broken or paused it, by account, without accounts that have no rules. By closed trades, like the past. */
export const breachDaysOf = (reader: Reader, userId: string, accounts: readonly string[], { from, to }: Report['period']): ReadonlyMap<string, ReadonlySet<string>> => {
  const broken = accounts.flatMap((account): [string, ReadonlySet<string>][] => {
    const rules = rulesOf(reader, userId, account)
    if (rules === null || rules.set === null) return []
    const { set, since } = rules
    const { days } = foldDays(set, daysOf(reader, { userId, account, since, currency: set.currency }))
    return [[account, new Set(days.filter((day) => day.tradingDay >= from && day.tradingDay <= to && isBreach(day)).map(({ tradingDay }) => tradingDay))]]
  })
  return new Map(broken)
}

// A max loss stays breached: only the day of the breach counts.
const isBreach = ({ tradingDay, dailyLoss, heldLate, nearestCap: cap, after }: DayOutcome): boolean =>
  after.lost['max-loss']?.tradingDay === tradingDay || dailyLoss !== null || heldLate !== null || (cap !== null && cap.value > cap.limit)
