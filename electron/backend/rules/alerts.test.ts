// @module-tag slow
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { AlertSettings, RuleState } from '#shared/api/rules.ts'
import type { PositionsLive } from '#shared/api/positions.ts'
import type { Pushed, SyncReceipt } from '#shared/api/sync.ts'
import { liveAccount, positionsOf, ruleState } from '#tests/helpers/positions-live.ts'
import { account, monday, openStore, other, user, type TestStore } from '#tests/helpers/store.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { createAlerts } from './alerts.ts'
import { createEvents } from '../events.ts'

let store: TestStore
beforeEach(() => { store = openStore() })

/** Alerts after a start of the program; the ones given before are in the journal. */
const start = (settleMs = 0, partly: () => string[] = () => []) => {
  const events = createEvents()
  const pushed: Pushed[] = []
  events.watch((_userId, event) => void pushed.push(event))
  const breached = vi.fn(() => Promise.resolve())
  const [changed, again] = [vi.fn(), vi.fn()]
  const failed = vi.fn()
  // The same functions as over the thread, but for their promises.
  const journal = { read: store.read, write: store.write } as unknown as JournalCalls
  const alerts = createAlerts({ journal, rules: { breached }, events, partly: () => Promise.resolve(new Set(partly())), again, changed, log: { error: failed }, settleMs })
  const hear = async (live: PositionsLive): Promise<string[]> => {
    const before = pushed.length
    alerts.receive(user.userId, live)
    await alerts.settled()
    return pushed.slice(before).map((event) => (event.type === 'rule-alert' ? `${event.alert.accountName} ${event.alert.rule} ${String(event.alert.level)}` : event.type))
  }
  return { alerts, hear, breached, again, changed, failed, events }
}

const live = (used: number, more: Partial<RuleState> = {}, at = monday): PositionsLive => ({ ...positionsOf(1, { accounts: [liveAccount(account, { name: 'EVAL', states: [ruleState('max-loss', { used, ...more })] })] }), at })
const later = monday + 86_400_000

test('each level gives one alert a session, over a restart too, and another in the next session', async () => {
  const { hear } = start()
  expect(await hear(live(0.3))).toEqual([])
  expect(await hear(live(0.82))).toEqual(['EVAL max-loss 80'])
  expect(await hear(live(0.84))).toEqual([])
  const again = start()
  expect(await again.hear(live(0.85))).toEqual([])
  expect(await again.hear(live(0.69))).toEqual([])
  expect(await start().hear(live(0.81))).toEqual(['EVAL max-loss 80'])
  expect(await start().hear(live(0.81, {}, later))).toEqual(['EVAL max-loss 80'])
  expect(store.read.ruleAlerts({ ...user, limit: 9 }).alerts.map(({ id, at }) => [id, at.slice(0, 10)])).toEqual([[3, '2026-01-06'], [2, '2026-01-05'], [1, '2026-01-05']])
})

test('the page has the log, the unseen alerts and the settings, which are on by default', async () => {
  const { alerts, hear, changed } = start()
  await hear(live(0.6))
  expect(await alerts.page(user.userId, undefined)).toMatchObject({ alerts: [{ id: 1, account, level: 50, left: '2214.61', unit: 'money', currency: 'USD', seen: false }], more: false, unseen: 1, settings: { on: true, at: [50, 80, 95], toast: true, system: true, sound: false } })
  expect(await alerts.seen(user.userId, 1)).toBe(0)
  const wanted: AlertSettings = { on: true, at: [90, 70, 90], toast: false, system: false, sound: true }
  expect(await alerts.saveSettings(user.userId, wanted)).toEqual({ ...wanted, at: [70, 90] })
  expect(changed).toHaveBeenCalledWith(user.userId)
  expect(await hear(live(0.71))).toEqual(['EVAL max-loss 70'])
  await alerts.saveSettings(user.userId, { ...wanted, on: false })
  expect(await hear(live(0.99))).toEqual([])
  expect(await start().alerts.settings('somebody')).toMatchObject({ on: true, at: [50, 80, 95] })
})

test('a live breach is passed on once, and again under other rules; the journal’s alone is not', async () => {
  const { hear, breached, events } = start()
  const lost = { state: 'breached', since: { tradingDay: '2026-01-05', at: null } } as const
  expect(await hear(live(1, lost))).toEqual(['EVAL max-loss 100'])
  await hear(live(1, lost))
  expect(breached.mock.calls).toEqual([[user.userId, account, { rule: 'max-loss', tradingDay: '2026-01-05', at: monday }, monday]])
  events.push(user.userId, { type: 'rules-changed' })
  await hear(live(1, { ...lost, since: { tradingDay: '2026-01-05', at: new Date(monday - 5).toISOString() } }))
  expect(breached.mock.calls.at(-1)).toEqual([user.userId, account, { rule: 'max-loss', tradingDay: '2026-01-05', at: monday - 5 }, monday])
  const quiet = [liveAccount(other, { from: 'journal', states: [ruleState('max-loss', { used: 1, ...lost })] }), liveAccount('third', { states: [ruleState('contracts', { used: 1, ...lost })] })]
  await hear({ ...positionsOf(2, { accounts: quiet }), at: monday })
  expect(breached).toHaveBeenCalledTimes(2)
})

test('of changes during a write only the latest counts', async () => {
  const { alerts, hear } = start()
  for (const used of [0.96, 0.3, 0.55]) alerts.receive(user.userId, live(used))
  expect(await hear(live(0.6))).toEqual(['EVAL max-loss 95'])
  expect(store.read.ruleAlerts({ ...user, limit: 9 }).alerts).toHaveLength(1)
})

test('an alert that could not be saved is not published, and tried again', async () => {
  const { hear, failed } = start()
  store.writer.database.exec('ALTER TABLE rule_alerts RENAME TO away')
  expect(await hear(live(0.82))).toEqual([])
  expect(failed).toHaveBeenCalledTimes(1)
  store.writer.database.exec('ALTER TABLE away RENAME TO rule_alerts')
  expect(await hear(live(0.82))).toEqual(['EVAL max-loss 80'])
})

test('values of a line that just connected, or is down, are not trusted at once', async () => {
  const { alerts, hear } = start(40)
  const at = (line: 'up' | 'down' | 'none') => ({ ...live(0.9), accounts: [liveAccount(account, { name: 'EVAL', line, states: [ruleState('max-loss', { used: 0.9 })] })] })
  expect(await hear(at('up'))).toEqual([])
  expect(await hear(at('down'))).toEqual([])
  // No further alert comes, and it is checked once more all the same.
  alerts.receive(user.userId, at('up'))
  await vi.waitFor(() => expect(store.read.ruleAlerts({ ...user, limit: 9 }).alerts.map(({ level }) => level)).toEqual([80]))
  store.write.addAlerts({ ...user, alerts: [], marks: [], dropped: store.read.alertMarks(user) })
  expect(await start(1_000_000).hear(at('none'))).toEqual(['EVAL max-loss 80'])
})

test('a clock that is set back while a line settles holds up no alert', async () => {
  vi.useFakeTimers({ now: later, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  start(40).alerts.receive(user.userId, live(0.9))
  vi.setSystemTime(monday)
  await vi.waitFor(() => expect(store.read.ruleAlerts({ ...user, limit: 9 }).alerts.map(({ level }) => level)).toEqual([80]))
})

test('an account whose first sync or history is running raises no alert or breach from partial data, and is checked again when it ends', async () => {
  let partly = [account]
  const { hear, breached, again, events } = start(0, () => partly)
  const lost = live(1, { state: 'breached', since: { tradingDay: '2026-01-05', at: null } })
  expect(await hear(lost)).toEqual([])
  expect(await hear({ ...lost, accounts: [...lost.accounts, liveAccount(other, { name: 'WHOLE', states: [ruleState('max-loss', { used: 0.6 })] })] })).toEqual(['WHOLE max-loss 50'])
  expect([breached, again].map((one) => one.mock.calls.length)).toEqual([0, 0])
  partly = []
  events.push(user.userId, { type: 'sync-ended', receipt: {} as SyncReceipt })
  expect(again).toHaveBeenCalledExactlyOnceWith(user.userId)
  expect(await hear(live(0.55))).toEqual(['EVAL max-loss 50'])
  // What is whole stays so until a sync begins.
  partly = [account]
  expect(await hear(live(0.85))).toEqual(['EVAL max-loss 80'])
  events.push(user.userId, { type: 'sync-progress', progress: { runId: 'r', phase: 'fills', done: 0, total: 1, overall: 0 } })
  expect(await hear(live(0.96))).toEqual([])
})
