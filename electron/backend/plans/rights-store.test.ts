import { expect, test } from 'vitest'
import { noRole } from '#shared/plans/checks.ts'
import { openRightsJournal } from '#tests/helpers/rights-journal.ts'
import { createRightsStore } from './rights-store.ts'

const start = Date.UTC(2026, 10, 2, 15)
const minute = 60_000
const hour = 60 * minute
const answer = { cloud: 'https://one.example', subscription: { status: 'active' }, details: null, role: noRole, verifiedAt: start - hour }

/** A memory over a real journal, with a wall clock that can be set and one that only runs. */
const open = () => {
  const { journal, userId } = openRightsJournal()
  const clock = { now: start, uptime: 0 }
  const begin = () => createRightsStore({ journal, now: () => clock.now, uptime: () => clock.uptime })
  const ageOf = async (memory: ReturnType<typeof begin>): Promise<number | undefined> => (await memory.of(userId, answer.cloud))?.age
  return { userId, clock, begin, ageOf }
}

test('an answer is remembered over a restart, for its own cloud only', async () => {
  const { begin, userId } = open()
  expect(await begin().of(userId, answer.cloud)).toBeNull()
  await begin().keep(userId, answer)
  expect(await begin().of(userId, answer.cloud)).toEqual({ ...answer, takenAt: start, age: 0 })
  expect(await begin().of(userId, 'https://other.example')).toBeNull()
  expect(await begin().of(userId, null)).toBeNull()
  expect(await begin().of('nobody', answer.cloud)).toBeNull()
})

test('it ages by the clock, also over a restart', async () => {
  const { begin, userId, clock, ageOf } = open()
  const memory = begin()
  await memory.keep(userId, answer)
  clock.now += 5 * hour
  expect(await ageOf(memory)).toBe(5 * hour)
  clock.now += hour
  expect(await ageOf(begin())).toBe(6 * hour)
})

test('a clock that is set back makes it no younger, now or after a restart', async () => {
  const { begin, userId, clock, ageOf } = open()
  const memory = begin()
  await memory.keep(userId, answer)
  clock.now += 5 * hour
  expect(await ageOf(memory)).toBe(5 * hour)
  clock.now = start - 24 * hour
  expect([await ageOf(memory), await ageOf(begin())]).toEqual([5 * hour, 5 * hour])
})

test("an answer saved by a clock that was ahead ages from the cloud's own time once the clock is corrected", async () => {
  const { begin, userId, clock, ageOf } = open()
  const memory = begin()
  clock.now = start + 60 * 24 * hour
  await memory.keep(userId, answer)
  expect(await ageOf(memory)).toBe(0)
  clock.now = start + 5 * hour
  expect([await ageOf(memory), await ageOf(begin())]).toEqual([6 * hour, 6 * hour])
})

test('with a stopped clock it ages by the program’s run time, over restarts except for ten minutes each', async () => {
  const { begin, userId, clock, ageOf } = open()
  await begin().keep(userId, answer)
  for (let run = 1; run <= 3; run += 1) {
    const memory = begin()
    await ageOf(memory)
    for (let look = 0; look < 11; look += 1) {
      clock.uptime += 6 * minute
      await ageOf(memory)
    }
    const age = (await ageOf(begin())) ?? 0
    expect(age).toBeLessThanOrEqual(run * 66 * minute)
    expect(age).toBeGreaterThan(run * 56 * minute)
  }
})

test('a new answer is fresh; one derived from another is as old as that', async () => {
  const { begin, userId, clock } = open()
  const memory = begin()
  await memory.keep(userId, answer)
  clock.now += 2 * hour
  const before = await memory.of(userId, answer.cloud)
  if (before === null) throw new Error('It was forgotten')
  await memory.keep(userId, { ...answer, role: { admin: true, subscriber: false } }, before)
  expect(await begin().of(userId, answer.cloud)).toMatchObject({ role: { admin: true }, age: 2 * hour, takenAt: start })
  await memory.keep(userId, answer)
  expect(await memory.of(userId, answer.cloud)).toMatchObject({ role: noRole, age: 0, takenAt: start + 2 * hour })
})
