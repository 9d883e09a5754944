/**
 * @module-tag long
 * @module-tag nightly
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { casesOf } from '../helpers/cases.ts'
import { fault, type FaultCount } from '../helpers/fault.ts'
import type { JournalRows } from '../helpers/journal-rows.ts'
import { words } from '../helpers/words.ts'
import { differences } from './kill-walk.ts'
import { moments, type Phase } from './mirror-order.ts'
import { isOfCloud, openMirrorGround, type MirrorGround, type MirrorKill, type Started } from './mirror-walk.ts'

const killsAtEach = casesOf({ nightly: 5, long: 1 })
const killsAtRandom = casesOf({ nightly: 10, long: 2, inCi: 1 })
const ofCloudInStart = 2
const phases = ['sending', 'restoring'] as const
const computers = { sending: 'first', restoring: 'second' } as const

let ground: MirrorGround
/** What the cloud and the first computer have after a walk without kills. */
let mirrored: JournalRows
let journal: JournalRows

beforeAll(async () => {
  ground = await openMirrorGround(casesOf({ nightly: 5_000, long: 5_000, inCi: 2_500 }))
  const walk = await ground.walk()
  expect(await walk.start('first')).toEqual({ ended: true, struck: [] })
  mirrored = await walk.inCloud()
  journal = walk.rows('first')
})
afterAll(() => ground.close())

/** The kills of a phase that are still to come, and those that struck. */
type Kills = { readonly left: MirrorKill[]; readonly struck: MirrorKill[] }

/** The next kill of the desktop, and some of the cloud. */
const takeKills = (left: MirrorKill[]): MirrorKill[] => {
  const taken = [...left.filter((kill) => !isOfCloud(kill)).slice(0, 1), ...left.filter(isOfCloud).slice(0, ofCloudInStart)]
  for (const kill of taken) left.splice(left.indexOf(kill), 1)
  return taken
}

/** Kills one start after another until journal and cloud are equal; kills that came too late are left for another walk. */
const killUntilEqual = async (start: (kills: readonly MirrorKill[]) => Promise<Started>, { left, struck }: Kills, count: FaultCount): Promise<void> => {
  const before = struck.length
  for (;;) {
    const kills = takeKills(left)
    const came = await start(kills)
    struck.push(...came.struck)
    count.tried(came.struck.length)
    left.push(...kills.filter((kill) => !came.struck.includes(kill)))
    if (!came.ended) continue
    if (struck.length === before && kills.some((kill) => 'at' in kill)) throw new Error(`A whole phase passed none of ${JSON.stringify(kills)}`)
    return
  }
}

/** Walks until every kill has struck; at the end of each phase the result must equal one without kills. */
const killAll = async (kills: Readonly<Record<Phase, readonly MirrorKill[]>>, count: FaultCount): Promise<Record<Phase, readonly MirrorKill[]>> => {
  const all = { sending: { left: [...kills.sending], struck: [] as MirrorKill[] }, restoring: { left: [...kills.restoring], struck: [] as MirrorKill[] } }
  while (all.sending.left.length > 0 || all.restoring.left.length > 0) {
    const walk = await ground.walk()
    for (const phase of phases) {
      await killUntilEqual((given) => walk.start(computers[phase], { kills: given }), all[phase], count)
      count.compare(await walk.inCloud(), mirrored)
      count.compare(walk.rows(computers[phase]), journal)
      expect(differences(await walk.inCloud(), mirrored)).toEqual([])
      expect(differences(walk.rows(computers[phase]), journal)).toEqual([])
    }
  }
  count.says(words('app', 'place.offline-text'))
  return { sending: all.sending.struck, restoring: all.restoring.struck }
}

test('killed many times at every moment of either side, early and late', { tags: 'fault' }, async ({ task }) => {
  // The end of a restore comes once.
  const killsOf = (phase: Phase): MirrorKill[] => Array.from({ length: killsAtEach }, (_, round) => moments[phase].map((at): MirrorKill => ({ at, passing: at === 'restore-ending' ? 1 : 1 + (round % 3) }))).flat()
  const struck = await killAll({ sending: killsOf('sending'), restoring: killsOf('restoring') }, fault(task, 'kill-mirror'))
  for (const phase of phases) {
    for (const at of moments[phase]) expect(struck[phase].filter((kill) => 'at' in kill && kill.at === at), at).toHaveLength(killsAtEach)
  }
})

test('killed at random moments, now one side and now the other', { tags: 'fault' }, async ({ task }) => {
  const killsOf = (): MirrorKill[] => Array.from({ length: killsAtRandom }, (_, index): MirrorKill => ({ who: index % 2 === 0 ? 'desktop' : 'cloud', drawMs: () => 100 + Math.random() * 2_400 }))
  const struck = await killAll({ sending: killsOf(), restoring: killsOf() }, fault(task, 'kill-mirror'))
  expect([struck.sending.length, struck.restoring.length]).toEqual([killsAtRandom, killsAtRandom])
})
