import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { closedBy, openPnl, positionPath, type PathFill } from '#shared/prices/position-path.ts'

const someFills = fc.array(fc.record({ wait: fc.nat(3), qty: fc.integer({ min: -5, max: 5 }).filter((qty) => qty !== 0), price: fc.integer({ min: -500, max: 200_000 }) }), { minLength: 1, maxLength: 12 }).map((drawn) => {
  let at = 0
  return drawn.map(({ wait, qty, price }): PathFill => ({ at: (at += wait), qty, price: price as Ticks }))
})
const tickValues = fc.constantFrom({ num: 125_000, den: 1 }, { num: 5_000, den: 1 }, { num: 312_500, den: 2 }, { num: 15_625, den: 4 }, { num: 1, den: 3 })

/** Open P&L by its definition: every contract of the fills up to a moment against the price, one by one, rounded once at the end. */
const byDefinition = (fills: readonly PathFill[], moment: number, price: number, { num, den }: { num: number; den: number }): number => {
  const ticks = fills.filter(({ at }) => at <= moment).reduce((sum, fill) => sum + BigInt(fill.qty) * (BigInt(price) - BigInt(fill.price)), 0n)
  const [product, divisor] = [ticks * BigInt(num), BigInt(den)]
  const size = product < 0n ? -product : product
  const rounded = (2n * size + divisor) / (2n * divisor)
  return Number(product < 0n ? -rounded : rounded)
}
/** What a queue of lots, first in first out, says of it. */
const byLots = (fills: readonly PathFill[], moment: number, price: number): number => {
  let lots: { qty: number; price: number }[] = []
  let closed = 0
  for (const fill of fills.filter(({ at }) => at <= moment)) {
    let rest = fill.qty
    while (rest !== 0 && lots[0] !== undefined && Math.sign(lots[0].qty) !== Math.sign(rest)) {
      const part = Math.min(Math.abs(rest), Math.abs(lots[0].qty)) * Math.sign(lots[0].qty)
      closed += part * (fill.price - lots[0].price)
      lots[0].qty -= part
      rest += part
      lots = lots.filter(({ qty }) => qty !== 0)
    }
    if (rest !== 0) lots.push({ qty: rest, price: fill.price })
  }
  return closed + lots.reduce((sum, lot) => sum + lot.qty * (price - lot.price), 0)
}

test('open P&L at any moment of a replay is that of every contract so far against the price, to the unit', () => {
  fc.assert(
    fc.property(someFills, fc.integer({ min: -1, max: 40 }), fc.integer({ min: -500, max: 200_000 }), tickValues, (fills, moment, price, tickValue) => {
      const path = positionPath(fills)
      const held = path.after(path.countBy(moment))
      expect(openPnl(held, price as Ticks, tickValue) + 0).toBe(byDefinition(fills, moment, price, tickValue) + 0)
      expect(held.cash + held.qty * price + 0).toBe(byLots(fills, moment, price) + 0)
    }),
    { numRuns: 500 },
  )
})

test('the average entry price follows additions and stays the same on reductions', () => {
  const fill = (at: number, qty: number, price: number): PathFill => ({ at, qty, price: price as Ticks })
  const { after } = positionPath([fill(1, 1, 100), fill(2, 3, 104), fill(3, -2, 90), fill(4, -4, 80), fill(5, 2, 70)])
  expect([0, 1, 2, 3, 4, 5].map((count) => after(count).average)).toEqual([null, 100, 103, 103, 80, null])
})

test('the P&L of what closed before a moment is the sum up to it', () => {
  const by = closedBy([{ at: 20, gross: 5 as Amount }, { at: 10, gross: 7 as Amount }, { at: 20, gross: -20 as Amount }])
  expect([9, 10, 19, 20, 99].map(by)).toEqual([0, 7, 7, -8, -8])
})
