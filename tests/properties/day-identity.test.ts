import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assemble } from '#shared/imports/assemble.ts'
import { deriveTrades } from '#shared/imports/derive-trades.ts'
import type { CashReading, Reading } from '#shared/imports/reading.ts'
import type { Amount } from '#shared/money/money.ts'
import { reconcile } from '#shared/reconcile/reconcile.ts'
import { at, cashOf, fillOf } from '#tests/helpers/readings.ts'

const dates = ['2026-06-08', '2026-06-09', '2026-06-10'] as const
const minute = 60_000

/** A round trip of one MESM6 (1.25 a tick), in ticks, with the fee of either fill in cents; and money in or out beside it. */
type Trade = { readonly ticks: number; readonly feeCents: number; readonly moved: number }
const trade = fc.record({ ticks: fc.integer({ min: -40, max: 40 }), moved: fc.oneof(fc.constant(0), fc.integer({ min: -5_000, max: 5_000 })) })
// A firm charges each contract alike: another fee would be a quantity that is wrong.
const days = fc.tuple(fc.integer({ min: 1, max: 250 }), ...dates.map(() => fc.array(trade, { minLength: 1, maxLength: 4 }))).map(([feeCents, ...all]) => all.map((trades) => trades.map((one): Trade => ({ ...one, feeCents }))))

/** What a broker writes of these days, by definition: fills with their fees, and cash rows, each with the balance that it leaves. */
const written = (drawn: readonly (readonly Trade[])[]): { readonly fills: readonly Reading[]; readonly cash: readonly CashReading[] } => {
  const fills: Reading[] = []
  const cash: CashReading[] = []
  let [id, held] = [0, 5_000_000]
  drawn.forEach((trades, day) => {
    const tradeDate = dates[day] ?? ''
    const row = (time: number, type: string, movement: CashReading['movement'], cents: number, transfer = false): void => {
      held += cents
      const more = { time, tradeDate, type, amount: (held * 100) as Amount, ...(transfer ? { transfer: true as const, contract: null } : {}) }
      cash.push({ ...cashOf(String(cash.length + 1), movement, cents / 100, more), delta: (cents * 100) as Amount })
    }
    trades.forEach(({ ticks, feeCents, moved }, place) => {
      const opened = at('14:00:00', tradeDate) + place * 10 * minute
      const fee = feeCents / 100
      fills.push(fillOf(String((id += 1)), { fee, time: opened, price: 100, tradeDate }), fillOf(String((id += 1)), { fee, side: 'sell', time: opened + minute, price: 100 + ticks, tradeDate }))
      row(opened, 'Commission', 'fee', -feeCents)
      row(opened + minute, 'Commission', 'fee', -feeCents)
      row(opened + minute, 'Trade Paired', 'pair', ticks * 125)
      if (moved !== 0) row(opened + 2 * minute, 'Fund Transaction', 'other', moved, true)
    })
  })
  return { fills, cash }
}

const judged = (fills: readonly Reading[], cash: readonly CashReading[]) => {
  const assembly = assemble([...fills, ...cash], { account: null })
  return reconcile(assembly, deriveTrades(assembly, 'UTC').pairs).days
}

test('complete days reconcile, with every cent of their cash named', () => {
  fc.assert(
    fc.property(days, (drawn) => {
      const { fills, cash } = written(drawn)
      const found = judged(fills, cash)
      expect(found.map(({ tradingDay, state }) => [tradingDay, state])).toEqual(dates.map((day) => [day, 'equal']))
      for (const { tradingDay, movements, balance } of found) {
        const own = cash.filter(({ tradeDate }) => tradeDate === tradingDay)
        const sum = (type: string): number => own.filter((row) => row.type === type).reduce((all, { delta }) => all + delta, 0)
        for (const { name, amount } of movements) expect(amount).toBe(sum(name ?? ''))
        expect(Number(balance?.start) + movements.reduce((all, { amount }) => all + amount, 0)).toBe(balance?.end)
      }
    }),
    { numRuns: 100 },
  )
})

/** One row wrong. What no file can show is left out: a row of nothing, and an end of the file that is cut off where money only went in or out. */
const wrongs = {
  drop: (rows: readonly CashReading[], at: number) => rows.toSpliced(at, 1),
  cent: (rows: readonly CashReading[], at: number) => rows.map((row, place) => (place === at ? { ...row, delta: (row.delta + 100) as Amount } : row)),
  balance: (rows: readonly CashReading[], at: number) => rows.map((row, place) => (place === at ? { ...row, amount: (row.amount - 100) as Amount } : row)),
  rename: (rows: readonly CashReading[], at: number) => rows.map((row, place) => (place === at ? { ...row, type: 'Something Else', movement: 'other' as const, transfer: undefined as never } : row)),
  'cent that every later balance follows': (rows: readonly CashReading[], at: number) => rows.map((row, place) => (place < at ? row : { ...row, delta: (row.delta + (place === at ? 100 : 0)) as Amount, amount: (row.amount + 100) as Amount })),
}

test.each(Object.keys(wrongs) as (keyof typeof wrongs)[])('a day with one row wrong (%s) is never equal', (how) => {
  fc.assert(
    fc.property(days, fc.nat(), (drawn, seed) => {
      const { fills, cash } = written(drawn)
      const isShown = (row: CashReading, place: number): boolean => row.delta !== 0 && (row.transfer === undefined ? true : how !== 'cent that every later balance follows' && place > 0 && place < cash.length - 1)
      const places = cash.flatMap((row, place) => (isShown(row, place) && !(how === 'balance' && place === cash.length - 1) ? [place] : []))
      fc.pre(places.length > 0)
      const place = places[seed % places.length] ?? 0
      const found = judged(fills, wrongs[how](cash, place)).find(({ tradingDay }) => tradingDay === cash[place]?.tradeDate)
      expect(found?.state).not.toBe('equal')
    }),
    { numRuns: 200 },
  )
})
