import type { FillPairRecord } from '#shared/api/records.ts'
import { expect, test } from 'vitest'
import { pairUpdates, tradeAnnotationsOf } from './trade-annotations.ts'

const pair = (id: string, more: Partial<FillPairRecord> = {}): FillPairRecord =>
  ({ id, notes: '', tags: [], stop: null, screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '', ...more }) as unknown as FillPairRecord
const edits = (pairs: readonly FillPairRecord[], change: object) => pairUpdates(pairs, { ...tradeAnnotationsOf(pairs).fields, ...change }).map(({ pair: { id }, updates }) => [id, updates])

test('a trade shows the tags of all its pairs, their common stop, and the first notes and pictures', () => {
  const pairs = [pair('a', { tags: ['news'], stop: '6050' }), pair('b', { tags: ['late', 'news'], stop: '6050', notes: 'held', screenshot: 'b.png', screenshotHeadline: 'Entry' }), pair('c', { stop: '6050', notes: 'runner' })]
  expect(tradeAnnotationsOf(pairs)).toEqual({
    fields: { notes: 'held', tags: ['news', 'late'], stop: '6050', screenshot: 'b.png', screenshotHeadline: 'Entry', screenshot2: '', screenshot2Headline: '' },
    others: 1,
    mixedStops: false,
  })
})

test('tags and stop are saved on each pair that differs, and what was not touched stays', () => {
  const pairs = [pair('a', { tags: ['news', 'own'] }), pair('b', { tags: ['late'], stop: '6050' })]
  expect(tradeAnnotationsOf(pairs)).toMatchObject({ mixedStops: true, fields: { stop: null } })
  expect(edits(pairs, {})).toEqual([])
  expect(edits(pairs, { tags: ['own', 'late', 'A+'] })).toEqual([['a', { tags: ['own', 'A+'] }], ['b', { tags: ['late', 'A+'] }]])
  expect(edits(pairs, { stop: '6050' })).toEqual([['a', { stop: '6050' }]])
})

test('drawings of all pairs show on the trade; each goes where it is kept, and a new one to the first pair', () => {
  const [line, note, added] = [{ kind: 'horizontal', at: 1, price: 5 }, { kind: 'note', at: 2, price: 5, text: 'n' }, { kind: 'horizontal', at: 3, price: 7 }] as const
  const pairs = [pair('a'), pair('b', { drawings: [line] }), pair('c', { drawings: [line, note] })]
  expect(tradeAnnotationsOf(pairs).fields.drawings).toEqual([line, note])
  expect(edits(pairs, { drawings: [line, note, added] })).toEqual([['a', { drawings: [added] }]])
  expect(edits(pairs, { drawings: [note] })).toEqual([['b', { drawings: [] }], ['c', { drawings: [note] }]])
})

test('notes and pictures are saved where they were, new ones on the first pair', () => {
  const pairs = [pair('a', { screenshot2: 'a.png' }), pair('b', { notes: 'held' }), pair('c', { notes: 'runner' })]
  expect(edits(pairs, { notes: 'held too long' })).toEqual([['b', { notes: 'held too long' }]])
  expect(edits(pairs, { screenshot: 'new.png', screenshotHeadline: 'Exit', screenshot2: '' })).toEqual([['a', { screenshot: 'new.png', screenshotHeadline: 'Exit', screenshot2: '' }]])
  expect(edits([pair('a'), pair('b')], { notes: 'first' })).toEqual([['a', { notes: 'first' }]])
})
