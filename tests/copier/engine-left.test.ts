import { expect, test } from 'vitest'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, NQ, ruleOf, USER, type RunningEngine } from './engine-world.ts'

test('exits of a follower that left the group are canceled once its position is closed by hand', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  world.broker.hand.setPrice(NQ, 25_000)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.broker.hand.place({ account: world.leader.id, action: 'Sell', symbol: NQ, qty: 2, type: 'Stop', stopPrice: 24_900, other: { type: 'Limit', price: 25_100 } })
  await until(() => (world.working(one).length === 2 ? true : null), 'the pair')
  await engine.calls.disarm({ userId: USER, id })
  const left = () => engine.calls.state({ userId: USER }).live.groups[0]?.left ?? []
  await until(() => (left().length === 2 ? true : null), 'both to be named')
  expect(left()).toEqual([
    { account: one.key, contract: NQ, side: 'sell', qty: 2, type: 'Stop', price: '24900' },
    { account: one.key, contract: NQ, side: 'sell', qty: 2, type: 'Limit', price: '25100' },
  ])
  world.trade(one, 'Sell', 1)
  await until(() => (world.working(one).length === 2 && world.working(one).every(({ qty }) => qty === 1) ? true : null), 'the pair to shrink')
  world.trade(one, 'Sell', 1)
  await until(() => (world.working(one).length === 0 && left().length === 0 ? true : null), 'the pair to go')
})

test('exits are canceled at disarming if the group is set to leave none', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  world.broker.hand.setPrice(NQ, 25_000)
  const id = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)], { leftExits: 'cancel' })
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.work(world.leader, { action: 'Sell', qty: 2, type: 'Stop', stopPrice: 24_900 })
  await until(() => (world.working(one).length === 1 && world.working(two).length === 1 ? true : null), 'the exits')
  const { groups: [group] } = engine.calls.state({ userId: USER })
  if (group === undefined) throw new Error('No group')
  engine.calls.saveGroup({ userId: USER, id, draft: { ...group, followers: [ruleOf(one.key, { on: false }), ruleOf(two.key)] } })
  await until(() => (world.working(one).length === 0 ? true : null), 'the exit of one that was switched off to go')
  expect(world.working(two)).toHaveLength(1)
  await engine.calls.disarm({ userId: USER, id })
  await until(() => (world.working(two).length === 0 ? true : null), 'the other to go')
  expect([world.net(one), world.net(two)]).toEqual([2, 2])
})

/** A group with two followers that hold two and have a stop each; gives its id, its followers, and what it names as left. */
const withStops = async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  world.broker.hand.setPrice(NQ, 25_000)
  const id = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await world.holds(two, 2)
  world.work(world.leader, { action: 'Sell', qty: 2, type: 'Stop', stopPrice: 24_900 })
  const stops = (): number[][] => [one, two].map((account) => world.working(account).map(({ qty }) => qty))
  const left = () => (engine.calls.state({ userId: USER }).live.groups[0]?.left ?? []).map(({ account, qty }) => [account, qty])
  const standing = (wanted: number[][], what: string) => until(() => (JSON.stringify(stops()) === JSON.stringify(wanted) ? true : null), what)
  await standing([[2], [2]], 'the stops')
  return { world, engine, id, one, two, left, standing }
}

test('a follower removed from the group keeps its exit, which the group names and cancels on request', async () => {
  const { world, engine, id, one, two, left, standing } = await withStops()
  const { groups: [group] } = engine.calls.state({ userId: USER })
  if (group === undefined) throw new Error('No group')
  engine.calls.saveGroup({ userId: USER, id, draft: { ...group, followers: [ruleOf(two.key)] } })
  await until(() => (left().length === 1 ? true : null), 'the exit to be named')
  expect(left()).toEqual([[one.key, 2]])
  engine.calls.cancelLeft({ userId: 'user-2', id })
  expect(left()).toEqual([[one.key, 2]])
  engine.calls.cancelLeft({ userId: USER, id })
  await standing([[], [2]], 'the exit to go')
  await until(() => (left().length === 0 ? true : null), 'it to be heard')
  expect([left(), world.net(one), world.net(two)]).toEqual([[], 2, 2])
})

test('exits of a follower removed during its close are reduced by what that closes, whatever else the user holds', async () => {
  const { world, engine, id, one, two, standing } = await withStops()
  world.trade(one, 'Buy', 3)
  await world.holds(one, 5)
  world.broker.faults.add({ kind: 'slow-fill', path: '/order/placeorder', account: one.id, times: 1 })
  world.trade(world.leader, 'Sell', 2)
  await until(() => (world.ours(one).length === 3 ? true : null), 'the close to be placed')
  const { groups: [group] } = engine.calls.state({ userId: USER })
  if (group === undefined) throw new Error('No group')
  engine.calls.saveGroup({ userId: USER, id, draft: { ...group, followers: [ruleOf(two.key)] } })
  await standing([[2], []], 'the exit to stay until then')
  world.broker.floor.release()
  await world.holds(one, 3)
  await standing([[], []], 'the exit to go')
})

test.each([
  ['the plan ended', ({ calls }: RunningEngine, id: string) => calls.allow({ userId: USER, id, entries: 'plan-ended' })],
  ['the user signed out', ({ calls }: RunningEngine) => calls.pause({ userId: USER, id: null })],
] as const)('exits continue after %s: those of the group follow the leader, leftover ones never open a position', async (_, end) => {
  const { world, engine, id, one, two, left, standing } = await withStops()
  await end(engine, id)
  world.trade(world.leader, 'Sell', 1)
  await world.holds(one, 1)
  await standing([[1], [1]], 'the stops to shrink with the position')
  expect(left()).toEqual([])

  await engine.calls.disarm({ userId: USER, id })
  await end(engine, id)
  await until(() => (left().length === 2 ? true : null), 'both to be named')
  expect(left()).toEqual([[one.key, 1], [two.key, 1]])
  world.trade(one, 'Sell', 1)
  await standing([[], [1]], 'the stop of who is flat to go')
  engine.calls.cancelLeft({ userId: USER, id })
  await standing([[], []], 'the other to go')
  await until(() => (left().length === 0 ? true : null), 'it to be heard')
  expect([left(), world.net(one), world.net(two)]).toEqual([[], 0, 1])
})

test('of accounts that are gone, a follower is switched off and a leader disarms its group; another user has lost none', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  const now = () => {
    const { groups: [group], live } = engine.calls.state({ userId: USER })
    return [live.groups[0]?.state, group?.followers.map(({ on }) => on)]
  }
  const drop = (accounts: readonly { readonly key: string }[], userId = USER) => engine.calls.dropGone({ userId, accounts: accounts.map(({ key }) => key) })
  expect([drop([world.leader, one, two]), now()]).toEqual([false, ['armed', [true, true]]])
  expect([drop([world.leader, one]), now()]).toEqual([true, ['armed', [true, false]]])
  expect([drop([], 'somebody else'), now()]).toEqual([false, ['armed', [true, false]]])
  expect([drop([one]), now()]).toEqual([false, ['off', [true, false]]])
  // What returns stays off until the user switches it on.
  expect([drop([world.leader, one, two]), now()]).toEqual([false, ['off', [true, false]]])
})

test('exits in an account whose login was removed are tracked until they end', async () => {
  const world = await engineWorld()
  let connected = world.accounts
  const engine = await world.open(undefined, { accounts: () => Promise.resolve(connected) })
  const one = world.follower(0)
  world.broker.hand.setPrice(NQ, 25_000)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.work(world.leader, { action: 'Sell', qty: 2, type: 'Stop', stopPrice: 24_900 })
  await until(() => (world.working(one).length === 1 ? true : null), 'the stop')
  await engine.calls.disarm({ userId: USER, id })
  connected = []
  await engine.calls.accountsChanged({ userId: USER })
  const login = { userId: USER, loginId: one.loginId }
  expect([engine.calls.hasOrdersIn(login), world.working(one).length]).toEqual([true, 1])
  world.trade(one, 'Sell', 2)
  await until(() => (world.working(one).length === 0 && !engine.calls.hasOrdersIn(login) ? true : null), 'the stop to go with the position')
})
