import { copierLive, follower, group, liveGroup, rule, stance } from '#tests/helpers/copier-live.ts'
import type { CopierAlert, LiveFollower } from '#shared/api/copier.ts'
import { expect, test } from 'vitest'
import { createCopierAlerts } from './copier-alerts.ts'

const key = 'tradovate:demo:2'
const bare = (more: Partial<LiveFollower> = {}) => follower(key, { state: 'unprotected', contracts: [stance({ unprotected: true, exits: { working: 0, waiting: 1, refused: 'Price is out of range' } })], ...more })

const start = () => {
  const pushed: CopierAlert[] = []
  const alerts = createCopierAlerts({
    groups: () => Promise.resolve([group('g', 'tradovate:demo:1', [rule(key)], { name: 'Morning', unprotected: 'flatten' })]),
    accounts: () => Promise.resolve([{ key, loginId: 'login', environment: 'demo', id: 2, name: 'NGF-104' }]),
    push: (_, alert) => void pushed.push(alert),
    log: { warn: () => undefined },
  })
  let seq = 0
  /** The alerts raised by one more live state. */
  const raised = async (one: LiveFollower): Promise<string[]> => {
    const before = pushed.length
    await alerts.receive('ann', copierLive((seq += 1), [liveGroup('g', [one])]))
    return pushed.slice(before).map(({ trouble }) => trouble)
  }
  return { pushed, raised }
}

test('an unprotected follower raises one alert with its name, the broker’s reason, and the group’s setting, and no other until it was protected', async () => {
  const { pushed, raised } = start()
  expect(await raised(follower(key))).toEqual([])
  expect(await raised(bare())).toEqual(['unprotected'])
  expect(pushed).toEqual([{ trouble: 'unprotected', groupId: 'g', group: 'Morning', account: key, accountName: 'NGF-104', unprotected: 'flatten', brokerText: 'Price is out of range' }])
  expect(await raised(bare())).toEqual([])
  expect(await raised(follower(key))).toEqual([])
  expect(await raised(bare())).toEqual(['unprotected'])
})

test('a reconnect raises nothing again', async () => {
  const { raised } = start()
  expect(await raised(bare())).toEqual(['unprotected'])
  expect(await raised(follower(key, { line: 'connecting' }))).toEqual([])
  expect(await raised(bare())).toEqual([])
})

test('the guard’s lock and open questions raise an alert; other locks and its own filled exits do not', async () => {
  const { raised } = start()
  expect(await raised(follower(key, { state: 'locked', lock: 'rejects' }))).toEqual([])
  expect(await raised(follower(key, { state: 'locked', lock: 'guard' }))).toEqual(['guard'])
  expect(await raised(follower(key, { undecided: [{ contract: 'NQZ6', leader: 2, follower: 0 }] }))).toEqual(['decision'])
  expect(await raised(follower(key, { contracts: [stance({ why: 'exit-filled', difference: 2 })] }))).toEqual([])
  expect(await raised(follower(key, { state: 'out-of-step', contracts: [stance({ why: 'by-hand', difference: 2 })] }))).toEqual(['decision'])
  expect(await raised(bare({ state: 'off', contracts: [] }))).toEqual([])
})
