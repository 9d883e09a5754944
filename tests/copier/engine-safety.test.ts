import { expect, test } from 'vitest'
import type { BrokerLine, LineDeps } from '#backend/copier/engine/line.ts'
import type { LiveContract } from '#backend/brokers/tradovate/live.ts'
import { systemTiming } from '#backend/brokers/timing.ts'
import { fault } from '#tests/helpers/fault.ts'
import { until } from '#tests/helpers/until.ts'
import { words } from '#tests/helpers/words.ts'
import { armed, engineWorld, followerIn, MNQ, NQ, ready, ruleOf, USER } from './engine-world.ts'

const OTHER = 'user-2'

test('an order that could not be sent is not retried at once, and spends no budget', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const way = { open: true, tried: 0 }
  const engine = await world.open(5_000, {
    line: (line) => ({
      ...line,
      place: (order, onWire) => {
        way.tried += 1
        return way.open ? line.place(order, onWire) : Promise.resolve({ kind: 'lost', reached: false })
      },
    }),
  })
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  way.open = false
  world.trade(world.leader, 'Buy', 2)
  await until(() => (followerIn(engine, one.key).why === 'line-down' ? true : null), 'the follower to wait')
  expect(way.tried).toBe(1)
  way.open = true
  await world.holds(one, 2)
  expect([way.tried, followerIn(engine, one.key).rejects]).toEqual([2, 0])
})

test('nothing known before a sleep is trusted after it', { tags: 'fault' }, async ({ task }) => {
  const count = fault(task, 'sleep')
  const world = await engineWorld()
  let sleptMs = 0
  const engine = await world.open(5_000, { timing: { ...systemTiming, now: () => Date.now() + sleptMs } })
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  // While it sleeps it gets no turn: its lines are cut, half an hour goes by, and the leader trades.
  world.broker.sockets.drop()
  world.trade(world.leader, 'Buy', 2)
  sleptMs = 30 * 60_000
  engine.calls.woke()
  count.tried()
  const [group] = engine.calls.state({ userId: USER }).live.groups
  expect([group?.leaderLine, group?.followers[0]?.line, group?.followers[0]?.why]).toEqual(['down', 'down', 'line-down'])
  count.sees(words('trade-copier', `why.${String(group?.followers[0]?.why)}`))
  await ready(engine, id)
  await world.holds(one, 3)
  const sent = world.ours(one).map(({ qty }) => qty)
  count.compare(sent, [1, 2])
  expect(sent).toEqual([1, 2])
})

test("an answer to the start question waits until the leader's position is known", { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [far, one] = [world.farLeader, world.follower(0)]
  world.trade(far, 'Buy', 2)
  const id = await armed(world, engine, [ruleOf(one.key)], { leader: far.key })
  world.broker.faults.add({ kind: 'socket-unreachable', path: '/live/' })
  world.broker.sockets.drop()
  await until(() => (followerIn(engine, one.key).line === 'up' && engine.calls.state({ userId: USER }).live.groups[0]?.leaderLine !== 'up' ? true : null), 'the leader to be missed')
  engine.calls.answerStart({ userId: USER, id, account: one.key, answer: 'leave' })
  world.broker.faults.clear()
  await ready(engine, id)
  expect(followerIn(engine, one.key).undecided).toEqual([{ contract: NQ, leader: 2, follower: 0 }])
  engine.calls.answerStart({ userId: USER, id, account: one.key, answer: 'leave' })
  world.trade(far, 'Buy', 1)
  await world.holds(one, 1)
  expect(world.ours(one).map(({ qty }) => qty)).toEqual([1])
})

test('a follower locked for rejects is still closed at the daily loss limit', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  world.broker.hand.setPrice(NQ, 25_000)
  await armed(world, engine, [ruleOf(one.key, { dailyLoss: '150', maxRejects: 1 }), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  world.broker.faults.add({ kind: 'reject-order', account: one.id, times: 1 })
  world.trade(world.leader, 'Buy', 1)
  await until(() => (followerIn(engine, one.key).lock === 'rejects' ? true : null), 'the lock for rejects')
  world.broker.hand.setPrice(NQ, 24_990)
  world.trade(two, 'Buy', 1)
  await until(() => (followerIn(engine, one.key).lock === 'daily-loss' ? true : null), 'the lock of the day')
  await world.holds(one, 0)
})

test('a follower flattened while its user holds the other side is flat, and stays flat', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.broker.faults.add({ kind: 'slow', path: 'placeorder', account: one.id, ms: 500, times: 1 })
  world.trade(world.leader, 'Sell', 3)
  await until(() => (engine.store.openOrders().length === 1 ? true : null), 'the copy to be on its way')
  world.trade(one, 'Buy', 2)
  await world.holds(one, -1)
  await until(() => (followerIn(engine, one.key).contracts[0]?.yours === 2 ? true : null), "what is the user's to be known")
  expect((await engine.calls.flatten({ userId: USER, id }))?.map(({ outcome }) => outcome)).toEqual(['flat'])
  world.trade(world.leader, 'Buy', 3)
  await until(() => (engine.calls.state({ userId: USER }).live.groups[0]?.leader.length === 0 ? true : null), 'the leader to be known as flat')
  engine.calls.unlock({ userId: USER, id, account: one.key })
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  expect(world.ours(one).map(({ qty }) => qty)).toEqual([3, 1, 1])
})

test("the broker's open loss of earlier positions does not count against later ones", { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  world.broker.hand.setPrice(NQ, 25_000)
  const id = await armed(world, engine, [ruleOf(one.key, { dailyLoss: '150' })])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  world.broker.hand.setPrice(NQ, 24_990)
  await until(() => (followerIn(engine, one.key).lock === 'daily-loss' ? true : null), 'the lock of the day')
  await world.holds(one, 0)
  world.trade(world.leader, 'Sell', 1)
  // Unlocked before both are known to be flat it would ask.
  const isFlat = (): boolean => engine.calls.state({ userId: USER }).live.groups[0]?.leader.length === 0 && followerIn(engine, one.key).contracts.every(({ actual, inFlight, leader }) => actual === 0 && inFlight === 0 && leader === 0)
  await until(() => (isFlat() ? true : null), 'leader and follower to be known as flat')
  engine.calls.unlock({ userId: USER, id, account: one.key })
  world.trade(world.leader, 'Sell', 1)
  await world.holds(one, -1)
  // The row with the price of its fill comes a moment after the fill.
  const row = await until(() => (followerIn(engine, one.key).contracts[0]?.actual === -1 && followerIn(engine, one.key).day !== null ? followerIn(engine, one.key) : null), 'the new position')
  // The loss of the day with its fees, and nothing open.
  expect([row.day?.net, row.lock]).toEqual(['-208.94', null])
})

test("orders in flight when the copier was killed are looked up first, even if another user's accounts cannot be read", async () => {
  const world = await engineWorld()
  const before = await world.open()
  const one = world.follower(0)
  before.calls.saveGroup({ userId: OTHER, id: null, draft: { name: 'Other', leader: 'tradovate:demo:1', followers: [ruleOf('tradovate:demo:2')], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false } })
  const id = await armed(world, before, [ruleOf(one.key)])
  world.broker.faults.add({ kind: 'slow', path: 'placeorder', ms: 1_500, times: 1 })
  world.trade(world.leader, 'Buy', 2)
  await until(() => (before.store.openOrders().length === 1 ? true : null), 'the order to be written')
  await before.stop()
  const after = await world.open(5_000, { accounts: ({ userId }) => (userId === USER ? Promise.resolve(world.accounts) : Promise.reject(new Error('Not now'))) })
  after.calls.allow({ userId: USER, id, entries: true })
  await world.holds(one, 2)
  await until(() => (after.store.openOrders().length === 0 ? true : null), 'the order to end')
  expect(world.ours(one).map(({ qty }) => qty)).toEqual([2])
})

test('an account added to a connected line is read before any decision about it', async () => {
  const world = await engineWorld()
  const known = [world.leader, world.follower(0), world.follower(1)]
  const engine = await world.open(5_000, { accounts: () => Promise.resolve([...known]) })
  await armed(world, engine, [ruleOf(world.follower(0).key)])
  const late = world.follower(2)
  world.trade(late, 'Buy', 3)
  world.trade(world.leader, 'Buy', 1)
  await world.holds(world.follower(0), 1)
  known.push(late)
  await armed(world, engine, [ruleOf(late.key)], { leader: world.follower(1).key })
  expect(followerIn(engine, late.key).undecided).toEqual([{ contract: NQ, leader: 0, follower: 3 }])
})

test('a group never trades the account of another user', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, other] = [world.follower(0), world.follower(1)]
  await armed(world, engine, [ruleOf(one.key)])
  const foreign = engine.calls.saveGroup({ userId: OTHER, id: null, draft: { name: 'Other', leader: other.key, followers: [ruleOf(one.key)], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false } })
  engine.calls.allow({ userId: OTHER, id: foreign?.id ?? '', entries: true })
  await engine.calls.arm({ userId: OTHER, id: foreign?.id ?? '' })
  world.trade(other, 'Buy', 3)
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  const [group] = engine.calls.state({ userId: OTHER }).live.groups
  expect([group?.leaderLine, group?.followers[0]?.line, world.ours(one).length]).toEqual(['down', 'down', 1])
  expect(await engine.calls.flatten({ userId: OTHER, id: foreign?.id ?? '' })).toEqual([{ account: one.key, outcome: 'not-connected', left: [], detail: null }])
  expect(world.net(one)).toBe(1)
})

test('a contract id from one broker is not used for another user', async () => {
  const world = await engineWorld()
  const stolen = world.follower(2)
  const odd: LiveContract = { id: 987_654, name: NQ, product: 'NQ', tickSize: '0.25', valuePerPoint: 20, currencyId: 1 }
  let tell: LineDeps['emit'] = () => undefined
  const engine = await world.open(5_000, {
    accounts: ({ userId }) => Promise.resolve(userId === USER ? world.accounts.filter(({ key }) => key !== stolen.key) : [{ ...stolen, loginId: 'another' }]),
    line: (line, { loginId, emit: say }) => {
      if (loginId === 'another') tell = say
      return line
    },
  })
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  const foreign = engine.calls.saveGroup({ userId: OTHER, id: null, draft: { name: 'Other', leader: stolen.key, followers: [ruleOf('tradovate:demo:2')], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false } })
  await engine.calls.arm({ userId: OTHER, id: foreign?.id ?? '' })
  await until(() => (engine.calls.state({ userId: OTHER }).live.groups[0]?.leaderLine === 'up' ? true : null), "the other user's line")
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  tell({ kind: 'contracts', contracts: [odd] })
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 3)
  expect(world.ours(one).map(({ qty }) => qty)).toEqual([2, 1])
})

test('a stop shrinks with its position, however few calls are left', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open(80)
  const one = world.follower(0)
  world.broker.hand.setPrice(NQ, 25_000)
  await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 4)
  await world.holds(one, 4)
  let price = 24_000
  const stop = world.work(world.leader, { action: 'Sell', qty: 4, type: 'Stop', stopPrice: price })
  const stopAt = (): number | undefined => world.working(one)[0]?.stopPrice ?? undefined
  const waiting = (): boolean => (engine.calls.state({ userId: USER }).live.groups[0]?.waiting.exits ?? 0) > 0
  await until(() => (stopAt() === price ? true : null), 'the stop')
  while (!waiting()) {
    price += 0.25
    world.broker.hand.modify(stop, { stopPrice: price })
    await until(() => (stopAt() === price || waiting() ? true : null), `the stop at ${String(price)}`)
  }
  world.trade(world.leader, 'Sell', 2)
  await world.holds(one, 2)
  await until(() => (world.working(one).map(({ qty, stopPrice }) => `${String(qty)} at ${String(stopPrice)}`).join() === `2 at ${String(price)}` ? true : null), 'the smaller stop')
})

test('a rejected addition does not hold up a reduction', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  // So answered, nothing is added for a minute.
  world.broker.faults.add({ kind: 'reject-order', reason: 'SessionClosed', account: one.id, times: 1 })
  world.trade(world.leader, 'Buy', 1)
  await until(() => (followerIn(engine, one.key).why === 'market-closed' ? true : null), 'the addition to be refused')
  world.trade(world.leader, 'Sell', 2)
  await world.holds(one, 1)
  expect(world.ours(one).filter(({ status }) => status === 'Filled').map(({ action, qty }) => `${action} ${String(qty)}`)).toEqual(['Buy 2', 'Sell 1'])
})

test('a copier stopped while it closes positions stops at once', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.broker.faults.add({ kind: 'slow', path: 'placeorder', ms: 4_000, times: 1 })
  const flattened = engine.calls.flatten({ userId: USER, id })
  await until(() => (engine.store.openOrders().length === 1 ? true : null), 'the close to be on its way')
  const began = performance.now()
  await engine.stop()
  expect((await flattened)?.map(({ outcome }) => outcome)).toEqual(['not-flat'])
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('a follower unlocked while its line is down is not closed once the line is back', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.broker.faults.add({ kind: 'socket-unreachable', path: '' })
  world.broker.sockets.drop()
  await until(() => (followerIn(engine, one.key).line === 'up' ? null : true), 'the line to be missed')
  const reports = engine.calls.flatten({ userId: USER, id })
  await until(() => (followerIn(engine, one.key).lock === 'flattened' ? true : null), 'the follower to be locked')
  engine.calls.unlock({ userId: USER, id, account: one.key })
  world.broker.faults.clear()
  expect(await reports).toMatchObject([{ outcome: expect.stringMatching(/^not-/) as string }])
  await ready(engine, id)
  world.trade(world.leader, 'Buy', 1, MNQ)
  await world.holds(one, 1, MNQ)
  expect([world.net(one), world.ours(one).filter(({ contract }) => contract === NQ).length]).toEqual([2, 1])
})

test('a position opened between the lists of positions and of orders is not taken for flat, though its row does not arrive', async () => {
  const world = await engineWorld()
  const lines: BrokerLine[] = []
  const engine = await world.open(undefined, { line: (line) => {
    lines.push(line)
    return line
  } })
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  // The copier's calendar is ahead of the broker's sessions, as with a wrong clock.
  world.broker.faults.add({ kind: 'slow', ms: 500, path: '/order/list$' })
  world.broker.faults.add({ kind: 'socket-malformed', field: 'netPos' })
  world.broker.traffic.clear()
  const read = Promise.all(lines.map((line) => line.readAnew()))
  await until(() => (world.broker.traffic.seen().some(({ path }) => path.endsWith('/demo/v1/position/list')) ? true : null), 'the positions to be listed')
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await read
  expect(followerIn(engine, one.key)).toMatchObject({ why: null, undecided: [] })
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 3)
})
