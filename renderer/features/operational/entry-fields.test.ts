import { newFinance, type Finance } from '#shared/api/records.ts'
import type { BookEntry } from '#shared/stats/books-filter.ts'
import { expect, test } from 'vitest'
import { entryFields, newEntry, typedEntry, type TypedEntry } from './entry-fields.ts'

const typed: TypedEntry = { ...newEntry('expense', '2026-02-13'), amount: '80.50', name: ' Reset ', category: 'reset' }
const account = { id: 'tradovate:demo:1', userId: 'u', type: 'Evaluation Account', amount: 0, date: '2026-01-01', name: 'EVAL-1', balance: 1, currency: 'EUR', platform: 'Tradovate', firm: 'Tradeify', category: 'other', account: null, note: '' } satisfies Finance
const wrongOf = (more: Partial<TypedEntry>) => entryFields.safeParse({ ...typed, ...more }).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)

test('a form that is filled in can be saved as the contract has it', () => {
  const entry = entryFields.parse(typed)
  expect(entry).toEqual({ type: 'expense', category: 'reset', amount: 80.5, currency: 'USD', date: '2026-02-13', account: null, firm: null, name: 'Reset', note: '', balance: 0, platform: 'other' })
  expect(newFinance.safeParse({ id: 'x', ...entry }).success).toBe(true)
})

test.each([
  ['', 'missing'], ['  ', 'missing'], ['abc', 'not-a-number'], ['1,50', 'not-a-number'], ['12,50', 'not-a-number'], ['-5', 'not-above-zero'], ['0', 'not-above-zero'], ['0.00', 'not-above-zero'],
  ['0.001', 'too-precise'], ['0.0100001', 'too-precise'], ['1000000000.01', 'too-large'], ['1e30', 'not-a-number'], ['1e3', 'not-a-number'], ['2E-1', 'not-a-number'],
])('an amount of %j is %s', (amount, problem) => {
  expect(wrongOf({ amount })).toEqual([`amount ${problem}`])
})

test.each([['0.01', 0.01], ['1000000000', 1e9], [' 12 ', 12], ['12.5', 12.5], ['.5', 0.5]])('an amount of %j is taken', (text, amount) => {
  expect(entryFields.parse({ ...typed, amount: text })).toMatchObject({ amount })
})

test.each(['', '2026-02-30', '1969-12-31', '2100-01-01', 'today'])('%j is no day', (date) => {
  expect(wrongOf({ date, amount: '' })?.toSorted()).toEqual(['amount missing', 'date no-day'])
})

test('an entry that is there comes back out of its form as it was', () => {
  const entry: BookEntry = { ...account, id: 'e', type: 'earning', category: 'payout', amount: 1500.1, account: 'tradovate:demo:1', note: 'first', name: 'Payout' }
  expect(entryFields.parse(typedEntry(entry))).toEqual({ type: 'earning', category: 'payout', amount: 1500.1, account: 'tradovate:demo:1', note: 'first', name: 'Payout', currency: 'EUR', date: '2026-01-01', firm: 'Tradeify', platform: 'Tradovate', balance: 0 })
  expect(entryFields.parse(typedEntry({ ...entry, account: 'topstepx:demo:1' })).platform).toBe('TopstepX')
})

test('a new entry begins with the firm that all accounts share', () => {
  const of = (...firms: readonly Finance['firm'][]) => newEntry('earning', '2026-02-13', firms.map((firm) => ({ firm }))).firm
  expect(of('Tradeify', 'Tradeify')).toBe('Tradeify')
  expect(of('Tradeify', 'Other')).toBeNull()
  expect(of('Tradeify', null)).toBeNull()
  expect(of()).toBeNull()
  expect(newEntry('earning', '2026-02-13', [{ firm: 'Tradeify' }], { type: 'earning', account: 'a', firm: 'Other' })).toMatchObject({ account: 'a', firm: 'Other' })
  expect(newEntry('earning', '2026-02-13', [{ firm: 'Tradeify' }], { type: 'expense', account: 'a', firm: 'Other' })).toMatchObject({ account: null, firm: 'Tradeify' })
})
