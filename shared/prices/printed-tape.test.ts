import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Ticks } from '#shared/money/price.ts'
import { plainTape } from '#tests/helpers/plain-tape.ts'
import { printedTape } from './printed-tape.ts'
import type { Print } from './tape.ts'

const columnsOf = (prints: readonly Print[]) => ({ at: Float64Array.from(prints, ({ at }) => at), price: Int32Array.from(prints, ({ price }) => price), size: Int32Array.from(prints, ({ size }) => size) })
const drawnPrints = fc.array(fc.record({ wait: fc.nat(3), price: fc.integer({ min: -9, max: 9 }) }), { maxLength: 1500 }).map((moves) => {
  let at = 0
  return moves.map(({ wait, price }): Print => ({ at: (at += wait), price: price as Ticks, size: 1 }))
})

it('answers as a look at every print does, in parts that touch and parts that do not', () => {
  fc.assert(
    fc.property(drawnPrints, fc.nat(2000), fc.nat(300), fc.array(fc.tuple(fc.nat(4000), fc.integer({ min: 1, max: 3000 })), { minLength: 5, maxLength: 20 }), (prints, cut, gap, spans) => {
      const behind = prints.map((print) => ({ ...print, at: print.at + 2000 + gap }))
      const parts = [{ from: 0, to: cut, prints }, { from: cut, to: 2000, prints }, { from: 2000 + gap, to: 9000, prints: behind }].map(({ from, to, prints: all }) => ({ from, to, prints: all.filter(({ at }) => at >= from && at < to) })).filter(({ from, to }) => from < to)
      const tape = printedTape(parts.map(({ from, to, prints: own }) => ({ from, to, read: () => columnsOf(own) })))
      const coverage = gap === 0 ? [{ from: 0, to: 9000, grain: 'prints' as const }] : [{ from: 0, to: 2000, grain: 'prints' as const }, { from: 2000 + gap, to: 9000, grain: 'prints' as const }]
      const plain = plainTape(coverage, parts.flatMap((part) => part.prints), [])
      for (const [from, length] of spans) {
        const span = { from, to: from + length }
        expect(tape.coverage(span)).toEqual(plain.coverage(span))
        expect([...tape.prints(span)]).toEqual(plain.prints(span))
        expect(tape.extremes(span)).toEqual(plain.extremes(span))
        expect(tape.bars(span)).toEqual([])
      }
    }),
    { numRuns: 60 },
  )
})
