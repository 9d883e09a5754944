import type { Ticks } from '#shared/money/price.ts'
import type { Coverage, Micros, Span, Tape } from './tape.ts'

/** One step of a replay: a print, or a bar when it ends, since it is unknown before. Prices in whole ticks. */
export type Step = { readonly at: Micros; readonly open: Ticks; readonly high: Ticks; readonly low: Ticks; readonly close: Ticks }

/** Some steps of one grain, in order of time; the next page begins at `next`, null where nothing follows. */
export type StepPage = { readonly grain: Coverage['grain']; readonly steps: readonly Step[]; readonly next: Micros | null }

/** The first steps of a span, at least `least` of them where there are as many: a page ends between two moments, so that the next one neither repeats nor leaves out a print. */
export const stepsOf = (tape: Tape, span: Span, least: number): StepPage => {
  const coverage = tape.coverage(span)
  for (const [place, stretch] of coverage.entries()) {
    const steps: Step[] = []
    for (const { begin, step } of stretchSteps(tape, stretch)) {
      if (steps.length >= least && step.at !== steps.at(-1)?.at) return { grain: stretch.grain, steps, next: begin }
      steps.push(step)
    }
    if (steps.length > 0) return { grain: stretch.grain, steps, next: coverage[place + 1]?.from ?? null }
  }
  return { grain: 'prints', steps: [], next: null }
}

function* stretchSteps(tape: Tape, { grain, from, to }: Coverage): Generator<{ readonly begin: Micros; readonly step: Step }> {
  if (grain === 'prints') {
    for (const { at, price } of tape.prints({ from, to })) yield { begin: at, step: { at, open: price, high: price, low: price, close: price } }
    return
  }
  // A bar across the edge of a stretch would repeat the finer one beside it.
  for (const { at, width, open, high, low, close } of tape.bars({ from, to })) if (at >= from && at + width <= to) yield { begin: at, step: { at: at + width, open, high, low, close } }
}
