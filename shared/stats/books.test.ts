// @module-tag slow
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { categoriesOf } from '#shared/api/records.ts'
import { parseDecimal } from '#shared/money/decimal.ts'
import { booksBy, booksByMonth, monthsBetween, mostUsedFirst, sumBooks, type BookSum } from './books.ts'
import { bookFirms, bookKinds, entriesOf, everyEntry, matchesBooks, nothing, readBooksFilter, writeBooksFilter, type BookEntry, type BooksFilter } from './books-filter.ts'

const entry = (more: Partial<BookEntry> = {}): BookEntry => ({
  id: 'e', userId: 'u', type: 'expense', amount: 100, date: '2026-02-13', name: '', balance: 0, currency: 'USD', platform: 'other', firm: null,
  category: 'other', account: null, note: '',
  ...more,
})
const spent = (category: BookEntry['category'], amount: number, more: Partial<BookEntry> = {}) => entry({ type: 'expense', category, amount, ...more })
const earned = (category: BookEntry['category'], amount: number, more: Partial<BookEntry> = {}) => entry({ type: 'earning', category, amount, ...more })

const anyEntry: fc.Arbitrary<BookEntry> = fc.constantFrom('earning', 'expense').chain((type) =>
  fc.record({
    type: fc.constant(type as BookEntry['type']),
    category: fc.constantFrom(...categoriesOf(type as BookEntry['type'])),
    cents: fc.integer({ min: 0, max: 90_000_000_000_000 }),
    currency: fc.constantFrom('USD', 'EUR', 'GBP'),
    firm: fc.constantFrom(null, 'Tradeify', 'Apex Trader Funding'),
    account: fc.constantFrom(null, 'a', 'b'),
    month: fc.integer({ min: 1, max: 12 }),
  }).map(({ cents, month, ...rest }) => entry({ ...rest, amount: cents / 100, date: `2026-${String(month).padStart(2, '0')}-01` })),
)

describe('sums', () => {
  test('cover a firm: two evaluations, a reset, an activation, one payout', () => {
    expect(sumBooks([spent('evaluation', 147), spent('evaluation', 35.7), spent('reset', 80), spent('activation', 130), spent('data', 12.3), earned('payout', 1_500), earned('refund', 147)])).toEqual([
      { currency: 'USD', entries: 7, earned: '1647.00', spent: '405.00', net: '1242.00', evaluations: '182.70', resets: '80.00', activations: '130.00', entryFees: '392.70', otherSpent: '12.30', payouts: '1500.00', returned: 1242 / 405 },
    ])
  })

  test('are exact where floats are not', () => {
    expect(sumBooks([spent('reset', 0.1), spent('reset', 0.2)])).toMatchObject([{ spent: '0.30', resets: '0.30', net: '-0.30', returned: -1 }])
  })

  test('have no return if nothing was spent', () => {
    expect(sumBooks([earned('payout', 500)])).toMatchObject([{ spent: '0.00', net: '500.00', returned: null }])
    expect(sumBooks([earned('payout', 500), spent('other', 0)])[0]?.returned).toBeNull()
    expect(sumBooks([])).toEqual([])
  })

  test('never add two currencies', () => {
    expect(sumBooks([spent('reset', 10), spent('reset', 20, { currency: 'EUR' }), earned('payout', 5, { currency: 'EUR' })])).toMatchObject([
      { currency: 'EUR', spent: '20.00', net: '-15.00' },
      { currency: 'USD', spent: '10.00', net: '-10.00' },
    ])
  })

  test('can be sorted by number of entries', () => {
    expect(mostUsedFirst(sumBooks([spent('reset', 10), spent('reset', 1), spent('reset', 900, { currency: 'EUR' })])).map(({ currency }) => currency)).toEqual(['USD', 'EUR'])
  })

  test('stay exact beyond the range of the journal’s amounts', () => {
    expect(sumBooks([earned('payout', 999_999_999_999.99), earned('payout', 999_999_999_999.99)])[0]?.earned).toBe('1999999999999.98')
  })
})

const cents = (text: string): bigint => (parseDecimal(text)?.digits ?? 0n) * 100n / 10n ** BigInt(parseDecimal(text)?.scale ?? 0)
const figures = ['earned', 'spent', 'net', 'evaluations', 'resets', 'activations', 'entryFees', 'otherSpent', 'payouts'] as const satisfies readonly (keyof BookSum)[]

test('groups add up to the whole in every currency, whatever the key', () => {
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 30 }), fc.constantFrom('firm', 'account', 'date', 'category'), (entries, key) => {
      const whole = sumBooks(entries)
      const parts = booksBy(entries, (one) => one[key]).flatMap(({ sums }) => sums)
      for (const sum of whole) {
        const own = parts.filter(({ currency }) => currency === sum.currency)
        for (const figure of figures) expect(own.reduce((total, part) => total + cents(part[figure]), 0n)).toBe(cents(sum[figure]))
        expect(cents(sum.net)).toBe(cents(sum.earned) - cents(sum.spent))
        expect(own.reduce((total, part) => total + part.entries, 0)).toBe(sum.entries)
      }
      expect(new Set(parts.map(({ currency }) => currency))).toEqual(new Set(whole.map(({ currency }) => currency)))
    }),
  )
})

test('another expense never improves the return, and another earning never worsens it', () => {
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 10 }), anyEntry, (entries, more) => {
      const of = (all: readonly BookEntry[]): number | null => sumBooks(all).find(({ currency }) => currency === more.currency)?.returned ?? null
      const [before, after] = [of(entries), of([...entries, more])]
      fc.pre(before !== null && after !== null)
      if (more.type === 'expense') expect(after).toBeLessThanOrEqual(before ?? 0)
      else expect(after).toBeGreaterThanOrEqual(before ?? 0)
    }),
  )
})

describe('months', () => {
  test('are summed, newest first', () => {
    const entries = [spent('reset', 1, { date: '2025-12-31' }), earned('payout', 3, { date: '2026-01-01' }), spent('reset', 2, { date: '2026-01-31' })]
    expect(booksByMonth(entries).map(({ key, sums }) => [key, sums[0]?.net])).toEqual([['2026-01', '1.00'], ['2025-12', '-1.00']])
  })

  test.each([
    ['2025-11', '2026-02', 12, ['2025-11', '2025-12', '2026-01', '2026-02']],
    ['2025-11', '2026-02', 2, ['2026-01', '2026-02']],
    ['2026-02', '2026-02', 12, ['2026-02']],
    ['2026-03', '2026-02', 12, []],
    ['1970-01', '2099-12', 1, ['2099-12']],
  ])('from %s to %s, at most %i', (first, last, most, months) => expect(monthsBetween(first, last, most)).toEqual(months))
})

describe('the filter', () => {
  const full: BooksFilter = { from: '2026-01-01', to: '2026-02-28', firms: ['Tradeify', nothing], accounts: ['tradovate:demo:1', nothing], kinds: ['earning/payout', 'expense/other'] }

  test('is written to a URL and read back', () => {
    for (const filter of [everyEntry, full]) expect(readBooksFilter(new URLSearchParams(writeBooksFilter(filter)))).toEqual(filter)
    fc.assert(
      fc.property(fc.subarray([...bookFirms]), fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.isWellFormed() && !text.includes('\0'))), fc.subarray([...bookKinds]), (firms, accounts, kinds) => {
        const filter = { ...everyEntry, firms, accounts, kinds }
        expect(readBooksFilter(new URLSearchParams(writeBooksFilter(filter)))).toEqual(filter)
      }),
    )
  })

  test('ignores invalid and unknown values in a URL', () => {
    expect(readBooksFilter(new URLSearchParams('from=yesterday&to=2026-02-30&firm=Nobody&firm=Other&kind=earning/reset&account=&view=x'))).toEqual({ ...everyEntry, firms: ['Other'] })
  })

  test.each([
    [{ from: '2026-02-13' }, true], [{ from: '2026-02-14' }, false], [{ to: '2026-02-13' }, true], [{ to: '2026-02-12' }, false],
    [{ firms: ['Tradeify'] }, true], [{ firms: ['Other'] }, false], [{ firms: [nothing] }, false],
    [{ accounts: ['a'] }, true], [{ accounts: ['b', nothing] }, false],
    [{ kinds: ['expense/reset'] }, true], [{ kinds: ['earning/other', 'expense/other'] }, false],
  ] as const)('%j lets a reset of account a at Tradeify through: %s', (part, passes) => {
    expect(matchesBooks({ ...everyEntry, ...part }, spent('reset', 1, { firm: 'Tradeify', account: 'a' }))).toBe(passes)
  })

  test('selects entries without a firm or account', () => {
    expect(matchesBooks({ ...everyEntry, firms: [nothing], accounts: [nothing] }, entry())).toBe(true)
  })

  test('knows every category of every type', () => {
    expect([...bookKinds].toSorted()).toEqual((['earning', 'expense'] as const).flatMap((type) => categoriesOf(type).map((category) => `${type}/${category}`)).toSorted())
  })
})

test('leaves accounts out of the entries', () => {
  expect(entriesOf([entry(), { ...entry(), type: 'Account' }, { ...entry(), type: 'Funded Account' }, entry({ type: 'earning' })])).toHaveLength(2)
})
