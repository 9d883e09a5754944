import type { Ticks } from '#shared/money/price.ts'
import type { Bar, Coverage, Print, Span, Tape } from '#shared/prices/tape.ts'

/** The bars of prints; empty ones are left out. */
export const foldedBars = (prints: readonly Print[], width: number): readonly Bar[] =>
  [...Map.groupBy(prints, ({ at }) => Math.floor(at / width) * width)].map(([at, own]) => {
    const prices = own.map(({ price }) => price)
    return { at, width, open: prices[0] ?? (0 as Ticks), high: Math.max(...prices) as Ticks, low: Math.min(...prices) as Ticks, close: prices.at(-1) ?? (0 as Ticks), volume: own.reduce((sum, { size }) => sum + size, 0) }
  })

/** A tape that looks at every print and bar; `coverage` lists the known spans, in order and without overlap. */
export const plainTape = (coverage: readonly Coverage[], prints: readonly Print[], bars: readonly Bar[]): Tape => ({
  coverage: (span) => coverage.map(({ from, to, grain }) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to), grain })).filter(({ from, to }) => from < to),
  prints: ({ from, to }) => prints.filter(({ at }) => at >= from && at < to),
  bars: ({ from, to }) => bars.filter(({ at, width }) => at < to && at + width > from),
  extremes: (span) => {
    const inside = [...within(prints.map(({ at, price }) => ({ at, width: 1, low: price, high: price })), span), ...within(bars, span)]
    return inside.length === 0 ? null : { low: Math.min(...inside.map(({ low }) => low)) as Ticks, high: Math.max(...inside.map(({ high }) => high)) as Ticks }
  },
})

const within = (bars: readonly Pick<Bar, 'at' | 'width' | 'low' | 'high'>[], { from, to }: Span) => bars.filter(({ at, width }) => at >= from && at + width <= to)
