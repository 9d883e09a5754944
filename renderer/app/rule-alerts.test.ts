// @module-tag slow
import type { RuleAlert } from '#shared/api/rules.ts'
import { expect, test } from 'vitest'
import { worstOf } from './rule-alerts.tsx'

const alert = (id: number, level: number): RuleAlert => ({ id, at: '2026-02-13T15:00:00Z', account: 'a', accountName: 'A', rule: 'daily-loss', level, unit: 'money', limit: '1000', value: '800', left: '200', currency: 'USD', seen: false })

test('a toast tells of the alert nearest to its limit, of equals the newest', () => {
  expect(worstOf([])).toBeNull()
  expect(worstOf([alert(1, 80), alert(2, 100), alert(3, 50)])?.id).toBe(2)
  expect(worstOf([alert(1, 80), alert(2, 80)])?.id).toBe(2)
})
