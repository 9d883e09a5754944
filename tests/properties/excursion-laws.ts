import { expect } from 'vitest'
import type { Ticks } from '#shared/money/price.ts'
import { bestExit, excursionsOf, extremeTimes, type Bounds, type Excursions, type PricedTrade, type Ratio, type TradeFill } from '#shared/prices/excursions.ts'
import { fillTolerance } from '#shared/prices/fill-moments.ts'
import type { Bar, Coverage, Print, Tape } from '#shared/prices/tape.ts'
import { randomBelow } from '#shared/rules/random.ts'
import { foldedBars, plainTape } from '#tests/helpers/plain-tape.ts'

const second = 1_000_000
const widths = [second, 60 * second, 300 * second]
const begin = Date.UTC(2026, 9, 6, 14, 30) * 1000
const waits = [5000, 300_000, 4_000_000, 90_000_000]

/** A tape, and a trade on prints of it: what fell before and after each fill is known here, and nowhere else. */
type Drawn = { readonly prints: readonly Print[]; readonly fills: readonly { readonly place: number; readonly qty: number }[]; readonly isTied: boolean; readonly isWholeMs: boolean }

/** What happened, in ticks × contracts and in µs after the first fill. */
type Truth = { readonly mfe: number; readonly mae: number; readonly result: number; readonly toMfe: number; readonly toMae: number }

const draw = (seed: number): Drawn => {
  const below = randomBelow(seed)
  const count = 12 + below(150)
  const wait = waits[below(waits.length)] ?? 0
  const ties = below(3) === 0 ? 4 : 0
  const isWholeMs = below(3) > 0
  const prints: Print[] = []
  let [at, price] = [begin + below(300) * second, 28_000]
  for (let place = 0; place < count; place += 1) {
    if (place === 0 || below(10) >= ties) at += isWholeMs ? (1 + below(wait / 1000)) * 1000 : 1 + below(wait)
    price += below(11) - 5 + (below(40) === 0 ? 30 - below(61) : 0)
    prints.push({ at, price: price as Ticks, size: 1 + below(9) })
  }
  const side = below(2) === 0 ? 1 : -1
  const places = Array.from({ length: 2 + below(7) }, () => below(count)).sort((one, other) => one - other)
  let held = 0
  const fills = places.map((place, index) => {
    const isLast = index === places.length - 1
    const adds = held < 2 || below(2) === 0
    const change = isLast ? -held : adds ? 1 + below(3) : -1 - below(held - 1)
    held += change
    return { place, qty: side * change }
  })
  const tied = new Set(prints.filter((print, place) => prints[place - 1]?.at === print.at).map((print) => print.at))
  return { prints, fills, isTied: fills.some(({ place }) => tied.has(prints[place]?.at ?? 0)), isWholeMs }
}

/** How long after the last fill the best exit is looked for. */
const after = 120 * second
/** When a session ends that ends soon after it. */
const soon = 45 * second

/** Marks the position to market from print to print. */
const truthOf = ({ prints, fills }: Drawn): Truth => {
  let [held, open, marked] = [0, 0, 0]
  let [high, low, highAt, lowAt] = [0, 0, 0, 0]
  let [started, left] = [-1, -1]
  for (const [place, { at, price }] of prints.entries()) {
    open += (held === 0 ? 0 : price - marked) * held
    marked = price
    const own = fills.filter((fill) => fill.place === place)
    for (const [index, { qty }] of own.entries()) {
      if (started < 0) started = at
      if (fills.lastIndexOf(own[index] ?? { place, qty }) === fills.length - 1) left = at
      held += qty
    }
    if (started < 0 || (left >= 0 && own.length === 0)) continue
    if (open > high) [high, highAt] = [open, at - started]
    if (open < low) [low, lowAt] = [open, at - started]
  }
  return { mfe: high, mae: -low, result: open, toMfe: highAt, toMae: lowAt }
}

/** What leaving the last exit later would have brought: its fills are those of its side within the second before the last, by the times of the trade. */
const laterOf = ({ prints, fills }: Drawn, trade: PricedTrade, isWithin: (moment: number) => boolean): { readonly qty: number; readonly value: number } => {
  const [last, place] = [trade.fills.at(-1), fills.at(-1)?.place ?? 0]
  const exit: { qty: number; price: number }[] = []
  for (const [index, { qty, time }] of [...trade.fills.entries()].reverse()) {
    if (last === undefined || qty * last.qty < 0 || last.time - time > 1_000) break
    exit.push({ qty, price: prints[fills[index]?.place ?? 0]?.price ?? 0 })
  }
  const gains = prints.slice(place).filter(({ at }) => isWithin(at)).map(({ price }) => exit.reduce((sum, one) => sum + one.qty * (one.price - price), 0))
  return { qty: Math.abs(exit.reduce((sum, { qty }) => sum + qty, 0)), value: Math.max(0, ...gains) }
}

// One tick is worth one unit, so that money says ticks × contracts.
const tradeOf = ({ prints, fills }: Drawn, tolerance: number, stamp: number, late = 0): PricedTrade => ({
  fills: fills.map(({ place, qty }): TradeFill => {
    const { at, price } = prints[place] ?? { at: 0, price: 0 as Ticks }
    return { time: (Math.floor((at + late) / stamp) * stamp) / 1000, qty, price }
  }),
  tolerance,
  tickValue: { num: 1, den: 1 },
  risk: null,
})

const everything = { from: begin - 3600 * second, to: begin + 100_000 * second }

const holds = ({ least, most }: Bounds<number>, value: number): boolean => (least ?? -Infinity) <= value && value <= (most ?? Infinity)
const quotient = (ratio: Ratio | null): number | null => (ratio === null ? null : ratio.num / ratio.den)
const holdsRatio = (bounds: Bounds<Ratio> | null, num: number, den: number): boolean =>
  den === 0 ? true : bounds !== null && holds({ least: quotient(bounds.least), most: quotient(bounds.most) }, num / den)

/** Whether all figures hold the truth. */
const holdsTruth = (found: Excursions, truth: Truth): boolean => {
  const { mfe, mae, result } = truth
  return (
    found.result === result &&
    holds(found.mfe.amount, mfe) && holds(found.mae.amount, mae) && holds(found.drawdown, mfe - result) &&
    holdsRatio(found.capture, result, mfe) && holdsRatio(found.entry, mfe, mfe + mae) && holdsRatio(found.exit, result + mae, mfe + mae) && holdsRatio(found.total, result, mfe + mae)
  )
}

const isExact = ({ mfe, mae }: Excursions): boolean => mfe.amount.least === mfe.amount.most && mae.amount.least === mae.amount.most

const isWithin = (fine: Bounds<number>, wide: Bounds<number>): boolean => (fine.least ?? -Infinity) >= (wide.least ?? -Infinity) && (fine.most ?? Infinity) <= (wide.most ?? Infinity)

const barTape = (prints: readonly Print[], width: number): Tape => plainTape([{ ...everything, grain: width }], [], foldedBars(prints, width))

/** Prints up to a moment, bars of two widths behind it; with `gap`, an hour less of what is known. */
const mixedTape = (prints: readonly Print[], cut: number, gap: boolean): Tape => {
  const [one, two] = [Math.ceil(cut / (300 * second)) * 300 * second, (Math.ceil(cut / (300 * second)) + 1) * 300 * second]
  const coverage: Coverage[] = [{ from: everything.from, to: one, grain: 'prints' }, { from: one, to: two, grain: second }, { from: gap ? two + 600 * second : two, to: everything.to, grain: 60 * second }]
  const bars: Bar[] = [...foldedBars(prints, second).filter(({ at }) => at >= one && at < two), ...foldedBars(prints, 60 * second).filter(({ at }) => at >= (coverage[2]?.from ?? 0))]
  return plainTape(coverage, prints.filter(({ at }) => at < one), bars)
}

/** By what is known of the prices: how many of a hundred drawn trades have one figure each for MFE and MAE. */
export type ExcursionRun = Readonly<Record<string, number>>

/** Holds the excursions of so many drawn trades against a brute force over their prints. */
export const runExcursions = (count: number, firstSeed: number): ExcursionRun => {
  const exact = new Map<string, { hits: number; all: number }>()
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const drawn = draw(seed)
    const truth = truthOf(drawn)
    const check = (name: string, trade: PricedTrade, tape: Tape, isPoint = false): Excursions => {
      const found = excursionsOf(trade, tape)
      if (found === null) throw new Error(`Seed ${String(seed)}, ${name}: no prices`)
      const times = extremeTimes(trade, tape)
      const left = drawn.prints[drawn.fills.at(-1)?.place ?? 0]?.at ?? 0
      const exits = [Infinity, left + soon].map((end) => ({ best: bestExit(trade, tape, after, end), ...laterOf(drawn, trade, (moment) => moment <= left + after && moment < end) }))
      const wrong = [
        ...(holdsTruth(found, truth) ? [] : [found]),
        ...([[times?.toMfe, truth.toMfe], [times?.toMae, truth.toMae]] as const).filter(([span, moment]) => span !== null && span !== undefined && (moment < span.from || moment > span.to || (isPoint && span.from !== span.to))),
        ...exits.filter(({ best, qty, value }) => best !== null && !(best.qty === qty && holds(best.amount, value) && holds(best.ticks, value / qty) && (!isPoint || best.amount.least === best.amount.most))),
        ...(!isPoint || isExact(found) ? [] : [found]),
      ]
      expect({ seed, name, wrong }).toEqual({ seed, name, wrong: [] })
      const counted = exact.get(name) ?? { hits: 0, all: 0 }
      exact.set(name, { hits: counted.hits + (isExact(found) ? 1 : 0), all: counted.all + 1 })
      return found
    }
    const cut = drawn.prints[drawn.fills[1]?.place ?? 0]?.at ?? begin
    const printed = plainTape([{ ...everything, grain: 'prints' }], drawn.prints, [])
    // Stamps of milliseconds say where such fills are.
    if (drawn.isWholeMs) {
      const isPoint = !drawn.isTied
      const priced = tradeOf(drawn, 0, 1)
      let fine = check('prints', priced, printed, isPoint)
      for (const width of widths) {
        const wide = check(`bars of ${String(width / second)} s`, priced, barTape(drawn.prints, width))
        expect({ seed, width, isWithin: isWithin(fine.mfe.amount, wide.mfe.amount) && isWithin(fine.mae.amount, wide.mae.amount) }).toEqual({ seed, width, isWithin: true })
        fine = wide
      }
      check('mixed', priced, mixedTape(drawn.prints, cut, false))
      check('with a hole', priced, mixedTape(drawn.prints, cut, true))
    }
    for (const [name, trade] of [['stamped to the millisecond', tradeOf(drawn, 1000, 1000)], ['stamped to the second', tradeOf(drawn, second, second)]] as const) {
      check(`${name}, prints`, trade, printed)
      check(`${name}, bars of 1 s`, trade, barTape(drawn.prints, second))
      check(`${name}, bars of 60 s`, trade, barTape(drawn.prints, 60 * second))
      check(`${name}, mixed`, trade, mixedTape(drawn.prints, cut, false))
    }
    // The prices show how far such a clock may be off.
    const late = tradeOf(drawn, 0, 1000, 80_000)
    for (const [name, tape] of [['prints', printed], ['bars of 1 s', barTape(drawn.prints, second)]] as const) check(`80 ms late, ${name}`, { ...late, tolerance: fillTolerance(late.fills, tape) }, tape)
    // Bars show nothing of a clock.
    const behind = tradeOf(drawn, 0, 1000, 800_000)
    for (const width of [second, 60 * second]) check(`800 ms late, bars of ${String(width / second)} s`, { ...behind, tolerance: fillTolerance(behind.fills, barTape(drawn.prints, width)) }, barTape(drawn.prints, width))
  }
  return Object.fromEntries([...exact].map(([name, { hits, all }]) => [name, Math.round((hits / all) * 100)]))
}
