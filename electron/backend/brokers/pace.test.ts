import { expect, test } from 'vitest'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { createPace } from './pace.ts'

test('no more requests than the limit begin within any span, in their order', async () => {
  const timing = testTiming()
  const start = timing.now()
  const pace = createPace(timing, 3, 60_000)
  const begun: number[] = []
  const take = async (): Promise<void> => {
    await pace(undefined)
    begun.push(timing.now() - start)
  }
  await Promise.all([take(), take()])
  timing.pass(20_000)
  await Promise.all([take(), take(), take(), take(), take()])
  expect(begun).toEqual([0, 0, 20_000, 60_000, 60_000, 80_000, 120_000])
})

test('a canceled call lets the next go, and uses no slot', async () => {
  const timing = testTiming()
  const pace = createPace(timing, 1, 60_000)
  const given = new AbortController()
  given.abort()
  expect(await Promise.all([pace(undefined), pace(given.signal)])).toEqual([true, false])
  expect(await pace(undefined)).toBe(true)
  expect(timing.pauses).toEqual([60_000])
})

test('a clock that is set back holds nothing up', async () => {
  const timing = testTiming()
  const pace = createPace(timing, 1, 60_000)
  await pace(undefined)
  timing.pass(-3_600_000)
  await pace(undefined)
  expect(timing.pauses).toEqual([])
})
