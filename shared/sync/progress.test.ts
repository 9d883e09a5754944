import { expect, test } from 'vitest'
import { ended, notStarted, overallProgress, type PartProgress } from './progress.ts'

test('one part: every phase adds its share, from 0 to 1', () => {
  const steps: PartProgress[] = [
    notStarted,
    { phase: 'accounts', done: 0, total: 1 },
    { phase: 'balances', done: 0, total: 1 },
    { phase: 'fills', done: 1, total: 2 },
    { phase: 'contracts', done: 0, total: 1 },
    { phase: 'saving', done: 500, total: 1000 },
    ended,
  ]
  expect(steps.map((step) => overallProgress('r', [step], 0).overall)).toEqual([0, 0.05, 0.15, 0.375, 0.5, 0.8, 1])
})

test('with several parts the one that is furthest behind names the phase, and its like are counted together', () => {
  const progress = overallProgress('r', [{ phase: 'saving', done: 1, total: 4 }, { phase: 'fills', done: 1, total: 3 }, { phase: 'fills', done: 2, total: 3 }], 0)
  expect(progress).toMatchObject({ runId: 'r', phase: 'fills', done: 3, total: 6 })
})

test('a phase that turns out to be larger than thought does not move the bar back', () => {
  const before = overallProgress('r', [{ phase: 'fills', done: 1, total: 1 }], 0).overall
  expect(overallProgress('r', [{ phase: 'fills', done: 1, total: 10 }], before).overall).toBe(before)
})

test('a run without parts is done', () => {
  expect(overallProgress('r', [], 0)).toMatchObject({ phase: 'done', overall: 1 })
})
