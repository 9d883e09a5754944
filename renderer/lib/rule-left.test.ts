import type { RuleState } from '#shared/api/rules.ts'
import { expect, test } from 'vitest'
import { ruleLeft } from './rule-left.ts'

const leftText = (rule: RuleState['rule'], state: RuleState['state'], unit: RuleState['unit'], left: string | null): string => Object.values(ruleLeft({ rule, state, unit, left })).join(' ')

test('a limit says what is left of it, to the last unit', () => {
  expect([leftText('max-loss', 'within', 'money', '0.01'), leftText('contracts', 'within', 'contracts', '0'), leftText('flat-by', 'within', 'minutes', '35')]).toEqual(['left 0.01', 'left 0', 'left 35'])
})
test('a time that is over and was kept says no figure', () => {
  expect(leftText('flat-by', 'within', 'minutes', '-20')).toBe('state')
})
test('a goal says what is missing, a share by how much it is passed', () => {
  expect([leftText('profit-target', 'open', 'money', '750.00'), leftText('minimum-days', 'open', 'days', '2'), leftText('consistency', 'open', 'percent', '-5.25'), leftText('consistency', 'open', 'percent', '4')]).toEqual(['to-go 750.00', 'to-go 2', 'over 5.25', 'state'])
})
test('a payout says what may be taken out once its gate is open, and never before', () => {
  expect([leftText('payout', 'met', 'money', '-2000.00'), leftText('payout', 'open', 'money', '-100.00'), leftText('payout', 'open', 'money', '0.00'), leftText('payout', 'open', 'money', '100.00')]).toEqual(['payable 2000.00', 'state', 'state', 'to-go 100.00'])
})
test('a broken, unknown, or missing value shows its state; no opposite position says so', () => {
  expect([leftText('max-loss', 'breached', 'money', '-12.00'), leftText('daily-loss', 'unknown', 'money', null), leftText('hedging', 'within', 'contracts', '0'), leftText('hedging', 'breached', 'contracts', '-2')]).toEqual(['state', 'state', 'no-opposite', 'state'])
})
