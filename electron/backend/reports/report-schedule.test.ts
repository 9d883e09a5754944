import { expect, onTestFinished, test } from 'vitest'
import type { Report, ReportSchedule } from '#shared/api/reports.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { createReportScheduler, doneBefore, nextReportAt } from './report-schedule.ts'
import type { StoredReportSettings, ScheduleDone } from './rows.ts'

const utc = (text: string): number => Date.parse(`${text}Z`)
const all: ReportSchedule = { day: true, week: true, month: true, narrative: false }
const never: ReportSchedule = { day: false, week: false, month: false, narrative: false }
const nothing: ScheduleDone = { day: null, week: null, month: null }

/** A clock that stands until it is moved; whoever sleeps is woken by it. */
const start = (now: number, settings: Partial<StoredReportSettings>, { signedIn = true, mayRun = true, fails = false } = {}) => {
  const state = { now, signedIn, mayRun, fails, settings: { model: null, schedule: all, done: nothing, ...settings } as StoredReportSettings }
  const made: string[] = []
  const syncs: Promise<void>[] = []
  const sleepers = new Set<() => void>()
  let asleep = Promise.withResolvers<undefined>()
  const journal = {
    read: { scheduledUsers: () => Promise.resolve(['ann']), sessionCount: () => Promise.resolve(state.signedIn ? 1 : 0), reportSettings: () => Promise.resolve(state.settings) },
    write: { setReportSchedule: ({ schedule, done }: { schedule: ReportSchedule; done: ScheduleDone }) => Promise.resolve(void (state.settings = { ...state.settings, schedule, done })) },
  } as unknown as JournalCalls
  const clock = createReportScheduler({
    journal,
    reports: { makeScheduled: (_, { kind, from, to }: Report['period']) => (state.fails ? Promise.reject(new Error('No room')) : Promise.resolve(void made.push(`${kind} ${from} ${to}`))) },
    rights: { holds: () => Promise.resolve(state.mayRun) },
    synced: async () => { await Promise.all(syncs) },
    log: { error: () => undefined },
    now: () => state.now,
    sleep: (ms, signal) => {
      const slept = Promise.withResolvers<undefined>()
      const until = state.now + ms
      const look = (): void => {
        if (state.now < until) return
        sleepers.delete(look)
        slept.resolve(undefined)
      }
      sleepers.add(look)
      signal.addEventListener('abort', () => { sleepers.delete(look); slept.resolve(undefined) })
      asleep.resolve(undefined)
      asleep = Promise.withResolvers()
      return slept.promise
    },
  })
  onTestFinished(clock.stop)
  const rests = (): Promise<undefined> => asleep.promise
  return {
    state, made, syncs, clock,
    begin: async () => {
      const rest = rests()
      clock.start()
      await rest
    },
    /** Moves the clock, and settles once all that is due is made. */
    moveTo: async (time: number) => {
      const rest = rests()
      state.now = time
      for (const look of [...sleepers]) look()
      await rest
    },
    again: async () => {
      const rest = rests()
      clock.scheduleChanged()
      await rest
    },
  }
}

const upToDate: ScheduleDone = { day: '2026-11-17', week: '2026-11-13', month: '2026-10-31' }

test('makes each report once, half an hour after its last session closes', async () => {
  const { begin, moveTo, made } = start(utc('2026-11-18T12:00'), { done: upToDate })
  await begin()
  await moveTo(utc('2026-11-18T22:29'))
  expect(made).toEqual([])
  await moveTo(utc('2026-11-18T22:30'))
  expect(made).toEqual(['day 2026-11-18 2026-11-18'])
  await moveTo(utc('2026-11-18T23:30'))
  await moveTo(utc('2026-11-20T22:31'))
  expect(made.slice(1)).toEqual(['day 2026-11-20 2026-11-20', 'week 2026-11-16 2026-11-20'])
  await moveTo(utc('2026-11-30T22:30'))
  expect(made.slice(3)).toEqual(['day 2026-11-30 2026-11-30', 'week 2026-11-23 2026-11-27', 'month 2026-11-01 2026-11-30'])
})

test('makes up the last missed report of each kind after the program was closed', async () => {
  const { begin, made, state } = start(utc('2026-11-18T12:00'), { done: { day: '2026-09-01', week: '2026-08-28', month: '2026-08-31' } })
  await begin()
  expect(made).toEqual(['day 2026-11-17 2026-11-17', 'week 2026-11-09 2026-11-13', 'month 2026-10-01 2026-10-31'])
  expect(state.settings.done).toEqual(upToDate)
})

test('makes nothing for a user who is signed out or without a plan, and makes it up once that changes', async () => {
  const { begin, moveTo, made, state } = start(utc('2026-11-18T23:00'), { done: upToDate }, { signedIn: false })
  await begin()
  expect(made).toEqual([])
  Object.assign(state, { signedIn: true, mayRun: false })
  await moveTo(utc('2026-11-18T23:02'))
  expect(made).toEqual([])
  state.mayRun = true
  await moveTo(utc('2026-11-18T23:04'))
  expect(made).toEqual(['day 2026-11-18 2026-11-18'])
})

test('waits for a running sync', async () => {
  const sync = Promise.withResolvers<undefined>()
  const { begin, made, syncs, clock } = start(utc('2026-11-18T23:00'), { done: upToDate })
  syncs.push(sync.promise)
  const begun = begin()
  expect(made).toEqual([])
  sync.resolve(undefined)
  await begun
  expect(made).toEqual(['day 2026-11-18 2026-11-18'])
  await clock.stop()
})

test('retries a failed report, which holds up no other', async () => {
  const { begin, moveTo, made, state } = start(utc('2026-11-18T23:00'), { done: upToDate }, { fails: true })
  await begin()
  state.fails = false
  await moveTo(utc('2026-11-18T23:01'))
  expect(made).toEqual(['day 2026-11-18 2026-11-18'])
})

test('a new schedule makes no report for the past; a continued one skips none', async () => {
  const now = utc('2026-11-18T12:00')
  expect(doneBefore(never, all, nothing, now)).toEqual(upToDate)
  expect(doneBefore({ ...never, day: true }, all, { ...nothing, day: '2026-11-10' }, now)).toEqual({ ...upToDate, day: '2026-11-10' })
  expect(doneBefore(all, never, upToDate, now)).toEqual(nothing)
  const { begin, again, made, state } = start(now, { schedule: never })
  await begin()
  state.settings = { ...state.settings, schedule: all, done: doneBefore(never, all, nothing, now) }
  await again()
  expect(made).toEqual([])
})

test('knows when the next report is due', () => {
  const now = utc('2026-11-18T12:00')
  expect(nextReportAt(never, now)).toBeNull()
  expect(nextReportAt({ ...never, month: true }, now)).toBe(utc('2026-11-30T22:30'))
  expect(nextReportAt(all, now)).toBe(utc('2026-11-18T22:30'))
})
