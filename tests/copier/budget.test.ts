import { afterEach, expect, test, vi } from 'vitest'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, followerIn, NQ, ruleOf, USER, type RunningEngine, type EngineWorld } from './engine-world.ts'

const FOLLOWERS = 50
const CALLS = 1_600
const hour = 3_600_000

afterEach(() => vi.restoreAllMocks())

/** Lets the copier's clock stand so many milliseconds ahead. */
const clockAhead = (): { by: number } => {
  const ahead = { by: 0 }
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead.by)
  return ahead
}

const simulated = (world: EngineWorld) => world.accounts.filter(({ environment }) => environment === 'demo')
const groupOf = (engine: RunningEngine) => engine.calls.state({ userId: USER }).live.groups[0]
const waitingExits = (engine: RunningEngine): number => groupOf(engine)?.waiting.exits ?? 0

/** The prices at which the followers' stops work. */
const stopsOf = (world: EngineWorld): Map<string, number[]> => {
  const ours = new Set(simulated(world).map(({ id }) => id))
  return new Map(
    world.broker.floor.state()
      .filter(({ accountId }) => ours.has(accountId) && accountId !== world.leader.id)
      .map(({ name, orders }) => [name, orders.filter(({ type, status }) => type === 'Stop' && status === 'Working').map(({ stopPrice }) => stopPrice ?? 0)]),
  )
}
const allStopsAt = (world: EngineWorld, price: number): boolean => [...stopsOf(world).values()].every((prices) => prices.length === 1 && prices[0] === price)
/** Calls that the broker served for the copier, sockets' own among them. */
const served = (world: EngineWorld): number => world.broker.traffic.seen().filter(({ path }) => path.startsWith('/demo/v1/')).length

test('a leader who moves a stop every second never takes fifty followers over the hourly call limit, and reducing orders keep their share', { tags: 'long' }, async () => {
  const ahead = clockAhead()
  const world = await engineWorld(FOLLOWERS + 1)
  const { hand } = world.broker
  hand.setPrice(NQ, 25_000)
  const engine = await world.open(CALLS)
  await armed(world, engine, simulated(world).slice(1).map(({ key }) => ruleOf(key)))
  world.trade(world.leader, 'Buy', 1)
  for (const account of simulated(world)) await world.holds(account, 1)

  let price = 24_000
  const stop = hand.place({ account: world.leader.id, action: 'Sell', symbol: NQ, qty: 1, type: 'Stop', stopPrice: price })
  if (!('orderId' in stop)) throw new Error(stop.failureText)
  await until(() => (allStopsAt(world, price) ? true : null), 'every follower to have the stop', 30_000)

  /** Moves the leader's stop nearer, as long as all follow; gives the moves after which calls had run short. */
  const moveUntilShort = async (): Promise<number> => {
    for (let moves = 1; moves < 2 * (CALLS / FOLLOWERS); moves += 1) {
      price += 0.25
      hand.modify(stop.orderId, { stopPrice: price })
      await until(() => (allStopsAt(world, price) || waitingExits(engine) > 0 ? true : null), `the stop at ${price}`, 30_000)
      if (waitingExits(engine) > 0) return moves
    }
    throw new Error('The calls never ran short')
  }

  const moves = await moveUntilShort()
  expect(moves).toBeGreaterThan(10)
  // Many more moves, of which none has room: only the newest price is waited for.
  for (let more = 0; more < 20; more += 1) {
    price += 0.25
    hand.modify(stop.orderId, { stopPrice: price })
  }
  await until(() => (waitingExits(engine) === FOLLOWERS ? true : null), 'every stop to wait', 30_000)
  expect(new Set(groupOf(engine)?.followers.map(({ state, why }) => `${state} ${String(why)}`))).toEqual(new Set(['out-of-step budget']))
  const [budget] = engine.calls.state({ userId: USER }).live.budgets
  expect(budget).toMatchObject({ limit: CALLS, waiting: FOLLOWERS })
  expect(budget?.used).toBeLessThanOrEqual(CALLS * 0.85)
  expect(served(world)).toBeLessThanOrEqual(CALLS * 0.85)

  // An hour later the first calls have left it, and one call each brings every stop to the newest price.
  const before = served(world)
  ahead.by += hour
  await until(() => (allStopsAt(world, price) ? true : null), 'every stop to reach the newest price', 60_000)
  await until(() => (waitingExits(engine) === 0 ? true : null), 'nothing to wait', 30_000)
  expect(world.broker.traffic.seen().slice(-(served(world) - before)).filter(({ path }) => path.endsWith('/modifyorder'))).toHaveLength(FOLLOWERS)

  // Short again: the leader goes flat, and every follower with it.
  world.broker.traffic.clear()
  await moveUntilShort()
  world.trade(world.leader, 'Sell', 1)
  for (const account of simulated(world)) await world.holds(account, 0)
  await until(() => ([...stopsOf(world).values()].every((prices) => prices.length === 0) ? true : null), 'no stop to be left', 30_000)
  expect(served(world)).toBeLessThanOrEqual(CALLS)
  expect(engine.calls.state({ userId: USER }).live.budgets[0]?.used).toBeLessThanOrEqual(CALLS)
  expect(engine.logged.filter((line) => line.startsWith('error'))).toEqual([])
})

test('a reversal for whose new side no call is left closes the old one at once', async () => {
  const world = await engineWorld()
  const engine = await world.open(60)
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  const filled = () => world.ours(one).filter(({ status }) => status === 'Filled').map(({ action, qty }) => `${action} ${String(qty)}`)
  const isShort = (): boolean => followerIn(engine, one.key).why === 'budget'
  let leader = 0
  while (!isShort()) {
    world.trade(world.leader, 'Buy', 1)
    leader += 1
    await until(() => (isShort() || filled().length === leader ? true : null), 'the follower to buy, or to lack a call', 20_000)
  }
  const held = filled().length
  expect([held > 0, held]).toEqual([true, leader - 1])

  world.trade(world.leader, 'Sell', leader + 1)
  await world.holds(one, 0)
  expect(filled().at(-1)).toBe(`Sell ${String(held)}`)
  await until(() => (isShort() ? true : null), 'the new side to wait')
})
