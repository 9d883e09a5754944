import { describe, expect, it } from 'vitest'
import type { LockReason } from '#shared/api/copier.ts'
import { amountOf } from '#shared/money/money.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { boundReached, dayNetOf, openOf, openPnlOf, type AccountPosition } from './day-bounds.ts'
import type { CashFact } from './facts.ts'
import { flattens, locked, onDay, rejected, unlocked, type LockState } from './lock.ts'

const dollars = 1
const euros = 2

// 16:59:59 and 17:00 in Chicago on Tuesday 3 March 2026.
const closing = Date.UTC(2026, 2, 3, 22, 59, 59)
const opening = Date.UTC(2026, 2, 3, 23)
const cash = (changes: Partial<CashFact> = {}): CashFact => ({ accountId: 7, session: '2026-03-03', currencyId: 1, amount: 50_123_0000, startOfDay: 50_000_0000, realized: 99_0000, ...changes })
const position = (changes: Partial<AccountPosition> = {}): AccountPosition => ({ net: 2, netPrice: 21_000.125, mark: { price: 21_001.25, at: 10 }, valuePerPoint: 20, currencyId: dollars, ...changes })
const yen = (changes: Partial<AccountPosition> = {}): AccountPosition => position({ net: 1, netPrice: 50_000, mark: { price: 49_990, at: 11 }, valuePerPoint: 500, currencyId: 4, ...changes })

describe('open P&L', () => {
  it.each<[string, AccountPosition, number | null]>([
    ['follows the mark', position(), 45_0000],
    ['is inverted for a short', position({ net: -2 }), -45_0000],
    ['is exact where floating point is not', position({ net: 3, netPrice: 0.1, mark: { price: 0.3, at: 1 }, valuePerPoint: 1 }), 6000],
    ['is rounded once', position({ net: 1, netPrice: '0.00003', mark: { price: '0.00008', at: 1 }, valuePerPoint: 1 }), 0],
    ['is unknown without a mark', position({ mark: null }), null],
    ['is unknown if a price is not finite', position({ netPrice: Number.NaN }), null],
  ])('%s', (_name, given, pnl) => {
    expect(openPnlOf(given)).toBe(pnl)
  })

  const snapshot = { pnl: amountOf(7_0000), at: 10 }
  it.each([
    ['is 0 when flat', openOf([position({ net: 0, mark: null })], dollars, null, 5), { pnl: 0, at: null }],
    ['uses marks without a snapshot, as old as the oldest', openOf([position(), position({ mark: { price: 21_000.125, at: 4 } })], dollars, null, 5), { pnl: 45_0000, at: 4 }],
    ['uses the snapshot if no mark is newer', openOf([position()], dollars, snapshot, 10), snapshot],
    ['uses marks if one is newer', openOf([position({ mark: { price: 21_001.25, at: 11 } })], dollars, snapshot, 5), { pnl: 45_0000, at: 11 }],
    ['uses the snapshot if one mark is newer and another older', openOf([position({ mark: { price: 21_001.25, at: 11 } }), position({ mark: { price: 20_000, at: 1 } })], dollars, snapshot, 5), snapshot],
    ['uses marks if a position changed since the snapshot', openOf([position()], dollars, snapshot, 11), { pnl: 45_0000, at: 10 }],
    ['uses the snapshot if a mark is missing', openOf([position({ mark: { price: 21_001.25, at: 11 } }), position({ mark: null })], dollars, snapshot, 5), snapshot],
    ['is unknown if a mark is missing and the snapshot predates the position', openOf([position({ mark: null })], dollars, snapshot, 11), null],
    ['uses the snapshot for yen, whose marks are in yen', openOf([yen()], dollars, snapshot, 5), snapshot],
    ['is unknown for yen without a snapshot', openOf([yen()], dollars, null, 5), null],
    ['is unknown for euros without a snapshot', openOf([position({ currencyId: euros })], dollars, null, 5), null],
    ['never adds euros to dollars', openOf([position({ mark: { price: 21_001.25, at: 11 } }), position({ currencyId: euros, mark: { price: 21_001.25, at: 11 } })], dollars, snapshot, 5), snapshot],
    ['uses the marks of euros if it is in euros', openOf([position({ currencyId: euros })], euros, null, 5), { pnl: 45_0000, at: 10 }],
    ['uses the marks of an undocumented currency if it is in that', openOf([yen()], 4, null, 5), { pnl: -5_000_0000, at: 11 }],
    ['ignores the currency of what is flat', openOf([position(), yen({ net: 0 })], dollars, null, 5), { pnl: 45_0000, at: 10 }],
  ])('of an account %s', (_name, got, wanted) => {
    expect(got).toEqual(wanted)
  })
})

describe('the day’s net', () => {
  const flat = { pnl: amountOf(0), at: null }
  it.each([
    ['is cash less the starting balance', dayNetOf(cash(), flat, tradingDay(closing), 0), 123_0000],
    ['includes open P&L', dayNetOf(cash(), { pnl: amountOf(-200_0000), at: 3 }, tradingDay(closing), 0), -77_0000],
    ['excludes withdrawals', dayNetOf(cash(), flat, tradingDay(closing), -1_500_0000), 1_623_0000],
    ['is realized P&L if the starting balance is missing', dayNetOf(cash({ startOfDay: null }), flat, tradingDay(closing), 0), 99_0000],
    ['starts at 0 at 17:00 in Chicago, before the broker’s first row', dayNetOf(cash(), flat, tradingDay(opening), 0), 0],
    ['is unknown without both', dayNetOf(cash({ startOfDay: null, realized: null }), flat, tradingDay(closing), 0), null],
    ['is unknown without cash', dayNetOf(null, flat, tradingDay(closing), 0), null],
    ['is unknown while open P&L is', dayNetOf(cash(), null, tradingDay(closing), 0), null],
  ])('%s', (_name, day, net) => {
    expect(day?.net ?? null).toBe(net)
  })

  const bounds = { dailyLoss: '500.00', dailyProfit: '1000.00' }
  it.each([
    ['inside the loss by the smallest amount', -499_9999, bounds, null],
    ['at the loss', -500_0000, bounds, 'daily-loss'],
    ['beyond the loss', -500_0001, bounds, 'daily-loss'],
    ['inside the profit by the smallest amount', 999_9999, bounds, null],
    ['at the profit', 1000_0000, bounds, 'daily-profit'],
    ['beyond the profit', 1000_0001, bounds, 'daily-profit'],
    ['without bounds', -9_999_999_0000, { dailyLoss: null, dailyProfit: null }, null],
  ])('%s', (_name, net, given, reached) => {
    expect(boundReached(amountOf(net), given)).toBe(reached)
  })
})

describe('a lock', () => {
  const state = (lock: LockReason | null, rejects = 0): LockState => ({ lock, rejects, day: '2026-03-03' })

  it.each<[LockReason, LockReason | null, boolean]>([
    ['daily-loss', null, true], ['daily-profit', null, true], ['rejects', null, false], ['guard', null, false], ['flattened', 'flattened', true], ['account-restricted', 'account-restricted', false], ['permission-missing', 'permission-missing', false],
  ])('for %s is on the next day %s', (reason, next, closes) => {
    expect([onDay(state(reason, 2), '2026-03-04').lock, onDay(state(reason, 2), '2026-03-03').lock, flattens(reason)]).toEqual([next, reason, closes])
  })

  it('resets the reject count with a new day and when the user unlocks', () => {
    expect(onDay(state(null, 2), '2026-03-04')).toEqual({ lock: null, rejects: 0, day: '2026-03-04' })
    // A clock that is set back does not end a lock.
    expect(onDay(state('daily-loss', 2), '2026-03-02')).toEqual(state('daily-loss', 2))
    expect(unlocked(state('rejects', 3))).toEqual(state(null))
  })

  it('engages on the last allowed reject, not before', () => {
    const counted = [1, 2, 3].reduce<LockState[]>((all) => [...all, rejected(all.at(-1) ?? state(null), 3)], [])
    expect(counted.map(({ lock, rejects }) => [lock, rejects])).toEqual([[null, 1], [null, 2], ['rejects', 3]])
  })

  it('is replaced only by a stronger lock', () => {
    expect([locked(state('rejects'), 'daily-loss').lock, locked(state('daily-loss'), 'rejects').lock, locked(state('flattened'), 'daily-loss').lock, locked(state('daily-loss'), 'flattened').lock]).toEqual(['daily-loss', 'daily-loss', 'flattened', 'flattened'])
    expect([flattens(null), rejected(state('daily-loss', 9), 1).lock]).toEqual([false, 'daily-loss'])
  })
})
