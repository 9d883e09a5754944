import { expect, test } from 'vitest'
import { sessionOf } from '#shared/market/session.ts'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, followerIn, ruleOf, USER } from './engine-world.ts'

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
