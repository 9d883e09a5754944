/** @module-tag long */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { fault } from '../helpers/fault.ts'
import type { JournalRows } from '../helpers/journal-rows.ts'
import { words } from '../helpers/words.ts'
import { barriers } from './kill-order.ts'
import { differences, openKillGround, type KillGround } from './kill-walk.ts'

let ground: KillGround
let undisturbed: JournalRows

beforeAll(async () => {
  ground = await openKillGround(4)
  const walk = await ground.walk()
  expect(await walk.start()).toBe(false)
  undisturbed = walk.rows()
})
afterAll(() => ground.close())

test('an undisturbed walk creates every kind of row', () => {
  for (const table of ['accounts', 'contracts', 'fills', 'batches', 'fill_pairs', 'trades', 'outbox']) expect(undisturbed[table]?.length, table).toBeGreaterThan(2)
})

test('killed once at every barrier of a run, the next starts finish the walk with nothing lost and nothing doubled', { tags: 'fault' }, async ({ task }) => {
  const count = fault(task, 'kill-sync')
  count.says(words('problems', 'code.program-unreachable'))
  const walk = await ground.walk()
  for (const at of barriers) {
    expect(await walk.start({ at }), at).toBe(true)
    count.tried()
  }
  expect(await walk.start()).toBe(false)
  count.compare(walk.rows(), undisturbed)
  expect(differences(walk.rows(), undisturbed)).toEqual([])
})

test('a write that is not atomic is detected: fills committed before their trades', { tags: 'nightly' }, async () => {
  const walk = await ground.walk()
  expect(await walk.start({ hook: new URL('./kill-planted.ts', import.meta.url).href })).toBe(true)
  // The sync itself sees that the broker's books have pairs that the journal lacks, and never calls itself complete.
  await expect(walk.start()).rejects.toThrow('The walk does not go on')
  const found = differences(walk.rows(), undisturbed)
  expect(found.some((line) => line.startsWith('- trades'))).toBe(true)
})
