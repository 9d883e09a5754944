import { ruleState } from '#tests/helpers/positions-live.ts'
import { expect, test } from 'vitest'
import { limitsFirst, nearestFirst, nearestOf } from './nearest.ts'

test('limits come before goals, whatever their order', () => {
  const states = (['payout', 'profit-target', 'contracts', 'max-loss', 'daily-loss'] as const).map((rule) => ruleState(rule))
  expect(limitsFirst(states).map(({ rule }) => rule)).toEqual(['max-loss', 'daily-loss', 'contracts', 'profit-target', 'payout'])
})

test('the nearest limit is the one that is named', () => {
  const states = [ruleState('max-loss'), ruleState('daily-loss')]
  expect(nearestOf({ states, nearest: 'daily-loss' })).toBe(states[1])
  expect([nearestOf({ states, nearest: null }), nearestOf({ states: null, nearest: 'max-loss' })]).toEqual([null, null])
})

test('nearest first leaves goals out, and unknown distances come last', () => {
  const states = [ruleState('max-loss', { used: null }), ruleState('profit-target', { used: 0.9, state: 'open' }), ruleState('contracts', { used: 0.4 }), ruleState('daily-loss', { used: 0.7 })]
  expect(nearestFirst(states).map(({ rule }) => rule)).toEqual(['daily-loss', 'contracts', 'max-loss'])
})
