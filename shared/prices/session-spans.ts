import { hasSession, nextTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Micros, Span } from './tape.ts'

/** What a session's trades need of prices: from its first fill to its last, and with a margin around them. */
export type SessionSpan = { readonly core: Span; readonly span: Span }

const millisecond = 1000
const minute = 60_000_000
/** Before the first and behind the last fill: a chart shows how the trade came about, and a stretch without a print at its edge is covered. */
const margin = 15 * minute

/**
 * Cuts the spans of trades (UTC µs, in any order) into sessions, newest first. A position held overnight needs the whole
 * of the sessions between. The margin ends where the session or the present (`now`) does.
 */
export const sessionSpans = (spans: readonly Span[], now: Micros): readonly SessionSpan[] => {
  const sessions = new Map<string, { from: number; to: number }>()
  const take = (day: string, from: number, to: number): void => {
    const known = sessions.get(day)
    if (known === undefined) sessions.set(day, { from, to })
    else {
      known.from = Math.min(known.from, from)
      known.to = Math.max(known.to, to)
    }
  }
  for (const { from, to } of spans) {
    const last = dayAt(to - 1)
    for (let day = dayAt(from), begin = from; ; day = nextTradingDay(day), begin = sessionOf(day).opens * millisecond) {
      if (day >= last) {
        take(day, Math.min(begin, to - 1), to)
        break
      }
      take(day, begin, Math.max(begin + 1, sessionOf(day).closes * millisecond))
    }
  }
  return [...sessions].sort(([one], [other]) => (one < other ? 1 : -1)).map(([day, core]) => {
    const { opens, closes } = sessionOf(day)
    const from = Math.min(core.from, Math.max(core.from - margin, opens * millisecond))
    const to = Math.max(core.to, Math.min(core.to + margin, closes * millisecond, now))
    return { core, span: { from, to } }
  })
}

/** The trading day of a moment; what lies on a day without a session counts for the next one. */
const dayAt = (moment: Micros): string => {
  const day = tradingDay(Math.floor(moment / millisecond))
  return hasSession(day) ? day : nextTradingDay(day)
}
