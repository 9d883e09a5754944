/** @module-tag long */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { mirrorParts } from '#shared/mirror/record.ts'
import { fault, type FaultCount } from '../helpers/fault.ts'
import type { JournalRows } from '../helpers/journal-rows.ts'
import { words } from '../helpers/words.ts'
import { differences } from './kill-walk.ts'
import { openMirrorGround, type MirrorGround, type MirrorKill, type MirrorWalk } from './mirror-walk.ts'

let ground: MirrorGround
/** What the cloud and both computers have after a walk without kills. */
let mirrored: JournalRows
let journal: JournalRows

beforeAll(async () => {
  ground = await openMirrorGround(2_500)
  const walk = await ground.walk()
  expect(await walk.start('first')).toEqual({ ended: true, struck: [] })
  mirrored = await walk.inCloud()
  journal = walk.rows('first')
  expect(await walk.start('second')).toEqual({ ended: true, struck: [] })
  expect(differences(walk.rows('second'), journal)).toEqual([])
  expect(differences(await walk.inCloud(), mirrored)).toEqual([])
})
afterAll(() => ground.close())

/** Lets each kill end one start, and then one come to its end. */
const killed = async (walk: MirrorWalk, computer: 'first' | 'second', kills: readonly MirrorKill[] = [], count?: FaultCount): Promise<void> => {
  for (const kill of kills) {
    expect((await walk.start(computer, { kills: [kill] })).struck).toEqual([kill])
    count?.tried()
  }
  expect(await walk.start(computer)).toEqual({ ended: true, struck: [] })
}

test('an undisturbed walk creates records of every kind', () => {
  const kinds = Map.groupBy(mirrored['records'] ?? [], ({ entity }) => entity)
  for (const entity of Object.values(mirrorParts).flat()) expect(kinds.get(entity)?.length ?? 0, entity).toBeGreaterThan(0)
  expect(mirrored['numbers']).toEqual([{ given_once: true, up_to_head: true }])
  expect(mirrored['pictures']?.length).toBeGreaterThan(2)
  expect(journal).toMatchObject({ outbox: [], stale: [] })
  for (const [table, rows] of Object.entries(journal)) if (table !== 'outbox' && table !== 'stale') expect(rows.length, table).toBeGreaterThan(0)
})

test('whichever side is killed during a batch or a page, the cloud and the second journal end as if undisturbed', { tags: 'fault' }, async ({ task }) => {
  const count = fault(task, 'kill-mirror')
  count.says(words('app', 'place.offline-text'))
  const walk = await ground.walk()
  await killed(walk, 'first', [{ at: 'batch-read', passing: 2 }, { at: 'push-sent', passing: 1 }, { at: 'push-answered', passing: 1 }, { at: 'records-written', passing: 1 }], count)
  expect(differences(await walk.inCloud(), mirrored)).toEqual([])
  expect(differences(walk.rows('first'), journal)).toEqual([])
  count.compare(walk.rows('first'), journal)
  await killed(walk, 'second', [{ at: 'page-received', passing: 2 }, { at: 'fills-written', passing: 1 }, { at: 'page-taken', passing: 2 }, { at: 'page-queried', passing: 1 }], count)
  count.compare(walk.rows('second'), journal)
  count.compare(await walk.inCloud(), mirrored)
  expect(differences(walk.rows('second'), journal)).toEqual([])
  expect(differences(await walk.inCloud(), mirrored)).toEqual([])
})

test('a mirror that clears its outbox before the cloud accepted it is detected', { tags: 'nightly' }, async () => {
  const walk = await ground.walk()
  const kills = [{ at: 'batch-read', passing: 1 }] as const
  expect(await walk.start('first', { kills, planted: 'a batch is struck off before the cloud took it' })).toEqual({ ended: false, struck: kills })
  await killed(walk, 'first')
  expect(differences(await walk.inCloud(), mirrored).some((line) => line.startsWith('- records'))).toBe(true)
})

test('a mirror that saves its cursor before the page is detected', { tags: 'nightly' }, async () => {
  const walk = await ground.walk()
  await killed(walk, 'first')
  const kills = [{ at: 'group-begun', passing: 1 }] as const
  expect(await walk.start('second', { kills, planted: 'the place is kept before the page' })).toEqual({ ended: false, struck: kills })
  await killed(walk, 'second')
  expect(differences(walk.rows('second'), journal).some((line) => line.startsWith('- fills'))).toBe(true)
})
