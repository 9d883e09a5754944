import { expect, test } from 'vitest'
import { clientOrderId } from '#shared/copier/client-order-id.ts'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, ES, followerIn, NQ, ready, ruleOf, USER, type RunningEngine, type EngineWorld } from './engine-world.ts'

const OTHER = 'user-2'

/** A follower with 1 contract, a stop and a target, in a group that is off. */
const leftBehind = async (world: EngineWorld, engine: RunningEngine): Promise<string> => {
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  world.work(world.leader, { action: 'Sell', qty: 1, type: 'Stop', stopPrice: 20_000 })
  await until(() => (world.working(one).length === 1 ? true : null), 'the stop to work')
  await engine.calls.disarm({ userId: USER, id })
  return id
}

test('exits of a removed group are managed again after a restart', async () => {
  const world = await engineWorld()
  const before = await world.open()
  const id = await leftBehind(world, before)
  expect(before.calls.removeGroup({ userId: USER, id })).toBe(true)
  await before.stop()
  await world.open()
  world.trade(world.follower(0), 'Sell', 1)
  await until(() => (world.working(world.follower(0)).length === 0 ? true : null), 'the exit to go, before it opens a position', 20_000)
})

test('a user counts as active while a group is armed or an exit works, and no longer once both end', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  expect(await engine.calls.isWorking({ userId: USER })).toBe(false)
  const id = await leftBehind(world, engine)
  expect(await engine.calls.isWorking({ userId: USER })).toBe(true)
  await until(() => (engine.calls.state({ userId: USER }).live.groups[0]?.left.length === 1 ? true : null), 'the exit to be named')
  engine.calls.cancelLeft({ userId: USER, id })
  await until(async () => ((await engine.calls.isWorking({ userId: USER })) ? null : true), 'the exit to be canceled')
  await engine.calls.arm({ userId: USER, id })
  expect([await engine.calls.isWorking({ userId: USER }), await engine.calls.isWorking({ userId: OTHER })]).toEqual([true, false])
})

/** A group of another profile with the same accounts. */
const otherGroup = (world: EngineWorld, engine: RunningEngine): string => {
  const group = engine.calls.saveGroup({ userId: OTHER, id: null, draft: { name: 'Old', leader: world.leader.key, followers: [ruleOf(world.follower(0).key)], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false } })
  if (group === null) throw new Error('The group was not taken')
  return group.id
}

test('a profile whose group is off takes no account from a profile that copies with it, whichever is loaded first after a restart', async () => {
  const world = await engineWorld()
  const before = await world.open()
  otherGroup(world, before)
  await before.calls.watch({ userId: OTHER, on: true })
  const id = await armed(world, before, [ruleOf(world.follower(0).key)])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(world.follower(0), 1)
  await before.stop()
  const after = await world.open()
  after.calls.allow({ userId: USER, id, entries: true })
  await ready(after, id)
  world.trade(world.leader, 'Sell', 1)
  await world.holds(world.follower(0), 0)
})

test('a follower that is switched on returns from a profile that only viewed it', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const id = await armed(world, engine, [ruleOf(one.key)])
  await engine.calls.watch({ userId: OTHER, on: true })
  await engine.calls.watch({ userId: OTHER, on: false })
  engine.calls.saveGroup({ userId: USER, id, draft: { name: 'Group', leader: world.leader.key, followers: [ruleOf(one.key), ruleOf(two.key)], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false } })
  await ready(engine, id)
  world.trade(world.leader, 'Buy', 1)
  await world.holds(two, 1)
})

test('a group cannot be armed with accounts that another profile copies with, until that one is disarmed', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const id = await armed(world, engine, [ruleOf(world.follower(0).key)])
  const other = otherGroup(world, engine)
  expect(await engine.calls.arm({ userId: OTHER, id: other })).toBe('taken')
  await engine.calls.disarm({ userId: USER, id })
  expect(await engine.calls.arm({ userId: OTHER, id: other })).toBe('armed')
})

test('an account that another computer copies to is left to it with its orders, over a restart too; the rest of the group is copied', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const id = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await world.holds(two, 2)
  world.work(world.leader, { action: 'Sell', qty: 2, type: 'Stop', stopPrice: 20_000 })
  await until(() => (world.working(one).length === 1 && world.working(two).length === 1 ? true : null), 'the stops to work')
  engine.calls.allow({ userId: USER, id, entries: true, elsewhere: [one.key] })
  const sent = world.ours(one).length
  // This one closes where it copies, and does nothing there.
  world.trade(world.leader, 'Sell', 2)
  await world.holds(two, 0)
  await until(() => (world.working(two).length === 0 && followerIn(engine, two.key).state === 'armed' ? true : null), 'the stop of the second to go')
  expect([world.net(one), world.ours(one).length, world.working(one)[0]?.qty, followerIn(engine, one.key).why, followerIn(engine, two.key).state]).toEqual([2, sent, 2, 'elsewhere', 'armed'])
  await engine.stop()
  const trader = { userId: world.broker.logins[0]?.userId ?? 0, environment: one.environment }
  world.broker.floor.place(trader, { accountId: one.id, accountSpec: one.name, action: 'Buy', symbol: NQ, orderQty: 1, orderType: 'Limit', price: 19_000, timeInForce: 'Day', clOrdId: clientOrderId({ groupId: 'elsewhere', cause: { kind: 'event', seq: 1 }, accountId: one.id, attempt: 1 }), isAutomated: true })
  const after = await world.open()
  await until(() => (followerIn(after, one.key).line === 'up' && followerIn(after, two.key).line === 'up' ? true : null), 'the lines to be up')
  after.calls.allow({ userId: USER, id, entries: true, elsewhere: [one.key] })
  world.trade(world.leader, 'Buy', 1)
  await world.holds(two, 1)
  expect([world.net(one), world.working(one).map(({ type, qty }) => `${type} ${String(qty)}`).toSorted()]).toEqual([2, ['Limit 1', 'Stop 2']])
  // Once it may copy there again its user is asked about open positions.
  after.calls.allow({ userId: USER, id, entries: true, elsewhere: [] })
  await until(() => (followerIn(after, one.key).why === 'asks' ? true : null), 'the question')
})

test('flattening a follower of two groups closes the positions of both once', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, other] = [world.follower(0), world.follower(1)]
  const id = await armed(world, engine, [ruleOf(one.key, { products: ['NQ'] })])
  await armed(world, engine, [ruleOf(one.key, { products: ['ES'] })], { leader: other.key })
  world.trade(world.leader, 'Buy', 1)
  world.trade(other, 'Buy', 1, ES)
  await world.holds(one, 1)
  await world.holds(one, 1, ES)
  expect((await engine.calls.flatten({ userId: USER, id }))?.map(({ outcome }) => outcome)).toEqual(['flat'])
  const stanceOf = () => engine.calls.state({ userId: USER }).live.groups[1]?.followers[0]?.contracts.find(({ contract }) => contract === ES)
  await until(() => (stanceOf()?.why === 'by-hand' ? true : null), 'the other group to know of it')
  expect([stanceOf()?.actual, stanceOf()?.yours]).toEqual([0, 0])
  world.trade(other, 'Sell', 1, ES)
  await until(() => (stanceOf() === undefined ? true : null), 'its leader to be flat')
  world.trade(other, 'Buy', 1, ES)
  await world.holds(one, 1, ES)
})

test("the guard of one group does not mistake another group's copies for the user's trades", { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, other] = [world.follower(0), world.follower(1)]
  await armed(world, engine, [ruleOf(one.key, { products: ['NQ'], maxPosition: 1, guard: true })])
  await armed(world, engine, [ruleOf(one.key, { products: ['ES'] })], { leader: other.key })
  world.trade(world.leader, 'Buy', 1)
  world.trade(other, 'Buy', 1, ES)
  await world.holds(one, 1)
  await world.holds(one, 1, ES)
  const yours = () => followerIn(engine, one.key).contracts.find(({ contract }) => contract === ES)?.yours
  await until(() => (yours() === undefined ? true : null), 'the other group to have it counted')
  // The guard looks each second.
  const looks = engine.lives.length
  world.broker.hand.setPrice(ES, 6_800)
  await until(() => (engine.lives.length > looks + 1 ? true : null), 'further looks')
  expect(followerIn(engine, one.key).lock).toBe(null)
  world.trade(one, 'Buy', 1, ES)
  await until(() => (followerIn(engine, one.key).lock === 'guard' ? true : null), 'the guard, now that its user trades there')
  expect([yours(), world.net(one), world.net(one, ES)]).toEqual([1, 1, 2])
})

test('arming or resuming that the user stopped before it completed does not complete', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const id = await armed(world, engine, [ruleOf(world.follower(0).key)])
  const stateOf = () => engine.calls.state({ userId: USER }).live.groups[0]?.state
  engine.calls.pause({ userId: USER, id: null })
  const { stops: beforePause } = engine.calls.state({ userId: USER })
  engine.calls.pause({ userId: USER, id: null })
  engine.calls.resume({ userId: USER, id, stops: beforePause })
  expect(stateOf()).toBe('paused')
  await engine.calls.disarm({ userId: USER, id })
  const { stops } = engine.calls.state({ userId: USER })
  await engine.calls.disarm({ userId: USER, id })
  expect([await engine.calls.arm({ userId: USER, id, stops }), stateOf()]).toEqual(['stopped', 'off'])
  expect([await engine.calls.arm({ userId: USER, id, stops: stops + 1 }), stateOf()]).toEqual(['armed', 'armed'])
})

test('without a confirmation of the group, an account is left to another computer once one of its orders is seen', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 3)
  await world.holds(one, 3)
  const trader = { userId: world.broker.logins[0]?.userId ?? 0, environment: one.environment }
  const sold = (seq: number) => world.broker.floor.place(trader, { accountId: one.id, accountSpec: one.name, action: 'Sell', symbol: NQ, orderQty: 1, orderType: 'Market', timeInForce: 'Day', clOrdId: clientOrderId({ groupId: 'elsewhere', cause: { kind: 'event', seq }, accountId: one.id, attempt: 1 }), isAutomated: true })
  const group = () => engine.calls.state({ userId: USER }).live.groups[0]
  sold(1)
  // A computer that is confirmed takes it for a decision of its user's.
  await until(() => (group()?.followers[0]?.why === 'by-hand' ? true : null), 'the first to be heard')
  expect([group()?.state, world.net(one)]).toEqual(['armed', 2])
  engine.calls.allow({ userId: USER, id, entries: 'no-lease' })
  const sent = world.ours(one).length
  sold(2)
  await until(() => (group()?.followers[0]?.why === 'elsewhere' ? true : null), 'the second to be heard')
  world.trade(world.leader, 'Sell', 3)
  await until(() => (engine.calls.positionsOf({ userId: USER }).accounts.find(({ account }) => account === world.leader.key)?.positions.length === 0 ? true : null), 'the close to be heard')
  expect([world.net(one), world.ours(one).length]).toEqual([1, sent + 1])
})

test('a group that is off adopts no unknown order: another computer may manage it', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)], { leftExits: 'cancel' })
  await engine.calls.disarm({ userId: USER, id })
  await engine.calls.watch({ userId: USER, on: true })
  world.trade(one, 'Buy', 1)
  const trader = { userId: world.broker.logins[0]?.userId ?? 0, environment: one.environment }
  world.broker.floor.place(trader, { accountId: one.id, accountSpec: one.name, action: 'Sell', symbol: NQ, orderQty: 1, orderType: 'Stop', stopPrice: 19_000, timeInForce: 'Day', clOrdId: clientOrderId({ groupId: 'elsewhere', cause: { kind: 'event', seq: 1 }, accountId: one.id, attempt: 1 }), isAutomated: true })
  await until(() => (engine.calls.positionsOf({ userId: USER }).accounts.find(({ account }) => account === one.key)?.positions.length === 1 ? true : null), 'the position to be heard')
  // A later order there is received later, and handled after it.
  world.trade(one, 'Buy', 1)
  await until(() => (engine.calls.positionsOf({ userId: USER }).accounts.find(({ account }) => account === one.key)?.positions[0]?.net === 2 ? true : null), 'the next trade to be heard')
  world.trade(one, 'Sell', 1)
  await until(() => (engine.calls.positionsOf({ userId: USER }).accounts.find(({ account }) => account === one.key)?.positions[0]?.net === 1 ? true : null), 'the last trade to be heard')
  expect(world.working(one).map(({ type }) => type)).toEqual(['Stop'])
})
