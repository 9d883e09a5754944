import { recordRoutes } from '#shared/api/journal.ts'
import type { NewTrade } from '#shared/api/records.ts'
import type { Browser } from './browser.ts'

/** The week of Monday, 2 November 2026. */
export const reportedWeek = { kind: 'week', from: '2026-11-02', to: '2026-11-06' } as const

const minute = 60_000

/** Ten trades a day of a week in two accounts: the one at 9:30 in New York always loses 50, all others win 25 or lose 10 in turn; each costs 1 and is held for five minutes. */
export const reportedTrades: readonly NewTrade[] = Array.from({ length: 50 }, (_, index): NewTrade => {
  const [day, slot] = [Math.floor(index / 10), index % 10]
  const entry = Date.UTC(2026, 10, 2 + day, 14, 30) + slot * 30 * minute
  const points = slot === 0 ? -10 : slot % 2 === 0 ? -2 : 5
  return {
    id: `t${String(index)}`, symbol: slot % 3 === 0 ? 'MNQZ6' : 'MESZ6', account: slot < 5 ? 'Secret Eval 77' : 'Funded One', accountId: slot < 5 ? 'eval-77' : 'funded-1', side: 'long', qty: 1, platform: 'Sierra', commission: '1',
    entryPrice: 5_000, exitPrice: 5_000 + (slot % 3 === 0 ? points * 2.5 : points), entryTime: new Date(entry).toISOString(), exitTime: new Date(entry + 5 * minute).toISOString(),
  }
})

/** Puts them into the journal of whoever is signed in. */
export const addReportedTrades = async (browser: Browser, userId: string, trades: readonly NewTrade[] = reportedTrades): Promise<void> => {
  for (const trade of trades) await browser.call(recordRoutes.addTrade, { body: { userId, trade } })
}
