// @module-tag slow
import { expect, test } from 'vitest'
import { nextRun, type NextRun } from './schedule.ts'

// Times are Chicago wall clock with its offset spelled out: -05:00 in summer, -06:00 in winter.
type Row = { title: string; now: string; lastAttempt?: string; lastGood?: string; at: string; trigger?: NextRun['trigger'] }

const rows: Row[] = [
  { title: 'a journal that never synced pulls at once while a session is open', now: '2026-07-15T10:00:00-05:00', at: '2026-07-15T10:00:00-05:00' },
  { title: 'a pull follows five minutes after the last', now: '2026-07-15T10:01:00-05:00', lastAttempt: '2026-07-15T10:00:00-05:00', at: '2026-07-15T10:05:00-05:00' },
  { title: 'a pull that is overdue (the computer slept) is due now', now: '2026-07-15T10:45:00-05:00', lastAttempt: '2026-07-15T10:00:00-05:00', at: '2026-07-15T10:45:00-05:00' },
  { title: 'the pull before the close comes at 15:55 sharp', now: '2026-07-15T15:53:30-05:00', lastAttempt: '2026-07-15T15:53:00-05:00', at: '2026-07-15T15:55:00-05:00' },
  { title: 'after the pull of 15:55 nothing comes before the daily run', now: '2026-07-15T15:55:10-05:00', lastAttempt: '2026-07-15T15:55:00-05:00', lastGood: '2026-07-15T15:55:00-05:00', at: '2026-07-15T16:02:00-05:00', trigger: 'daily' },
  { title: 'a computer that wakes at 15:59 still pulls before the close', now: '2026-07-15T15:59:00-05:00', lastAttempt: '2026-07-15T12:00:00-05:00', at: '2026-07-15T15:59:00-05:00' },
  { title: 'the daily run is tried again after ten minutes', now: '2026-07-15T16:03:00-05:00', lastAttempt: '2026-07-15T16:02:00-05:00', lastGood: '2026-07-15T15:55:00-05:00', at: '2026-07-15T16:12:00-05:00', trigger: 'daily' },
  { title: 'the daily run is not tried at 17:00 or later: the next session has begun by then', now: '2026-07-15T16:53:00-05:00', lastAttempt: '2026-07-15T16:52:00-05:00', lastGood: '2026-07-15T15:55:00-05:00', at: '2026-07-15T17:00:00-05:00' },
  { title: 'a daily run that went well ends the day', now: '2026-07-15T16:03:00-05:00', lastAttempt: '2026-07-15T16:02:00-05:00', lastGood: '2026-07-15T16:02:00-05:00', at: '2026-07-15T17:00:00-05:00' },
  { title: 'a start at 16:30 after a day without a run makes the daily run at once', now: '2026-07-15T16:30:00-05:00', lastAttempt: '2026-07-15T09:00:00-05:00', lastGood: '2026-07-15T09:00:00-05:00', at: '2026-07-15T16:30:00-05:00', trigger: 'daily' },
  { title: 'the evening belongs to the next session and is pulled', now: '2026-07-15T21:00:00-05:00', lastAttempt: '2026-07-15T20:58:00-05:00', at: '2026-07-15T21:03:00-05:00' },
  { title: 'a pull crosses midnight', now: '2026-07-15T23:58:00-05:00', lastAttempt: '2026-07-15T23:58:00-05:00', at: '2026-07-16T00:03:00-05:00' },
  { title: 'Friday has its daily run', now: '2026-07-17T15:56:00-05:00', lastAttempt: '2026-07-17T15:55:00-05:00', lastGood: '2026-07-17T15:55:00-05:00', at: '2026-07-17T16:02:00-05:00', trigger: 'daily' },
  { title: 'after it the weekend is left out until Sunday evening', now: '2026-07-17T16:05:00-05:00', lastAttempt: '2026-07-17T16:02:00-05:00', lastGood: '2026-07-17T16:02:00-05:00', at: '2026-07-19T17:00:00-05:00' },
  { title: 'a Friday whose daily run never went well also waits for Sunday', now: '2026-07-17T17:00:00-05:00', lastAttempt: '2026-07-17T16:52:00-05:00', lastGood: '2026-07-17T15:55:00-05:00', at: '2026-07-19T17:00:00-05:00' },
  { title: 'Saturday is left out', now: '2026-07-18T12:00:00-05:00', at: '2026-07-19T17:00:00-05:00' },
  { title: 'Sunday morning is left out', now: '2026-07-19T08:00:00-05:00', at: '2026-07-19T17:00:00-05:00' },
  { title: 'Sunday evening pulls', now: '2026-07-19T18:00:00-05:00', at: '2026-07-19T18:00:00-05:00' },
  { title: 'winter: the hour of maintenance lies an hour later in UTC', now: '2026-01-14T15:56:00-06:00', lastAttempt: '2026-01-14T15:55:00-06:00', lastGood: '2026-01-14T15:55:00-06:00', at: '2026-01-14T16:02:00-06:00', trigger: 'daily' },
  { title: 'the weekend in which summer time begins: Friday in winter time, Sunday 17:00 in summer time', now: '2026-03-06T16:05:00-06:00', lastAttempt: '2026-03-06T16:02:00-06:00', lastGood: '2026-03-06T16:02:00-06:00', at: '2026-03-08T17:00:00-05:00' },
  { title: 'the weekend in which summer time ends', now: '2026-10-30T16:05:00-05:00', lastAttempt: '2026-10-30T16:02:00-05:00', lastGood: '2026-10-30T16:02:00-05:00', at: '2026-11-01T17:00:00-06:00' },
]

test.each(rows)('$title', ({ now, lastAttempt, lastGood, at, trigger = 'schedule' }) => {
  const ms = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text))
  const next = nextRun({ now: Date.parse(now), lastAttempt: ms(lastAttempt), lastGood: ms(lastGood) })
  expect({ at: new Date(next.at).toISOString(), trigger: next.trigger }).toEqual({ at: new Date(at).toISOString(), trigger })
})

test('a year of runs that all go well: one daily run a weekday, one pull at each 15:55, nothing in a maintenance window', () => {
  const start = Date.parse('2026-01-04T12:00:00-06:00')
  const wall = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Chicago', weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const seen = { daily: 0, closing: 0, pulls: 0 }
  const wrong: string[] = []
  let last: number | null = null
  for (let now = start; now < start + 52 * 7 * 86_400_000; ) {
    const next = nextRun({ now, lastAttempt: last, lastGood: last })
    const [weekday = '', time = ''] = wall.format(next.at).split(' ')
    const closed = weekday === 'Sat' || (weekday === 'Sun' && time < '17:00') || (weekday === 'Fri' && time >= '17:00')
    if (closed || next.at < now || (next.trigger !== 'daily' && time >= '16:00' && time < '17:00')) wrong.push(`${weekday} ${time}`)
    if (next.trigger === 'daily') seen.daily += 1
    if (time === '15:55') seen.closing += 1
    seen.pulls += 1
    last = next.at
    now = next.at + 1_000
  }
  expect(wrong).toEqual([])
  expect(seen).toMatchObject({ daily: 52 * 5, closing: 52 * 5 })
})
