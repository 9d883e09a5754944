import { expect, test } from 'vitest'
import { amountOf } from '#shared/money/money.ts'
import { limitsOf, readLimits } from './limit-rows.ts'
import { rowsOfProps, rowsOfSnapshot } from './live-messages.ts'

test('auto-liquidation settings give the daily loss and the flat-by time', () => {
  expect(readLimits('userAccountAutoLiq', { id: 7, changesLocked: true, dailyLossAutoLiq: 1_000.5, trailingMaxDrawdown: 2_000, trailingMaxDrawdownLimit: 50_100, flattenTimestamp: '2026-03-02T21:10:00Z' })).toEqual({
    accountId: 7, limits: { dailyLoss: 10_005_000, trailing: 20_000_000, stopsAt: 501_000_000, flatBy: Date.UTC(2026, 2, 2, 21, 10) },
  })
})

test('an unset, unreachable, or non-loss value is no limit', () => {
  expect(readLimits('userAccountAutoLiq', { id: 7, dailyLossAutoLiq: 999_999_999, trailingMaxDrawdownLimit: 999_999_999 })).toEqual({ accountId: 7, limits: { dailyLoss: null, trailing: null, stopsAt: null, flatBy: null } })
  expect(readLimits('userAccountAutoLiq', { id: 7, dailyLossAutoLiq: 0, trailingMaxDrawdown: 'some', flattenTimestamp: 'at noon' })).toEqual({ accountId: 7, limits: { dailyLoss: null, trailing: null, stopsAt: null, flatBy: null } })
  expect(readLimits('accountRiskStatus', { id: 7, adminAction: 'Normal', minNetLiq: null })).toEqual({ accountId: 7, limits: { minNetLiq: null, maxNetLiq: null, reduceOnly: false } })
})

test('the risk status gives the equity range and reduce-only accounts', () => {
  const status = { id: 7, adminAction: 'Normal', maxNetLiq: 50_500, minNetLiq: 49_000, userTriggeredLiqOnly: false, liquidateOnly: '2026-02-01T00:00:00Z' }
  expect(readLimits('accountRiskStatus', status)).toEqual({ accountId: 7, limits: { minNetLiq: 490_000_000, maxNetLiq: 505_000_000, reduceOnly: false } })
  for (const more of [{ adminAction: 'LiquidateOnlyModeImmediately' }, { adminAction: 'LockTradingImmediately' }, { userTriggeredLiqOnly: true }, { adminAction: null }]) {
    expect(readLimits('accountRiskStatus', { ...status, ...more })?.limits.reduceOnly).toBe(true)
  }
})

test('a floor counts only if the account’s trailing loss agrees', () => {
  const [low, high, loss] = [amountOf(490_000_000), amountOf(510_000_000), amountOf(20_000_000)]
  const floorOf = (rows: Parameters<typeof limitsOf>[0]) => limitsOf(rows).drawdownLimit
  expect(limitsOf({ minNetLiq: low, maxNetLiq: high, trailing: loss, dailyLoss: amountOf(1) })).toEqual({ startingBalance: null, drawdownLimit: low, trailing: loss, dailyLoss: 1, reduceOnly: false, flatBy: null })
  // Locked: given as the drawdown limit itself, or as what it trails.
  expect(floorOf({ minNetLiq: low, maxNetLiq: amountOf(600_000_000), trailing: loss, stopsAt: low })).toBe(low)
  expect(floorOf({ minNetLiq: low, maxNetLiq: amountOf(600_000_000), trailing: loss, stopsAt: high })).toBe(low)
  // For example the lowest equity ever.
  expect(floorOf({ minNetLiq: low, maxNetLiq: amountOf(509_999_999), trailing: loss })).toBeNull()
  expect(floorOf({ minNetLiq: low, maxNetLiq: high })).toBeNull()
  expect(floorOf({ maxNetLiq: high, trailing: loss })).toBeNull()
})

test('an account has its evaluation size; other entities have no limits', () => {
  expect(readLimits('account', { id: 7, name: 'X', evaluationSize: 50_000 })).toEqual({ accountId: 7, limits: { startingBalance: 500_000_000 } })
  expect(readLimits('account', { id: 7, name: 'X' })).toEqual({ accountId: 7, limits: { startingBalance: null } })
  expect(readLimits('fill', { id: 7 })).toBeNull()
  expect(readLimits('accountRiskStatus', { minNetLiq: 'much' })).toBeNull()
})

test('they are found in snapshots and events among other rows', () => {
  expect(rowsOfSnapshot({ userAccountAutoLiqs: [{ id: 7, dailyLossAutoLiq: 500 }], accountRiskStatuses: null })?.limits).toEqual([{ accountId: 7, limits: { dailyLoss: 5_000_000, trailing: null, stopsAt: null, flatBy: null } }])
  expect(rowsOfProps([{ entityType: 'account', eventType: 'Updated', entity: { id: 7, name: 'X', evaluationSize: 1_000 } }])).toMatchObject({ accounts: [{ id: 7 }], limits: [{ accountId: 7, limits: { startingBalance: 10_000_000 } }] })
})
