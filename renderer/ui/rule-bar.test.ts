// @module-tag slow
import { expect, test } from 'vitest'
import { ruleMood } from './rule-bar.tsx'

test('a limit that holds looks by what is used of it', () => {
  expect([null, 0, 0.49, 0.5, 0.79, 0.8, 1].map((used) => ruleMood({ state: 'within', used, unit: 'money' }))).toEqual(['calm', 'calm', 'calm', 'watch', 'watch', 'near', 'near'])
})
test('every other state has its own look, however much is used', () => {
  expect((['paused', 'breached', 'open', 'met', 'unknown'] as const).map((state) => ruleMood({ state, used: 0.2, unit: 'money' }))).toEqual(['paused', 'broken', 'goal', 'met', 'unknown'])
})
test('a share that is still too large is no goal on its way', () => {
  expect(ruleMood({ state: 'open', used: 1, unit: 'percent' })).toBe('watch')
})
