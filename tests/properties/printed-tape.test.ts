import { expect, it } from 'vitest'
import type { Ticks } from '#shared/money/price.ts'
import type { Print } from '#shared/prices/tape.ts'
import { randomBelow } from '#shared/rules/random.ts'
import { plainTape } from '#tests/helpers/plain-tape.ts'
import { printedTape } from '#tests/helpers/printed-tape.ts'

const columnsOf = (prints: readonly Print[]) => ({ at: Float64Array.from(prints, ({ at }) => at), price: Int32Array.from(prints, ({ price }) => price), size: Int32Array.from(prints, ({ size }) => size) })

it('answers as a look at every print does, in parts that touch and parts that do not', () => {
  const below = randomBelow(7)
  for (let turn = 0; turn < 12; turn += 1) {
    const [cut, gap] = [below(2000), turn % 3 === 0 ? 0 : below(300)]
    const parts = [{ from: 0, to: cut }, { from: cut, to: 2000 }, { from: 2000 + gap, to: 5000 }].filter(({ from, to }) => from < to).map(({ from, to }) => {
      // Prices that rise: the highest is the last, so that one print too many or too few is seen.
      let [at, price] = [from, below(100)]
      const prints: Print[] = []
      while ((at += below(3)) < to) prints.push({ at, price: (price += below(11) - 1) as Ticks, size: 1 + below(5) })
      return { from, to, prints }
    })
    const tape = printedTape(parts.map(({ from, to, prints }) => ({ from, to, read: () => columnsOf(prints) })))
    const whole = gap === 0 ? [{ from: 0, to: 5000 }] : [{ from: 0, to: 2000 }, { from: 2000 + gap, to: 5000 }]
    const plain = plainTape(whole.map((span) => ({ ...span, grain: 'prints' })), parts.flatMap(({ prints }) => prints), [])
    for (let asked = 0; asked < 120; asked += 1) {
      const from = below(4800)
      const span = { from, to: from + 1 + below(3000) }
      expect([tape.coverage(span), tape.extremes(span), tape.bars(span)]).toEqual([plain.coverage(span), plain.extremes(span), []])
      if (asked < 20) expect(JSON.stringify([...tape.prints(span)])).toBe(JSON.stringify([...plain.prints(span)]))
    }
  }
})
