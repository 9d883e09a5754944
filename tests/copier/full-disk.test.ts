import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, ES, followerIn, NQ, ruleOf, USER, type RunningEngine } from './engine-world.ts'

const full = (): never => {
  throw new Error('The disk is full')
}

/** Fills a copier's disk; gives what frees it. */
const fill = ({ store }: RunningEngine): (() => void) => {
  const spies = (['saveGroup', 'setGroupState', 'record', 'writeCause', 'writeIntents', 'notSent'] as const).map((name) => vi.spyOn(store, name).mockImplementation(full))
  return () => { for (const spy of spies) spy.mockRestore() }
}

test('records of a fill that cannot be written hold up no copy and stop nothing', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  await armed(world, engine, [ruleOf(one.key), ruleOf(two.key, { products: ['ES'] })])
  vi.spyOn(engine.store, 'notSent').mockImplementation(full)
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await until(() => engine.logged.find((line) => line.startsWith('error') && line.includes('The disk is full')) ?? null, 'the failure in the log', 20_000)
  world.trade(world.leader, 'Sell', 2)
  await world.holds(one, 0)
})

test('a follower’s state is saved by a later tick, once there is room again', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  vi.spyOn(engine.store, 'record').mockImplementationOnce(full)
  world.trade(one, 'Buy', 1)
  const kept = await until(() => engine.store.stances(id).find(({ yours }) => yours !== 0) ?? null, 'the stance to be kept', 20_000)
  expect(kept).toMatchObject({ account: one.key, held: 2, yours: 1 })
})

test('while nothing can be saved the copier keeps reading, and stops on request', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  vi.spyOn(engine.store, 'record').mockImplementation(full)
  world.trade(one, 'Buy', 1)
  // Whose hand it was has to be asked for each time.
  for (const actual of [3, 4]) {
    await until(() => (followerIn(engine, one.key).contracts.some((each) => each.actual === actual && each.yours === actual - 2) ? true : null), `${String(actual)} held by hand`, 20_000)
    if (actual === 3) world.trade(one, 'Buy', 1)
  }
  await expect(engine.stop()).resolves.toBeUndefined()
})

test('on a full disk Flatten all closes and locks every follower, and the locks are saved once there is room', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const id = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  await Promise.all([world.holds(one, 2), world.holds(two, 2)])
  const free = fill(engine)
  expect((await engine.calls.flatten({ userId: USER, id }))?.map(({ outcome, left }) => [outcome, left])).toEqual([['flat', []], ['flat', []]])
  expect([one, two].map((account) => [world.net(account), followerIn(engine, account.key).lock])).toEqual([[0, 'flattened'], [0, 'flattened']])
  expect(engine.store.followers(id).map(({ lock }) => lock)).toEqual([null, null])
  free()
  await until(() => (engine.store.followers(id).every(({ lock }) => lock === 'flattened') ? true : null), 'the locks to be saved', 20_000)
})

test('while another program locks the file, Flatten all closes and locks every follower, and the locks are saved once it is released', { timeout: 180_000 }, async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const id = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  await Promise.all([world.holds(one, 2), world.holds(two, 2)])
  const other = new Sqlite(engine.file)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  expect((await engine.calls.flatten({ userId: USER, id }))?.map(({ outcome, left }) => [outcome, left])).toEqual([['flat', []], ['flat', []]])
  expect([one, two].map((account) => [world.net(account), followerIn(engine, account.key).lock])).toEqual([[0, 'flattened'], [0, 'flattened']])
  other.exec('ROLLBACK')
  await until(() => (engine.store.followers(id).every(({ lock }) => lock === 'flattened') ? true : null), 'the locks to be saved', 20_000)
})

test('on a full disk an account is closed by its button', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const id = await armed(world, engine, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  await Promise.all([world.holds(one, 2), world.holds(two, 2)])
  const free = fill(engine)
  expect(await engine.calls.closePosition({ userId: USER, account: one.key, contract: NQ })).toMatchObject({ outcome: 'flat' })
  expect(await engine.calls.flattenAccount({ userId: USER, account: two.key })).toMatchObject({ outcome: 'flat' })
  expect([world.net(one), world.net(two)]).toEqual([0, 0])
  free()
  await until(() => (engine.store.stances(id).every(({ held }) => held === 0) ? true : null), 'the closes to be saved', 20_000)
  expect(engine.store.followers(id).map(({ needsDecisionNext, closing }) => [needsDecisionNext, closing])).toEqual([[false, false], [false, false]])
  expect([world.net(one), world.net(two)]).toEqual([0, 0])
})

test('on a full disk a daily loss limit closes the follower', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  world.broker.hand.setPrice(NQ, 25_000)
  const id = await armed(world, engine, [ruleOf(one.key, { dailyLoss: '150' })])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  await until(() => (followerIn(engine, one.key).day === null ? null : true), 'the day to be known', 20_000)
  const free = fill(engine)
  world.broker.hand.setPrice(NQ, 24_990)
  await world.holds(one, 0)
  expect(followerIn(engine, one.key).lock).toBe('daily-loss')
  free()
  await until(() => (engine.store.followers(id)[0]?.lock === 'daily-loss' ? true : null), 'the lock to be saved', 20_000)
})

test.each(['disarm', 'pause'] as const)('a group stopped on a full disk (%s) says that it is not saved, is saved once there is room, and copies nothing after a restart', async (stop) => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  const free = fill(engine)
  const [stopped] = engine.calls[stop]({ userId: USER, id }).groups
  const state = stop === 'disarm' ? 'off' : 'paused'
  expect([stopped?.state, stopped?.unsaved, engine.store.groups()[0]?.state]).toEqual([state, true, 'armed'])
  await expect(stop === 'disarm' ? engine.calls.arm({ userId: USER, id }) : Promise.resolve().then(() => engine.calls.resume({ userId: USER, id }))).rejects.toThrow('The disk is full')
  expect(engine.calls.state({ userId: USER }).live.groups[0]?.state).toBe(state)
  free()
  await until(() => (engine.store.groups()[0]?.state === state ? true : null), 'the state to be saved', 20_000)
  await until(() => (engine.lives.at(-1)?.groups[0]?.unsaved === false ? true : null), 'the page to show that it is saved', 20_000)
  await engine.stop()
  const next = await world.open()
  await until(() => (next.calls.state({ userId: USER }).live.groups[0]?.state === state ? true : null), 'the group to be restored')
})

test('orders that cannot be written use up no calls, say so, and follow once there is room', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const followers = [world.follower(0), world.follower(1), world.follower(2)]
  await armed(world, engine, followers.map(({ key }) => ruleOf(key)))
  world.trade(world.leader, 'Buy', 2)
  await Promise.all(followers.map((one) => world.holds(one, 2)))
  await until(() => (followers.every(({ key }) => followerIn(engine, key).why === null) ? true : null), 'the fills to be counted', 20_000)
  const used = (): number => engine.calls.state({ userId: USER }).live.budgets[0]?.used ?? NaN
  const before = used()
  const free = fill(engine)
  world.trade(world.leader, 'Sell', 2)
  for (const { key } of followers) await until(() => (followerIn(engine, key).why === 'not-saved' ? true : null), 'the reason', 20_000)
  await engine.rounds(10)
  expect([followers.map((one) => world.net(one)), followers.map(({ key }) => followerIn(engine, key).why), used() - before]).toEqual([[2, 2, 2], ['not-saved', 'not-saved', 'not-saved'], 0])
  free()
  await Promise.all(followers.map((one) => world.holds(one, 0)))
})

test('where orders of an earlier run cannot be read at the start, followers are closed on request and sent nothing else until they can be read', async () => {
  const world = await engineWorld()
  const before = await world.open()
  const [one, two, three] = [world.follower(0), world.follower(1), world.follower(2)]
  const followers = [one, two, three]
  const id = await armed(world, before, followers.map(({ key }) => ruleOf(key)))
  world.trade(world.leader, 'Buy', 2)
  await Promise.all(followers.map((each) => world.holds(each, 2)))
  await until(() => (followers.every(({ key }) => followerIn(before, key).why === null) ? true : null), 'the fills to be counted', 20_000)
  await before.stop()
  let free = (): void => undefined
  const engine = await world.open(undefined, { store: (store) => {
    const read = store.ordersOf
    const spy = vi.spyOn(store, 'ordersOf').mockImplementation((account, since) => (account === world.leader.key || account === one.key ? read(account, since) : full()))
    free = () => spy.mockRestore()
  } })
  engine.calls.allow({ userId: USER, id, entries: true })
  await until(() => (followerIn(engine, one.key).why === null && followerIn(engine, two.key).why === 'reading' ? true : null), 'the orders to be missed', 20_000)
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 3)
  expect(await engine.calls.flattenAccount({ userId: USER, account: two.key })).toMatchObject({ outcome: 'flat' })
  expect((await engine.calls.flatten({ userId: USER, id }))?.map(({ outcome, left }) => [outcome, left])).toEqual([['flat', []], ['was-flat', []], ['flat', []]])
  expect([followers.map((each) => world.net(each)), followers.map((each) => world.ours(each).length), followerIn(engine, three.key).lock]).toEqual([[0, 0, 0], [3, 1, 1], 'flattened'])
  free()
  world.trade(world.leader, 'Sell', 3)
  await until(() => (followers.every(({ key }) => followerIn(engine, key).contracts.every(({ leader }) => leader === 0) && followerIn(engine, key).why !== 'reading') ? true : null), 'the orders to be read', 20_000)
  for (const { key } of followers) engine.calls.unlock({ userId: USER, id, account: key })
  await until(() => (followers.every(({ key }) => followerIn(engine, key).why === null) ? true : null), 'the followers to be in sync', 20_000)
  world.trade(world.leader, 'Buy', 1)
  await Promise.all(followers.map((each) => world.holds(each, 1)))
})

test('a start over that could not be saved is dropped with its group, and other groups are saved', async () => {
  const world = await engineWorld()
  const engine = await world.open()
  const one = world.follower(0)
  const id = await armed(world, engine, [ruleOf(one.key)])
  engine.calls.disarm({ userId: USER, id })
  const record = vi.spyOn(engine.store, 'record').mockImplementation(full)
  await engine.calls.arm({ userId: USER, id })
  await engine.calls.deleteUser({ userId: USER })
  record.mockRestore()
  const next = await armed(world, engine, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await until(() => (engine.store.stances(next).some(({ held }) => held === 2) ? true : null), 'the fill to be saved', 20_000)
})

test('a close that was sent before the disk was full ends before the broker closes the account: both would close twice', async () => {
  const world = await engineWorld()
  const one = world.follower(0)
  const sent: string[] = []
  const engine = await world.open(undefined, { line: (line) => ({
    ...line,
    place: async (order, onWire) => {
      if (order.action === 'Sell') await pause(4_500)
      return line.place(order, onWire)
    },
    liquidate: (position) => {
      sent.push('liquidation')
      return line.liquidate(position)
    },
  }) })
  const id = await armed(world, engine, [ruleOf(one.key)])
  for (const contract of [NQ, ES]) {
    world.trade(world.leader, 'Buy', 2, contract)
    await world.holds(one, 2, contract)
  }
  await until(() => (followerIn(engine, one.key).contracts.every(({ actual, inFlight }) => actual === 2 && inFlight === 0) ? true : null), 'the fills to be counted', 20_000)
  const write = engine.store.writeIntents
  let written = 0
  vi.spyOn(engine.store, 'writeIntents').mockImplementation((cause, orders) => ((written += 1) === 1 ? write(cause, orders) : full()))
  expect((await engine.calls.flatten({ userId: USER, id }))?.map(({ outcome, left }) => [outcome, left])).toEqual([['flat', []]])
  expect([NQ, ES].map((contract) => world.net(one, contract))).toEqual([0, 0])
  expect(sent).toEqual(['liquidation'])
})
