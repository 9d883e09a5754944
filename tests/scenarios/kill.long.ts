// @module-tag long
// @module-tag nightly
import { afterAll, beforeAll, expect, test } from 'vitest'
import { casesOf } from '../helpers/cases.ts'
import { fault, type FaultCount } from '../helpers/fault.ts'
import type { JournalRows } from '../helpers/journal-rows.ts'
import { words } from '../helpers/words.ts'
import { barriers } from './kill-order.ts'
import { differences, openKillGround, type Kill, type KillGround } from './kill-walk.ts'

// CI has once at each: kill-once.long.ts.
const killsAtEach = casesOf({ nightly: 10, long: 2 })
const killsAtRandom = casesOf({ nightly: 60, long: 8 })
// Kills are spread over walks of their own, so that they strike early and late ones.
const killsInWalk = 20

let ground: KillGround
let undisturbed: JournalRows
let undisturbedMs: number

beforeAll(async () => {
  ground = await openKillGround(13)
  const walk = await ground.walk()
  const began = performance.now()
  expect(await walk.start()).toBe(false)
  undisturbedMs = performance.now() - began
  undisturbed = walk.rows()
})
afterAll(() => ground.close())

/** Lets each kill end one start, and beginning a new walk whenever one is finished compares it with the undisturbed one. */
const killAll = async (kills: readonly Kill[], count: FaultCount): Promise<Map<Kill, number>> => {
  const struck = new Map<Kill, number>()
  let walk = await ground.walk()
  const finish = async (): Promise<void> => {
    if (await walk.start()) throw new Error('Killed by nobody')
    count.compare(walk.rows(), undisturbed)
    expect(differences(walk.rows(), undisturbed)).toEqual([])
    walk = await ground.walk()
  }
  let inWalk = 0
  for (const kill of kills) {
    while (!(await walk.start(kill))) {
      // This start came to the end of its walk first.
      await finish()
      inWalk = 0
    }
    struck.set(kill, (struck.get(kill) ?? 0) + 1)
    count.tried()
    inWalk += 1
    if (inWalk < killsInWalk) continue
    await finish()
    inWalk = 0
  }
  await finish()
  // The program is gone, which a page would show; the next start continues.
  count.says(words('problems', 'code.program-unreachable'))
  return struck
}

test.runIf(killsAtEach > 0)('killed many times at every barrier, early and late in a run', { tags: 'fault' }, async ({ task }) => {
  const kills = Array.from({ length: killsAtEach }, (_, round) => barriers.map((at): Kill => ({ at: `${at}:${String(1 + (round % 4))}` }))).flat()
  const struck = await killAll(kills, fault(task, 'kill-sync'))
  for (const at of barriers) expect([...struck.keys()].filter((kill) => 'at' in kill && kill.at.startsWith(`${at}:`)).length, at).toBeGreaterThanOrEqual(Math.min(5, killsAtEach))
  expect(struck.size).toBe(barriers.length * killsAtEach)
})

test('killed at random moments', { tags: 'fault' }, async ({ task }) => {
  const struck = await killAll(Array.from({ length: killsAtRandom }, () => ({ drawMs: () => Math.random() * undisturbedMs })), fault(task, 'kill-sync'))
  expect(struck.size).toBe(killsAtRandom)
})
