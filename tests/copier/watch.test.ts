import { expect, test } from 'vitest'
import type { AccountNow } from '#backend/brokers/live.ts'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, followerIn, MNQ, NQ, ruleOf, USER, type RunningEngine, type EngineWorld } from './engine-world.ts'

const reported = (engine: RunningEngine, account: string, userId = USER): AccountNow | undefined => engine.positions.findLast((each) => each.userId === userId)?.now.accounts.find((each) => each.account === account)
const untilReported = (engine: RunningEngine, account: string, look: (now: AccountNow) => boolean, what: string): Promise<AccountNow> =>
  until(() => {
    const now = reported(engine, account)
    return now !== undefined && look(now) ? now : null
  }, `${what}, not ${JSON.stringify(reported(engine, account))}`, 20_000)
const price = (world: EngineWorld, at: number, contract = NQ): void => expect(world.broker.hand.setPrice(contract, at)).toBe(true) as undefined

/** A watching user whose first account holds 2 NQ at 25,000. */
const watching = async (demo = 3) => {
  const world = await engineWorld(demo)
  const engine = await world.open(5_000, { accounts: ({ userId }) => Promise.resolve(userId === USER ? world.accounts : []) })
  price(world, 25_000)
  world.trade(world.leader, 'Buy', 2)
  await engine.calls.watch({ userId: USER, on: true })
  return { world, engine, first: world.leader.key }
}

test('positions of all accounts are published without an armed group, and prices move them', async () => {
  const { world, engine, first } = await watching()
  const open = await untilReported(engine, first, ({ positions, prices }) => prices === 'live' && positions[0]?.mark?.price === 25_000, 'the first price')
  expect(open).toMatchObject({ line: 'up', downSince: null, currency: 'USD', restricted: false, environment: 'demo', cash: expect.any(Number) as number, positions: [{ contract: NQ, product: 'NQ', net: 2, averagePrice: 25_000, tickSize: '0.25', valuePerPoint: 20, currency: 'USD' }] })
  expect(engine.positions.at(-1)?.now.accounts.map(({ account }) => account).toSorted()).toEqual(world.accounts.map(({ key }) => key).toSorted())
  price(world, 25_003.25)
  await untilReported(engine, first, ({ positions }) => positions[0]?.mark?.price === 25_003.25, 'the new price')
  world.trade(world.farLeader, 'Sell', 1, MNQ)
  await untilReported(engine, world.farLeader.key, ({ positions }) => positions[0]?.net === -1, 'the position of the other side')
})

test('prices are subscribed for open positions only, over one socket per login, and end with the last watcher', { tags: 'long' }, async () => {
  const { world, engine, first } = await watching()
  const contracts = () => world.broker.quotes.open().map((socket) => socket.contracts)
  await until(() => (contracts()[0]?.length === 1 ? true : null), 'the first contract', 20_000)
  expect(contracts()).toEqual([[NQ]])
  world.trade(world.follower(0), 'Buy', 1, MNQ)
  await until(() => (contracts()[0]?.length === 2 ? true : null), 'the second contract', 20_000)
  world.trade(world.leader, 'Sell', 2)
  await until(() => (contracts()[0]?.join() === MNQ ? true : null), 'the first to be reported no more', 20_000)
  expect(reported(engine, first)?.positions).toEqual([])
  expect(world.broker.sockets.open()).toHaveLength(2)
  await engine.calls.watch({ userId: USER, on: false })
  await until(() => (world.broker.sockets.open().length + world.broker.quotes.open().length === 0 ? true : null), 'all sockets to close', 20_000)
})

test('without a watcher nothing is published, and never to another user', async () => {
  const { world, engine } = await watching()
  await until(() => (engine.positions.length > 0 ? true : null), 'the first word', 20_000)
  await engine.calls.watch({ userId: 'user-2', on: true })
  price(world, 25_001)
  await untilReported(engine, world.leader.key, ({ positions }) => positions[0]?.mark?.price === 25_001, 'the price')
  expect(engine.positions.filter(({ userId }) => userId === 'user-2').flatMap(({ now }) => now.accounts)).toEqual([])
  expect(engine.calls.positionsOf({ userId: 'user-2' }).accounts).toEqual([])
  await engine.calls.watch({ userId: USER, on: false })
  const before = engine.positions.length
  world.trade(world.leader, 'Buy', 1)
  await until(() => (world.broker.sockets.open().length === 0 ? true : null), 'the lines to close', 20_000)
  expect(engine.positions).toHaveLength(before)
})

test('a login without market data gets the broker’s snapshot, and its own trades give no price', { tags: ['long', 'nightly'] }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  price(world, 25_000)
  world.broker.quotes.permit(false)
  world.trade(world.leader, 'Buy', 2)
  price(world, 25_010)
  await engine.calls.watch({ userId: USER, on: true })
  const open = await untilReported(engine, world.leader.key, ({ snapshot, prices }) => prices === 'denied' && snapshot !== null, 'the snapshot')
  expect(open).toMatchObject({ positions: [{ net: 2, mark: null }], snapshot: { pnl: 400_0000 } })
  // The rest of the refusal: it is not asked again and again.
  const asked = () => world.broker.traffic.seen().filter(({ path }) => path.endsWith('subscribequote')).length
  const before = asked()
  price(world, 25_020)
  await untilReported(engine, world.leader.key, ({ snapshot }) => snapshot?.pnl === 800_0000, 'the next snapshot')
  expect(asked()).toBe(before)
})

test('a login that may not even open the price socket loses only the prices', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  world.broker.faults.add({ kind: 'socket-refused', path: '^/md/' })
  world.trade(world.leader, 'Buy', 1)
  await engine.calls.watch({ userId: USER, on: true })
  await untilReported(engine, world.leader.key, ({ line, prices, snapshot }) => line === 'up' && prices === 'denied' && snapshot !== null, 'the refusal')
})

test('if prices stop, the last one shows its age, and the order line stays up', { tags: 'long' }, async () => {
  const { world, engine, first } = await watching()
  const before = await untilReported(engine, first, ({ prices }) => prices === 'live', 'prices')
  world.broker.quotes.drop()
  await untilReported(engine, first, ({ prices }) => prices === 'none', 'prices to be missed')
  expect(reported(engine, first)).toMatchObject({ line: 'up', positions: [{ mark: before.positions[0]?.mark }] })
  price(world, 25_007)
  await untilReported(engine, first, ({ prices, positions }) => prices === 'live' && positions[0]?.mark?.price === 25_007, 'prices to come back')
})

test('a broken line shows since when it is down, keeps its last figures, and recovers', async () => {
  const { world, engine, first } = await watching()
  await untilReported(engine, first, ({ line }) => line === 'up', 'the line')
  world.broker.faults.add({ kind: 'socket-unreachable', path: '/demo/' })
  world.broker.sockets.drop()
  const down = await untilReported(engine, first, ({ line }) => line === 'down', 'the line to be missed')
  expect(down.positions).toMatchObject([{ contract: NQ, net: 2 }])
  expect(down.downSince).toBeGreaterThan(Date.now() - 20_000)
  world.broker.faults.clear()
  await untilReported(engine, first, ({ line, downSince }) => line === 'up' && downSince === null, 'the line to come back')
})

test('the broker’s own limits are published, and their changes', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const first = world.leader.key
  world.broker.hand.setAccount(world.leader.id, { limits: { dailyLoss: 1_000_0000, trailing: 2_500_0000 } })
  await engine.calls.watch({ userId: USER, on: true })
  await untilReported(engine, first, ({ limits }) => limits?.dailyLoss === 1_000_0000, 'the limits')
  expect(reported(engine, first)?.limits).toMatchObject({ drawdownLimit: 100_000_0000 - 2_500_0000, dailyLoss: 1_000_0000, reduceOnly: false, startingBalance: null, flatBy: null })
  world.broker.hand.setAccount(world.leader.id, { restricted: true })
  await untilReported(engine, first, ({ restricted }) => restricted, 'the restriction')
})

test('the drawdown floor is read again when the balance moves: an old one would show too much room', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const first = world.leader.key
  const floorAt = (trailing: number): number => 100_000_0000 - trailing
  world.broker.hand.setAccount(world.leader.id, { limits: { dailyLoss: null, trailing: 2_500_0000 } })
  price(world, 25_000)
  await engine.calls.watch({ userId: USER, on: true })
  await untilReported(engine, first, ({ limits }) => limits?.drawdownLimit === floorAt(2_500_0000), 'the floor')
  world.broker.hand.setAccount(world.leader.id, { limits: { dailyLoss: null, trailing: 2_000_0000 } })
  world.trade(world.leader, 'Buy', 1)
  world.trade(world.leader, 'Sell', 1)
  await untilReported(engine, first, ({ limits }) => limits?.drawdownLimit === floorAt(2_000_0000), 'the floor that moved')
})

test('a watcher gets a regular heartbeat with its time when nothing changes', { tags: ['long', 'nightly'] }, async () => {
  const { engine, first } = await watching()
  await untilReported(engine, first, ({ prices }) => prices === 'live', 'prices')
  const quiet = () => engine.positions.slice(-2).map(({ now }) => JSON.stringify(now.accounts))
  await until(() => (engine.positions.length > 2 && quiet()[0] === quiet()[1] ? true : null), 'the same once more', 20_000)
  const [before, after] = engine.positions.slice(-2).map(({ now }) => now.at)
  expect((after ?? 0) - (before ?? 0)).toBeGreaterThan(3_500)
})

test('a login that may not read limits watches without them', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  world.broker.faults.add({ kind: 'permission-missing', path: '/(userAccountAutoLiq|accountRiskStatus)/' })
  world.broker.hand.setAccount(world.leader.id, { limits: { dailyLoss: 1_000_0000, trailing: null } })
  world.trade(world.leader, 'Buy', 1)
  await engine.calls.watch({ userId: USER, on: true })
  const now = await untilReported(engine, world.leader.key, ({ line, positions }) => line === 'up' && positions.length === 1, 'the position')
  expect(now.limits?.dailyLoss ?? null).toBeNull()
})

test('orders of an armed group are not delayed while prices change two thousand times a second', { tags: 'long' }, async () => {
  const { world, engine } = await watching()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)], { leader: world.leader.key })
  engine.calls.answerStart({ userId: USER, id: engine.calls.state({ userId: USER }).groups[0]?.id ?? '', account: one.key, answer: 'adopt' })
  await world.holds(one, 2)
  world.broker.quotes.flow(2_000)
  await until(() => (world.broker.quotes.moved() > 1_000 ? true : null), 'prices to move', 20_000)
  const before = engine.positions.length
  const begun = performance.now()
  for (const [action, holds] of [['Buy', 3], ['Buy', 4], ['Sell', 3], ['Sell', 2]] as const) {
    world.trade(world.leader, action, 1)
    await world.holds(one, holds)
  }
  expect(world.ours(one).map(({ qty }) => qty)).toEqual([2, 1, 1, 1, 1])
  expect(followerIn(engine, one.key).rejects).toBe(0)
  await until(() => (world.broker.quotes.moved() > 3_000 ? true : null), 'more prices', 20_000)
  const seconds = (performance.now() - begun) / 1000
  expect((engine.positions.length - before) / seconds).toBeLessThanOrEqual(6)
})

test('the broker’s own closing time is published', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const first = world.leader.key
  const closes = Date.UTC(2026, 10, 20, 21, 10)
  world.broker.hand.setAccount(world.leader.id, { limits: { dailyLoss: null, trailing: null, flattenAt: closes } })
  await engine.calls.watch({ userId: USER, on: true })
  await untilReported(engine, first, ({ limits }) => limits?.flatBy === closes, 'the time to be flat')
  expect(reported(engine, first)?.limits).toMatchObject({ dailyLoss: null, drawdownLimit: null, reduceOnly: false })
})

test('an account removed while watched publishes nothing more, prices included, and others go on', { tags: 'long' }, async () => {
  const world = await engineWorld()
  let gone = false
  const engine = await world.open(undefined, { accounts: () => Promise.resolve(gone ? world.accounts.filter(({ key }) => key !== world.leader.key) : world.accounts) })
  price(world, 25_000)
  world.trade(world.leader, 'Buy', 2)
  world.trade(world.follower(0), 'Buy', 1, MNQ)
  await engine.calls.watch({ userId: USER, on: true })
  await untilReported(engine, world.leader.key, ({ positions }) => positions.length === 1, 'the position')
  const contracts = () => world.broker.quotes.open().flatMap((socket) => socket.contracts).toSorted()
  await until(() => (contracts().length === 2 ? true : null), 'both prices to be asked for', 20_000)
  gone = true
  await engine.calls.accountsChanged({ userId: USER })
  await until(() => (engine.positions.at(-1)?.now.accounts.some(({ account }) => account === world.leader.key) === false ? true : null), 'the account to be gone', 20_000)
  await until(() => (contracts().join() === MNQ ? true : null), `its price to be reported no more: ${contracts().join()}`, 20_000)
  expect(engine.calls.positionsOf({ userId: USER }).accounts.map(({ account }) => account)).not.toContain(world.leader.key)
  world.trade(world.leader, 'Sell', 1)
  world.trade(world.follower(0), 'Buy', 1, MNQ)
  await untilReported(engine, world.follower(0).key, ({ positions }) => positions[0]?.net === 2, 'the other account to go on')
  expect(engine.logged.filter((line) => line.startsWith('error'))).toEqual([])
})
