import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { systemTiming } from '#backend/brokers/timing.ts'
import { sessionOf } from '#shared/market/session.ts'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, followerIn, NQ, ready, ruleOf, USER } from './engine-world.ts'

const leaderLine = (desk: { calls: { state: (input: { userId: string }) => { live: { groups: readonly { leaderLine: string }[] } } } }) => desk.calls.state({ userId: USER }).live.groups[0]?.leaderLine

test('a position closed elsewhere while the copier was off, before the broker’s lists were reset, is not taken for open', { tags: 'long' }, async () => {
  const world = await engineWorld(2)
  const desk = await world.open()
  const follower = world.follower(0)
  const id = await armed(world, desk, [ruleOf(follower.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(follower, 2)

  const { sockets, clock } = world.broker
  sockets.refuse(true)
  sockets.drop()
  await until(() => (leaderLine(desk) === 'up' ? null : true), 'the line to be down')
  world.trade(follower, 'Sell', 2)
  // Monday: the leader's position is carried over, and no list shows the follower's any more.
  clock.set(sessionOf('2026-11-23').opens + 3_600_000)
  sockets.refuse(false)
  await until(() => (leaderLine(desk) === 'up' ? true : null), 'the line to be up again')

  // It is not taken for where it was, and its user's word is waited for before it is bought back.
  await until(() => (followerIn(desk, follower.key).why === 'by-hand' ? true : null), 'the hand to be noticed')
  expect([world.net(follower), followerIn(desk, follower.key).contracts]).toMatchObject([0, [{ target: 2, real: 0, difference: 2 }]])
  desk.calls.settle({ userId: USER, id, account: follower.key, answer: 'bring-back' })
  await world.holds(follower, 2)
  world.trade(world.leader, 'Sell', 2)
  await world.holds(follower, 0)
  await until(() => (followerIn(desk, follower.key).contracts.every(({ inFlight, real }) => inFlight === 0 && real === 0) ? true : null), 'the copier to be at rest')
  expect(world.ours(follower).map(({ action, qty, status }) => `${action} ${qty} ${status}`)).toEqual(['Buy 2 Filled', 'Buy 2 Filled', 'Sell 2 Filled'])
})

test.each(['entry', 'target'] as const)('a good-till-cancelled %s of the leader that was filled in part before the session counts by what is left of it after a restart', async (kind) => {
  const world = await engineWorld(2)
  const before = await world.open()
  const one = world.follower(0)
  const { hand, floor, faults, clock, logins } = world.broker
  const trader = { userId: logins[0]?.userId ?? 0, environment: world.leader.environment }
  const place = (action: 'Buy' | 'Sell', orderQty: number, price: number) => floor.place(trader, { accountId: world.leader.id, accountSpec: world.leader.name, symbol: NQ, action, orderQty, orderType: 'Limit', price, timeInForce: 'GTC', isAutomated: false })
  const works = (): string => world.working(one).map(({ action, qty, filled, price }) => `${action} ${String(qty - filled)} at ${String(price)}`).toSorted().join(', ')
  const shows = (wanted: string) => until(() => (works() === wanted ? true : null), `${wanted}, not ${works()}`, 10_000)
  const both = async (net: number): Promise<void> => {
    for (const account of [world.leader, one]) await world.holds(account, net)
  }
  hand.setPrice(NQ, 25_000)
  const id = await armed(world, before, [ruleOf(one.key)], { mode: kind === 'entry' ? 'orders' : 'fills' })
  const isEntry = kind === 'entry'
  const price = isEntry ? 24_900 : 25_100
  if (!isEntry) {
    world.trade(world.leader, 'Buy', 4)
    await both(4)
  }
  for (const account of [world.leader, one]) faults.add({ kind: 'partial-fills', account: account.id, pieces: 2, byStep: true, times: 1 })
  place(isEntry ? 'Buy' : 'Sell', 4, price)
  await shows(isEntry ? 'Buy 4 at 24900' : 'Sell 4 at 25100')
  hand.setPrice(NQ, price)
  await both(2)
  hand.setPrice(NQ, 25_000)
  await until(() => (followerIn(before, one.key).state === 'armed' && followerIn(before, one.key).contracts[0]?.leader === 2 ? true : null), 'the follower to be in sync', 15_000)
  if (!isEntry) {
    world.trade(world.leader, 'Buy', 2)
    await both(4)
    place('Sell', 2, 25_200)
  }
  const standing = isEntry ? 'Buy 2 at 24900' : 'Sell 2 at 25100, Sell 2 at 25200'
  await shows(standing)
  await until(() => (followerIn(before, one.key).state === 'armed' ? true : null), 'the follower to be in sync', 15_000)
  const sent = world.ours(one).length
  await before.stop()

  const monday = sessionOf('2026-11-23').opens + 3_600_000
  clock.set(monday)
  const behind = Date.now() - monday
  const after = await world.open(undefined, { timing: { ...systemTiming, now: () => systemTiming.now() - behind } })
  after.calls.allow({ userId: USER, id, entries: true })
  await ready(after, id)
  await until(() => (followerIn(after, one.key).state === 'armed' && followerIn(after, one.key).contracts.length > 0 ? true : null), 'the follower to be in sync', 15_000)
  await pause(2_500)
  expect([works(), world.net(one), world.ours(one).length]).toEqual([standing, isEntry ? 2 : 4, sent])
  floor.step()
  hand.setPrice(NQ, price)
  floor.step()
  await both(isEntry ? 4 : 2)
  await until(() => (followerIn(after, one.key).state === 'armed' && followerIn(after, one.key).contracts[0]?.yours === 0 ? true : null), 'the follower to be in sync', 15_000)
  expect([works(), world.ours(one).length]).toEqual([isEntry ? '' : 'Sell 2 at 25200', sent])
})
