import { previousTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'

/** How many past sessions are checked. */
export const sessionsLookedAt = 60

/** How far one session of an account was read. */
export type SessionRead = {
  /** `YYYY-MM-DD` */
  readonly tradingDay: string
  /** When it was last read completely, UTC ms; null if only `closed` is known. */
  readonly readUntil: number | null
  /** The last read lacked fills: some were rejected, or the broker's books count more than it listed. */
  readonly lacking?: boolean
  /** The user confirmed that nothing is missing. */
  readonly closed: boolean
}

/** The part of a session that was never read, UTC ms: the session is over, and the broker no longer lists it. */
export type SessionGap = { readonly tradingDay: string; readonly from: number; readonly to: number }

/**
 * The sessions of an account that were not read to their end, newest first. Only sessions count whose lists the broker
 * has cleared by `now`. A read in the last five minutes or in the hour after the close covers the session; an earlier
 * one covers it up to the read; a session whose last read lacked fills is missing completely. Nothing counts before
 * `watchedSince`. Times are UTC ms.
 */
export const sessionGaps = ({ watchedSince, reads, now }: { readonly watchedSince: number; readonly reads: readonly SessionRead[]; readonly now: number }): SessionGap[] => {
  const known = new Map(reads.map((read) => [read.tradingDay, read]))
  const gaps: SessionGap[] = []
  let day = previousTradingDay(tradingDay(now))
  for (let count = 0; count < sessionsLookedAt; count += 1) {
    const { opens, nearlyCloses, closes } = sessionOf(day)
    if (closes <= watchedSince) break
    const { readUntil = null, closed = false, lacking = false } = known.get(day) ?? {}
    const covered = lacking ? opens : (readUntil ?? opens)
    if (!closed && covered < nearlyCloses) gaps.push({ tradingDay: day, from: Math.max(opens, watchedSince, covered), to: closes })
    day = previousTradingDay(day)
  }
  return gaps
}
