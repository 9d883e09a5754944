import { expect, test } from 'vitest'
import type { GroupDraft } from '#shared/api/copier.ts'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, ES, followerIn, MNQ, NQ, ruleOf, USER } from './engine-world.ts'

test('flatten all cancels and closes everything, locks, and reports each', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const id = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.trade(one, 'Sell', 3, ES)
  world.work(world.leader, { action: 'Sell', qty: 2, type: 'Stop', stopPrice: 10_000 })
  await until(() => (world.working(one).length === 1 && world.working(two).length === 1 ? true : null), 'the exits')
  const [first, second] = await Promise.all([engine.calls.flatten({ userId: USER, id }), engine.calls.flatten({ userId: USER, id })])
  expect(first).toBe(second)
  expect(first?.map(({ outcome }) => outcome)).toEqual(['flat', 'flat'])
  for (const account of [one, two]) expect([world.net(account), world.net(account, ES), world.working(account).length]).toEqual([0, 0, 0])
  expect(world.net(world.leader)).toBe(2)
  world.trade(world.leader, 'Buy', 1)
  await until(() => (followerIn(engine, one.key).contracts[0]?.leader === 3 ? true : null), 'the leader to be seen')
  expect([followerIn(engine, one.key).lock, world.net(one)]).toEqual(['flattened', 0])
})

test('a close that hangs during a manual close and reversal is canceled, and no close exceeds the position', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.broker.faults.add({ kind: 'slow-fill', path: '/order/placeorder', account: one.id, times: 1 })
  const reports = engine.calls.flatten({ userId: USER, id })
  await until(() => (world.ours(one).length === 2 ? true : null), 'the close to be placed')
  world.trade(one, 'Sell', 6)
  await world.holds(one, -4)
  expect(await reports).toMatchObject([{ outcome: 'flat' }])
  expect(world.ours(one).map(({ action, qty, status }) => [action, qty, status])).toEqual([['Buy', 2, 'Filled'], ['Sell', 2, 'Canceled'], ['Buy', 4, 'Filled']])
})

test('flatten all closes and locks a follower that was switched on, or unlocked, while another is still being closed', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two, three] = [world.follower(0), world.follower(1), world.follower(2)]
  const id = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key), ruleOf(three.key)])
  const follow = (on: boolean): void => {
    const { id: _, ...draft } = engine.calls.state({ userId: USER }).groups[0] ?? { id }
    engine.calls.saveGroup({ userId: USER, id, draft: { ...(draft as GroupDraft), followers: [ruleOf(one.key), ruleOf(two.key, { on }), ruleOf(three.key)] } })
  }
  world.trade(world.leader, 'Buy', 2)
  for (const each of [one, two, three]) await world.holds(each, 2)
  follow(false)
  world.broker.faults.add({ kind: 'slow-fill', path: '/order/placeorder', account: one.id, times: 1 })
  const first = engine.calls.flatten({ userId: USER, id })
  await until(() => (world.ours(one).length === 2 ? true : null), 'the close to be placed')
  await world.holds(three, 0)
  follow(true)
  engine.calls.unlock({ userId: USER, id, account: three.key })
  const second = engine.calls.flatten({ userId: USER, id })
  await world.holds(two, 0)
  expect([two, three].map(({ key }) => followerIn(engine, key).lock)).toEqual(['flattened', 'flattened'])
  world.broker.floor.release()
  // The unlock may have ended the first close of the third before a read confirmed it.
  expect([await first, await second].map((reports) => reports?.map(({ account, outcome }) => `${account === one.key ? 'one' : account === two.key ? 'two' : 'three'} ${outcome}`))).toEqual([['one flat', expect.stringMatching(/^three (not-)?flat$/)], ['one flat', 'two flat', 'three was-flat']])
  expect(world.ours(one).filter(({ action, status }) => action === 'Sell' && status === 'Filled').length).toBe(1)
})

test('flatten all locks a follower that left the group and came back while another is still being closed', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const id = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  for (const each of [one, two]) await world.holds(each, 2)
  world.broker.faults.add({ kind: 'slow-fill', path: '/order/placeorder', account: one.id, times: 1 })
  const first = engine.calls.flatten({ userId: USER, id })
  await world.holds(two, 0)
  const { id: _, ...draft } = engine.calls.state({ userId: USER }).groups[0] ?? { id }
  for (const followers of [[ruleOf(one.key)], [ruleOf(one.key), ruleOf(two.key)]]) engine.calls.saveGroup({ userId: USER, id, draft: { ...(draft as GroupDraft), followers } })
  expect(followerIn(engine, two.key).lock).toBeNull()
  const second = engine.calls.flatten({ userId: USER, id })
  await until(() => (followerIn(engine, two.key).lock === 'flattened' ? true : null), 'the lock')
  world.broker.floor.release()
  expect([await first, await second].map((reports) => reports?.map(({ outcome }) => outcome))).toEqual([['flat', 'flat'], ['flat', 'was-flat']])
})

test('a follower unlocked while it is flattened stays as it is, and nothing is reopened', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const id = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  await Promise.all([world.holds(one, 2), world.holds(two, 2)])
  world.broker.faults.add({ kind: 'reject-order', account: one.id, path: 'placeorder', reason: 'MaxOrderQtyLimitReached', text: 'Your maximum order quantity has been met.' })
  const reports = engine.calls.flatten({ userId: USER, id })
  await world.holds(two, 0)
  await until(() => (world.broker.traffic.seen().filter(({ path }) => path.endsWith('placeorder')).length >= 4 ? true : null), 'the close to be refused')
  engine.calls.unlock({ userId: USER, id, account: one.key })
  world.broker.faults.clear()
  expect((await reports)?.map(({ outcome }) => outcome)).toEqual(['not-flat', 'flat'])
  world.trade(world.leader, 'Buy', 1, MNQ)
  await world.holds(one, 1, MNQ)
  // What it held when it was unlocked is its user's, and nothing of what the leader held then is copied, asked for or not.
  expect([world.net(one), world.ours(one).filter(({ contract }) => contract === NQ).length]).toEqual([2, 1])
  await expect.poll(() => followerIn(engine, one.key).contracts.find(({ contract }) => contract === NQ)?.yours, { timeout: 20_000 }).toBe(2)
})

test('an account counts as flat only once a fresh read confirms it', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  world.broker.traffic.clear()
  world.broker.faults.add({ kind: 'error-text', text: 'Try again', path: 'position/list', times: 1 })
  expect(await engine.calls.flatten({ userId: USER, id })).toMatchObject([{ outcome: 'flat' }])
  expect(world.broker.faults.active()).toEqual([])
  expect(world.broker.traffic.seen().filter(({ path }) => path.endsWith('/position/list')).length).toBeGreaterThan(1)
})
