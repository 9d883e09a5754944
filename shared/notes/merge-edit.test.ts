import { expect, test } from 'vitest'
import { mergeEdit, mergedList } from './merge-edit.ts'

test('a field that still says what its writer saw takes the edit; one that says something else is a conflict, and the others are written all the same', () => {
  expect(mergeEdit({ notes: 'a', stop: null }, { notes: 'b', stop: '1' }, { notes: 'a', stop: null, qty: 2 })).toEqual({ write: { notes: 'b', stop: '1' }, conflicts: [] })
  expect(mergeEdit({ notes: 'a', stop: null }, { notes: 'b', stop: '1' }, { notes: 'c', stop: null })).toEqual({ write: { stop: '1' }, conflicts: ['notes'] })
})

test('what the journal says already is no conflict: the same save again changes nothing', () => {
  expect(mergeEdit({ notes: 'a' }, { notes: 'b' }, { notes: 'b' })).toEqual({ write: { notes: 'b' }, conflicts: [] })
})

test('a headline goes with its picture: where another picture was put there, it is a conflict', () => {
  expect(mergeEdit({ screenshot: 'a', screenshotHeadline: '' }, { screenshot: 'a', screenshotHeadline: 'Entry' }, { screenshot: 'b', screenshotHeadline: '' }).conflicts).toEqual(['screenshot', 'screenshotHeadline'])
})

test('tags of two writers are united, and what one of them took away stays away', () => {
  expect(mergedList(['a', 'b'], ['b', 'c'], ['a', 'b', 'd'])).toEqual(['b', 'd', 'c'])
  expect(mergeEdit({ tags: ['a'] }, { tags: [] }, { tags: ['a', 'b'] })).toEqual({ write: { tags: ['b'] }, conflicts: [] })
})

test('what two writers draw in one chart is united, and a drawing that one of them moved is moved', () => {
  const [line, moved, note] = [{ kind: 'horizontal', at: 1, price: 5 }, { kind: 'horizontal', at: 1, price: 6 }, { kind: 'note', at: 2, price: 5, text: 'n' }]
  expect(mergeEdit({ drawings: [line] }, { drawings: [moved] }, { drawings: [line, note] })).toEqual({ write: { drawings: [note, moved] }, conflicts: [] })
  const many = Array.from({ length: 30 }, (_, price) => ({ ...line, price }))
  expect(mergeEdit({ drawings: [] }, { drawings: many }, { drawings: many.map((one) => ({ ...one, at: 9 })) })).toEqual({ write: {}, conflicts: ['drawings'] })
})

test('facts make one trade: where one of them is a conflict, none of those that change is written', () => {
  const base = { symbol: 'MESH6', entryPrice: 5000, exitPrice: 5010, notes: 'a' }
  expect(mergeEdit(base, { symbol: 'MNQH6', entryPrice: 21_000, exitPrice: 21_010, notes: 'b' }, { ...base, exitPrice: 5005 })).toEqual({ write: { notes: 'b' }, conflicts: ['symbol', 'entryPrice', 'exitPrice'] })
})

test('tags of two writers are a conflict where a fill pair has no room for both', () => {
  const tags = (from: number) => Array.from({ length: 30 }, (_, at) => `tag ${String(from + at)}`)
  expect(mergeEdit({ tags: [] }, { tags: tags(0) }, { tags: tags(100) })).toEqual({ write: {}, conflicts: ['tags'] })
  expect(mergeEdit({ tags: [] }, { tags: tags(0).slice(0, 20) }, { tags: tags(100) }).conflicts).toEqual([])
})
