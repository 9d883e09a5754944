import { previousTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'

/** The most sessions that are looked back on. */
export const sessionsLookedAt = 60

/** How far an account was read in one session. */
export type SessionRead = {
  /** `YYYY-MM-DD` */
  readonly tradingDay: string
  /** When it was last read to the end, UTC ms; null where only `closed` is known. */
  readonly readUntil: number | null
  /** The last reading lacked fills: some were refused, or the broker's books count more than it listed. */
  readonly lacking?: boolean
  /** The user says that nothing is missing. */
  readonly closed: boolean
}

/** The part of a session that nobody read, UTC ms: it is over, and the broker does not list it any more. */
export type SessionGap = { readonly tradingDay: string; readonly from: number; readonly to: number }

/**
 * The sessions of an account that were not read to their end, latest first. Only those count whose lists the broker
 * has cleared by `now`; a read in the last five minutes or in the hour after the close covers a session, an earlier
 * one covers it until then; a session whose last reading lacked fills is missing as a whole. Nothing counts before `watchedSince`. Times are UTC ms.
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
