import { copierLive, follower, liveGroup } from '#tests/helpers/copier-live.ts'
import { expect, test } from 'vitest'
import { newestCopier } from './copier.ts'

const reading = (seq: number, more: object = {}) => ({ groups: [], live: copierLive(seq, [liveGroup('g', [follower('a')])]), limit: 10, used: 1, ...more })

test('a newer state takes the place of an older one, never the other way round', () => {
  expect(newestCopier(undefined, reading(1))).toEqual(reading(1))
  expect(newestCopier(reading(1), reading(2))).toEqual(reading(2))
  expect(newestCopier(reading(2), reading(1))).toEqual(reading(2))
})

test('what else was read is taken over beside an older state', () => {
  expect(newestCopier(reading(2), reading(1, { used: 7 }))).toEqual(reading(2, { used: 7 }))
})

test('after a restart of the program the numbers start over, the clock does not', () => {
  const restarted = { ...reading(1), live: { ...reading(1).live, at: reading(9).live.at + 1 } }
  expect(newestCopier(reading(9), restarted)).toEqual(restarted)
})

test('what did not change stays the very same', () => {
  const known = reading(1)
  const next = newestCopier(known, reading(2)) as ReturnType<typeof reading>
  expect(next.live.groups).toBe(known.live.groups)
})
