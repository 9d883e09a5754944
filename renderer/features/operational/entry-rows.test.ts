import type { BookEntry } from '#shared/stats/books-filter.ts'
import { expect, test } from 'vitest'
import { entryColumns, kindOf, sortEntries, type EntryColumn } from './entry-rows.ts'

const row = (id: string, more: Partial<BookEntry>, whose = '') => {
  const entry: BookEntry = {
    id, userId: 'u', type: 'expense', amount: 100, date: '2026-02-13', name: id, balance: 0, currency: 'USD', platform: 'other', firm: null,
    category: 'other', account: null, note: '',
    ...more,
  }
  return { entry, words: { kind: kindOf(entry), whose } }
}
const rows = [row('a', { amount: 80 }, 'Tradeify'), row('b', { type: 'earning', amount: 50, date: '2026-03-01' }), row('c', { amount: 80, date: '2026-01-01' }, 'Apex'), row('d', { amount: 1, currency: 'EUR' })]
const ids = (column: EntryColumn, direction: 'asc' | 'desc') => sortEntries(rows, { column, direction }).map(({ entry }) => entry.id).join('')

test('entries are sorted by every column, and equal ones stay as they were', () => {
  expect(ids('date', 'desc')).toBe('badc')
  expect(ids('date', 'asc')).toBe('cadb')
  expect(ids('kind', 'asc')).toBe('bacd')
  expect(ids('name', 'desc')).toBe('dcba')
  expect(ids('whose', 'asc')).toBe('bdca')
  expect(entryColumns).toHaveLength(5)
})

test('by amount expenses are below zero, and currencies do not mix', () => {
  expect(ids('amount', 'asc')).toBe('dacb')
  expect(ids('amount', 'desc')).toBe('bacd')
})
