import { expect, test } from 'vitest'
import { systemTiming } from '#backend/brokers/timing.ts'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, ES, followerIn, MNQ, NQ, ready, ruleOf, USER } from './engine-world.ts'

const liquidations = (world: Awaited<ReturnType<typeof engineWorld>>) => world.broker.traffic.seen().filter(({ path }) => path.endsWith('/order/liquidateposition')).length

test('a button closes a position with its working orders, and leaves the others', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const account = world.leader
  world.broker.hand.setPrice(NQ, 25_000)
  world.trade(account, 'Buy', 3)
  world.trade(account, 'Sell', 1, MNQ)
  world.work(account, { action: 'Sell', qty: 3, type: 'Stop', stopPrice: 24_900 })
  expect(await engine.calls.closePosition({ userId: USER, account: account.key, contract: NQ })).toEqual({ account: account.key, outcome: 'flat', left: [], detail: null })
  expect([world.net(account), world.net(account, MNQ), world.working(account).length, liquidations(world)]).toEqual([0, -1, 0, 1])
  const orders = world.broker.floor.state().find(({ accountId }) => accountId === account.id)?.orders ?? []
  expect(orders.every(({ isAutomated }) => !isAutomated)).toBe(true)
  expect(await engine.calls.closePosition({ userId: USER, account: account.key, contract: NQ })).toMatchObject({ outcome: 'was-flat' })
  await until(() => (world.broker.sockets.open().length === 0 ? true : null), 'the line to close again', 20_000)
})

test('flattening an account closes positions and cancels exits and entries', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const account = world.follower(0)
  world.broker.hand.setPrice(NQ, 25_000)
  world.trade(account, 'Buy', 3)
  world.trade(account, 'Sell', 1, MNQ)
  world.work(account, { action: 'Buy', qty: 1, type: 'Limit', price: 24_000 })
  world.work(account, { action: 'Buy', qty: 1, type: 'Limit', price: 20_000, symbol: MNQ })
  expect(await engine.calls.flattenAccount({ userId: USER, account: account.key })).toEqual({ account: account.key, outcome: 'flat', left: [], detail: null })
  expect([world.net(account), world.net(account, MNQ), world.working(account).length]).toEqual([0, 0, 0])
  expect(await engine.calls.flattenAccount({ userId: USER, account: account.key })).toMatchObject({ outcome: 'was-flat' })
})

test('in an armed follower the close is a manual trade: position and exits are not restored, and the next trade is copied', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  world.broker.hand.setPrice(NQ, 25_000)
  const id = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  world.work(world.leader, { action: 'Sell', qty: 2, type: 'Stop', stopPrice: 24_900 })
  await world.holds(one, 2)
  await until(() => (world.working(one).length === 1 && world.working(two).length === 1 ? true : null), 'the mirrored stops', 20_000)
  expect(await engine.calls.closePosition({ userId: USER, account: one.key, contract: NQ })).toMatchObject({ outcome: 'flat' })
  await until(() => (followerIn(engine, one.key).contracts.some(({ contract, actual, why }) => contract === NQ && actual === 0 && why === 'by-hand') ? true : null), `the trade by hand to be named: ${JSON.stringify(followerIn(engine, one.key))}`, 20_000)
  // Rounds go by in which it could be repaired.
  const before = engine.lives.length
  world.trade(world.leader, 'Buy', 1, MNQ)
  await world.holds(one, 1, MNQ)
  await until(() => (engine.lives.length > before ? true : null), 'the copier to look again', 20_000)
  expect([world.net(one), world.working(one).length, world.ours(one).filter(({ type, contract }) => type === 'Market' && contract === NQ).length]).toEqual([0, 0, 1])
  expect([world.net(two), world.working(two).length]).toEqual([2, 1])
  world.trade(world.leader, 'Sell', 2)
  await world.holds(two, 0)
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  expect(engine.calls.state({ userId: USER }).live.groups.find((group) => group.id === id)?.state).toBe('armed')
})

test.each(['closePosition', 'flattenAccount'] as const)('during %s the copier places no entry and no exit there', async (way) => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  world.broker.hand.setPrice(NQ, 25_000)
  await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  world.work(world.leader, { action: 'Sell', qty: 2, type: 'Stop', stopPrice: 24_900 })
  await until(() => (world.working(one).length === 1 && world.working(two).length === 1 ? true : null), 'the mirrored stops', 20_000)
  world.broker.faults.add({ kind: 'slow-fill', path: 'liquidateposition', times: 1 })
  const closing = way === 'closePosition' ? engine.calls.closePosition({ userId: USER, account: one.key, contract: NQ }) : engine.calls.flattenAccount({ userId: USER, account: one.key })
  await until(() => (world.working(one).length === 0 ? true : null), 'the stop to go', 20_000)
  // The copier has run since: it copied later trades, except into an account that has to be flat.
  world.trade(world.leader, 'Buy', 1, MNQ)
  await world.holds(two, 1, MNQ)
  if (way === 'closePosition') await world.holds(one, 1, MNQ)
  world.trade(world.leader, 'Sell', 1, MNQ)
  await world.holds(two, 0, MNQ)
  if (way === 'closePosition') await world.holds(one, 0, MNQ)
  expect([world.net(one), world.working(one).length, world.ours(one).filter(({ contract }) => contract === NQ).length]).toEqual([2, 0, 2])
  world.broker.floor.release()
  expect(await closing).toMatchObject({ outcome: 'flat' })
  expect(world.ours(one).filter(({ contract }) => contract === MNQ)).toHaveLength(way === 'closePosition' ? 2 : 0)
})

test('closing a contract of an account in two groups leaves alone what the other group would undo', async () => {
  const world = await engineWorld(5)
  const engine = await world.open()
  const [one, other] = [world.follower(0), world.follower(1)]
  world.broker.hand.setPrice(NQ, 25_000)
  const id = await armed(world, engine, [ruleOf(one.key, { products: ['NQ'] })])
  await armed(world, engine, [ruleOf(one.key, { products: ['ES'] })], { leader: other.key })
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.work(world.leader, { action: 'Sell', qty: 2, type: 'Stop', stopPrice: 24_900 })
  await until(() => (world.working(one).length === 1 ? true : null), 'the stop', 20_000)
  expect(await engine.calls.closePosition({ userId: USER, account: one.key, contract: NQ })).toMatchObject({ outcome: 'flat' })
  await until(() => (followerIn(engine, one.key).why === 'by-hand' ? true : null), 'the close to be named', 20_000)
  engine.calls.settle({ userId: USER, id, account: one.key, answer: 'bring-back' })
  await world.holds(one, 2)
  await until(() => (world.working(one).length === 1 ? true : null), 'the stop anew', 20_000)
  // What the other group trades afterwards went round all of them again.
  world.trade(other, 'Buy', 1, ES)
  await world.holds(one, 1, ES)
  expect(world.ours(one).filter(({ type }) => type === 'Stop').map(({ status }) => status)).toEqual(['Canceled', 'Working'])
})

test("a close of the leader's position is copied", async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  expect(await engine.calls.flattenAccount({ userId: USER, account: world.leader.key })).toMatchObject({ outcome: 'flat' })
  await world.holds(one, 0)
})

test('a flattened follower of an armed group stays flat', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  expect(await engine.calls.flattenAccount({ userId: USER, account: one.key })).toMatchObject({ outcome: 'flat' })
  await until(() => (followerIn(engine, one.key).contracts.some(({ why, actual }) => actual === 0 && why === 'by-hand') ? true : null), 'the trade by hand to be named', 20_000)
  expect([world.net(one), world.ours(one).length, followerIn(engine, one.key).lock]).toEqual([0, 1, null])
})

test.each([['can be read', 'by-hand'], ['cannot be read', 'asks']] as const)("a leader's trade still unread when a follower is flattened is not opened afterwards, if it %s meanwhile", { tags: 'long' }, async (read, why) => {
  const world = await engineWorld()
  const engine = await world.open()
  const [far, one] = [world.farLeader, world.follower(0)]
  await armed(world, engine, [ruleOf(one.key)], { leader: far.key })
  world.trade(far, 'Buy', 2)
  await world.holds(one, 2)
  world.broker.sockets.silence({ environment: 'live' })
  world.trade(far, 'Buy', 1, MNQ)
  if (read === 'cannot be read') world.broker.faults.add({ kind: 'server-error', path: '/live/', status: 503 })
  expect(await engine.calls.flattenAccount({ userId: USER, account: one.key })).toMatchObject({ outcome: 'flat' })
  world.broker.faults.clear()
  world.broker.sockets.drop({ environment: 'live' })
  const at = () => followerIn(engine, one.key).contracts.find(({ contract }) => contract === MNQ)
  await until(() => (at()?.leader === 1 && at()?.why === why ? true : null), `the trade of before to be named: ${JSON.stringify(followerIn(engine, one.key))}`, 20_000)
  // What the leader trades next in something else is copied.
  world.trade(far, 'Buy', 1, ES)
  await world.holds(one, 1, ES)
  expect([world.net(one, MNQ), world.ours(one).filter(({ contract }) => contract === MNQ).length]).toEqual([0, 0])
})

test('a copier stopped while a follower is being closed asks first after its restart', async () => {
  const world = await engineWorld()
  const before = await world.open()
  const one = world.follower(0)
  const id = await armed(world, before, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  const needsDecisionNext = (): boolean => before.store.followers(id).some((row) => row.needsDecisionNext)
  const report = before.calls.flattenAccount({ userId: USER, account: one.key })
  expect(needsDecisionNext()).toBe(true)
  expect(await report).toMatchObject({ outcome: 'flat' })
  expect(needsDecisionNext()).toBe(false)
  // As a kill in the middle of it leaves the file.
  const [row] = before.store.followers(id)
  if (row === undefined) throw new Error('No follower is kept')
  before.store.record([], { followers: [{ ...row, needsDecisionNext: true }] })
  await before.stop()
  world.trade(world.leader, 'Buy', 1, MNQ)
  const after = await world.open()
  after.calls.allow({ userId: USER, id, entries: true })
  await until(() => (followerIn(after, one.key).undecided.some(({ contract }) => contract === MNQ) ? true : null), `a question: ${JSON.stringify(followerIn(after, one.key))}`, 20_000)
  expect(world.net(one, MNQ)).toBe(0)
  await until(() => (after.store.followers(id).every((kept) => !kept.needsDecisionNext) ? true : null), 'the question to be kept in its place')
})

test('flattening a follower in which copier and user held opposite sides leaves it flat, and nothing is reopened', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.broker.faults.add({ kind: 'slow-fill', account: one.id, times: 1 })
  world.trade(world.leader, 'Sell', 2)
  await until(() => (world.ours(one).length === 1 ? true : null), 'the copy to be placed')
  world.trade(one, 'Buy', 1)
  await world.holds(one, 1)
  world.broker.floor.release()
  await world.holds(one, -1)
  await until(() => (followerIn(engine, one.key).contracts.some(({ yours, actual }) => yours === 1 && actual === -1) ? true : null), 'both sides to be reported')
  expect(await engine.calls.flattenAccount({ userId: USER, account: one.key })).toMatchObject({ outcome: 'flat' })
  world.trade(world.leader, 'Buy', 2)
  world.trade(world.leader, 'Buy', 1, MNQ)
  await world.holds(one, 1, MNQ)
  expect(world.net(one)).toBe(0)
})

test('a lost answer is looked up, and nothing is sent twice', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  world.trade(world.leader, 'Buy', 2)
  world.broker.faults.add({ kind: 'lost-answer', path: 'liquidateposition', times: 1 })
  expect(await engine.calls.closePosition({ userId: USER, account: world.leader.key, contract: NQ })).toMatchObject({ outcome: 'flat' })
  expect([world.net(world.leader), liquidations(world)]).toEqual([0, 1])
})

test('a lost request is resent only once a later read shows the position', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  world.trade(world.leader, 'Buy', 2)
  world.broker.faults.add({ kind: 'lost-request', path: 'liquidateposition', times: 1 })
  const begun = performance.now()
  expect(await engine.calls.closePosition({ userId: USER, account: world.leader.key, contract: NQ })).toMatchObject({ outcome: 'flat' })
  expect(performance.now() - begun).toBeGreaterThan(9_900)
  expect([world.net(world.leader), liquidations(world)]).toEqual([0, 2])
})

test('a rejection shows the broker’s words and the remaining position', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  world.trade(world.leader, 'Sell', 2)
  world.broker.faults.add({ kind: 'reject-order', path: 'liquidateposition', reason: 'SessionClosed', text: 'Not now' })
  expect(await engine.calls.closePosition({ userId: USER, account: world.leader.key, contract: NQ })).toEqual({ account: world.leader.key, outcome: 'refused', left: [{ contract: NQ, net: -2 }], detail: 'SessionClosed: Not now' })
  expect(liquidations(world)).toBe(1)
})

test('another user’s account cannot be closed', async () => {
  const world = await engineWorld()
  const engine = await world.open(5_000, { accounts: ({ userId }) => Promise.resolve(userId === USER ? world.accounts : []) })
  world.trade(world.leader, 'Buy', 2)
  await engine.calls.watch({ userId: USER, on: true })
  expect(await engine.calls.closePosition({ userId: 'user-2', account: world.leader.key, contract: NQ })).toMatchObject({ outcome: 'not-connected', left: [] })
  expect([world.net(world.leader), liquidations(world)]).toEqual([2, 0])
})

test('a close waits for a broken line and continues once the position is read again', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const id = await armed(world, engine, [ruleOf(world.follower(0).key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(world.follower(0), 2)
  world.broker.sockets.drop()
  expect(await engine.calls.closePosition({ userId: USER, account: world.leader.key, contract: NQ })).toMatchObject({ outcome: 'flat' })
  await ready(engine, id)
  await world.holds(world.follower(0), 0)
})

test('a second flatten sends nothing during a running close', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  world.broker.faults.add({ kind: 'slow-fill', path: 'liquidateposition', times: 1 })
  const closing = engine.calls.closePosition({ userId: USER, account: one.key, contract: NQ })
  await until(() => (liquidations(world) === 1 ? true : null), 'the closing to be sent', 20_000)
  const flattening = [engine.calls.flattenAccount({ userId: USER, account: one.key }), engine.calls.flatten({ userId: USER, id })]
  // Rounds go by in which each could send its own.
  await engine.calls.watch({ userId: USER, on: true })
  await until(() => (engine.positions.length > 2 ? true : null), 'the copier to look again', 20_000)
  expect([world.net(one), liquidations(world), world.ours(one).length]).toEqual([2, 1, 1])
  world.broker.floor.release()
  expect(await closing).toMatchObject({ outcome: 'flat' })
  await Promise.all(flattening)
  expect([world.net(one), liquidations(world), world.ours(one).length]).toEqual([0, 1, 1])
})

test('a position reversed by an exit during the close is closed at once', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const account = world.leader
  world.trade(account, 'Buy', 2)
  world.broker.faults.add({ kind: 'slow-fill', path: 'liquidateposition', times: 1 })
  const closing = engine.calls.closePosition({ userId: USER, account: account.key, contract: NQ })
  await until(() => (liquidations(world) === 1 ? true : null), 'the closing to be sent', 20_000)
  world.trade(account, 'Sell', 2)
  world.broker.floor.release()
  const begun = performance.now()
  expect(await closing).toMatchObject({ outcome: 'flat' })
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect([world.net(account), liquidations(world)]).toEqual([0, 2])
})

test.each([['was done meanwhile', true, 'flat', 0], ['was not done', false, 'not-flat', 2]] as const)('a computer that slept during a close sends nothing late, and reports the outcome: it %s', { tags: 'long' }, async (_, done, outcome, left) => {
  const world = await engineWorld()
  let slept = 0
  const engine = await world.open(undefined, { timing: { ...systemTiming, now: () => Date.now() + slept } })
  const account = world.leader
  world.trade(account, 'Buy', 2)
  world.broker.faults.add({ kind: 'slow-fill', path: 'liquidateposition', times: 1 })
  const closing = engine.calls.closePosition({ userId: USER, account: account.key, contract: NQ })
  await until(() => (liquidations(world) === 1 ? true : null), 'the closing to be sent', 20_000)
  slept = 3_600_000
  world.broker.sockets.drop()
  if (done) world.broker.floor.release()
  engine.calls.woke()
  expect(await closing).toMatchObject({ outcome, left: left === 0 ? [] : [{ contract: NQ, net: left }] })
  expect([world.net(account), liquidations(world)]).toEqual([left, 1])
})

test('an account that is removed during its close is reported as missing at once, and nothing more is sent', { tags: 'long' }, async () => {
  const world = await engineWorld()
  let gone = false
  const engine = await world.open(undefined, { accounts: () => Promise.resolve(gone ? world.accounts.filter(({ key }) => key !== world.leader.key) : world.accounts) })
  world.trade(world.leader, 'Buy', 2)
  world.broker.faults.add({ kind: 'slow-fill', path: 'liquidateposition', times: 1 })
  const closing = engine.calls.closePosition({ userId: USER, account: world.leader.key, contract: NQ })
  await until(() => (liquidations(world) === 1 ? true : null), 'the closing to be sent', 20_000)
  gone = true
  await engine.calls.accountsChanged({ userId: USER })
  const begun = performance.now()
  expect(await closing).toMatchObject({ outcome: 'not-connected' })
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect(liquidations(world)).toBe(1)
  expect(await engine.calls.closePosition({ userId: USER, account: world.leader.key, contract: NQ })).toMatchObject({ outcome: 'not-connected', left: [] })
})
