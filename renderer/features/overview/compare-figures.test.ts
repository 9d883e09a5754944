import { createFormat } from '#renderer/lib/format.ts'
import { figures, type FigureKey } from '#renderer/ui/statistics.tsx'
import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import { describe, expect, test } from 'vitest'
import { curveLines, curvesOf, drawnOf } from './compare-curves.ts'
import { countedIn, currenciesOf, daysIn, lessThan, shownLessThan } from './compare-figures.ts'

const sum = (currency: string, netPnl: string, count = 1) => ({ currency, netPnl, count, wins: 1, losses: 0, grossPnl: netPnl, commission: '0.515', profitFactor: null, expectancy: netPnl, averageWin: netPnl, averageLoss: null, largestWin: netPnl, largestLoss: null })

/** The statistics of a side by its days' net in USD; the first day also has a euro. */
const sideOf = (nets: readonly (readonly [string, string])[], depth: string | null = null) => {
  let total = 0
  return {
    all: { count: nets.length + 1, wins: nets.length + 1, losses: 0, winRate: 1, money: [sum('EUR', '1.00'), ...(nets.length === 0 ? [] : [sum('USD', String(nets.reduce((all, [, net]) => all + Number(net), 0)), nets.length)])] },
    days: nets.map(([tradingDay, netPnl], at) => ({ tradingDay, count: 1, money: [...(at === 0 ? [sum('EUR', '1.00')] : []), sum('USD', netPnl)] })),
    equity: nets.length === 0 ? [] : [{
      currency: 'USD', deepestByTrade: depth === null ? null : { depth },
      points: nets.map(([tradingDay, netPnl]) => { total += Number(netPnl); return { tradingDay, netPnl, cumulative: total.toFixed(2) } }),
    }],
  } as unknown as StatisticsAnswer
}

const keys = { netPnl: 'net', commission: 'fees', count: 'count', profitFactor: 'profit-factor', expectancy: 'expectancy', averageWin: 'average-win', averageLoss: 'average-loss', winRate: 'win-rate', drawdown: 'drawdown' } as const satisfies Record<string, FigureKey>
const figuresOf = (side: StatisticsAnswer, currency: string) => ({ ...Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, figures[key].of(countedIn(side, currency))])), ...daysIn(side, currency) })

const early = sideOf([['2026-10-01', '-5.00'], ['2026-10-02', '20.00'], ['2026-10-05', '20.00'], ['2026-10-06', '-5.00']], '5.00')
const late = sideOf([['2026-10-02', '-1.00'], ['2026-10-07', '-2.00']], '3.00')

describe('the figures of a side', () => {
  test('are of one currency, with the first of equal days as the best and the worst', () => {
    expect(figuresOf(early, 'USD')).toMatchObject({ netPnl: '30', count: 4, winRate: 0.25, drawdown: '-5.00', days: 4, best: { tradingDay: '2026-10-02', netPnl: '20.00' }, worst: { tradingDay: '2026-10-01', netPnl: '-5.00' } })
    expect(figuresOf(early, 'EUR')).toMatchObject({ netPnl: '1.00', count: 1, days: 1, drawdown: '0.00' })
    expect(figuresOf(late, 'USD').best).toEqual({ tradingDay: '2026-10-02', netPnl: '-1.00' })
  })
  test('of a side without trades are nothing, and no zero that was made', () => {
    expect(figuresOf(sideOf([]), 'USD')).toEqual({ netPnl: '0.00', commission: '0.00', count: 0, profitFactor: null, expectancy: null, averageWin: null, averageLoss: null, winRate: null, drawdown: null, best: null, worst: null, days: 0 })
  })
  test('differ to the digit', () => {
    expect([lessThan('0.30', '0.10'), lessThan('-2853.935', '5139.43'), lessThan('-1.00', '-1.00'), lessThan('90071992547.4099', '-0.0001')]).toEqual(['0.20', '-7993.365', '0.00', '90071992547.4100'])
  })
  test('differ as shown, so that what a reader subtracts agrees', () => {
    const format = createFormat('en', 'UTC')
    // Unrounded it is +0.47, and +5.22 points.
    expect([format.ratio(2.0449), format.ratio(1.5751), format.signedRatio(shownLessThan(2.0449, 1.5751, 2))]).toEqual(['2.04', '1.58', '+0.46'])
    expect([format.percent(0.61357), format.percent(0.5614), format.signedPoints(shownLessThan(0.61357, 0.5614, 3))]).toEqual(['61.4%', '56.1%', '+5.3'])
    expect(format.signedPoints(shownLessThan(0.5612, 0.5614, 3))).toBe('0.0')
  })
  test('come in the currency of the most trades first', () => {
    expect(currenciesOf([early, late, sideOf([])])).toEqual(['USD', 'EUR'])
    expect(currenciesOf([])).toEqual([])
  })
})

describe('curves', () => {
  test('share the calendar, or begin together', () => {
    const byDate = curveLines(curvesOf([early, late], 'USD', 'date'))
    expect(byDate.map(({ at }) => at)).toEqual(['2026-10-01', '2026-10-02', '2026-10-05', '2026-10-06', '2026-10-07'])
    expect(byDate[1]?.points.map((point) => point?.total)).toEqual(['15.00', '-1.00'])
    expect(byDate[2]?.points.map((point) => point?.total ?? null)).toEqual(['35.00', null])
    const byNumber = curveLines(curvesOf([early, late], 'USD', 'number'))
    expect(byNumber.map(({ at, points }) => [at, ...points.map((point) => point?.tradingDay ?? null)])).toEqual([[1, '2026-10-01', '2026-10-02'], [2, '2026-10-02', '2026-10-07'], [3, '2026-10-05', null], [4, '2026-10-06', null]])
  })
  test('keep the number of a day where the points of a long curve were thinned', () => {
    const thinned = { ...early, equity: early.equity.map((curve) => ({ ...curve, points: curve.points.filter((_, at) => at !== 1) })) }
    expect(curvesOf([thinned], 'USD', 'number')[0]?.map(({ at }) => at)).toEqual([1, 3, 4])
  })
  test('are drawn with at most 300 points, and with every high and low', () => {
    const long = Array.from({ length: 2_000 }, (_, at) => ({ at: at + 1, tradingDay: '', total: at === 777 ? '900.1234' : at === 1_200 ? '-4.5' : '1.00' }))
    const drawn = drawnOf(long)
    expect(drawn.length).toBeLessThanOrEqual(300)
    expect(drawn).toEqual(expect.arrayContaining([{ at: 778, value: 900.1234 }, { at: 1_201, value: -4.5 }, { at: 2_000, value: 1 }]))
  })
  test('of a side without trades have no point', () => {
    expect(curvesOf([sideOf([]), late], 'USD', 'date').map((curve) => curve.length)).toEqual([0, 2])
  })
})
