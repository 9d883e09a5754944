import type { BookGroup, BookSum } from '#shared/stats/books.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { monthBars, monthShape, ticksOver } from './month-shape.ts'

const sum = (currency: string, earned: string, spent: string, net: string) => ({ currency, earned, spent, net }) as BookSum
const groups: BookGroup<string>[] = [
  { key: '2026-03', sums: [sum('EUR', '0.00', '5.00', '-5.00'), sum('USD', '100.00', '40.00', '60.00')] },
  { key: '2025-12', sums: [sum('USD', '0.00', '147.00', '-147.00')] },
]

describe('months of a currency', () => {
  test('stand side by side, empty ones too', () => {
    expect(monthBars(groups, 'USD').map(({ month, net }) => [month, net])).toEqual([['2025-12', -147], ['2026-01', 0], ['2026-02', 0], ['2026-03', 60]])
    expect(monthBars(groups, 'EUR')).toEqual([{ month: '2026-03', earned: 0, spent: 5, net: -5 }])
  })

  test('are none where there is none, and at most sixty', () => {
    expect(monthBars(groups, 'GBP')).toEqual([])
    expect(monthBars([...groups, { key: '1970-01', sums: [sum('USD', '1.00', '0.00', '1.00')] }], 'USD')).toHaveLength(60)
  })
})

test.each([
  [-147, 100, [-150, -100, -50, 0, 50, 100]],
  [0, 1_500, [0, 500, 1_000, 1_500]],
  [-0.3, 0, [-0.3, -0.2, -0.1, 0]],
  [0, 0, [0]],
])('from %d to %d the scale has round figures', (least, most, ticks) => expect(ticksOver(least, most)).toEqual(ticks))

test('whatever the figures, bars stay inside, on their side of zero, and the net between them', () => {
  const money = fc.integer({ min: 0, max: 1_000_000_00 }).map((cents) => cents / 100)
  fc.assert(
    fc.property(fc.array(fc.record({ earned: money, spent: money }), { minLength: 1, maxLength: 60 }), fc.integer({ min: 200, max: 1_400 }), (figures, width) => {
      const bars = figures.map(({ earned, spent }, at) => ({ month: String(at), earned, spent, net: earned - spent }))
      const { zero, months, bar, slot, ticks } = monthShape(bars, width, 200, 50)
      expect(bar).toBeLessThanOrEqual(slot)
      for (const tick of ticks) expect(tick.y).toBeGreaterThanOrEqual(0)
      for (const { x, up, down, net } of months) {
        expect(x).toBeGreaterThan(50)
        expect(x).toBeLessThan(width)
        expect(up).toBeLessThanOrEqual(zero)
        expect(down).toBeGreaterThanOrEqual(zero)
        expect(up).toBeGreaterThanOrEqual(-1e-6)
        expect(down).toBeLessThanOrEqual(200 + 1e-6)
        expect(net).toBeGreaterThanOrEqual(up - 1e-6)
        expect(net).toBeLessThanOrEqual(down + 1e-6)
      }
      expect(months.at(-1)?.named).toBe(true)
    }),
  )
})
