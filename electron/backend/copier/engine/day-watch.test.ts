import { expect, test } from 'vitest'
import { createBook } from '#shared/copier/book.ts'
import { amountOf } from '#shared/money/money.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { createDayWatch, dayNet } from './day-watch.ts'
import { positionsOf } from './snapshots.ts'
import { beginAll } from './follower-start.ts'
import { brokerTime, contractsOn, emptyWorld, recordClock, type Account, type Follower, type Group, type RoutedLine } from './world.ts'

const session = '2026-11-18'
const NQ = 44

/** A follower with a daily loss limit of 1,000, down 900, long 2 NQ with 500 open profit, if its contract is in the account's dollars. */
const setUp = (currencyId = 1) => {
  const timing = testTiming(Date.UTC(2026, 10, 18, 16))
  const world = emptyWorld()
  const contracts = contractsOn(world, 'user-1', 'demo')
  contracts.byId.set(NQ, { id: NQ, name: 'NQZ6', product: 'NQ', tickSize: '0.25', valuePerPoint: 20, currencyId })
  const trades = (price: number): void => void contracts.marks.set(NQ, { price, time: 1, at: timing.now() })
  trades(25_012.5)
  const book = createBook(7)
  const row = (net: number, sold: number): void => void book.take({ kind: 'position', id: 1, accountId: 7, contractId: NQ, session, net, before: 0, bought: 2, sold, netPrice: 25_000, time: sold + 1 })
  const fill = (id: number, side: 'buy' | 'sell', qty: number): void => void book.take({ kind: 'fill', id, orderId: id, contractId: NQ, time: id, session, side, qty, price: 25_000, active: true })
  const pay = (made: number, realized: number | null = null): void => void book.take({ kind: 'cash', accountId: 7, currencyId: 1, session, amount: 50_000_0000 + made, startOfDay: 50_000_0000, realized })
  fill(1, 'buy', 2)
  row(2, 0)
  pay(-900_0000)
  const account: Account = { key: 'tradovate:demo:7', loginId: 'login', environment: 'demo', id: 7, name: 'X', userId: 'user-1', contracts, book, ours: new Map(), knownFills: new Map(), placed: new Map(), givenUp: new Map(), uncounted: new Map(), liquidating: new Set(), session, restricted: false, closed: false, gone: false, wasUp: true, recovered: true, open: null, money: null }
  world.accounts.set(account.key, account)
  const follower = { groupId: 'group', account: account.key, rule: { on: true, dailyLoss: '1000', dailyProfit: null }, begun: true, lock: null, rejects: 0, day: session, states: new Map(), bases: new Map() } as unknown as Follower
  world.groups.set('group', { id: 'group', userId: 'user-1', state: 'armed', settings: { leader: '', dryRun: false }, followers: new Map([[account.key, follower]]) } as unknown as Group)
  let closed = 0
  const days = createDayWatch({ world, timing, want: () => undefined, close: () => { closed += 1 }, changed: () => undefined, log: { info: () => undefined } })
  const look = (): unknown => {
    days.look()
    return [follower.lock, closed]
  }
  /** The broker's own open P&L arrives. */
  const report = (pnl: number): void => { account.open = { pnl: amountOf(pnl), at: timing.now(), positions: positionsOf(account) } }
  const dayOf = () => dayNet(world, account, timing.now())
  /** The broker pushes a fill that it made so long ago by the computer's clock (ms). */
  const push = (ago: number): void => recordClock(world, { key: 'user-1|login|demo' } as unknown as RoutedLine, timing.now() - ago, timing.now())
  return { row, fill, pay, look, trades, timing, report, dayOf, push, follower }
}

test('no limit triggers between a fill and its cash row if the day never reached it', () => {
  const { row, fill, pay, look } = setUp()
  expect(look()).toEqual([null, 0])
  // Sold for a 500 profit not in cash yet: only the 900 loss is known; then fees arrive.
  fill(2, 'sell', 2)
  row(0, 2)
  pay(-1_001_0000)
  expect(look()).toEqual([null, 0])
  pay(-501_0000)
  expect([look(), look(), look()]).toEqual([[null, 0], [null, 0], [null, 0]])
})

test('a limit reached one check after a change locks and flattens; constant trading delays it by two checks at most', () => {
  const { pay, look } = setUp()
  look()
  pay(-1_600_0000)
  expect([look(), look()]).toEqual([[null, 0], ['daily-loss', 1]])
  const other = setUp()
  const results = [-1_600, -1_601, -1_602].map((made) => {
    other.pay(made * 10_000)
    return other.look()
  })
  expect(results.at(-1)).toEqual(['daily-loss', 1])
})

test('a limit reached by stale prices waits for a newer one, and triggers if none comes', () => {
  const { look, trades, timing } = setUp()
  trades(24_999)
  expect(look()).toEqual([null, 0])
  trades(24_990)
  timing.pass(3_000)
  expect(look()).toEqual([null, 0])
  trades(24_999)
  expect(look()).toEqual([null, 0])
  trades(24_990)
  timing.pass(3_000)
  expect(look()).toEqual([null, 0])
  timing.pass(14_000)
  expect(look()).toEqual([null, 0])
  timing.pass(1_000)
  expect(look()).toEqual(['daily-loss', 1])
  const other = setUp()
  other.look()
  other.trades(24_990)
  expect(other.look()).toEqual(['daily-loss', 1])
})

test('a payout neither is a loss nor hides one', () => {
  const { row, fill, pay, look } = setUp()
  pay(-904_0000, -900_0000)
  expect(look()).toEqual([null, 0])
  // Flat after losing the open profit too: down 996 with fees.
  fill(2, 'sell', 2)
  row(0, 2)
  pay(-996_0000, -988_0000)
  expect([look(), look()]).toEqual([[null, 0], [null, 0]])
  pay(-2_496_0000, -988_0000)
  expect([look(), look()]).toEqual([[null, 0], [null, 0]])
  pay(-2_500_0000, -992_0000)
  expect([look(), look()]).toEqual([[null, 0], ['daily-loss', 1]])
})

test.each([['euros', 2], ['an undocumented currency', 4]])('a price in %s is no part of a day in dollars: only the broker’s own figure is', (_name, currencyId) => {
  const { look, trades, report, dayOf } = setUp(currencyId)
  trades(24_000)
  expect([dayOf(), look(), look()]).toEqual([null, [null, 0], [null, 0]])
  report(-99_9999)
  trades(23_000)
  expect([dayOf()?.net, look()]).toEqual([-999_9999, [null, 0]])
  report(-100_0000)
  expect(look()).toEqual(['daily-loss', 1])
})

test('a price in dollars is part of a day in dollars', () => {
  const { look, trades, dayOf } = setUp()
  trades(24_997.5)
  expect([dayOf()?.net, look()]).toEqual([-1_000_0000, ['daily-loss', 1]])
})

test("the time at a broker follows its newest pushed fill, also once a clock that was ahead is set back", () => {
  const world = emptyWorld()
  const account = { userId: 'user-1', loginId: 'login', environment: 'demo' } as unknown as Account
  const line = { key: 'user-1|login|demo' } as unknown as RoutedLine
  const [noon, hour] = [Date.UTC(2026, 10, 18, 18), 3_600_000]
  const at = (wall: number): number => Math.round((brokerTime(world, account, wall) - noon) / 1000)
  expect(at(noon)).toBe(0)
  recordClock(world, line, noon, noon + 5 * hour)
  expect([at(noon + 5 * hour), at(noon + 6 * hour), at(noon)]).toEqual([0, 3600, 0])
  recordClock(world, line, noon, noon - 24 * hour)
  expect(at(noon - 24 * hour)).toBe(0)
})

test('a fill that arrives late does not set back the time at a broker', () => {
  const world = emptyWorld()
  const account = { userId: 'user-1', loginId: 'login', environment: 'demo' } as unknown as Account
  const line = { key: 'user-1|login|demo' } as unknown as RoutedLine
  const [noon, hour] = [Date.UTC(2026, 10, 18, 18), 3_600_000]
  const at = (wall: number): number => Math.round((brokerTime(world, account, wall) - noon) / 1000)
  recordClock(world, line, noon, noon)
  recordClock(world, line, noon - 2 * hour, noon)
  expect(at(noon)).toBe(0)
  recordClock(world, line, noon - 2 * hour, noon + 5 * hour)
  expect([at(noon + 5 * hour), at(noon + 6 * hour), at(noon)]).toEqual([0, 3600, 0])
})

test.each([
  ['200 ms ago', 200, session],
  ['10 minutes ago by its clock', 600_000, session],
  ['200 ms ago, after days by a clock that was ahead', 200, '2026-11-30'],
])('a lock of the day ends with the day at the broker, once, with a fill that was made %s', (_when, behind, day) => {
  const { pay, look, timing, push, fill, row, follower } = setUp()
  follower.day = day
  push(behind)
  look()
  fill(2, 'sell', 2)
  row(0, 2)
  pay(-1_600_0000)
  look()
  expect(look()).toEqual(['daily-loss', 1])
  timing.pass(7 * 3_600_000 + behind - 1)
  expect([look(), look()]).toEqual([['daily-loss', 1], ['daily-loss', 1]])
  timing.pass(1)
  expect([look(), look()]).toEqual([[null, 1], [null, 1]])
})

test('a lock of the day outlasts a start while it is still that day at the broker', () => {
  const [world, before, hour] = [emptyWorld(), Date.UTC(2026, 10, 18, 22, 30), 3_600_000]
  const account = { key: 'tradovate:demo:7', userId: 'user-1', loginId: 'login', environment: 'demo', contracts: contractsOn(world, 'user-1', 'demo'), book: createBook(7), ours: new Map(), knownFills: new Map(), uncounted: new Map(), wasUp: true, recovered: true } as unknown as Account
  const line = { key: 'user-1|login|demo', state: 'up' } as unknown as RoutedLine
  world.accounts.set(account.key, account)
  world.lines.set(line.key, line)
  const follower = { account: account.key, rule: { on: true }, lock: 'daily-loss', rejects: 0, day: session, states: new Map() } as unknown as Follower
  const group = { userId: 'user-1', settings: { leader: account.key, mode: 'fills' }, followers: new Map([[account.key, follower]]) } as unknown as Group
  const start = (wall: number) => {
    follower.begun = false
    beginAll(world, group, wall)
    return [follower.begun, follower.lock]
  }
  // The computer's clock is two hours ahead.
  recordClock(world, line, before, before + 2 * hour)
  expect(start(before + 2 * hour)).toEqual([true, 'daily-loss'])
  expect(start(before + 3 * hour)).toEqual([true, null])
})
