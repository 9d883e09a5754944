import { ok, type Result } from '#shared/base/result.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { lastWholeDay, missingWindows } from '#shared/sync/history-windows.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import type { BrokeragePart } from '../brokers/port.ts'
import { saveSession } from './saving.ts'
import type { PartSetup, Tally } from './tally.ts'

/** How far back trading days are read where nobody says since when there are any, in days. */
const daysBack = 365
/** Days that are kept at once: a program that ends loses no more. */
const longestWindow = 28

/**
 * Reads the trading days that are over and that no run has read yet, of brokerages that tell of them, the oldest first, so
 * that positions are handed on forwards. A window is noted once its fills are kept, and one with an unreadable fill never.
 */
export const takePast = async (setup: PartSetup, tally: Tally, past: NonNullable<BrokeragePart['past']>, firstDay: NonNullable<BrokeragePart['firstDay']>): Promise<Result<null, BrokerFailure>> => {
  const { userId, journal, now, progress } = setup
  const to = lastWholeDay(now())
  const { windows } = await journal.read.history({ userId })
  const todo = [...tally.listed].flatMap((account) => {
    const known = windows.filter((window) => window.account === account)
    const from = firstDay(account) ?? isoDate(dayOfDate(to) - daysBack)
    return missingWindows({ from, to }, known, longestWindow).reverse().map((days) => ({ account, days }))
  })
  for (const [done, { account, days }] of todo.entries()) {
    progress({ phase: 'fills', done, total: todo.length })
    const fetched = await past(account, days)
    if (!fetched.ok) return fetched
    const { fills, pairs, trips } = tally.counts
    const saved = await saveSession({ ...setup, progress: () => undefined }, tally, fetched.value)
    if (!saved.ok) return saved
    if (fetched.value.refused.length > 0) continue
    await journal.write.noteHistoryWindow({ userId, account, ...days, at: now(), importId: null })
    const added = { fills: tally.counts.fills.added - fills.added, pairs: tally.counts.pairs.added - pairs.added, trips: tally.counts.trips.added - trips.added }
    await journal.write.countHistoryWindow({ userId, account, ...days, ...added })
  }
  return ok(null)
}
