import type { AccountStanding, RuleState } from '#shared/api/rules.ts'
import { expect, test } from 'vitest'
import { healthCards } from './health-cards.ts'

const state = (rule: RuleState['rule'], used: number, is: RuleState['state'] = 'within'): RuleState => ({ rule, state: is, unit: 'money', limit: null, value: null, left: null, used, by: 'rules', beside: null, since: null, notes: [] })
const standing = (name: string, states: RuleState[] | null, more: Partial<AccountStanding> = {}): AccountStanding => ({ account: name, name, firm: null, currency: 'USD', stage: 'evaluation', passed: null, states, balance: null, dayNet: null, dayNetOf: '2026-02-13', from: 'journal', at: null, nearest: 'max-loss', ...more })

test('the account nearest to a limit comes first, after those whose day is over; a lost one comes last', () => {
  const cards = healthCards([
    standing('lost', [state('max-loss', 1, 'breached')], { stage: 'breached' }),
    standing('calm 10', [state('max-loss', 0.1)]), standing('calm 9', [state('max-loss', 0.1)]), standing('near', [state('max-loss', 0.9)]), standing('paused', [state('max-loss', 0.2), state('daily-loss', 1, 'paused')]),
  ])
  expect(cards.map(({ standing: { name } }) => name)).toEqual(['paused', 'near', 'calm 9', 'calm 10', 'lost'])
})
test('an account without rules is last, one without a nearest limit shows none', () => {
  expect(healthCards([standing('none', null), standing('goals', [state('profit-target', 0.4, 'open')], { nearest: null })]).map(({ standing: { name }, nearest }) => [name, nearest])).toEqual([['goals', null], ['none', null]])
})
