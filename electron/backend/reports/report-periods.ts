import type { Report } from '#shared/api/reports.ts'
import { chicagoTime, hasSession } from '#shared/market/session.ts'
import { dayOfDate, isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import type { ScheduledKind } from './rows.ts'

/** A period with the moment from which its report is made by itself, UTC ms: half an hour after the close of its last session. */
export type ScheduledPeriod = { readonly period: Report['period']; readonly dueAt: number }

// Wall clock of Chicago, ms after midnight. The close is at 16:00, and the run that reads all of it begins a little later.
const dueTime = 16.5 * 3_600_000
const longestWithoutSession = 10
const longestDays = 3_660

/** The days that a day's period of a kind begins and ends with; a week is Monday to Friday. */
const periodWith = (kind: ScheduledKind, day: number): { readonly first: number; readonly last: number } => {
  if (kind === 'day') return { first: day, last: day }
  if (kind === 'week') {
    // Day 0, 1 January 1970, was a Thursday.
    const monday = day - ((day + 3) % 7)
    return { first: monday, last: monday + 4 }
  }
  const first = dayOfDate(`${isoDate(day).slice(0, 7)}-01`)
  return { first, last: dayOfDate(`${isoDate(first + 31).slice(0, 7)}-01`) - 1 }
}

/** Why a period is none of its kind: a day is one day, a week lies within seven days, a month is a whole one, and none is longer than ten years; null where it is one. */
export const periodFault = ({ kind, from, to }: Report['period']): string | null => {
  const [first, last] = [dayOfDate(from), dayOfDate(to)]
  const days = last - first + 1
  if (days < 1) return 'before its beginning'
  const month = periodWith('month', first)
  const isKind = { day: days === 1, week: days <= 7, month: first === month.first && last === month.last, free: days <= longestDays }[kind]
  return isKind ? null : 'not a period of its kind'
}

/** Null for a period in which no market is open. */
const scheduled = (kind: ScheduledKind, day: number): ScheduledPeriod | null => {
  const { first, last } = periodWith(kind, day)
  let closing = last
  while (closing >= first && !hasSession(isoDate(closing))) closing -= 1
  return closing < first ? null : { period: { kind, from: isoDate(first), to: isoDate(last) }, dueAt: chicagoTime(closing, dueTime) }
}

const stepped = (kind: ScheduledKind, day: number, by: 1 | -1): number => {
  const { first, last } = periodWith(kind, day)
  // A week goes on over its weekend.
  return by === -1 ? first - 1 : kind === 'week' ? first + 7 : last + 1
}

/** The period of a kind whose report became due last, at a UTC time (ms). */
export const lastDue = (kind: ScheduledKind, now: number): ScheduledPeriod => {
  let day = zoneClock('America/Chicago').dayOf(now)
  for (let tries = 0; tries <= longestWithoutSession; tries += 1) {
    const found = scheduled(kind, day)
    if (found !== null && found.dueAt <= now) return found
    day = stepped(kind, day, -1)
  }
  throw new Error('No market was open for days')
}

/** The period of a kind whose report becomes due next, after a UTC time (ms). */
export const nextDue = (kind: ScheduledKind, now: number): ScheduledPeriod => {
  let day = zoneClock('America/Chicago').dayOf(now)
  for (let tries = 0; tries <= longestWithoutSession; tries += 1) {
    const found = scheduled(kind, day)
    if (found !== null && found.dueAt > now) return found
    day = stepped(kind, day, 1)
  }
  throw new Error('No market will be open for days')
}
