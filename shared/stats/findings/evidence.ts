import type { Evidence } from '#shared/api/reports.ts'

/** A report of pure chance shows an evident finding at most this often. */
export const level = 0.05

/** How much a finding wants before anything is tested: fewer trades, or days that say something, and a figure would be luck dressed up. */
export const enough = { trades: 20, days: 10 } as const

/** A test: the size of its studentized statistic as it was, and as it came out in each redrawing under its null hypothesis. */
export type Tested = { readonly value: number; readonly drawn: Float64Array }

/** The chance of an effect as large where there is none, by itself and after the correction. */
export type Chance = { readonly alone: number; readonly corrected: number }

/** A statistic against its redrawings as a test of its size, on either side of zero. */
export const testedOf = (value: number, drawn: Float64Array): Tested => ({ value: Math.abs(value), drawn: drawn.map(Math.abs) })

/**
 * The chances of all tests of a report. `corrected` bounds the chance that any test without an effect is called evident, by Westfall and
 * Young's step-down over the largest statistics: each redrawing redraws all tests, those of one null hypothesis together, so that what hangs
 * together is not paid for twice. All tests have the same number of redrawings.
 */
export const chancesOf = (tests: readonly Tested[]): readonly Chance[] => {
  const draws = tests[0]?.drawn.length ?? 0
  const largest = new Float64Array(draws)
  const corrected = new Float64Array(tests.length)
  const fromLeast = [...tests.keys()].sort((one, other) => (tests[one]?.value ?? 0) - (tests[other]?.value ?? 0))
  for (const place of fromLeast) {
    const test = tests[place]
    if (test === undefined) continue
    let reached = 0
    for (let draw = 0; draw < draws; draw += 1) {
      const top = Math.max(largest[draw] ?? 0, test.drawn[draw] ?? 0)
      largest[draw] = top
      if (top >= test.value) reached += 1
    }
    corrected[place] = (1 + reached) / (1 + draws)
  }
  let most = 0
  for (const place of fromLeast.toReversed()) {
    most = Math.max(most, corrected[place] ?? 1)
    corrected[place] = most
  }
  return tests.map(({ value, drawn }, place) => ({ alone: shareReached(value, drawn), corrected: corrected[place] ?? 1 }))
}

// The value itself counts as one of the redrawings.
const shareReached = (value: number, drawn: Float64Array): number => {
  let reached = 1
  for (const other of drawn) if (other >= value) reached += 1
  return reached / (1 + drawn.length)
}

/** What chances say. */
export const evidenceOf = ({ alone, corrected }: Chance): Evidence => (corrected <= level ? 'evident' : alone <= level ? 'possible' : 'none')
