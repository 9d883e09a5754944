import { expect, test } from 'vitest'
import type { RuleState } from '#shared/api/rules.ts'
import { liveAccount, ruleState } from '#tests/helpers/positions-live.ts'
import { dueAlerts, markKey } from './alert-levels.ts'
import type { AlertMark } from './rows.ts'

const today = '2026-01-07'
const settings = { at: [95, 50, 80] }
const key = 'tradovate:demo:1'

/** The alerts due in these states of an account's rules, after the levels of `given`. */
const due = (states: readonly RuleState[], given: readonly Partial<AlertMark>[] = [], more: Parameters<typeof liveAccount>[1] = {}) => {
  const marks = given.map((mark) => ({ account: key, rule: 'max-loss' as const, level: 50, tradingDay: today, ...mark }))
  const { alerts, marks: marked, dropped } = dueAlerts({ at: 7, accounts: [liveAccount(key, { states: [...states], ...more })] }, settings, new Map(marks.map((mark) => [markKey(mark), mark])), today)
  return { alerts: alerts.map(({ rule, level }) => `${rule} ${String(level)}`), marked: marked.map(({ level }) => level), dropped: dropped.map(({ level }) => level) }
}
const used = (share: number, more: Partial<RuleState> = {}) => ruleState(more.rule ?? 'max-loss', { used: share, ...more })
const broken = (rule: RuleState['rule'], tradingDay = today) => ruleState(rule, { state: 'breached', used: 1, since: { tradingDay, at: null } })

test('a level is due at its share and not before', () => {
  expect(due([used(0.499999)])).toEqual({ alerts: [], marked: [], dropped: [] })
  expect(due([used(0.5)])).toEqual({ alerts: ['max-loss 50'], marked: [50], dropped: [] })
  expect(due([used(0.57)], [{ level: 50 }])).toEqual({ alerts: [], marked: [], dropped: [] })
})

test('of several levels at once only the highest gives an alert, and the others count as given', () => {
  expect(due([used(0.96)])).toEqual({ alerts: ['max-loss 95'], marked: [50, 80, 95], dropped: [] })
  expect(due([used(0.82)], [{ level: 50 }])).toEqual({ alerts: ['max-loss 80'], marked: [80], dropped: [] })
})

test('a level gives one alert a session, and another in the next', () => {
  expect(due([used(0.82)], [{ level: 50 }, { level: 80 }]).alerts).toEqual([])
  expect(due([used(0.82)], [{ level: 50, tradingDay: '2026-01-06' }, { level: 80, tradingDay: '2026-01-06' }]).alerts).toEqual(['max-loss 80'])
})

test('a level gives another alert only after a fall of ten points below it', () => {
  const marked = [{ level: 50 }, { level: 80 }]
  expect(due([used(0.7)], marked).dropped).toEqual([])
  expect(due([used(0.699)], marked)).toEqual({ alerts: [], marked: [], dropped: [80] })
  expect(due([used(0.8)], [{ level: 50 }]).alerts).toEqual(['max-loss 80'])
  // Below a level that gave its alert, there is no news.
  expect(due([used(0.86)], [{ level: 95 }])).toEqual({ alerts: [], marked: [50, 80], dropped: [] })
})

test('held contracts fall with every closed trade: their levels are not repeated, but exceeding the limit is', () => {
  expect(due([used(0, { rule: 'contracts' })], [{ rule: 'contracts', level: 50 }, { rule: 'contracts', level: 100 }]).dropped).toEqual([100])
})

test('a limit is reached once its state says so, whatever is set', () => {
  expect(due([used(1, { rule: 'contracts' })]).alerts).toEqual(['contracts 95'])
  expect(due([broken('contracts')]).alerts).toEqual(['contracts 100'])
  expect(due([ruleState('daily-loss', { state: 'paused', used: 1, since: { tradingDay: today, at: null } })]).alerts).toEqual(['daily-loss 100'])
})

test('targets and unknown values are no danger', () => {
  expect(due([used(1, { rule: 'profit-target', state: 'open' }), used(1, { rule: 'payout', state: 'met' }), used(0.9, { state: 'unknown' }), ruleState('flat-by', { used: null })])).toEqual({ alerts: [], marked: [], dropped: [] })
})

test("an earlier day's breach gives no alert, nor does anything on a breached account", () => {
  expect(due([broken('max-loss', '2026-01-06')]).alerts).toEqual([])
  expect(due([broken('max-loss')], [], { stage: 'breached' }).alerts).toEqual(['max-loss 100'])
  expect(due([used(0.9, { rule: 'daily-loss' }), broken('contracts')], [], { stage: 'breached' }).alerts).toEqual([])
})

test('each level of the time limit gives one alert for good', () => {
  expect(due([used(0.82, { rule: 'time-limit' })], [{ rule: 'time-limit', level: 80, tradingDay: '2026-01-02' }]).alerts).toEqual([])
})

test('accounts without rules give no alerts', () => {
  expect(due([], [], { states: null })).toEqual({ alerts: [], marked: [], dropped: [] })
})
