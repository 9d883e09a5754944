import type { Ticks } from '#shared/money/price.ts'

/** A moment in UTC microseconds since 1970, a safe integer. */
export type Micros = number
/** A stretch of time, its end not included. */
export type Span = { readonly from: Micros; readonly to: Micros }
/** One print of a contract's tape; `price` in whole ticks. Prints of one moment are in the order of the exchange. */
export type Print = { readonly at: Micros; readonly price: Ticks; readonly size: number }
/** All prints of [at, at + width); prices in whole ticks. */
export type Bar = { readonly at: Micros; readonly width: Micros; readonly open: Ticks; readonly high: Ticks; readonly low: Ticks; readonly close: Ticks; readonly volume: number }
/** How finely a stretch is known: prints, or bars of this width in microseconds. */
export type Grain = 'prints' | Micros
/** A stretch that is known whole: where a source omits empty bars, that is no hole. */
export type Coverage = Span & { readonly grain: Grain }

/** What is known of one contract's prices. Spans may be of any length; iterables are read once, in the order of time. */
export type Tape = {
  /** The known stretches within a span, the finest where several overlap: in order, without overlap, cut to the span. */
  readonly coverage: (span: Span) => readonly Coverage[]
  /** The prints of a span, where prints are known. */
  readonly prints: (span: Span) => Iterable<Print>
  /** The bars that overlap a span, of the finest known width in each stretch (of bars alone, not of prints). */
  readonly bars: (span: Span) => Iterable<Bar>
  /** The lowest and highest price of what lies wholly within a span (prints, and bars that neither begin before nor end behind it); null where there is none. */
  readonly extremes: (span: Span) => { readonly low: Ticks; readonly high: Ticks } | null
}

/** Whether stretches, in the order of their beginnings, leave nothing of a span out. */
export const covers = (stretches: readonly Span[], { from, to }: Span): boolean => {
  let known = from
  for (const each of stretches) {
    if (each.from > known) return false
    known = Math.max(known, each.to)
  }
  return known >= to
}
