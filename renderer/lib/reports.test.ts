import { statedNarrative } from '#tests/e2e/stated/stated-reports.ts'
import { expect, test } from 'vitest'
import { newestNarrative } from './reports.ts'

const writing = (draft: string) => statedNarrative({ state: 'writing', endedAt: null, draft, passages: [] })
const done = statedNarrative()

test('the latest event wins, and a rewritten narrative starts over', () => {
  expect(newestNarrative(null, done)).toBe(done)
  expect(newestNarrative(writing('The week'), writing('The week ended')).draft).toBe('The week ended')
  expect(newestNarrative(writing('The week ended'), done)).toBe(done)
  const anew = { ...writing(''), startedAt: '2026-11-20T23:00:00.000Z' }
  expect(newestNarrative(done, anew)).toBe(anew)
})

test('what comes late undoes nothing', () => {
  expect(newestNarrative(done, writing('The week'))).toBe(done)
  expect(newestNarrative(writing('The week ended'), writing('')).draft).toBe('The week ended')
  expect(newestNarrative({ ...writing(''), startedAt: '2026-11-20T23:00:00.000Z' }, done).state).toBe('writing')
})
