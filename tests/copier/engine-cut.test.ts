import { expect, test } from 'vitest'
import type { FaultInput } from '#tests/demo-broker/faults.ts'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, ruleOf } from './engine-world.ts'

const followers = 50

/** Cuts the socket at one of fifty orders: that and all others are unanswered then. */
const cutAt = async (fault: FaultInput): Promise<void> => {
  const world = await engineWorld(followers + 1)
  const engine = await world.open()
  const all = Array.from({ length: followers }, (_, at) => world.follower(at))
  await armed(world, engine, all.map(({ key }) => ruleOf(key)))
  world.broker.faults.add(fault)
  world.trade(world.leader, 'Buy', 1)
  await until(() => (engine.store.openOrders().filter(({ stage }) => stage === 'unknown').length > 1 ? true : null), 'orders that nobody knows of')
  for (const one of all) await world.holds(one, 1)
  await until(() => (engine.store.openOrders().length === 0 ? true : null), 'all orders to be found or given up', 40_000)
  expect(all.map((one) => [world.net(one), world.ours(one).length])).toEqual(all.map(() => [1, 1]))
}

test('a socket that dies with fifty orders unanswered leaves each follower with one', { tags: 'long' }, () => cutAt({ kind: 'lost-answer', path: 'placeorder', times: 1 }))

test('so does one where some orders never arrived', { tags: 'long' }, () => cutAt({ kind: 'lost-request', path: 'placeorder', times: 1 }))

test('so does one where an order arrives late', { tags: 'long' }, () => cutAt({ kind: 'late-acceptance', ms: 300, path: 'placeorder', times: 1 }))
