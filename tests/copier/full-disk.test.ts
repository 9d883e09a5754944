import { expect, test, vi } from 'vitest'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, followerIn, ruleOf } from './engine-world.ts'

const full = (): never => {
  throw new Error('The disk is full')
}

test('records of a fill that cannot be written hold up no copy and stop nothing', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const desk = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  await armed(world, desk, [ruleOf(one.key), ruleOf(two.key, { products: ['ES'] })])
  vi.spyOn(desk.store, 'notSent').mockImplementation(full)
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await until(() => desk.logged.find((line) => line.startsWith('error') && line.includes('The disk is full')) ?? null, 'the failure in the log', 20_000)
  world.trade(world.leader, 'Sell', 2)
  await world.holds(one, 0)
})

test('a follower’s state is saved by a later tick, once there is room again', async () => {
  const world = await engineWorld()
  const desk = await world.open()
  const one = world.follower(0)
  const id = await armed(world, desk, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  vi.spyOn(desk.store, 'record').mockImplementationOnce(full)
  world.trade(one, 'Buy', 1)
  const kept = await until(() => desk.store.stances(id).find(({ yours }) => yours !== 0) ?? null, 'the stance to be kept', 20_000)
  expect(kept).toMatchObject({ account: one.key, held: 2, yours: 1 })
})

test('while nothing can be saved the copier keeps reading, and stops on request', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const desk = await world.open()
  const one = world.follower(0)
  await armed(world, desk, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  vi.spyOn(desk.store, 'record').mockImplementation(full)
  world.trade(one, 'Buy', 1)
  // Whose hand it was has to be asked for each time.
  for (const real of [3, 4]) {
    await until(() => (followerIn(desk, one.key).contracts.some((each) => each.real === real && each.yours === real - 2) ? true : null), `${String(real)} held by hand`, 20_000)
    if (real === 3) world.trade(one, 'Buy', 1)
  }
  await expect(desk.stop()).resolves.toBeUndefined()
})
