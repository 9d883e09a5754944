import { expect, onTestFinished, test } from 'vitest'
import { checkAfterMs, createBackupClock, firstBackupAfterMs, lookEveryMs } from './schedule.ts'

const zone = 'America/New_York'
const hour = 3_600_000
const noon = Date.UTC(2026, 10, 22, 17)

/** A program that starts at `now` and whose clock stands until it is moved. */
const start = async (now: number) => {
  const state = { now, fails: false }
  const done: string[] = []
  let asleep = Promise.withResolvers<number>()
  let wake: () => void = () => undefined
  const clock = createBackupClock({
    backups: {
      check: () => Promise.resolve(void done.push('checked')),
      makeDaily: () => {
        done.push('made')
        return Promise.resolve(!state.fails)
      },
    },
    timeZone: zone, log: { error: () => undefined }, now: () => state.now,
    sleep: (ms, signal) => {
      const slept = Promise.withResolvers<undefined>()
      wake = () => { slept.resolve(undefined) }
      signal.addEventListener('abort', () => { slept.reject(new Error('aborted')) })
      asleep.resolve(ms)
      asleep = Promise.withResolvers()
      return slept.promise
    },
  })
  onTestFinished(clock.stop)
  const first = asleep.promise
  clock.begin()
  /** Lets time pass and the clock look; gives how long it sleeps then. */
  const pass = async (ms: number): Promise<number> => {
    state.now += ms
    const next = asleep.promise
    wake()
    return next
  }
  const pauses = [await first, await pass(checkAfterMs)]
  return { state, done, pauses, pass }
}

test('the file is checked soon after the start, and the first backup is made some minutes later, once', async () => {
  const { done, pauses, pass } = await start(noon)
  expect([done, pauses]).toEqual([['checked'], [checkAfterMs, firstBackupAfterMs]])
  expect(await pass(firstBackupAfterMs)).toBe(lookEveryMs)
  for (let looks = 0; looks < 10; looks += 1) await pass(lookEveryMs)
  expect(done).toEqual(['checked', 'made'])
})

test('one a calendar day of the computer, while the program runs, also over nights and after sleep', async () => {
  const { done, pass } = await start(noon)
  await pass(firstBackupAfterMs)
  // Seven in the evening in New York is another day in UTC already.
  await pass(10 * hour)
  expect(done).toEqual(['checked', 'made'])
  await pass(2 * hour + 1)
  await pass(72 * hour)
  expect(done).toEqual(['checked', 'made', 'made', 'made'])
})

test('one that failed is tried again, until one is made', async () => {
  const { done, state, pass } = await start(noon)
  state.fails = true
  await pass(firstBackupAfterMs)
  await pass(lookEveryMs)
  expect(done).toEqual(['checked', 'made', 'made'])
  state.fails = false
  await pass(lookEveryMs)
  await pass(lookEveryMs)
  expect(done).toEqual(['checked', 'made', 'made', 'made'])
})
