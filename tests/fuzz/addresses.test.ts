import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { cookiesIn } from '#backend/http/cookie.ts'
import { booksCsvQuery } from '#shared/api/books.ts'
import { filterQuery } from '#shared/api/statistics.ts'
import { booksParameters, readBooksFilter, writeBooksFilter } from '#shared/stats/books-filter.ts'
import { filterParameters, readFilter, writeFilter } from '#shared/stats/filter.ts'
import { consentReturnOf, linkIn } from '../../electron/desktop/deep-link.ts'
import { holdAll } from './hold-all.ts'
import { hostileText } from './hostile.ts'

const origin = 'http://127.0.0.1:47615'
const wellFormed = hostileText.map((text) => text.toWellFormed())
const parametersOf = (names: readonly string[], good: readonly string[]) =>
  fc.array(fc.tuple(fc.constantFrom(...names, 'something', '__proto__'), fc.oneof(wellFormed, fc.constantFrom(...good))), { maxLength: 12 }).map((pairs) => new URLSearchParams(pairs))

const linkParts = fc.record({
  scheme: fc.constantFrom('fillbook:', 'FILLBOOK:', 'fillbook:/', 'fillbook://', 'https://', 'javascript:', ''),
  place: fc.oneof(fc.constantFrom('/oauth/callback', 'oauth/callback', 'oauth/callback/', 'user@oauth/callback', 'oauth:80/callback', 'oauth/callback/../../settings', 'evil.invalid/oauth/callback', '//evil.invalid'), wellFormed),
  query: fc.array(fc.tuple(fc.constantFrom('code', 'state', 'error', 'returnTo', 'next', '__proto__'), fc.oneof(wellFormed, fc.constantFrom('a', 'b'))), { maxLength: 4 }),
})
const link = fc.oneof(
  linkParts.map(({ scheme, place, query }) => `${scheme}${place}?${new URLSearchParams(query).toString()}`),
  wellFormed,
)

describe('any text in an address', () => {
  holdAll({
    'a filter is read from it, and can be requested and written again': (numRuns) =>
      fc.assert(
        fc.property(parametersOf(filterParameters, ['2026-11-02', 'long', 'short', 'only', 'MES']), (parameters) => {
          const filter = readFilter(parameters)
          const written = new URLSearchParams(writeFilter(filter))
          expect(readFilter(written)).toEqual(filter)
          const asked = Object.fromEntries([...new Set(written.keys())].map((name) => [name, written.getAll(name).length === 1 ? written.get(name) : written.getAll(name)]))
          expect(filterQuery.safeParse(asked).error?.issues ?? []).toEqual([])
        }),
        { numRuns },
      ),
    'a filter of earnings and expenses likewise': (numRuns) =>
      fc.assert(
        fc.property(parametersOf(booksParameters, ['2026-11-02', 'Tradeify', 'none', 'expense/reset']), (parameters) => {
          const filter = readBooksFilter(parameters)
          const written = new URLSearchParams(writeBooksFilter(filter))
          expect(readBooksFilter(written)).toEqual(filter)
          const asked = Object.fromEntries([...new Set(written.keys())].map((name) => [name, written.getAll(name).length === 1 ? written.get(name) : written.getAll(name)]))
          expect(booksCsvQuery.safeParse(asked).error?.issues ?? []).toEqual([])
        }),
        { numRuns },
      ),
    'a link leads to the app, with a state and one answer, or nowhere': (numRuns) =>
      fc.assert(
        fc.property(link, (text) => {
          const back = consentReturnOf(text, origin)
          if (back === null) return
          const address = new URL(back.address)
          expect([address.origin, back.state.length > 0]).toEqual([origin, true])
          const { search, hash } = address
          expect([...new URLSearchParams(hash === '' ? search : hash.slice(hash.indexOf('?'))).keys()].every((name) => ['code', 'state', 'error'].includes(name))).toBe(true)
        }),
        { numRuns },
      ),
    'of the arguments of a command line only one that starts as a link is used': (numRuns) =>
      fc.assert(
        fc.property(fc.array(fc.oneof(link, wellFormed, fc.constantFrom('--', '--inspect')), { maxLength: 5 }), (words) => {
          const found = linkIn(words)
          if (found !== null) expect(found.toLowerCase().startsWith('fillbook://')).toBe(true)
        }),
        { numRuns },
      ),
    'a cookie is read completely, and only under its own name': (numRuns) =>
      fc.assert(
        fc.property(fc.array(fc.oneof(wellFormed, fc.constantFrom('fillbook-1=a', 'fillbook-12=b', 'xfillbook-1=c')), { maxLength: 5 }), (parts) => {
          for (const found of cookiesIn(parts.join('; '), 1)) expect(parts.join('; ')).toContain(`fillbook-1=${found}`)
        }),
        { numRuns },
      ),
  })
})
