// @module-tag slow
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tradingDay } from '#shared/market/trading-day.ts'
import { drawdowns, equityByTrade } from './equity.ts'
import type { CountedTrade } from './figures.ts'
import { createStatistics, type Statistics } from './statistics.ts'
import { growth } from '#tests/helpers/growth.ts'

const start = Date.UTC(2026, 1, 20)

const draft = fc.record({
  // Few moments, so that many trades are closed at once.
  exit: fc.oneof(fc.integer({ min: 0, max: 3 }).map((days) => days * 86_400_000), fc.integer({ min: 0, max: 40 * 86_400_000 })),
  held: fc.integer({ min: 0, max: 3 * 86_400_000 }),
  symbol: fc.constantFrom('MESM6', 'MESU6', 'NQM6', 'FDAXZ6', 'what', 'MNQ MAR25'),
  account: fc.constantFrom('A', 'B', 'C'),
  side: fc.constantFrom('long', 'short'),
  firm: fc.constantFrom('Apex', 'Tradeify', null),
  currency: fc.constantFrom('USD', 'USD', 'EUR'),
  grossPnl: fc.oneof(fc.constantFrom(0, 1, -1), fc.integer({ min: -5_000_000, max: 5_000_000 })),
  commission: fc.integer({ min: -20_000, max: 200_000 }),
  risk: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 3_000_000 })),
})

const trades: fc.Arbitrary<readonly CountedTrade[]> = fc.array(draft, { maxLength: 60 }).map((drafts) =>
  drafts.map(({ exit, held, ...rest }, index) => {
    const exitTime = start + exit
    return { ...rest, id: `t${String(index)}`, date: '2026-02-20', tradingDay: tradingDay(exitTime), exitTime, entryTime: exitTime - held, netPnl: rest.grossPnl - rest.commission } as CountedTrade
  }),
)

const statisticsOf = (list: readonly CountedTrade[]): Statistics => {
  const statistics = createStatistics({ counted: 'pairs', zone: 'America/St_Johns', timedBy: 'entry' })
  for (const trade of list) statistics.take(trade)
  return statistics.result()
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const byExit = (one: CountedTrade, other: CountedTrade): number => one.exitTime - other.exitTime || (one.id < other.id ? -1 : 1)

type Sliced = { readonly count: number; readonly wins: number; readonly losses: number; readonly money: readonly { readonly currency: string; readonly grossPnl: number; readonly commission: number; readonly netPnl: number }[] }

const whole = (groups: readonly Sliced[]) => ({
  count: sum(groups.map(({ count }) => count)),
  wins: sum(groups.map(({ wins }) => wins)),
  losses: sum(groups.map(({ losses }) => losses)),
  money: ['EUR', 'USD'].flatMap((currency) => {
    const rows = groups.flatMap(({ money }) => money.filter((row) => row.currency === currency))
    return rows.length === 0 ? [] : [{ currency, grossPnl: sum(rows.map((row) => row.grossPnl)), commission: sum(rows.map((row) => row.commission)), netPnl: sum(rows.map((row) => row.netPnl)) }]
  }),
})

describe('for any trades', () => {
  it('every grouping and the calendar add up to the whole', () => {
    fc.assert(
      fc.property(trades, (list) => {
        const statistics = statisticsOf(list)
        const { bySymbol, byWeekday, byHour, bySession, byAccount, byFirm, bySide, calendar, rDistribution, all } = statistics
        const expected = whole([all])
        expect(expected.count).toBe(list.length)
        for (const groups of [bySymbol, byWeekday, byHour, bySession, byAccount, byFirm, bySide]) {
          expect(whole(groups)).toEqual(expected)
          expect(sum(groups.map(({ r }) => r.count))).toBe(all.r.count)
        }
        expect(whole(calendar.days)).toEqual(expected)
        expect(whole(calendar.weeks)).toEqual(expected)
        expect(sum(calendar.weeks.map(({ days }) => days))).toBe(calendar.days.length)
        expect(sum(rDistribution.map(({ count }) => count))).toBe(all.r.count)
      }),
    )
  })

  it('the order of the trades changes nothing', () => {
    fc.assert(
      fc.property(trades.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray([...list], { minLength: list.length }))), ([list, shuffled]) => {
        expect(statisticsOf(shuffled)).toEqual(statisticsOf(list))
      }),
    )
  })

  it('a group’s figures equal the statistics of its trades alone', () => {
    fc.assert(
      fc.property(trades, (list) => {
        const { byAccount, bySide, byFirm } = statisticsOf(list)
        for (const { key, ...figures } of byAccount) expect(figures).toEqual(statisticsOf(list.filter(({ account }) => account === key)).all)
        for (const { key, ...figures } of bySide) expect(figures).toEqual(statisticsOf(list.filter(({ side }) => side === key)).all)
        for (const { key, ...figures } of byFirm) expect(figures).toEqual(statisticsOf(list.filter(({ firm }) => firm === key)).all)
      }),
    )
  })

  it('money, streaks and drawdown agree with a plain computation', () => {
    fc.assert(
      fc.property(trades, (list) => {
        const { all, streaks, equity } = statisticsOf(list)
        for (const row of all.money) {
          const own = list.filter(({ currency }) => currency === row.currency).toSorted(byExit)
          const [wins, losses] = [own.filter(({ grossPnl }) => grossPnl > 0).map(({ grossPnl }) => grossPnl), own.filter(({ grossPnl }) => grossPnl < 0).map(({ grossPnl }) => grossPnl)]
          expect(row).toMatchObject({ count: own.length, wins: wins.length, losses: losses.length, netPnl: sum(own.map(({ netPnl }) => netPnl)), grossPnl: sum([...wins, ...losses]) })
          expect(row.largestWin).toBe(wins.length === 0 ? null : Math.max(...wins))
          expect(row.largestLoss).toBe(losses.length === 0 ? null : Math.min(...losses))
          expect(row.averageWin).toEqual(wins.length === 0 ? null : { sum: sum(wins), count: wins.length })
          const curve = own.map((_, index) => sum(own.slice(0, index + 1).map(({ netPnl }) => netPnl)))
          const falls = curve.map((value, index) => Math.max(0, ...curve.slice(0, index + 1)) - value)
          const drawn = drawdowns(equityByTrade(own), ({ exitTime }) => exitTime)
          expect(equityByTrade(own).map(({ cumulative }) => cumulative)).toEqual(curve)
          expect(drawn.deepest?.depth ?? 0).toBe(Math.max(0, ...falls))
          expect(drawn.present?.below ?? 0).toBe(falls.at(-1))
          expect(equity.find(({ currency }) => currency === row.currency)?.drawdownByTrade).toEqual(drawn)
          const days = [...new Set(own.map((trade) => trade.tradingDay))].sort()
          const byDay = days.map((day) => sum(own.filter((trade) => trade.tradingDay <= day).map(({ netPnl }) => netPnl)))
          expect(equity.find(({ currency }) => currency === row.currency)?.byDay.map(({ cumulative }) => cumulative)).toEqual(byDay)
        }
        const signs = list.toSorted(byExit).map(({ grossPnl }) => (grossPnl > 0 ? 'w' : grossPnl < 0 ? 'l' : '-')).join('')
        const longest = (pattern: RegExp): number => Math.max(0, ...[...signs.matchAll(pattern)].map(([run]) => run.length))
        expect([streaks.longestWins, streaks.longestLosses]).toEqual([longest(/w+/g), longest(/l+/g)])
        expect(streaks.present?.length ?? 0).toBe(/(?:w+|l+)$/.exec(signs)?.[0].length ?? 0)
      }),
    )
  })
})

it('processes trades in time that grows no faster than their number', { tags: 'long' }, () => {
  const many = (count: number) => Array.from({ length: count }, (_, index): CountedTrade => {
    const exitTime = start + ((index * 7919) % count) * 60_000
    const [grossPnl, commission] = [(((index * 31) % 401) - 200) * 1250, 10_400]
    return { id: String(index), date: '2026-02-20', tradingDay: tradingDay(exitTime), exitTime, entryTime: exitTime - 90_000, symbol: 'MESM6', account: `account ${String(index % 20)}`, side: 'long', currency: 'USD', grossPnl, commission, netPnl: grossPnl - commission, risk: 125_000 } as CountedTrade
  })
  const [small, large] = [many(20_000), many(160_000)]
  expect(statisticsOf(large).all.count).toBe(160_000)
  // Eight times the trades; with their square it would be sixty-four.
  expect(growth(() => statisticsOf(small), () => statisticsOf(large))).toBeLessThan(24)
})
