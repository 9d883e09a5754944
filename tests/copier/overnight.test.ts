import { expect, test, vi } from 'vitest'
import { systemTiming, type Timing } from '#backend/brokers/timing.ts'
import { sessionOf } from '#shared/market/session.ts'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, followerIn, NQ, ready, ruleOf, USER, type RunningEngine } from './engine-world.ts'

const leaderLine = (engine: { calls: { state: (input: { userId: string }) => { live: { groups: readonly { leaderLine: string }[] } } } }) => engine.calls.state({ userId: USER }).live.groups[0]?.leaderLine

test('a position closed elsewhere while the copier was off, before the broker’s lists were reset, is not taken for open', { tags: 'long' }, async () => {
  const world = await engineWorld(2)
  const engine = await world.open()
  const follower = world.follower(0)
  const id = await armed(world, engine, [ruleOf(follower.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(follower, 2)

  const { sockets, clock } = world.broker
  sockets.refuse(true)
  sockets.drop()
  await until(() => (leaderLine(engine) === 'up' ? null : true), 'the line to be down')
  world.trade(follower, 'Sell', 2)
  // Monday: the leader's position is carried over, and no list shows the follower's any more.
  clock.set(sessionOf('2026-11-23').opens + 3_600_000)
  sockets.refuse(false)
  await until(() => (leaderLine(engine) === 'up' ? true : null), 'the line to be up again')

  // It is not taken for where it was, and its user's word is waited for before it is bought back.
  await until(() => (followerIn(engine, follower.key).why === 'by-hand' ? true : null), 'the hand to be noticed')
  expect([world.net(follower), followerIn(engine, follower.key).contracts]).toMatchObject([0, [{ target: 2, actual: 0, difference: 2 }]])
  engine.calls.settle({ userId: USER, id, account: follower.key, answer: 'bring-back' })
  await world.holds(follower, 2)
  world.trade(world.leader, 'Sell', 2)
  await world.holds(follower, 0)
  await until(() => (followerIn(engine, follower.key).contracts.every(({ inFlight, actual }) => inFlight === 0 && actual === 0) ? true : null), 'the copier to be at rest')
  expect(world.ours(follower).map(({ action, qty, status }) => `${action} ${qty} ${status}`)).toEqual(['Buy 2 Filled', 'Buy 2 Filled', 'Sell 2 Filled'])
})

/** A leader and a follower with a clock of their own, which the sessions can be moved on by. */
const night = async (mode: 'fills' | 'orders') => {
  const world = await engineWorld(2)
  const { hand, floor, faults, clock, logins } = world.broker
  const one = world.follower(0)
  let behind = Date.now() - Date.parse('2026-11-20T16:30:00Z')
  const timing: Timing = { ...systemTiming, now: () => systemTiming.now() - behind }
  let running: RunningEngine
  const start = async (id?: string): Promise<RunningEngine> => {
    const engine = running = await world.open(undefined, { timing })
    if (id === undefined) return engine
    engine.calls.allow({ userId: USER, id, entries: true })
    await ready(engine, id)
    return engine
  }
  hand.setPrice(NQ, 25_000)
  const before = await start()
  const id = await armed(world, before, [ruleOf(one.key)], { mode })
  const trader = { userId: logins[0]?.userId ?? 0, environment: world.leader.environment }
  const works = (): string => world.working(one).map(({ action, qty, filled, price }) => `${action} ${String(qty - filled)} at ${String(price)}`).toSorted().join(', ')
  return {
    world, one, id, before, start, works,
    /** Places a good-till-canceled limit order of the leader's. */
    place: (action: 'Buy' | 'Sell', orderQty: number, price: number) => floor.place(trader, { accountId: world.leader.id, accountSpec: world.leader.name, symbol: NQ, action, orderQty, orderType: 'Limit', price, timeInForce: 'GTC', isAutomated: false }),
    fillInHalves: (...accounts: readonly { readonly id: number }[]) => { for (const account of accounts) faults.add({ kind: 'partial-fills', account: account.id, pieces: 2, byStep: true, times: 1 }) },
    roll: (session: string): void => {
      const now = sessionOf(session).opens + 3_600_000
      clock.set(now)
      behind = Date.now() - now
    },
    shows: async (wanted: string): Promise<void> => {
      await until(() => (works() === wanted ? true : null), `${wanted}, not ${works()}`, 20_000)
      await running.rounds(10)
      expect(works()).toBe(wanted)
    },
    inSync: (engine: RunningEngine, leader: number) => until(() => (followerIn(engine, one.key).state === 'armed' && followerIn(engine, one.key).contracts[0]?.leader === leader ? true : null), 'the follower to be in sync', 20_000),
    both: async (net: number): Promise<void> => { for (const account of [world.leader, one]) await world.holds(account, net) },
  }
}

/** Has a group copy working orders too. */
const byOrders = ({ calls }: RunningEngine, id: string): void => {
  const group = calls.state({ userId: USER }).groups.find((each) => each.id === id)
  if (group === undefined) throw new Error('No group')
  const { id: _, ...draft } = group
  calls.saveGroup({ userId: USER, id, draft: { ...draft, mode: 'orders' } })
}

const kept = ({ store }: RunningEngine, id: string) => store.leaderFills(id).map(({ qty }) => qty)

test.each(['in a later session', 'in the same session'] as const)('an entry of the leader that has filled in part counts by what is left of it after a restart %s', async (when) => {
  const { world, one, id, before, place, fillInHalves, shows, both, inSync, start, roll } = await night('fills')
  fillInHalves(world.leader)
  place('Buy', 4, 24_900)
  world.broker.hand.setPrice(NQ, 24_900)
  await both(2)
  world.broker.hand.setPrice(NQ, 25_000)
  await inSync(before, 2)
  byOrders(before, id)
  await shows('Buy 2 at 24900')
  await until(() => (kept(before, id).length === 1 ? true : null), 'the fill to be kept')
  await before.stop()

  if (when === 'in a later session') roll('2026-11-23')
  const after = await start(id)
  await inSync(after, 2)
  await shows('Buy 2 at 24900')
  world.broker.hand.setPrice(NQ, 24_900)
  world.broker.floor.step()
  await both(4)
  await inSync(after, 4)
  await shows('')
  expect(world.ours(one).filter(({ filled }) => filled > 0).map(({ type, filled }) => `${type} ${String(filled)}`)).toEqual(['Market 2', 'Limit 2'])
  await until(() => (kept(after, id).length === 0 ? true : null), 'the order’s fills to be forgotten')
})

test('an entry of the leader that filled in part while the copier was off, in an earlier session, counts by what is left of it as well', async () => {
  const { world, one, id, before, place, fillInHalves, shows, both, start, roll } = await night('fills')
  fillInHalves(world.leader)
  place('Buy', 4, 24_900)
  await before.stop()
  world.broker.hand.setPrice(NQ, 24_900)
  await world.holds(world.leader, 2)
  world.broker.hand.setPrice(NQ, 25_000)
  roll('2026-11-23')

  const after = await start(id)
  await until(() => (followerIn(after, one.key).undecided.length === 1 ? true : null), 'the question', 20_000)
  after.calls.answerStart({ userId: USER, id, account: one.key, answer: 'adopt' })
  await both(2)
  byOrders(after, id)
  await shows('Buy 2 at 24900')
  world.broker.hand.setPrice(NQ, 24_900)
  world.broker.floor.step()
  await both(4)
  await shows('')
  expect(world.ours(one).filter(({ filled }) => filled > 0).map(({ type, filled }) => `${type} ${String(filled)}`)).toEqual(['Market 2', 'Limit 2'])
})

test.each(['in a later session', 'in the same session'] as const)('a target of the leader that has filled in part counts by what is left of it after a restart %s', async (when) => {
  const { world, one, id, before, place, fillInHalves, shows, both, inSync, start, roll } = await night('fills')
  world.trade(world.leader, 'Buy', 4)
  await both(4)
  fillInHalves(world.leader, one)
  place('Sell', 4, 25_100)
  await shows('Sell 4 at 25100')
  world.broker.hand.setPrice(NQ, 25_100)
  await both(2)
  world.broker.hand.setPrice(NQ, 25_000)
  await inSync(before, 2)
  world.trade(world.leader, 'Buy', 2)
  await both(4)
  place('Sell', 2, 25_200)
  await shows('Sell 2 at 25100, Sell 2 at 25200')
  await before.stop()

  if (when === 'in a later session') roll('2026-11-23')
  const after = await start(id)
  await inSync(after, 4)
  await shows('Sell 2 at 25100, Sell 2 at 25200')
  world.broker.hand.setPrice(NQ, 25_100)
  world.broker.floor.step()
  await both(2)
  await inSync(after, 2)
  await shows('Sell 2 at 25200')
  await until(() => (kept(after, id).length === 0 ? true : null), 'the order’s fills to be forgotten')
})

test.each(['after a restart', 'without one'] as const)('what a follower’s entry has filled ahead of the leader’s order is not placed again eleven days later, %s', async (way) => {
  const { world, one, id, before, place, fillInHalves, shows, both, start, roll, works } = await night('orders')
  world.broker.faults.add({ kind: 'slow-fill', account: world.leader.id, times: 1 })
  fillInHalves(one)
  place('Buy', 4, 24_900)
  await shows('Buy 4 at 24900')
  world.broker.hand.setPrice(NQ, 24_900)
  await world.holds(one, 2)
  world.broker.hand.setPrice(NQ, 25_000)
  await until(() => (followerIn(before, one.key).contracts[0]?.actual === 2 ? true : null), 'the fill to be counted')
  await before.calls.flatten({ userId: USER, id })
  await world.holds(one, 0)
  before.calls.unlock({ userId: USER, id, account: one.key })
  await shows('Buy 2 at 24900')
  if (way === 'after a restart') await before.stop()
  else {
    roll('2026-11-23')
    await shows('Buy 2 at 24900')
    // A trade of the session: from the next one on the book has no orders of before.
    world.trade(world.leader, 'Sell', 1)
    await both(-1)
    world.trade(world.leader, 'Buy', 1)
    await both(0)
  }
  roll('2026-12-01')
  expect(works()).toBe('')
  const engine = way === 'after a restart' ? await start(id) : before
  await shows('Buy 2 at 24900')
  expect(engine.store.ordersOf(one.key, Date.now()).filter(({ counts }) => counts).map(({ filled }) => filled)).toEqual([2])
})

test('a fill of the leader’s order that was not saved before the copier ended counts once after a restart in the session', async () => {
  const { world, id, before, place, fillInHalves, shows, inSync, start } = await night('orders')
  fillInHalves(world.leader)
  place('Buy', 4, 24_900)
  await shows('Buy 4 at 24900')
  const record = vi.spyOn(before.store, 'record').mockImplementation(() => { throw new Error('The disk is full') })
  world.broker.hand.setPrice(NQ, 24_900)
  await world.holds(world.leader, 2)
  await before.stop()
  record.mockRestore()
  world.broker.hand.setPrice(NQ, 25_000)
  const after = await start(id)
  await inSync(after, 2)
  await until(() => (kept(after, id).length === 1 ? true : null), 'the fill to be kept')
  expect(kept(after, id)).toEqual([2])
})
