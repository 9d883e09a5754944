import type { ReplayAnswer, ReplayDay, RuleState } from '#shared/api/rules.ts'
import { describe, expect, test } from 'vitest'
import { replayRows, replaySummary } from './replay-rows.ts'

const state = (rule: RuleState['rule'], is: RuleState['state'], since: string | null): RuleState => ({ rule, state: is, unit: 'money', limit: null, value: null, left: null, used: null, by: 'rules', beside: null, since: since === null ? null : { tradingDay: since, at: null }, notes: [] })
const day = (tradingDay: string, low: string, drawdownLimit: string | null, states: RuleState[] = []): ReplayDay => ({ tradingDay, net: '0.00', balance: low, drawdownLimit, low, high: low, trades: 1, states })
const answer = (days: ReplayDay[], more: Partial<ReplayAnswer> = {}): ReplayAnswer => ({ days, breach: null, passed: null, outcome: 'running', ...more })

describe('the table of a replay', () => {
  const broken = [state('daily-loss', 'paused', '2026-02-11'), state('max-loss', 'breached', '2026-02-11')]
  const replay = answer([day('2026-02-09', '50000.00', null), day('2026-02-10', '48000.01', '48000.00'), day('2026-02-11', '47999.99', '48000.00', broken), day('2026-02-12', '47900.00', '48000.00', [state('max-loss', 'breached', '2026-02-11')])], { breach: { tradingDay: '2026-02-11', rule: 'max-loss', at: null }, outcome: 'breached' })
  const rows = replayRows(replay)
  test('shows the newest day first, with the exact room above its floor', () => {
    expect(rows.map(({ day: { tradingDay }, room }) => [tradingDay, room])).toEqual([['2026-02-12', '-100.00'], ['2026-02-11', '-0.01'], ['2026-02-10', '0.01'], ['2026-02-09', null]])
  })
  test('names what was broken on the day that broke it, the hard rule first, and marks the first breach', () => {
    expect(rows.map(({ broken: all, first }) => [all.map(({ rule }) => rule), first])).toEqual([[[], false], [['max-loss', 'daily-loss'], true], [[], false], [[], false]])
  })
  test('sums up how close it came before the breach, not after', () => {
    expect(replaySummary(replay)).toEqual({ outcome: 'breached', breach: replay.breach, passed: null, days: 4, tightest: { room: '-0.01', tradingDay: '2026-02-11' }, lastBalance: '47900.00' })
  })
})

test('a replay of nothing says nothing', () => {
  expect(replayRows(answer([]))).toEqual([])
  expect(replaySummary(answer([], { outcome: 'no-trades' }))).toEqual({ outcome: 'no-trades', breach: null, passed: null, days: 0, tightest: null, lastBalance: null })
})
