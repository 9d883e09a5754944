import type { Report } from '#shared/api/reports.ts'
import { chicagoTime, hasSession } from '#shared/market/session.ts'
import { dayOfDate, isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import type { ScheduledKind } from './rows.ts'

/** A period and the time (UTC ms) at which its scheduled report is due: half an hour after its last session closes. */
export type ScheduledPeriod = { readonly period: Report['period']; readonly dueAt: number }

// Chicago time, ms after midnight. Markets close at 16:00, and the sync that reads the whole session starts a little later.
const dueTime = 16.5 * 3_600_000
const maxPeriodsWithoutSession = 10
const maxDays = 3_660

/** The first and last day of the period around a day; a week is Monday to Friday. */
const periodAround = (kind: ScheduledKind, day: number): { readonly first: number; readonly last: number } => {
  if (kind === 'day') return { first: day, last: day }
  if (kind === 'week') {
    // Day 0, 1 January 1970, was a Thursday.
    const monday = day - ((day + 3) % 7)
    return { first: monday, last: monday + 4 }
  }
  const first = dayOfDate(`${isoDate(day).slice(0, 7)}-01`)
  return { first, last: dayOfDate(`${isoDate(first + 31).slice(0, 7)}-01`) - 1 }
}

/** Why a period is invalid, or null: a day is one day, a week at most seven days, a month a whole month, any other at most ten years. */
export const periodFault = ({ kind, from, to }: Report['period']): string | null => {
  const [first, last] = [dayOfDate(from), dayOfDate(to)]
  const days = last - first + 1
  if (days < 1) return 'before its beginning'
  const month = periodAround('month', first)
  const isValid = { day: days === 1, week: days <= 7, month: first === month.first && last === month.last, free: days <= maxDays }[kind]
  return isValid ? null : 'not a period of its kind'
}

/** Null for a period without a session. */
const scheduled = (kind: ScheduledKind, day: number): ScheduledPeriod | null => {
  const { first, last } = periodAround(kind, day)
  let closing = last
  while (closing >= first && !hasSession(isoDate(closing))) closing -= 1
  return closing < first ? null : { period: { kind, from: isoDate(first), to: isoDate(last) }, dueAt: chicagoTime(closing, dueTime) }
}

const stepped = (kind: ScheduledKind, day: number, by: 1 | -1): number => {
  const { first, last } = periodAround(kind, day)
  // The next week starts after the weekend.
  return by === -1 ? first - 1 : kind === 'week' ? first + 7 : last + 1
}

/** The period of a kind whose report was due last, at a UTC time (ms). */
export const lastDue = (kind: ScheduledKind, now: number): ScheduledPeriod => {
  let day = zoneClock('America/Chicago').dayOf(now)
  for (let tries = 0; tries <= maxPeriodsWithoutSession; tries += 1) {
    const found = scheduled(kind, day)
    if (found !== null && found.dueAt <= now) return found
    day = stepped(kind, day, -1)
  }
  throw new Error('No session in the last periods')
}

/** The period of a kind whose report is due next, after a UTC time (ms). */
export const nextDue = (kind: ScheduledKind, now: number): ScheduledPeriod => {
  let day = zoneClock('America/Chicago').dayOf(now)
  for (let tries = 0; tries <= maxPeriodsWithoutSession; tries += 1) {
    const found = scheduled(kind, day)
    if (found !== null && found.dueAt > now) return found
    day = stepped(kind, day, 1)
  }
  throw new Error('No session in the next periods')
}
