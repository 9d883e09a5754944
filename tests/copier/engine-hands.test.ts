import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { CopierAccount } from '#backend/copier/engine/calls.ts'
import type { FollowerRule } from '#shared/api/copier.ts'
import { openOfAccount } from '#shared/copier/live-positions.ts'
import { amountOf, toDecimalString } from '#shared/money/money.ts'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, ES, followerIn, MNQ, NQ, ready, ruleOf, USER, type RunningEngine, type EngineWorld } from './engine-world.ts'

const contractIn = (engine: RunningEngine, account: string, contract = NQ) => followerIn(engine, account).contracts.find((each) => each.contract === contract)
/** Waits until a follower's row shows this many contracts of its user's own. */
const untilYours = (engine: RunningEngine, account: string, yours: number, contract = NQ) => until(() => (contractIn(engine, account, contract)?.yours === yours && contractIn(engine, account, contract)?.why !== 'reading' ? true : null), `${String(yours)} ${contract} to be the user's`)
/** Ends a copier and starts another on the same file, with what happens between. */
const restarted = async (world: EngineWorld, engine: RunningEngine, id: string, between: () => void): Promise<RunningEngine> => {
  await engine.stop()
  between()
  const next = await world.open()
  next.calls.allow({ userId: USER, id, entries: true })
  await ready(next, id)
  return next
}
const settled = (engine: RunningEngine, account: string) => until(() => (followerIn(engine, account).contracts.every(({ inFlight, why }) => inFlight === 0 && why !== 'reading') ? true : null), 'no order to be under way')

/** Gives a group other followers. */
const follow = (engine: RunningEngine, id: string, followers: FollowerRule[]): void => {
  const kept = engine.calls.state({ userId: USER }).groups.find((group) => group.id === id)
  if (kept === undefined) throw new Error(`No group ${id}`)
  const { name, leader, exits, mode, unprotected, leftExits, dryRun } = kept
  engine.calls.saveGroup({ userId: USER, id, draft: { name, leader, followers, exits, mode, unprotected, leftExits, dryRun } })
}

test.each(['alive', 'dead'] as const)('a manual trade in a contract that is not copied belongs to the user and stays, while the copier is %s', async (copier) => {
  const world = await engineWorld()
  const [one, two] = [world.follower(0), world.follower(1)]
  let engine = await world.open()
  // One copies everything, the other only NQ.
  const id = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key, { products: ['NQ'] })])
  const trade = (): void => {
    for (const account of [one, two]) world.trade(account, 'Buy', 2, ES)
  }
  if (copier === 'alive') trade()
  else engine = await restarted(world, engine, id, trade)
  for (const { key } of [one, two]) await untilYours(engine, key, 2, ES)
  world.trade(world.leader, 'Buy', 1)
  for (const account of [one, two]) await world.holds(account, 1)
  world.trade(world.leader, 'Sell', 1)
  for (const account of [one, two]) await world.holds(account, 0)
  for (const account of [one, two]) expect([world.net(account, ES), contractIn(engine, account.key, ES)]).toMatchObject([2, { target: 0, actual: 2, yours: 2, difference: 0, why: null }])
})

test('contracts added by hand are neither counted nor closed, and a manual reduction takes those first', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.trade(one, 'Buy', 3)
  await untilYours(engine, one.key, 3)
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 6)
  world.trade(one, 'Sell', 2)
  await untilYours(engine, one.key, 1)
  expect(contractIn(engine, one.key)).toMatchObject({ target: 3, actual: 4, yours: 1, difference: 0, why: null })
  world.trade(world.leader, 'Sell', 3)
  await world.holds(one, 1)
  await settled(engine, one.key)
  expect([followerIn(engine, one.key).state, contractIn(engine, one.key)]).toMatchObject(['armed', { target: 0, yours: 1, difference: 0 }])
})

test('nothing is copied against a manual position: that would close it', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.trade(one, 'Sell', 1)
  await until(() => (world.net(one) === -1 ? true : null), 'the trade by hand')
  world.trade(world.leader, 'Buy', 2)
  await until(() => (followerIn(engine, one.key).why === 'yours' ? true : null), 'the reason')
  expect([world.net(one), followerIn(engine, one.key).state]).toEqual([-1, 'out-of-step'])
  world.trade(one, 'Buy', 1)
  await world.holds(one, 2)
})

test.each(['alive', 'dead'] as const)('a follower closed by hand is not reopened without a decision, while the copier is %s', async (copier) => {
  const world = await engineWorld()
  const one = world.follower(0)
  let engine = await world.open()
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await settled(engine, one.key)
  const close = (): void => world.trade(one, 'Sell', 2)
  if (copier === 'alive') close()
  else engine = await restarted(world, engine, id, close)
  await until(() => (followerIn(engine, one.key).why === 'by-hand' ? true : null), 'the hand to be noticed')
  expect([world.net(one), followerIn(engine, one.key).state, contractIn(engine, one.key)]).toMatchObject([0, 'out-of-step', { target: 2, actual: 0, yours: 0, difference: 2 }])
  world.trade(world.leader, 'Buy', 1, ES)
  await world.holds(one, 1, ES)
  expect(world.net(one)).toBe(0)
  engine.calls.settle({ userId: USER, id, account: one.key, answer: 'bring-back' })
  await world.holds(one, 2)
})

test("a position reversed by hand belongs to the user, and the leader's exit leaves it alone", async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.trade(one, 'Sell', 3)
  await untilYours(engine, one.key, -1)
  world.trade(world.leader, 'Sell', 2)
  await until(() => (contractIn(engine, one.key)?.leader === 0 && contractIn(engine, one.key)?.difference === 0 ? true : null), 'the leader to be out')
  expect(world.net(one)).toBe(-1)
})

test.each(['alive', 'dead'] as const)('an exit that fills after an unnoticed manual close leaves no position, while the copier is %s', async (copier) => {
  const world = await engineWorld()
  const one = world.follower(0)
  let engine = await world.open()
  world.broker.hand.setPrice(NQ, 25_000)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  world.broker.faults.add({ kind: 'slow-fill', account: world.leader.id })
  world.work(world.leader, { action: 'Sell', qty: 1, type: 'Stop', stopPrice: 24_900 })
  await until(() => (world.working(one).length === 1 && engine.store.openOrders().some(({ orderId }) => orderId !== null) ? true : null), 'the exit')
  const unseen = (): void => {
    world.trade(one, 'Sell', 1)
    world.broker.hand.setPrice(NQ, 24_900)
    expect(world.net(one)).toBe(-1)
  }
  if (copier === 'dead') engine = await restarted(world, engine, id, unseen)
  else {
    world.broker.sockets.silence()
    unseen()
    engine.calls.woke()
  }
  await world.holds(one, 0)
  await until(() => (followerIn(engine, one.key).why === 'by-hand' ? true : null), 'the hand to be noticed')
})

test("a leader position from fills no longer listed is asked about, and the leader's next trades are not held up", async () => {
  const world = await engineWorld()
  const one = world.follower(0)
  let engine = await world.open()
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  await settled(engine, one.key)
  engine = await restarted(world, engine, id, () => {
    world.trade(world.leader, 'Buy', 1)
    // The session ends: its fills are in no list any more.
    world.broker.clock.set(Date.UTC(2026, 10, 24, 15))
  })
  await until(() => (followerIn(engine, one.key).why === 'asks' ? true : null), 'the question')
  expect([world.net(one), followerIn(engine, one.key).undecided]).toEqual([1, [{ contract: NQ, leader: 2, follower: 1 }]])
  // A reduction needs no answer.
  world.trade(world.leader, 'Sell', 2)
  await world.holds(one, 0)
  await until(() => (followerIn(engine, one.key).why === null ? true : null), 'the question to be void')
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
})

test("a larger target after a rule change waits for the user's decision; a smaller one is followed at once", async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key, { ratio: { num: 2, den: 1 } })])
  const become = (num: number): void => follow(engine, id, [ruleOf(one.key, { ratio: { num, den: 1 } })])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 4)
  become(1)
  await world.holds(one, 2)
  become(3)
  await until(() => (followerIn(engine, one.key).why === 'asks' ? true : null), 'the question')
  expect([world.net(one), contractIn(engine, one.key)]).toMatchObject([2, { target: 6, difference: 4 }])
  engine.calls.answerStart({ userId: USER, id, account: one.key, answer: 'adopt' })
  await world.holds(one, 6)
})

test('a larger target after a rule change is asked about even if a fill of the follower is not counted yet', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  // A line of its own: the leader's position is known while the follower's fill is not counted.
  const leader = world.farLeader.key
  const id = await armed(world, engine, [ruleOf(one.key)], { leader })
  world.trade(world.farLeader, 'Buy', 3)
  await vi.waitUntil(() => contractIn(engine, one.key)?.actual === 3 && followerIn(engine, one.key).why === 'reading', { interval: 1, timeout: 20_000 })
  follow(engine, id, [ruleOf(one.key, { ratio: { num: 2, den: 1 } })])
  await until(() => (followerIn(engine, one.key).why === 'asks' ? true : null), 'the question', 20_000)
  expect([world.net(one), contractIn(engine, one.key)]).toMatchObject([3, { target: 6, difference: 3 }])
})

test('nothing is opened against a follower of the same group: neither on a reversal that another cannot follow, nor against one that is switched off', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two, off] = [world.follower(0), world.follower(1), world.follower(2)]
  const rules = [ruleOf(one.key), ruleOf(two.key)]
  const id = await armed(world, engine, rules)
  follow(engine, id, [...rules, ruleOf(off.key, { on: false })])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await world.holds(two, 2)
  world.broker.faults.add({ kind: 'reject-order', account: two.id, reason: 'SessionClosed', times: 1 })
  world.trade(world.leader, 'Sell', 4)
  await world.holds(one, 0)
  await until(() => (followerIn(engine, one.key).why === 'hedge' ? true : null), 'the hedge to be reported')
  expect([world.net(one), world.net(two), followerIn(engine, one.key).hedgedBy]).toEqual([0, 2, { account: two.key, product: 'NQ' }])
  // Once the other one is out, both follow to the other side.
  world.trade(two, 'Sell', 2)
  await world.holds(one, -2)
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 0)
  world.trade(off, 'Sell', 1, MNQ)
  await until(() => (contractIn(engine, off.key, MNQ)?.actual === -1 ? true : null), 'the trade of the one that is off')
  world.trade(world.leader, 'Buy', 1)
  await until(() => (followerIn(engine, one.key).hedgedBy?.account === off.key ? true : null), 'the hedge against the one that is off')
  expect(world.net(one)).toBe(0)
})

test('a reversal of two followers opens once both are flat: neither ever hedges the other', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await world.holds(two, 2)
  world.broker.faults.add({ kind: 'slow-fill', account: two.id })
  world.trade(world.leader, 'Sell', 3)
  await world.holds(one, 0)
  await until(() => (followerIn(engine, one.key).why === 'hedge' ? true : null), 'the one to wait for the other')
  expect([world.net(one), world.net(two)]).toEqual([0, 2])
  world.broker.faults.clear()
  world.broker.floor.release()
  await world.holds(one, -1)
  await world.holds(two, -1)
})

test('the position limit is kept even if a pending close is rejected late', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key, { maxPosition: 2 })])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.broker.faults.add({ kind: 'slow-fill', account: one.id, times: 1 })
  world.trade(world.leader, 'Sell', 2)
  await until(() => (contractIn(engine, one.key)?.inFlight === -2 ? true : null), 'the close to be under way')
  world.trade(world.leader, 'Buy', 2, ES)
  await until(() => (contractIn(engine, one.key, ES)?.why === 'max-position' ? true : null), 'the entry to wait')
  expect([world.net(one), world.net(one, ES)]).toEqual([2, 0])
  world.broker.faults.clear()
  world.broker.floor.release()
  await world.holds(one, 0)
  await world.holds(one, 2, ES)
})

test("the position limit counts a reversal together with the user's own contracts on that side", async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key, { maxPosition: 4 })])
  world.broker.faults.add({ kind: 'slow-fill', account: one.id, times: 1 })
  world.trade(world.leader, 'Buy', 4)
  await until(() => (world.ours(one).length === 1 ? true : null), 'the copy to be placed')
  world.trade(one, 'Sell', 3)
  await world.holds(one, -3)
  world.broker.floor.release()
  await world.holds(one, 1)
  await until(() => (followerIn(engine, one.key).contracts.some(({ yours, actual }) => yours === -3 && actual === 1) ? true : null), 'both sides to be reported')
  world.trade(world.leader, 'Sell', 8)
  await until(() => (followerIn(engine, one.key).why === 'max-position' ? true : null), `the limit to be reported: ${JSON.stringify(followerIn(engine, one.key))}`)
  await world.holds(one, -4)
})

test('an inverted follower trades the opposite side of its leader, and names the exits that it does not get', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  world.broker.hand.setPrice(NQ, 25_000)
  await armed(world, engine, [ruleOf(one.key, { invert: true }), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, -2)
  await world.holds(two, 2)
  world.work(world.leader, { action: 'Sell', qty: 2, type: 'Stop', stopPrice: 24_900 })
  await until(() => (world.working(two).length === 1 ? true : null), 'the stop of the other')
  await until(() => ((contractIn(engine, one.key)?.notMirrored.length ?? 0) > 0 ? true : null), 'what is not mirrored')
  expect([world.working(one), contractIn(engine, one.key)?.notMirrored, followerIn(engine, one.key).hedgedBy]).toEqual([[], [{ type: 'Stop', why: 'invert' }], null])
  world.trade(world.leader, 'Sell', 3)
  await world.holds(one, 1)
  await world.holds(two, -1)
})

test("the guard locks a follower whose user exceeds the position limit or the daily loss limit, and closes nothing of the user's", { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two, three] = [world.follower(0), world.follower(1), world.follower(2)]
  world.broker.hand.setPrice(NQ, 25_000)
  await armed(world, engine, [ruleOf(one.key, { maxPosition: 2, guard: true }), ruleOf(two.key, { dailyLoss: '150', guard: true }), ruleOf(three.key)])
  world.trade(one, 'Buy', 3, ES)
  await until(() => (followerIn(engine, one.key).lock === 'guard' ? true : null), 'the guard of the size')
  world.trade(two, 'Buy', 1)
  await untilYours(engine, two.key, 1)
  world.broker.hand.setPrice(NQ, 24_990)
  world.trade(three, 'Buy', 1)
  await until(() => (followerIn(engine, two.key).lock === 'guard' ? true : null), 'the guard of the day', 20_000)
  world.trade(world.leader, 'Buy', 1)
  await world.holds(three, 2)
  expect([world.net(one, ES), world.net(one), world.net(two)]).toEqual([3, 0, 1])
  expect(engine.logged.filter((line) => line.includes('"lock":"guard"'))).toHaveLength(2)
})

test('an account follows two leaders, each in its own products, and keeps their positions apart', async () => {
  const world = await engineWorld(5)
  const engine = await world.open()
  const [one, other] = [world.follower(0), world.follower(1)]
  await armed(world, engine, [ruleOf(one.key, { products: ['NQ'] })])
  const id = await armed(world, engine, [ruleOf(one.key, { products: ['ES'] })], { leader: other.key })
  world.trade(world.leader, 'Buy', 2)
  world.trade(other, 'Sell', 3, ES)
  world.trade(world.leader, 'Sell', 1, ES)
  await world.holds(one, 2)
  await world.holds(one, -3, ES)
  world.trade(one, 'Sell', 1)
  const groups = () => engine.calls.state({ userId: USER }).live.groups.map(({ followers }) => followers.find(({ account }) => account === one.key))
  await until(() => (groups()[0]?.why === 'by-hand' ? true : null), 'the hand to be noticed')
  world.trade(other, 'Buy', 3, ES)
  await world.holds(one, 0, ES)
  await until(() => (groups()[0]?.why === 'by-hand' && groups()[1]?.why === null ? true : null), 'the hand to be the first group\'s alone')
  await engine.calls.disarm({ userId: USER, id })
  world.trade(world.leader, 'Sell', 2)
  await world.holds(one, 0)
})

test('the day\'s net of an account is one figure from every source', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  world.broker.hand.setPrice(NQ, 25_000)
  await armed(world, engine, [ruleOf(one.key)])
  await engine.calls.watch({ userId: USER, on: true })
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.trade(world.leader, 'Sell', 1)
  await world.holds(one, 1)
  world.broker.hand.setPrice(NQ, 25_010)
  const both = () => {
    const now = engine.calls.positionsOf({ userId: USER })
    const row = now.accounts.find(({ account }) => account === one.key)
    const open = row === undefined ? null : openOfAccount(row, now.at)
    return [followerIn(engine, one.key).day?.net, row === undefined || row.dayRealized === null || open === null ? null : toDecimalString(amountOf(row.dayRealized + open.pnl))]
  }
  const [copier, scanner] = await until(() => (both()[0] !== undefined && Number(both()[0]) > 100 ? both() : null), 'the price to count', 20_000)
  expect(copier).toBe(scanner)
})

/** Has the exchange take back the newest fill of an account. */
const bust = (world: EngineWorld, account: CopierAccount): void => {
  const newest = Math.max(...world.broker.floor.state().find(({ accountId }) => accountId === account.id)?.orders.map(({ orderId }) => orderId) ?? [])
  if (!Array.from({ length: 20 }, (_, more) => newest + more).some((id) => world.broker.floor.bust(id))) throw new Error('No fill to take back')
}

test.each(['in the running session', 'in a session before today'] as const)("a follower's fill that the exchange busts is not repeated without the user's decision, and the leader's next trades are copied, %s", async (when) => {
  const world = await engineWorld()
  const engine = await world.open(undefined, when === 'in the running session' ? { timing: world.atBroker } : {})
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  bust(world, one)
  await until(() => (followerIn(engine, one.key).why === 'by-hand' ? true : null), 'the bust to be noticed')
  expect([world.net(one), world.ours(one).length]).toEqual([0, 1])
  world.trade(world.leader, 'Sell', 2)
  await until(() => (followerIn(engine, one.key).contracts.length === 0 ? true : null), 'both to be flat')
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
})

test("a follower's fill that the exchange busts while the copier is off is not repeated without the user's decision", async () => {
  const world = await engineWorld()
  const before = await world.open()
  const one = world.follower(0)
  const id = await armed(world, before, [ruleOf(one.key)])
  world.broker.faults.add({ kind: 'slow', path: 'placeorder', ms: 1_500, times: 1 })
  world.trade(world.leader, 'Buy', 2)
  await until(() => (before.store.openOrders().length === 1 ? true : null), 'the order to be written')
  await before.stop()
  await world.holds(one, 2)
  bust(world, one)
  const after = await world.open()
  after.calls.allow({ userId: USER, id, entries: true })
  await until(() => (followerIn(after, one.key).why === 'by-hand' ? true : null), 'the bust to be noticed')
  await settled(after, one.key)
  expect([world.net(one), world.ours(one).length]).toEqual([0, 1])
  after.calls.settle({ userId: USER, id, account: one.key, answer: 'bring-back' })
  await world.holds(one, 2)
})

test.each(['asked about', 'left to its user', 'left to its user before a restart'] as const)("a busted fill of a position that is %s is the user's, and nothing is bought for it", async (what) => {
  const world = await engineWorld()
  let engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await settled(engine, one.key)
  await engine.calls.disarm({ userId: USER, id })
  engine.calls.allow({ userId: USER, id, entries: true })
  await engine.calls.arm({ userId: USER, id })
  await until(() => (followerIn(engine, one.key).undecided.length === 1 ? true : null), 'the question')
  if (what !== 'asked about') engine.calls.answerStart({ userId: USER, id, account: one.key, answer: 'leave' })
  if (what === 'left to its user before a restart') {
    await engine.stop()
    engine = await world.open()
    engine.calls.allow({ userId: USER, id, entries: true })
    await ready(engine, id)
  }
  bust(world, one)
  await until(() => (followerIn(engine, one.key).contracts.every(({ actual, why }) => actual === 0 && why !== 'reading') ? true : null), 'the bust to be counted')
  await pause(2_500)
  expect([world.net(one), world.ours(one).length]).toEqual([0, 1])
})

test.each(['in the running session', 'in a session before today'] as const)("a leader's fill that the exchange busts is reversed at the followers, %s", async (when) => {
  const world = await engineWorld()
  const engine = await world.open(undefined, when === 'in the running session' ? { timing: world.atBroker } : {})
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  bust(world, world.leader)
  await world.holds(one, 0)
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
})

test('a close by hand beside an order that never arrived is not sold a second time', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await settled(engine, one.key)
  world.broker.faults.add({ kind: 'lost-request', path: '/order/placeorder', account: one.id, times: 1 })
  world.trade(world.leader, 'Sell', 1)
  await until(() => (contractIn(engine, one.key)?.why === 'line-down' || contractIn(engine, one.key)?.why === 'order-unknown' ? true : null), 'the order to be lost')
  world.trade(one, 'Sell', 2)
  await until(() => { const row = contractIn(engine, one.key); return row?.target === 1 && row.actual === 0 && row.inFlight === 0 && row.why === 'by-hand' ? true : null }, 'the follower to be flat by hand')
  world.trade(world.leader, 'Sell', 1)
  await until(() => (followerIn(engine, one.key).state === 'armed' ? true : null), 'the leader to be flat too')
  await settled(engine, one.key)
  expect([world.net(one), world.ours(one).map(({ action }) => action)]).toEqual([0, ['Buy']])
})
