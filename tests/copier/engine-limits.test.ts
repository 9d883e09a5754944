import { afterEach, expect, test, vi } from 'vitest'
import { sessionOf } from '#shared/market/session.ts'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, ES, followerIn, MNQ, NQ, ready, ruleOf, USER, type RunningEngine } from './engine-world.ts'

afterEach(() => vi.restoreAllMocks())

const contractIn = (engine: RunningEngine, account: string, contract: string) => followerIn(engine, account).contracts.find((each) => each.contract === contract)

test('the daily profit target locks, closes, and blocks entries', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  world.broker.hand.setPrice(NQ, 25_000)
  await armed(world, engine, [ruleOf(one.key, { dailyProfit: '150' }), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  world.broker.hand.setPrice(NQ, 25_010)
  await until(() => (followerIn(engine, one.key).lock === 'daily-profit' ? true : null), 'the lock', 20_000)
  await world.holds(one, 0)
  world.trade(world.leader, 'Buy', 1)
  await world.holds(two, 2)
  expect(world.net(one)).toBe(0)
})

test.each(['right', 'days ahead', 'hours behind'] as const)('realized and open losses of the session count to its limit with a clock that is %s', async (clock) => {
  const world = await engineWorld()
  const behind = { ...world.atBroker, now: () => world.atBroker.now() - 6 * 3_600_000 }
  const engine = await world.open(5_000, clock === 'days ahead' ? {} : { timing: clock === 'right' ? world.atBroker : behind })
  const one = world.follower(0)
  world.broker.hand.setPrice(NQ, 25_000)
  await armed(world, engine, [ruleOf(one.key, { dailyLoss: '300' })])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  world.broker.hand.setPrice(NQ, 24_990)
  world.trade(world.leader, 'Sell', 1)
  await world.holds(one, 0)
  expect(followerIn(engine, one.key).lock).toBeNull()
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  world.broker.hand.setPrice(NQ, 24_980)
  await until(() => (followerIn(engine, one.key).lock === 'daily-loss' ? true : null), 'the lock', 30_000)
  await world.holds(one, 0)
})

test('a loss in yen is none in dollars: only one in dollars reaches the limit', async () => {
  const world = await engineWorld()
  const [one, two] = [world.follower(0), world.follower(1)]
  let inYen: () => Promise<void> = () => Promise.resolve()
  const engine = await world.open(5_000, {
    line: (line, { emit }) => {
      inYen = async () => {
        const contract = await line.contractNamed(NQ)
        if (contract !== null) emit({ kind: 'contracts', contracts: [{ ...contract, currencyId: 4 }] })
      }
      return { ...line, cashOf: async (id) => (id === one.id ? { openPnl: -1.33, realized: null, netLiq: null, totalCash: null } : await line.cashOf(id)) }
    },
  })
  world.broker.hand.setPrice(NQ, 25_000)
  world.broker.hand.setPrice(ES, 6_800)
  await armed(world, engine, [ruleOf(one.key, { dailyLoss: '100' }), ruleOf(two.key, { dailyLoss: '100', mappings: [{ from: 'NQ', to: 'ES', factor: { num: 1, den: 1 } }] })])
  await inYen()
  // Prices are read only while the positions are watched.
  await engine.calls.watch({ userId: USER, on: true })
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  await world.holds(two, 1, ES)
  world.broker.hand.setPrice(NQ, 24_000)
  world.broker.hand.setPrice(ES, 6_700)
  await until(() => (followerIn(engine, two.key).lock === 'daily-loss' ? true : null), 'the lock of the loss in dollars', 20_000)
  await world.holds(two, 0, ES)
  const held = () => engine.calls.positionsOf({ userId: USER }).accounts.find(({ account }) => account === one.key)?.positions[0]
  await until(() => (held()?.mark?.price === 24_000 ? true : null), 'the price in yen', 20_000)
  const day = await until(() => followerIn(engine, one.key).day, 'the day of the loss in yen', 20_000)
  expect([held()?.currency, day.currency, Number(day.net) > -20, followerIn(engine, one.key).lock, world.net(one)]).toEqual(['#4', 'USD', true, null, 1])
})

test('the limit over all contracts caps entries, one after the other and at once', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key, { maxPosition: 3 })])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.trade(world.leader, 'Sell', 2, ES)
  await world.holds(one, -1, ES)
  await until(() => (contractIn(engine, one.key, ES)?.why === 'max-position' ? true : null), 'the bound to be reported')
  // What one contract gives up, the other takes.
  world.trade(world.leader, 'Sell', 2)
  await world.holds(one, 0)
  await world.holds(one, -2, ES)

  world.trade(world.leader, 'Buy', 2, ES)
  await world.holds(one, 0, ES)
  engine.calls.pause({ userId: USER, id })
  world.trade(world.leader, 'Buy', 2)
  world.trade(world.leader, 'Buy', 2, ES)
  await until(() => (contractIn(engine, one.key, NQ)?.target === 2 && contractIn(engine, one.key, ES)?.target === 2 ? true : null), 'both targets')
  engine.calls.resume({ userId: USER, id })
  await until(() => (Math.abs(world.net(one)) + Math.abs(world.net(one, ES)) >= 3 ? true : null), 'as much as may be')
  await until(() => (followerIn(engine, one.key).contracts.every(({ inFlight }) => inFlight === 0) && followerIn(engine, one.key).why === 'max-position' ? true : null), 'the bound to be reported again')
  expect(world.net(one) + world.net(one, ES)).toBe(3)
})

test('armed across a session end: positions stay, and closes after it are copied', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  await armed(world, engine, [ruleOf(one.key), ruleOf(two.key, { ratio: { num: 1, den: 2 } })])
  world.trade(world.leader, 'Buy', 4)
  world.trade(world.leader, 'Sell', 1, ES)
  await world.holds(one, 4)
  await world.holds(one, -1, ES)
  await world.holds(two, 2)

  // The last trade of the session closes one contract, and its copy is the first of the next; then another is taken off.
  world.trade(world.leader, 'Buy', 1, ES)
  world.broker.clock.set(sessionOf('2026-11-23').opens + 3_600_000)
  await world.holds(one, 0, ES)
  world.trade(world.leader, 'Sell', 2)
  await world.holds(one, 2)
  await world.holds(two, 1)
  await until(() => (contractIn(engine, one.key, NQ)?.inFlight === 0 ? true : null), 'the order to end')
  expect(contractIn(engine, one.key, NQ)).toMatchObject({ leader: 2, target: 2, actual: 2 })
  world.trade(world.leader, 'Sell', 2)
  await world.holds(one, 0)
  await world.holds(two, 0)
  world.trade(world.leader, 'Sell', 1)
  await world.holds(one, -1)
  const atRest = ({ why, contracts }: ReturnType<typeof followerIn>) => why === null && contracts.every(({ inFlight, difference }) => inFlight === 0 && difference === 0)
  await until(() => (atRest(followerIn(engine, one.key)) && atRest(followerIn(engine, two.key)) ? true : null), 'the copier to be at rest')
  expect(world.ours(one).map(({ action, qty, status }) => `${action} ${String(qty)} ${status}`)).toEqual(['Buy 4 Filled', 'Sell 1 Filled', 'Buy 1 Filled', 'Sell 2 Filled', 'Sell 2 Filled', 'Sell 1 Filled'])
})

test('a login rate-limited in the middle of a fan-out catches up within seconds, reducing orders first, and shows when', { tags: 'long' }, async () => {
  const world = await engineWorld(6)
  const engine = await world.open()
  const followers = [0, 1, 2, 3].map(world.follower)
  const [, , three, four] = followers
  if (three === undefined || four === undefined) throw new RangeError('Too few followers')
  await armed(world, engine, followers.map(({ key }) => ruleOf(key)))
  world.trade(world.leader, 'Buy', 2)
  for (const account of followers) await world.holds(account, 2)

  world.broker.faults.add({ kind: 'rate-limited', path: 'placeorder', account: three.id, times: 1 })
  world.broker.faults.add({ kind: 'rate-limited', path: 'placeorder', account: four.id, times: 2 })
  world.trade(world.leader, 'Sell', 1)
  await until(() => (followerIn(engine, four.key).why === 'rate-limited' ? true : null), 'the limit to be reported')
  expect(contractIn(engine, four.key, NQ)?.retryAt).toBeGreaterThan(Date.now())
  expect(contractIn(engine, four.key, NQ)?.retryAt).toBeLessThanOrEqual(Date.now() + 5_000)
  world.trade(world.leader, 'Buy', 1, ES)
  await until(() => (contractIn(engine, four.key, ES)?.why === 'rate-limited' ? true : null), 'the entries to wait')
  for (const account of followers) await world.holds(account, 1)
  // Without a stated wait: once the broker accepts calls again, entries are sent too.
  for (const account of followers) await world.holds(account, 1, ES)
  await until(() => (followers.every(({ key }) => followerIn(engine, key).why === null) ? true : null), 'all to be in step')
  for (const account of followers) expect([followerIn(engine, account.key).lock, followerIn(engine, account.key).rejects]).toEqual([null, 0])
})

test('a mapping to a contract unknown to the broker is reported, and locks no follower', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  await armed(world, engine, [ruleOf(one.key, { mappings: [{ from: 'NQ', to: 'NOSUCH', factor: { num: 1, den: 1 } }], maxRejects: 2 }), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(two, 1)
  await until(() => (followerIn(engine, one.key).why === 'no-contract' ? true : null), 'the reason to be reported')
  for (let more = 2; more <= 4; more += 1) {
    world.trade(world.leader, 'Buy', 1)
    await world.holds(two, more)
  }
  expect([followerIn(engine, one.key).why, followerIn(engine, one.key).lock]).toEqual(['no-contract', null])
})

test('a dry run keeps its simulated position over a restart', async () => {
  const world = await engineWorld()
  const before = await world.open()
  const one = world.follower(0)
  const id = await armed(world, before, [ruleOf(one.key)], { dryRun: true })
  world.trade(world.leader, 'Buy', 3)
  await until(() => (contractIn(before, one.key, NQ)?.simulated === 3 ? true : null), 'the dry run to follow')
  world.trade(world.leader, 'Sell', 1)
  await until(() => (contractIn(before, one.key, NQ)?.simulated === 2 ? true : null), 'the dry run to take off')
  await before.stop()

  const after = await world.open()
  await ready(after, id)
  await until(() => (contractIn(after, one.key, NQ)?.target === 2 ? true : null), 'the target to be known')
  expect(contractIn(after, one.key, NQ)).toMatchObject({ actual: 0, simulated: 2, difference: 0 })
  expect(after.store.ordersOf(one.key, 0)).toHaveLength(2)
  // Armed again it starts flat.
  await after.calls.disarm({ userId: USER, id })
  await after.calls.arm({ userId: USER, id })
  await until(() => (followerIn(after, one.key).undecided.length > 0 ? true : null), 'the question of the start')
  expect(followerIn(after, one.key).undecided).toEqual([{ contract: NQ, leader: 2, follower: 0 }])
  after.calls.answerStart({ userId: USER, id, account: one.key, answer: 'adopt' })
  await until(() => (contractIn(after, one.key, NQ)?.simulated === 2 ? true : null), 'the dry run to follow again')
  await after.calls.flatten({ userId: USER, id })
  await until(() => (contractIn(after, one.key, NQ)?.simulated === 0 ? true : null), 'the simulated position to be closed')
  expect(after.store.ordersOf(one.key, 0).at(-1)).toMatchObject({ purpose: 'flatten', side: 'sell', qty: 2, dryRun: true })
  await after.stop()

  const last = await world.open()
  await ready(last, id)
  await until(() => (contractIn(last, one.key, NQ)?.leader === 2 ? true : null), 'the leader to be known')
  expect(contractIn(last, one.key, NQ)?.actual).toBe(0)
  expect(world.ours(one)).toEqual([])
})

test('exits of two leader contracts mapped to one are both mirrored', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  world.broker.hand.setPrice(NQ, 25_000)
  world.broker.hand.setPrice(MNQ, 25_000)
  await armed(world, engine, [ruleOf(one.key, { mappings: [{ from: 'NQ', to: 'MNQ', factor: { num: 10, den: 1 } }], contractCap: 12 })])
  world.trade(world.leader, 'Buy', 1)
  world.trade(world.leader, 'Buy', 3, MNQ)
  await world.holds(one, 12, MNQ)
  const ofMini = world.work(world.leader, { action: 'Sell', qty: 1, type: 'Stop', stopPrice: 24_900 })
  world.work(world.leader, { action: 'Sell', qty: 3, type: 'Stop', stopPrice: 24_950, symbol: MNQ })
  const exits = (): string[] => world.working(one).map(({ qty, stopPrice }) => `${String(qty)} at ${String(stopPrice)}`).sort()
  await until(() => (exits().length === 2 ? true : null), 'both exits')
  expect(exits()).toEqual(['10 at 24900', '2 at 24950'])
  await expect.poll(() => contractIn(engine, one.key, MNQ)?.exits).toEqual({ working: 2, waiting: 0, refused: null })
  world.broker.hand.cancel(ofMini)
  await until(() => (exits().length === 1 ? true : null), 'one to be canceled')
  expect(exits()).toEqual(['2 at 24950'])
})

test('a correcting order that does not fill is reported', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.broker.faults.add({ kind: 'slow-fill', account: one.id })
  world.trade(world.leader, 'Buy', 2)
  await until(() => (contractIn(engine, one.key, NQ)?.why === 'order-working' ? true : null), 'the order to be reported', 20_000)
  expect(contractIn(engine, one.key, NQ)).toMatchObject({ inFlight: 2, difference: 0 })
  world.broker.faults.clear()
  world.broker.floor.release()
  await world.holds(one, 2)
  await until(() => (followerIn(engine, one.key).why === null ? true : null), 'the follower to be in step')
})

test('a deleted user leaves nothing behind, and nothing is copied any more', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  const other = engine.calls.saveGroup({ userId: 'user-2', id: null, draft: { name: 'Other', leader: world.leader.key, followers: [ruleOf(one.key)], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false } })
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await until(() => (engine.store.openOrders().length === 0 ? true : null), 'the order to end')
  await engine.calls.deleteUser({ userId: USER })
  expect(engine.store.groups().map((group) => group.id)).toEqual([other?.id])
  expect([engine.store.followers(id), engine.store.stances(id), engine.store.ordersOf(one.key, 0)]).toEqual([[], [], []])
  expect(engine.calls.state({ userId: USER }).groups).toEqual([])
  await until(() => (world.broker.sockets.open().length === 0 ? true : null), 'its lines to be closed')
  expect(engine.logged.filter((line) => line.startsWith('error'))).toEqual([])
})
