// @module-tag slow
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoDate } from '#shared/market/zone-clock.ts'
import { marketSessions } from './trade-times.ts'
import { everyTrade, excursionFigures, filterParameters, readFilter, writeFilter, type TradeFilter } from './filter.ts'
import { matchesFilter, type FilteredTrade } from './match-filter.ts'

const trade: FilteredTrade = { tradingDay: '2026-03-09', account: 'tradovate:demo:1', accountName: 'Eval-Ü1', symbol: 'MESM6', side: 'long', tags: ['opening', 'A+'], isCopy: false, warnings: [], entryTime: Date.UTC(2026, 2, 9, 13, 59), exitTime: Date.UTC(2026, 2, 9, 14, 1) }

const matches = (filter: Partial<TradeFilter>, of: Partial<FilteredTrade> = {}): boolean => matchesFilter({ ...everyTrade, ...filter }, { ...trade, ...of })

describe('a filter', () => {
  it('without conditions matches everything', () => expect(matches({}, { isCopy: true, tags: [] })).toBe(true))

  it('includes its first and last day', () => {
    expect(matches({ from: '2026-03-09', to: '2026-03-09' })).toBe(true)
    expect(matches({ from: '2026-03-10' })).toBe(false)
    expect(matches({ to: '2026-03-08' })).toBe(false)
  })

  it('matches a product or a contract, in any letter case', () => {
    expect(matches({ symbols: ['NQ', 'mes'] })).toBe(true)
    expect(matches({ symbols: ['MESM6'] })).toBe(true)
    expect(matches({ symbols: ['MESM6'] }, { symbol: 'MESU6' })).toBe(false)
    expect(matches({ symbols: ['ES'] })).toBe(false)
    expect(matches({ symbols: ['MNQ'] }, { symbol: 'MNQ MAR25' })).toBe(true)
  })

  it('matches any of the accounts, sides and tags', () => {
    expect(matches({ accounts: ['other', 'tradovate:demo:1'] })).toBe(true)
    expect(matches({ accounts: ['tradovate:demo:10'] })).toBe(false)
    expect(matches({ sides: ['short'] })).toBe(false)
    expect(matches({ sides: ['short', 'long'] })).toBe(true)
    expect(matches({ tags: ['A+', 'late'] })).toBe(true)
    expect(matches({ tags: ['late'] })).toBe(false)
    expect(matches({ tags: ['late'] }, { tags: [] })).toBe(false)
  })

  it('matches a part of a symbol or account name, in any letter case', () => {
    expect(matches({ symbol: 'esm', account: 'VAL-ü' })).toBe(true)
    expect(matches({ symbol: 'ESU' })).toBe(false)
    expect(matches({ account: 'demo' })).toBe(false)
    expect(matches({ symbol: '%' })).toBe(false)
    expect(matches({ symbol: 'mes', symbols: ['NQ'] })).toBe(false)
  })

  it('can leave copies out', () => {
    expect(matches({ leaderOnly: true })).toBe(true)
    expect(matches({ leaderOnly: true }, { isCopy: true })).toBe(false)
  })

  it('matches weekdays and hours in its zone, of the entry or the exit', () => {
    expect([matches({ hours: [8] }), matches({ hours: [9] }), matches({ hours: [9], timedBy: 'exit' })]).toEqual([true, false, true])
    expect([matches({ hours: [14], zone: 'Europe/Berlin' }), matches({ hours: [8], zone: 'Europe/Berlin' })]).toEqual([true, false])
    expect([matches({ weekdays: [1, 5] }), matches({ weekdays: [2] }), matches({ weekdays: [2], zone: 'Pacific/Kiritimati' })]).toEqual([true, false, true])
    expect([matches({ hours: [8], weekdays: [1] }), matches({ hours: [8], weekdays: [2] })]).toEqual([true, false])
  })

  it('matches market sessions, whatever the zone', () => {
    expect([matches({ sessions: ['new-york'], zone: 'Asia/Tokyo' }), matches({ sessions: ['asia', 'london'] })]).toEqual([true, false])
  })

  it('can keep only trades with a warning', () => {
    expect(matches({ warnedOnly: true })).toBe(false)
    expect(matches({ warnedOnly: true }, { warnings: ['incomplete'] })).toBe(true)
  })

  it('meets no condition on prices: a trade that only the screen holds has none', () => {
    expect([matches({ pricedOnly: true }), ...excursionFigures.map((figure) => matches({ excursions: { ...everyTrade.excursions, [figure]: { from: null, to: '0' } } }))]).toEqual([false, false, false, false, false])
  })

  it('needs all of its conditions', () => expect(matches({ symbols: ['MES'], sides: ['short'] })).toBe(false))
})

describe('in a URL', () => {
  it('uses plain parameter names', () => {
    const filter: TradeFilter = { from: '2026-03-01', to: '2026-03-31', symbol: 'es m', account: 'ü', accounts: ['a,b', 'c&d=e'], symbols: ['MES'], sides: ['long'], tags: ['A+'], leaderOnly: true, warnedOnly: true, excursions: { mae: { from: '12.5', to: '250' }, mfe: { from: '0', to: '99.9999' }, entryEfficiency: { from: null, to: '33.3' }, exitEfficiency: { from: '50', to: null } }, pricedOnly: true, weekdays: [1], hours: [9, 14], sessions: ['asia'], timedBy: 'exit', zone: 'Europe/Berlin' }
    expect(new URLSearchParams(writeFilter(filter)).toString()).toBe('from=2026-03-01&to=2026-03-31&symbol=es+m&account=%C3%BC&symbols=MES&accounts=a%2Cb&accounts=c%26d%3De&side=long&tag=A%2B&leader=only&warned=only&mae-from=12.5&mae-to=250&mfe-from=0&mfe-to=99.9999&entryEfficiency-to=33.3&exitEfficiency-from=50&priced=only&weekday=1&hour=9&hour=14&session=asia&timed=exit&clock=Europe%2FBerlin')
    expect(writeFilter(everyTrade)).toEqual([])
  })

  it.each([
    ['from=2026-02-29&to=soon', {}],
    ['from=soon&from=2026-03-01', { from: '2026-03-01' }],
    ['side=up&side=long&side=long', { sides: ['long'] }],
    ['accounts=&accounts=a&accounts=a&accounts=%00', { accounts: ['a'] }],
    ['symbol=&symbol=%00&symbol=es&symbol=nq&account=a', { symbol: 'es', account: 'a' }],
    ['leader=1&sort=netPnl&unit=trades&__proto__=x&toString=y', {}],
    [`tag=${'x'.repeat(301)}&tag=x`, { tags: ['x'] }],
    ['%E0%A4%A&symbols=MES&&=&', { symbols: ['MES'] }],
    ['hour=24&hour=-1&hour=09&hour=9&weekday=0&weekday=8&session=tokyo&clock=Mars&timed=entry', { hours: [9] }],
    ['mae-from=-1&mae-to=1e3&mfe-from=12.34567&mfe-to=7&exitEfficiency-to=half&priced=yes', { excursions: { ...everyTrade.excursions, mfe: { from: null, to: '7' } } }],
    ['timed=exit&clock=Europe%2FBerlin', {}],
    ['session=asia&timed=exit&clock=Europe%2FBerlin', { sessions: ['asia'], timedBy: 'exit' }],
  ])('%s leaves out what is unknown or broken', (query, expected) => expect(readFilter(new URLSearchParams(query))).toEqual({ ...everyTrade, ...expected }))

  const day = fc.option(fc.integer({ min: 0, max: 30_000 }).map(isoDate), { nil: null })
  const name = fc.string({ minLength: 1, maxLength: 30, unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\0'))
  const names = fc.uniqueArray(name, { maxLength: 6 })
  const part = fc.option(name, { nil: '' })
  const money = fc.option(fc.nat(9_999_999).map((cents) => String(cents / 100)), { nil: null })
  const span = fc.record({ from: money, to: money })
  const filters: fc.Arbitrary<TradeFilter> = fc.record({
    from: day,
    to: day,
    symbol: part,
    account: part,
    accounts: names,
    symbols: names,
    sides: fc.uniqueArray(fc.constantFrom('long' as const, 'short' as const)),
    tags: names,
    leaderOnly: fc.boolean(),
    warnedOnly: fc.boolean(),
    excursions: fc.record({ mae: span, mfe: span, entryEfficiency: span, exitEfficiency: span }),
    pricedOnly: fc.boolean(),
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
    hours: fc.uniqueArray(fc.integer({ min: 0, max: 23 })),
    sessions: fc.uniqueArray(fc.constantFrom(...marketSessions)),
    timedBy: fc.constantFrom('entry', 'exit'),
    zone: fc.constantFrom('America/Chicago', 'Asia/Kolkata', 'UTC'),
  })
  // A clock without a condition on times says nothing.
  const usualClock = (filter: TradeFilter): TradeFilter => {
    const local = filter.weekdays.length + filter.hours.length > 0
    return { ...filter, zone: local ? filter.zone : everyTrade.zone, timedBy: local || filter.sessions.length > 0 ? filter.timedBy : 'entry' }
  }

  it('survives the text of a URL', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(readFilter(new URLSearchParams(new URLSearchParams(writeFilter(filter)).toString()))).toEqual(usualClock(filter))
      }),
    )
  })

  it('any URL reads as a filter, which writes and reads back the same', () => {
    const parameter = fc.tuple(fc.oneof(fc.constantFrom(...filterParameters), fc.string()), fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('long', 'only', '2026-03-09', '2026-13-01')))
    fc.assert(
      fc.property(fc.array(parameter), (parameters) => {
        const filter = readFilter(new URLSearchParams(parameters))
        expect(readFilter(new URLSearchParams(writeFilter(filter)))).toEqual(filter)
      }),
    )
  })
})
