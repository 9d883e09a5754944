import { expect, test } from 'vitest'
import { systemTiming } from '#backend/brokers/timing.ts'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, followerIn, ruleOf, USER } from './engine-world.ts'

const hour = 3_600_000

test('a clock that is set back by hours holds up no close', async () => {
  const world = await engineWorld()
  let setBackMs = 0
  const engine = await world.open(5_000, { timing: { ...systemTiming, now: () => Date.now() - setBackMs } })
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.broker.faults.add({ kind: 'reject-order', account: one.id, times: 1, reason: 'NoQuote', text: 'No quote' })
  world.trade(world.leader, 'Sell', 2)
  await until(() => (followerIn(engine, one.key).rejects === 1 ? true : null), 'the reject')
  setBackMs = 5 * hour
  await world.holds(one, 0)
  expect(world.ours(one).map(({ qty }) => qty)).toEqual([2, 2])
})

test('Flatten all ends though the clock is set back meanwhile', async () => {
  const world = await engineWorld()
  let setBackMs = 0
  const engine = await world.open(5_000, { timing: { ...systemTiming, now: () => Date.now() - setBackMs } })
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.broker.faults.add({ kind: 'reject-order', account: one.id, times: 1, reason: 'NoQuote', text: 'No quote' })
  const flattened = engine.calls.flatten({ userId: USER, id })
  await until(() => (world.broker.faults.active().length === 0 ? true : null), 'the reject')
  setBackMs = 5 * hour
  expect((await flattened)?.map(({ outcome }) => outcome)).toEqual(['flat'])
})
