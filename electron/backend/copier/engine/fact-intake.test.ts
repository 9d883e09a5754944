import { expect, test } from 'vitest'
import { createBook } from '#shared/copier/book.ts'
import type { Fact } from '#shared/copier/facts.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { beginSession, createFactIntake, deliver } from './fact-intake.ts'
import { emptyWorld, type Account, type RoutedLine } from './world.ts'

// Monday, 2 March 2026, 10:00 in Chicago.
const monday = Date.UTC(2026, 2, 2, 16)
const order = (id: number, status: 'Working' | 'Canceled', accountId = 7): Fact => ({ kind: 'order', id, accountId, contractId: 4401, side: 'buy', status, ocoId: null, time: monday })
const command = (id: number, orderId: number): Fact => ({ kind: 'command', id, orderId, type: 'New', clOrdId: null })

/** A line with one connected account. */
const start = () => {
  const world = emptyWorld()
  const account = { key: 'tradovate:demo:7', userId: 'ann', loginId: 'login', environment: 'demo', id: 7, name: 'DEMO7', book: createBook(7), placed: new Map() } as unknown as Account
  const line = { key: 'ann|login|demo', environment: 'demo', orders: new Map(), commands: new Map(), early: new Map(), earlyReports: new Map() } as unknown as RoutedLine
  world.accounts.set(account.key, account)
  world.lines.set(line.key, line)
  const take = (...facts: readonly Fact[]): void => deliver(world, line, facts, ({ book }, fact) => void book.take(fact))
  return { world, account, line, take }
}

test('facts without an account wait for their order', () => {
  const { account, line, take } = start()
  take({ kind: 'report', id: 90, commandId: 70, rejectReason: 'NoQuote', text: null }, command(70, 50))
  expect(account.book.lastReport(50)).toBeNull()
  take(order(50, 'Working'))
  expect([account.book.lastReport(50)?.rejectReason, line.early.size, line.earlyReports.size]).toEqual(['NoQuote', 0, 0])
})

test('a new session drops ended orders and keeps working ones', () => {
  const { world, line, take } = start()
  take(order(50, 'Canceled'), order(51, 'Working'), order(52, 'Working', 8), command(70, 50), command(71, 51), command(72, 52))
  world.accounts.get('tradovate:demo:7')?.book.fillsRead(50)
  beginSession(world, '2026-03-02', { now: monday, over: () => undefined })
  expect([line.orders.size, line.commands.size]).toEqual([2, 2])
  beginSession(world, '2026-03-03', { now: monday + 86_400_000, over: () => undefined })
  expect([[...line.orders.keys()], [...line.commands.keys()]]).toEqual([[51], [71]])
})

test("a contract without a listed position is flat, unless a fill of the account's own came in between", () => {
  const { world, account, line, take } = start()
  const nothing = (): void => undefined
  const intake = createFactIntake({ world, timing: testTiming(monday + 86_400_000), groupsOf: () => [], progress: nothing, touch: nothing, copyNewFills: nothing })
  const fill = { kind: 'fill', id: 80, orderId: 50, contractId: 4401, side: 'buy', qty: 2, price: 1, session: '2026-03-02', time: monday, active: true } as const
  take(order(50, 'Working'), order(52, 'Working', 8), fill)
  intake(line, { kind: 'listed', facts: [fill] })
  expect(account.book.net(4401)).toBe(2)
  intake(line, { kind: 'listed', facts: [{ ...fill, id: 81, orderId: 52 }] })
  expect(account.book.net(4401)).toBe(0)
})
