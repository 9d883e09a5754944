import { expect, test } from 'vitest'
import type { Ticks } from '#shared/money/price.ts'
import { foldedBars, plainTape } from '#tests/helpers/plain-tape.ts'
import { fillTolerance, fitsFills } from './fill-moments.ts'

const noon = Date.UTC(2026, 10, 24, 12)
const ticks = (price: number): Ticks => price as Ticks
const fill = (ms: number, price: number) => ({ time: noon + ms, price: ticks(price) })
const print = (ms: number, price: number) => ({ at: (noon + ms) * 1000, price: ticks(price), size: 1 })
const known = { from: noon * 1000, to: (noon + 60_000) * 1000 }
const prints = [print(500, 100), print(2_000, 130), print(5_250, 90), print(6_000, 130)]
const printed = plainTape([{ ...known, grain: 'prints' }], prints, [])

test('a tenth of a second is enough where stamps have milliseconds and each fill finds its price that near', () => {
  expect(fillTolerance([fill(590, 100), fill(5_151, 90)], printed)).toBe(100_000)
  expect(fillTolerance([fill(601, 100), fill(5_250, 90)], printed)).toBe(1_000_000)
  expect(fillTolerance([fill(500, 101), fill(5_250, 90)], printed)).toBe(1_000_000)
  // Of a bar nobody knows when in it a price was: it shows nothing of a clock.
  const bars = plainTape([{ ...known, grain: 1_000_000 }], [], foldedBars(prints, 1_000_000))
  expect(fillTolerance([fill(950, 100), fill(5_899, 90)], bars)).toBe(1_000_000)
})

test('stamps of whole seconds and moments without prices leave a second', () => {
  expect(fillTolerance([fill(2_000, 130), fill(6_000, 130)], printed)).toBe(1_000_000)
  expect(fillTolerance([fill(500, 100), fill(70_001, 90)], printed)).toBe(1_000_000)
})

test('stamps without seconds leave a minute, and one that has them a second', () => {
  expect(fillTolerance([fill(0, 100), fill(120_000, 90)], printed)).toBe(60_000_000)
  expect(fillTolerance([fill(0, 100), fill(121_000, 90)], printed)).toBe(1_000_000)
})

test('prices contradict a fill that is more than eight ticks beyond those of its moment', () => {
  const fits = (price: number, at = 500): boolean => fitsFills([{ at: (noon + at) * 1000, price: ticks(price) }], 1_000_000, printed)
  expect([fits(108), fits(109), fits(92), fits(91), fits(500, 30_000)]).toEqual([true, false, true, false, true])
})
