import { expect, test } from 'vitest'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, followerIn, NQ, ready, ruleOf, USER } from './engine-world.ts'

test.each(['follower', 'group'] as const)('a stop that a removed %s left closes the position once in the group that adopted it', async (removed) => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  world.broker.hand.setPrice(NQ, 25_000)
  const before = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  for (const account of [one, two]) await world.holds(account, 2)
  // The follower's stop will fill before the leader's, which shows whose contracts it closes.
  world.broker.faults.add({ kind: 'slow-fill', account: world.leader.id, times: 1 })
  world.work(world.leader, { action: 'Sell', qty: 2, type: 'Stop', stopPrice: 24_900 })
  await until(() => ([one, two].every((account) => world.working(account).length === 1) ? true : null), 'the stops')
  const { groups: [group] } = engine.calls.state({ userId: USER })
  if (group === undefined) throw new Error('No group')
  if (removed === 'follower') engine.calls.saveGroup({ userId: USER, id: before, draft: { ...group, followers: [ruleOf(two.key)] } })
  else {
    engine.calls.disarm({ userId: USER, id: before })
    expect(engine.calls.removeGroup({ userId: USER, id: before })).toBe(true)
  }
  const { id } = engine.calls.saveGroup({ userId: USER, id: null, draft: { ...group, name: 'Next group', followers: [ruleOf(one.key)] } }) ?? { id: '' }
  engine.calls.allow({ userId: USER, id, entries: true })
  await engine.calls.arm({ userId: USER, id })
  await ready(engine, id)
  await until(() => (followerIn(engine, one.key).undecided.length > 0 ? true : null), 'the question')
  engine.calls.answerStart({ userId: USER, id, account: one.key, answer: 'adopt' })
  await until(() => (followerIn(engine, one.key).state === 'armed' ? true : null), 'the adopted position to be in sync')
  world.broker.hand.setPrice(NQ, 24_900)
  await world.holds(one, 0)
  await until(() => (followerIn(engine, one.key).contracts.some(({ leader, target, actual, yours, difference, why }) => leader === 2 && target === 2 && actual === 0 && yours === 0 && difference === 2 && why === 'exit-filled') ? true : null), "the stop to count as the copier's exit", 5_000)
  world.broker.floor.release()
  await world.holds(world.leader, 0)
  await until(() => (followerIn(engine, one.key).contracts.every(({ leader, actual, yours, difference }) => leader === 0 && actual === 0 && yours === 0 && difference === 0) ? true : null), 'the follower to be in sync', 5_000)
  expect([world.net(one), world.ours(one).map(({ action, type, filled }) => `${action} ${type} ${String(filled)}`)]).toEqual([0, ['Buy Market 2', 'Sell Stop 2']])
})
