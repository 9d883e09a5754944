// @module-tag slow
import { describe, expect, it } from 'vitest'
import { ruleFields, startingRule } from './what-if-form.tsx'

const readTyped = (typed: typeof startingRule) => {
  const { data, error } = ruleFields.safeParse(typed)
  return data ?? { wrong: [...new Set(error?.issues.map(({ path }) => path.join('.')))] }
}

describe('the form of a rule', () => {
  it('reads ticks, R, and empty fields', () => {
    expect(readTyped(startingRule)).toMatchObject({ rule: { stop: { in: 'ticks', value: 20 }, target: { in: 'ticks', value: 40 }, trail: null, first: null }, terms: { slippage: 1, fee: null, horizon: { until: 'exit' } } })
    expect(readTyped({ ...startingRule, distances: 'r', stop: '0.5', target: '', first: '1.25', percent: '75', fee: '0.62', until: 'minutes' })).toMatchObject({ rule: { stop: { in: 'r', value: 50 }, target: null, first: { at: { in: 'r', value: 125 }, percent: 75 } }, terms: { fee: '0.62', horizon: { until: 'minutes', minutes: 30 } } })
  })

  it('names the fields that do not fit', () => {
    expect(readTyped({ ...startingRule, stop: '1.5', minutes: '0', percent: '100', first: '8', slippage: '-1', fee: 'free', until: 'minutes', untilMinutes: '' })).toEqual({ wrong: ['stop', 'minutes', 'percent', 'slippage', 'fee', 'untilMinutes'] })
    expect(readTyped({ ...startingRule, stop: '', target: '' })).toEqual({ wrong: ['stop'] })
  })
})
