import type { RuleState } from '#shared/api/rules.ts'
import { describe, expect, test } from 'vitest'
import { stageSince } from './stage-since.ts'

const ruleState = (rule: RuleState['rule'], state: RuleState['state'], tradingDay: string | null, at: string | null = null): RuleState => ({
  rule, state, unit: 'money', limit: null, value: null, left: null, used: null, by: 'rules', beside: null, since: tradingDay === null ? null : { tradingDay, at }, notes: [],
})

describe('since when a stage is', () => {
  test('breached: the first rule that ended it', () => {
    const states = [ruleState('contracts', 'breached', '2026-02-01'), ruleState('max-loss', 'breached', '2026-02-12', '2026-02-12T15:00:00Z'), ruleState('daily-loss', 'breached', '2026-02-12', '2026-02-12T14:00:00Z')]
    expect(stageSince({ stage: 'breached', states, passed: null })).toEqual({ tradingDay: '2026-02-12', at: '2026-02-12T14:00:00Z' })
  })
  test('passed: the day on which everything that was asked for was met, whatever is met since', () => {
    const states = [ruleState('profit-target', 'open', null), ruleState('minimum-days', 'met', '2026-02-20'), ruleState('payout', 'met', '2026-02-21')]
    expect(stageSince({ stage: 'passed', states, passed: '2026-02-13' })).toEqual({ tradingDay: '2026-02-13', at: null })
  })
  test('neither for the others, nor where nothing tells it', () => {
    expect(stageSince({ stage: 'funded', states: [ruleState('max-loss', 'breached', '2026-02-12')], passed: '2026-02-11' })).toBeNull()
    expect(stageSince({ stage: 'breached', states: [ruleState('max-loss', 'breached', null)], passed: null })).toBeNull()
    expect(stageSince({ stage: 'passed', states: null, passed: null })).toBeNull()
  })
})
