import { expect, test } from 'vitest'
import { withUnsaved } from './day-notes.ts'

const kept = [{ tradingDay: '2026-02-12', notes: 'Chopped up.', tags: ['fomc'] }, { tradingDay: '2026-02-13', notes: ' ', tags: [] }]
const unsaved = (tradingDay: string, change: object, failure: unknown = null) => new Map([[tradingDay, { change, base: {}, failure, theirs: null }]])

test('days without a word are no noted days', () => {
  expect([...withUnsaved(kept, new Map()).keys()]).toEqual(['2026-02-12'])
})

test('a change shows at once, each field by itself', () => {
  expect(withUnsaved(kept, unsaved('2026-02-12', { tags: [] })).get('2026-02-12')).toEqual({ tradingDay: '2026-02-12', notes: 'Chopped up.', tags: [], failure: null, theirs: null })
  expect(withUnsaved(kept, unsaved('2026-02-11', { notes: 'New.' })).get('2026-02-11')).toMatchObject({ notes: 'New.', tags: [] })
  expect(withUnsaved(kept, unsaved('2026-02-12', { notes: '', tags: [] })).has('2026-02-12')).toBe(false)
})

test('what could not be saved stays in sight, even where it takes the last word away', () => {
  const failure = new Error('offline')
  expect(withUnsaved(kept, unsaved('2026-02-12', { notes: '', tags: [] }, failure)).get('2026-02-12')?.failure).toBe(failure)
})
