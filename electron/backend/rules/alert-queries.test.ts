// @module-tag slow
import { describe, expect, test } from 'vitest'
import { account, addProfile, monday, openStore, rowsOf, user, type TestStore } from '#tests/helpers/store.ts'

const alert = (level: number, at = monday) => ({ at, account, accountName: 'EVAL-101', rule: 'max-loss', level, unit: 'money', limit: '48000.00', value: '48400.00', left: '400.00', currency: 'USD' }) as const
const mark = (level: number) => ({ account, rule: 'max-loss', level, tradingDay: '2026-01-05' }) as const
const add = (store: TestStore, ...levels: number[]) => store.write.addAlerts({ ...user, alerts: levels.map((level) => alert(level)), marks: levels.map(mark), dropped: [] })

describe('alerts', () => {
  test('are numbered, listed newest first in pages, and seen up to a number', () => {
    const store = openStore()
    expect(add(store, 50, 80)).toMatchObject([{ id: 1, level: 50, seen: false, at: '2026-01-05T15:00:00.000Z', left: '400.00' }, { id: 2, level: 80 }])
    add(store, 95)
    expect(store.read.ruleAlerts({ ...user, limit: 2 })).toMatchObject({ alerts: [{ id: 3 }, { id: 2 }], more: true, unseen: 3 })
    expect(store.read.ruleAlerts({ ...user, limit: 2, before: 2 })).toMatchObject({ alerts: [{ id: 1 }], more: false })
    expect(store.write.markAlertsSeen({ ...user, upTo: 2 })).toBe(1)
    expect(store.read.ruleAlerts({ ...user, limit: 3 }).alerts.map(({ seen }) => seen)).toEqual([false, true, true])
    expect(store.read.ruleAlerts({ userId: 'somebody', limit: 3 })).toEqual({ alerts: [], more: false, unseen: 0 })
    addProfile(store, 'somebody')
    expect(store.write.markAlertsSeen({ userId: 'somebody', upTo: 99 })).toBe(0)
  })

  test('of a user the newest ten thousand stay', () => {
    const store = openStore()
    const many = Array.from({ length: 10_000 }, () => 50)
    add(store, 95, 95, ...many.slice(2))
    expect(rowsOf(store, 'rule_alerts')).toHaveLength(10_000)
    addProfile(store, 'somebody')
    store.write.addAlerts({ userId: 'somebody', alerts: [alert(50)], marks: [], dropped: [] })
    add(store, 80)
    expect(rowsOf(store, 'rule_alerts')).toHaveLength(10_001)
    expect(rowsOf(store, 'rule_alerts').filter((row) => (row as { level: number }).level === 95)).toHaveLength(1)
  })

  test('leave marks, which are dropped by name', () => {
    const store = openStore()
    add(store, 50, 80)
    store.write.addAlerts({ ...user, alerts: [], marks: [{ ...mark(50), tradingDay: '2026-01-06' }], dropped: [mark(80)] })
    expect(store.read.alertMarks(user)).toEqual([{ ...mark(50), tradingDay: '2026-01-06' }])
  })

  test('follow the user’s own settings', () => {
    const store = openStore()
    const settings = { on: false, at: [80], toast: true, system: false, sound: true }
    expect(store.read.alertSettings(user)).toBeNull()
    store.write.setAlertSettings({ ...user, settings })
    expect([store.read.alertSettings(user), store.read.alertSettings({ userId: 'somebody' })]).toEqual([settings, null])
  })
})
