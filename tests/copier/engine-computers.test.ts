import { expect, test } from 'vitest'
import { clientOrderId } from '#shared/copier/client-order-id.ts'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, followerIn, NQ, ruleOf, USER, type RunningEngine, type EngineWorld } from './engine-world.ts'

const OTHER = 'user-2'

const groupIn = (engine: RunningEngine, id: string) => engine.calls.state({ userId: USER }).live.groups.find((group) => group.id === id)
const exitsOf = (world: EngineWorld): string[] => world.working(world.follower(0)).map(({ type, qty }) => `${type} ${String(qty)}`)
const untilNet = async (engine: RunningEngine, world: EngineWorld, net: number): Promise<void> => {
  const netIn = (): number => engine.calls.positionsOf({ userId: USER }).accounts.find(({ account }) => account === world.follower(0).key)?.positions[0]?.net ?? 0
  await until(() => (netIn() === net ? true : null), `${String(net)} to be received`, 20_000)
}

/** A follower that holds 1 behind a stop of ours. */
const protectedFollower = async (world: EngineWorld, engine: RunningEngine, given: Parameters<typeof armed>[3] = {}): Promise<string> => {
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)], given)
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  world.work(world.leader, { action: 'Sell', qty: 1, type: 'Stop', stopPrice: 20_000 })
  await until(() => (world.working(one).length === 1 ? true : null), 'the stop to work', 20_000)
  return id
}

test('a leftover exit that was enlarged elsewhere shrinks to the position, and no further', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await protectedFollower(world, engine)
  await engine.calls.disarm({ userId: USER, id })
  world.trade(one, 'Buy', 1)
  world.broker.hand.modify(world.working(one)[0]?.orderId ?? 0, { qty: 2 })
  await untilNet(engine, world, 2)
  // An event received later is also handled later.
  world.trade(one, 'Buy', 1)
  await untilNet(engine, world, 3)
  expect(exitsOf(world)).toEqual(['Stop 2'])
  world.trade(one, 'Sell', 2)
  await until(() => (exitsOf(world)[0] === 'Stop 1' ? true : null), 'the exit to shrink with the position', 20_000)
})

test.each(['keep', 'cancel'] as const)('disarming a group with an account on another computer (%s) keeps and names its exits while a position is open, and cancels them before they could open one', async (leftExits) => {
  const world = await engineWorld()
  const engine = await world.open()
  const id = await protectedFollower(world, engine, { leftExits })
  engine.calls.allow({ userId: USER, id, entries: true, elsewhere: [world.follower(0).key] })
  await engine.calls.disarm({ userId: USER, id })
  world.trade(world.follower(0), 'Buy', 1)
  await untilNet(engine, world, 2)
  expect([exitsOf(world), groupIn(engine, id)?.left.map(({ type }) => type)]).toEqual([['Stop 1'], ['Stop']])
  world.trade(world.follower(0), 'Sell', 2)
  await until(() => (exitsOf(world).length === 0 ? true : null), 'the exit to go', 20_000)
})

test('an armed group manages an exit on an account of another computer only once that exit could open a position', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const id = await protectedFollower(world, engine)
  engine.calls.allow({ userId: USER, id, entries: 'no-lease', elsewhere: [world.follower(0).key] })
  world.trade(world.follower(0), 'Buy', 1)
  await untilNet(engine, world, 2)
  const { state, why, contracts } = followerIn(engine, world.follower(0).key)
  expect([exitsOf(world), groupIn(engine, id)?.left, groupIn(engine, id)?.blocked, state, why, contracts]).toEqual([['Stop 1'], [], null, 'out-of-step', 'elsewhere', []])
  world.trade(world.follower(0), 'Sell', 2)
  await until(() => (exitsOf(world).length === 0 ? true : null), 'the exit to go', 20_000)
})

test('an exit keeps protecting a position whose account was on another computer, after a disarm and a restart', async () => {
  const world = await engineWorld()
  const before = await world.open()
  const id = await protectedFollower(world, before)
  before.calls.allow({ userId: USER, id, entries: true, elsewhere: [world.follower(0).key] })
  await before.calls.disarm({ userId: USER, id })
  await before.stop()
  const after = await world.open()
  world.trade(world.follower(0), 'Buy', 1)
  await untilNet(after, world, 2)
  world.trade(world.follower(0), 'Buy', 1)
  await untilNet(after, world, 3)
  expect(exitsOf(world)).toEqual(['Stop 1'])
})

test.each(['disarmed again', 'switched off', 'taken out'] as const)('exits keep protecting a position that a group asks about when it is %s without an answer', async (how) => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const id = await protectedFollower(world, engine)
  await engine.calls.disarm({ userId: USER, id })
  engine.calls.allow({ userId: USER, id, entries: true })
  await engine.calls.arm({ userId: USER, id })
  await until(() => (followerIn(engine, one.key).undecided.length > 0 ? true : null), 'the question', 20_000)
  const draft = { name: 'Group', leader: world.leader.key, exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false } as const
  if (how === 'disarmed again') await engine.calls.disarm({ userId: USER, id })
  else engine.calls.saveGroup({ userId: USER, id, draft: { ...draft, followers: how === 'switched off' ? [ruleOf(one.key, { on: false }), ruleOf(two.key)] : [ruleOf(two.key)] } })
  world.trade(one, 'Buy', 1)
  await untilNet(engine, world, 2)
  world.trade(one, 'Sell', 1)
  await untilNet(engine, world, 1)
  expect(exitsOf(world)).toEqual(['Stop 1'])
  world.trade(one, 'Sell', 1)
  await until(() => (exitsOf(world).length === 0 ? true : null), 'the exit to go with the position', 20_000)
})

test("a position that the user keeps becomes theirs: the copier's exits are canceled, and none closes it", async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await protectedFollower(world, engine)
  await engine.calls.disarm({ userId: USER, id })
  engine.calls.allow({ userId: USER, id, entries: true })
  await engine.calls.arm({ userId: USER, id })
  await until(() => (followerIn(engine, one.key).undecided.length > 0 ? true : null), 'the question', 20_000)
  expect(exitsOf(world)).toEqual(['Stop 1'])
  engine.calls.answerStart({ userId: USER, id, account: one.key, answer: 'leave' })
  await until(() => (exitsOf(world).length === 0 ? true : null), 'the exit to go', 20_000)
  await expect.poll(() => [world.net(one), followerIn(engine, one.key).contracts[0]?.yours], { timeout: 20_000 }).toEqual([1, 1])
})

test('a position that another computer flattened is not reopened', async () => {
  const world = await engineWorld()
  const [here, there] = [await world.open(), await world.open(5_000, { computer: 'another' })]
  const one = world.follower(0)
  const id = await protectedFollower(world, here)
  const group = there.calls.saveGroup({ userId: USER, id: null, draft: { name: 'Same', leader: world.leader.key, followers: [ruleOf(one.key)], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false } })
  const reports = await there.calls.flatten({ userId: USER, id: group?.id ?? '' })
  expect([reports?.map(({ outcome }) => outcome), world.net(one), exitsOf(world)]).toEqual([['flat'], 0, []])
  await until(() => (followerIn(here, one.key).why === 'by-hand' ? true : null), 'the copying computer to ask its user', 20_000)
  const sent = world.ours(one).length
  world.trade(world.leader, 'Sell', 1)
  await until(() => (groupIn(here, id)?.leader.length === 0 ? true : null), 'the leader to be flat', 20_000)
  expect([world.net(one), world.ours(one).length]).toEqual([0, sent])
})

test("a sale by another computer while this one was off counts as the user's decision, and is not bought back", async () => {
  const world = await engineWorld()
  const before = await world.open()
  const one = world.follower(0)
  const id = await protectedFollower(world, before)
  await before.stop()
  const trader = { userId: world.broker.logins[0]?.userId ?? 0, environment: one.environment }
  world.broker.floor.place(trader, { accountId: one.id, accountSpec: one.name, action: 'Sell', symbol: NQ, orderQty: 1, orderType: 'Market', timeInForce: 'Day', clOrdId: clientOrderId({ groupId: 'elsewhere', cause: { kind: 'event', seq: 1 }, accountId: one.id, attempt: 1 }), isAutomated: true })
  const sent = world.ours(one).length
  const after = await world.open()
  after.calls.allow({ userId: USER, id, entries: true })
  await until(() => (followerIn(after, one.key).why === 'by-hand' ? true : null), 'the sale to count like a hand', 20_000)
  expect([world.net(one), world.ours(one).length]).toEqual([0, sent])
})

test('an account returns from a profile that no longer copies with it', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const draft = { name: 'Group', leader: world.leader.key, exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false } as const
  const other = engine.calls.saveGroup({ userId: OTHER, id: null, draft: { ...draft, leader: world.follower(2).key, followers: [ruleOf(two.key)] } })?.id ?? ''
  engine.calls.allow({ userId: OTHER, id: other, entries: true })
  expect(await engine.calls.arm({ userId: OTHER, id: other })).toBe('armed')
  const id = await armed(world, engine, [ruleOf(one.key)])
  expect([await engine.calls.takenAccount({ userId: USER, accounts: [one.key, two.key] }), await engine.calls.takenAccount({ userId: USER, accounts: [one.key] })]).toEqual([two.key, null])
  engine.calls.saveGroup({ userId: USER, id, draft: { ...draft, followers: [ruleOf(one.key), ruleOf(two.key)] } })
  await engine.calls.disarm({ userId: OTHER, id: other })
  await until(() => (followerIn(engine, two.key).line === 'up' ? true : null), 'the line of the account to be up', 20_000)
  world.trade(world.leader, 'Buy', 1)
  await world.holds(two, 1)
})

test("a removed account gets no more copies, and the copier's orders there are managed until they end", async () => {
  const world = await engineWorld()
  const one = world.follower(0)
  let accounts = world.accounts
  const engine = await world.open(5_000, { accounts: () => Promise.resolve(accounts) })
  await protectedFollower(world, engine, { mode: 'orders' })
  world.work(world.leader, { action: 'Buy', qty: 1, type: 'Limit', price: 19_500 })
  await until(() => (world.working(one).length === 2 ? true : null), 'the entry to work', 20_000)
  accounts = accounts.filter(({ key }) => key !== one.key)
  await engine.calls.accountsChanged({ userId: USER })
  await until(() => (world.working(one).map(({ type }) => type).join() === 'Stop' ? true : null), 'the entry to go, and the stop to stay', 20_000)
  expect([await engine.calls.isWorking({ userId: USER }), engine.calls.positionsOf({ userId: USER }).accounts.some(({ account }) => account === one.key)]).toEqual([true, false])
  const sent = world.ours(one).length
  world.trade(world.leader, 'Buy', 1)
  await until(() => (groupIn(engine, engine.calls.state({ userId: USER }).groups[0]?.id ?? '')?.leader[0]?.net === 2 ? true : null), "the leader's trade to be received", 20_000)
  world.trade(one, 'Sell', 1)
  await until(() => (world.working(one).length === 0 ? true : null), 'the stop to go with the position', 20_000)
  expect([world.net(one), world.ours(one).length]).toEqual([0, sent])
})

test("an entry that the user canceled does not hold up copies of the leader's market orders", async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)], { mode: 'orders' })
  world.work(world.leader, { action: 'Buy', qty: 1, type: 'Limit', price: 19_500 })
  await until(() => (world.working(one).length === 1 ? true : null), 'the entry to work', 20_000)
  world.broker.hand.cancel(world.working(one)[0]?.orderId ?? 0)
  const stand = () => followerIn(engine, one.key).contracts[0]
  await until(() => ((stand()?.notMirrored ?? []).some(({ why }) => why === 'by-hand') ? true : null), 'the manual trade to be noticed', 20_000)
  expect(stand()?.retryAt ?? null).toBeNull()
})
