import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { until } from '#tests/helpers/until.ts'
import { armed, engineWorld, ES, followerIn, NQ, ruleOf, USER, type Desk } from './engine-world.ts'

const full = (): never => {
  throw new Error('The disk is full')
}

/** Fills a copier's disk; gives what frees it. */
const fill = ({ store }: Desk): (() => void) => {
  const spies = (['saveGroup', 'setGroupState', 'record', 'writeCause', 'writeIntents', 'notSent'] as const).map((name) => vi.spyOn(store, name).mockImplementation(full))
  return () => { for (const spy of spies) spy.mockRestore() }
}

test('records of a fill that cannot be written hold up no copy and stop nothing', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const desk = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  await armed(world, desk, [ruleOf(one.key), ruleOf(two.key, { products: ['ES'] })])
  vi.spyOn(desk.store, 'notSent').mockImplementation(full)
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await until(() => desk.logged.find((line) => line.startsWith('error') && line.includes('The disk is full')) ?? null, 'the failure in the log', 20_000)
  world.trade(world.leader, 'Sell', 2)
  await world.holds(one, 0)
})

test('a follower’s state is saved by a later tick, once there is room again', async () => {
  const world = await engineWorld()
  const desk = await world.open()
  const one = world.follower(0)
  const id = await armed(world, desk, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  vi.spyOn(desk.store, 'record').mockImplementationOnce(full)
  world.trade(one, 'Buy', 1)
  const kept = await until(() => desk.store.stances(id).find(({ yours }) => yours !== 0) ?? null, 'the stance to be kept', 20_000)
  expect(kept).toMatchObject({ account: one.key, held: 2, yours: 1 })
})

test('while nothing can be saved the copier keeps reading, and stops on request', { tags: 'long' }, async () => {
  const world = await engineWorld()
  const desk = await world.open()
  const one = world.follower(0)
  await armed(world, desk, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  vi.spyOn(desk.store, 'record').mockImplementation(full)
  world.trade(one, 'Buy', 1)
  // Whose hand it was has to be asked for each time.
  for (const real of [3, 4]) {
    await until(() => (followerIn(desk, one.key).contracts.some((each) => each.real === real && each.yours === real - 2) ? true : null), `${String(real)} held by hand`, 20_000)
    if (real === 3) world.trade(one, 'Buy', 1)
  }
  await expect(desk.stop()).resolves.toBeUndefined()
})

test('on a full disk Flatten all closes and locks every follower, and the locks are saved once there is room', async () => {
  const world = await engineWorld()
  const desk = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const id = await armed(world, desk, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  await Promise.all([world.holds(one, 2), world.holds(two, 2)])
  const free = fill(desk)
  expect((await desk.calls.flatten({ userId: USER, id }))?.map(({ outcome, left }) => [outcome, left])).toEqual([['flat', []], ['flat', []]])
  expect([one, two].map((account) => [world.net(account), followerIn(desk, account.key).lock])).toEqual([[0, 'flattened'], [0, 'flattened']])
  expect(desk.store.followers(id).map(({ lock }) => lock)).toEqual([null, null])
  free()
  await until(() => (desk.store.followers(id).every(({ lock }) => lock === 'flattened') ? true : null), 'the locks to be saved', 20_000)
})

test('while another program locks the file, Flatten all closes and locks every follower, and the locks are saved once it is released', { timeout: 180_000 }, async () => {
  const world = await engineWorld()
  const desk = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const id = await armed(world, desk, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  await Promise.all([world.holds(one, 2), world.holds(two, 2)])
  const other = new Sqlite(desk.file)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  expect((await desk.calls.flatten({ userId: USER, id }))?.map(({ outcome, left }) => [outcome, left])).toEqual([['flat', []], ['flat', []]])
  expect([one, two].map((account) => [world.net(account), followerIn(desk, account.key).lock])).toEqual([[0, 'flattened'], [0, 'flattened']])
  other.exec('ROLLBACK')
  await until(() => (desk.store.followers(id).every(({ lock }) => lock === 'flattened') ? true : null), 'the locks to be saved', 20_000)
})

test('on a full disk an account is closed by its button', async () => {
  const world = await engineWorld()
  const desk = await world.open()
  const [one, two] = [world.follower(0), world.follower(1)]
  const id = await armed(world, desk, [ruleOf(one.key), ruleOf(two.key)])
  world.trade(world.leader, 'Buy', 2)
  await Promise.all([world.holds(one, 2), world.holds(two, 2)])
  const free = fill(desk)
  expect(await desk.calls.closePosition({ userId: USER, account: one.key, contract: NQ })).toMatchObject({ outcome: 'flat' })
  expect(await desk.calls.flattenAccount({ userId: USER, account: two.key })).toMatchObject({ outcome: 'flat' })
  expect([world.net(one), world.net(two)]).toEqual([0, 0])
  free()
  await until(() => (desk.store.stances(id).every(({ held }) => held === 0) ? true : null), 'the closes to be saved', 20_000)
  expect(desk.store.followers(id).map(({ asksFirst, closing }) => [asksFirst, closing])).toEqual([[false, false], [false, false]])
  expect([world.net(one), world.net(two)]).toEqual([0, 0])
})

test('on a full disk a daily loss limit closes the follower', async () => {
  const world = await engineWorld()
  const desk = await world.open()
  const one = world.follower(0)
  world.broker.hand.setPrice(NQ, 25_000)
  const id = await armed(world, desk, [ruleOf(one.key, { dailyLoss: '150' })])
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 1)
  await until(() => (followerIn(desk, one.key).day === null ? null : true), 'the day to be known', 20_000)
  const free = fill(desk)
  world.broker.hand.setPrice(NQ, 24_990)
  await world.holds(one, 0)
  expect(followerIn(desk, one.key).lock).toBe('daily-loss')
  free()
  await until(() => (desk.store.followers(id)[0]?.lock === 'daily-loss' ? true : null), 'the lock to be saved', 20_000)
})

test.each(['disarm', 'pause'] as const)('a group stopped on a full disk (%s) says that it is not saved, is saved once there is room, and copies nothing after a restart', async (stop) => {
  const world = await engineWorld()
  const desk = await world.open()
  const one = world.follower(0)
  const id = await armed(world, desk, [ruleOf(one.key)])
  const free = fill(desk)
  const [stopped] = desk.calls[stop]({ userId: USER, id }).groups
  const state = stop === 'disarm' ? 'off' : 'paused'
  expect([stopped?.state, stopped?.unsaved, desk.store.groups()[0]?.state]).toEqual([state, true, 'armed'])
  await expect(stop === 'disarm' ? desk.calls.arm({ userId: USER, id }) : Promise.resolve().then(() => desk.calls.resume({ userId: USER, id }))).rejects.toThrow('The disk is full')
  expect(desk.calls.state({ userId: USER }).live.groups[0]?.state).toBe(state)
  free()
  await until(() => (desk.store.groups()[0]?.state === state ? true : null), 'the state to be saved', 20_000)
  await until(() => (desk.lives.at(-1)?.groups[0]?.unsaved === false ? true : null), 'the page to show that it is saved', 20_000)
  await desk.stop()
  const next = await world.open()
  await until(() => (next.calls.state({ userId: USER }).live.groups[0]?.state === state ? true : null), 'the group to be restored')
})

test('orders that cannot be written use up no calls, say so, and follow once there is room', async () => {
  const world = await engineWorld()
  const desk = await world.open()
  const followers = [world.follower(0), world.follower(1), world.follower(2)]
  await armed(world, desk, followers.map(({ key }) => ruleOf(key)))
  world.trade(world.leader, 'Buy', 2)
  await Promise.all(followers.map((one) => world.holds(one, 2)))
  await until(() => (followers.every(({ key }) => followerIn(desk, key).why === null) ? true : null), 'the fills to be counted', 20_000)
  const used = (): number => desk.calls.state({ userId: USER }).live.budgets[0]?.used ?? NaN
  const before = used()
  const free = fill(desk)
  world.trade(world.leader, 'Sell', 2)
  for (const { key } of followers) await until(() => (followerIn(desk, key).why === 'not-saved' ? true : null), 'the reason', 20_000)
  await pause(4_000)
  expect([followers.map((one) => world.net(one)), followers.map(({ key }) => followerIn(desk, key).why), used() - before]).toEqual([[2, 2, 2], ['not-saved', 'not-saved', 'not-saved'], 0])
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
  const desk = await world.open(undefined, { store: (store) => {
    const read = store.ordersOf
    const spy = vi.spyOn(store, 'ordersOf').mockImplementation((account, since) => (account === world.leader.key || account === one.key ? read(account, since) : full()))
    free = () => spy.mockRestore()
  } })
  desk.calls.allow({ userId: USER, id, entries: true })
  await until(() => (followerIn(desk, one.key).why === null && followerIn(desk, two.key).why === 'reading' ? true : null), 'the orders to be missed', 20_000)
  world.trade(world.leader, 'Buy', 1)
  await world.holds(one, 3)
  expect(await desk.calls.flattenAccount({ userId: USER, account: two.key })).toMatchObject({ outcome: 'flat' })
  expect((await desk.calls.flatten({ userId: USER, id }))?.map(({ outcome, left }) => [outcome, left])).toEqual([['flat', []], ['was-flat', []], ['flat', []]])
  expect([followers.map((each) => world.net(each)), followers.map((each) => world.ours(each).length), followerIn(desk, three.key).lock]).toEqual([[0, 0, 0], [3, 1, 1], 'flattened'])
  free()
  world.trade(world.leader, 'Sell', 3)
  await until(() => (followers.every(({ key }) => followerIn(desk, key).contracts.every(({ leader }) => leader === 0) && followerIn(desk, key).why !== 'reading') ? true : null), 'the orders to be read', 20_000)
  for (const { key } of followers) desk.calls.unlock({ userId: USER, id, account: key })
  await until(() => (followers.every(({ key }) => followerIn(desk, key).why === null) ? true : null), 'the followers to be in sync', 20_000)
  world.trade(world.leader, 'Buy', 1)
  await Promise.all(followers.map((each) => world.holds(each, 1)))
})

test('a start over that could not be saved is dropped with its group, and other groups are saved', async () => {
  const world = await engineWorld()
  const desk = await world.open()
  const one = world.follower(0)
  const id = await armed(world, desk, [ruleOf(one.key)])
  desk.calls.disarm({ userId: USER, id })
  const record = vi.spyOn(desk.store, 'record').mockImplementation(full)
  await desk.calls.arm({ userId: USER, id })
  await desk.calls.forgetUser({ userId: USER })
  record.mockRestore()
  const next = await armed(world, desk, [ruleOf(one.key)])
  world.trade(world.leader, 'Buy', 2)
  await world.holds(one, 2)
  await until(() => (desk.store.stances(next).some(({ held }) => held === 2) ? true : null), 'the fill to be saved', 20_000)
})

test('a close that was sent before the disk was full ends before the broker closes the account: both would close twice', async () => {
  const world = await engineWorld()
  const one = world.follower(0)
  const sent: string[] = []
  const desk = await world.open(undefined, { line: (line) => ({
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
  const id = await armed(world, desk, [ruleOf(one.key)])
  for (const contract of [NQ, ES]) {
    world.trade(world.leader, 'Buy', 2, contract)
    await world.holds(one, 2, contract)
  }
  await until(() => (followerIn(desk, one.key).contracts.every(({ real, inFlight }) => real === 2 && inFlight === 0) ? true : null), 'the fills to be counted', 20_000)
  const write = desk.store.writeIntents
  let written = 0
  vi.spyOn(desk.store, 'writeIntents').mockImplementation((cause, orders) => ((written += 1) === 1 ? write(cause, orders) : full()))
  expect((await desk.calls.flatten({ userId: USER, id }))?.map(({ outcome, left }) => [outcome, left])).toEqual([['flat', []]])
  expect([NQ, ES].map((contract) => world.net(one, contract))).toEqual([0, 0])
  expect(sent).toEqual(['liquidation'])
})
