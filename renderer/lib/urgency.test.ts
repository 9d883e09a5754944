import { ruleState } from '#tests/helpers/positions-live.ts'
import { expect, test } from 'vitest'
import { urgencyOf } from './urgency.ts'

const of = (...states: ReturnType<typeof ruleState>[]) => urgencyOf({ stage: 'evaluation', states, nearest: 'max-loss' })

test('an account is as urgent as its nearest limit is used', () => {
  expect([of(ruleState('max-loss', { used: 0.7 }), ruleState('daily-loss', { used: 0.9 })), of(ruleState('max-loss', { used: null })), urgencyOf({ stage: 'funded', states: null, nearest: null })]).toEqual([0.7, 0, 0])
})
test('a day that is over is more urgent than any limit, a lost account less', () => {
  const paused = ruleState('daily-loss', { state: 'paused', used: 1 })
  expect([of(ruleState('max-loss', { used: 1 }), paused), urgencyOf({ stage: 'breached', states: [paused], nearest: null })]).toEqual([2, -1])
})
