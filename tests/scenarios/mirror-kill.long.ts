import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JournalRows } from '../helpers/journal-rows.ts'
import { differences } from './kill-walk.ts'
import { moments, type Phase } from './mirror-order.ts'
import { openMirrorGround, type MirrorGround, type MirrorKill } from './mirror-walk.ts'

const killsAtEach = 6
const killsAtRandom = 15
const phases = ['sending', 'restoring'] as const
const computers = { sending: 'first', restoring: 'second' } as const

let ground: MirrorGround
/** What the cloud and the first computer hold after a walk in which nobody is killed. */
let told: JournalRows
let journal: JournalRows

beforeAll(async () => {
  ground = await openMirrorGround(4_000)
  const walk = await ground.walk()
  expect(await walk.start('first')).toEqual({ ended: true, struck: false })
  told = await walk.inCloud()
  journal = walk.rows('first')
})
afterAll(() => ground.close())

/** The kills of a phase that are still to come, and those that struck. */
type Kills = { readonly left: MirrorKill[]; readonly struck: MirrorKill[] }

/** Lets kills end one start after another until journal and cloud are equal; the kill that came too late for that is left for another walk. */
const killUntilEqual = async (start: (kill?: MirrorKill) => Promise<{ ended: boolean; struck: boolean }>, { left, struck }: Kills): Promise<void> => {
  const before = struck.length
  for (let kill = left.shift(); kill !== undefined; kill = left.shift()) {
    const came = await start(kill)
    if (came.struck) struck.push(kill)
    else if ('at' in kill && struck.length === before) throw new Error(`A whole phase never passed ${kill.at} for the ${String(kill.passing)}th time`)
    else left.push(kill)
    if (came.ended) return
  }
  expect(await start()).toEqual({ ended: true, struck: false })
}

/** Walks until every kill has struck; at the end of each phase all must be as if nobody was ever killed. */
const killAll = async (kills: Readonly<Record<Phase, readonly MirrorKill[]>>): Promise<Record<Phase, MirrorKill[]>> => {
  const all = { sending: { left: [...kills.sending], struck: [] as MirrorKill[] }, restoring: { left: [...kills.restoring], struck: [] as MirrorKill[] } }
  while (all.sending.left.length > 0 || all.restoring.left.length > 0) {
    const walk = await ground.walk()
    for (const phase of phases) {
      await killUntilEqual((kill) => walk.start(computers[phase], kill === undefined ? {} : { kill }), all[phase])
      expect(differences(await walk.inCloud(), told)).toEqual([])
      expect(differences(walk.rows(computers[phase]), journal)).toEqual([])
    }
  }
  return { sending: all.sending.struck, restoring: all.restoring.struck }
}

test('killed many times at every moment of either side, early and late', async () => {
  const killsOf = (phase: Phase): MirrorKill[] => Array.from({ length: killsAtEach }, (_, round) => moments[phase].map((at): MirrorKill => ({ at, passing: at === 'restore-ending' ? 1 : 1 + (round % 3) }))).flat()
  const struck = await killAll({ sending: killsOf('sending'), restoring: killsOf('restoring') })
  for (const phase of phases) {
    for (const at of moments[phase]) expect(struck[phase].filter((kill) => 'at' in kill && kill.at === at), at).toHaveLength(killsAtEach)
  }
})

test('killed at random moments, now one side and now the other', async () => {
  const killsOf = (): MirrorKill[] => Array.from({ length: killsAtRandom }, (_, index): MirrorKill => ({ who: index % 2 === 0 ? 'desktop' : 'cloud', afterMs: 100 + Math.random() * 2_400 }))
  const struck = await killAll({ sending: killsOf(), restoring: killsOf() })
  expect([struck.sending.length, struck.restoring.length]).toEqual([killsAtRandom, killsAtRandom])
})
