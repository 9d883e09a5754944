import type { Evidence } from '#shared/api/reports.ts'

/** The significance level: at most this share of reports on pure chance shows an evident finding. */
export const level = 0.05

/** The least trades and informative days for a test. */
export const enough = { trades: 20, days: 10 } as const

/** A test: the size of its studentized statistic, and its sizes under the null hypothesis. */
export type Tested = { readonly value: number; readonly drawn: Float64Array }

/** A p-value, alone and corrected for multiple tests. */
export type Chance = { readonly alone: number; readonly corrected: number }

/** The p-value of a test among others, and the size that its statistic must exceed for the corrected one not to be above the level. */
export type TestedChance = { readonly chance: Chance; readonly critical: number }

/** A two-sided test of a statistic against its draws. */
export const testedOf = (value: number, drawn: Float64Array): Tested => ({ value: Math.abs(value), drawn: drawn.map(Math.abs) })

/**
 * The p-values of all tests of a report. `corrected` bounds the chance that any test without an effect is called evident, by the step-down
 * maxT method of Westfall and Young: each draw redraws all tests, those of one null hypothesis together, so correlated tests are not
 * penalized twice. All tests have the same number of draws.
 */
export const chancesOf = (tests: readonly Tested[]): readonly TestedChance[] => {
  const draws = tests[0]?.drawn.length ?? 0
  const largest = new Float64Array(draws)
  const [corrected, critical] = [new Float64Array(tests.length), new Float64Array(tests.length)]
  // This many draws that reach the statistic are just too many.
  const tooMany = Math.floor(level * (1 + draws))
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
    critical[place] = tooMany === 0 ? Infinity : (largest.toSorted()[draws - tooMany] ?? Infinity)
  }
  let [most, unmet] = [0, 0]
  for (const place of fromLeast.toReversed()) {
    most = Math.max(most, corrected[place] ?? 1)
    corrected[place] = most
    // A test below one that is not rejected is not rejected either.
    critical[place] = Math.max(critical[place] ?? Infinity, unmet)
    if ((tests[place]?.value ?? 0) <= (critical[place] ?? Infinity)) unmet = critical[place] ?? Infinity
  }
  return tests.map(({ value, drawn }, place) => ({ chance: { alone: shareReached(value, drawn), corrected: corrected[place] ?? 1 }, critical: critical[place] ?? Infinity }))
}

// The observed value counts as one draw.
const shareReached = (value: number, drawn: Float64Array): number => {
  let reached = 1
  for (const other of drawn) if (other >= value) reached += 1
  return reached / (1 + drawn.length)
}

/** The verdict for a p-value. */
export const evidenceOf = ({ alone, corrected }: Chance): Exclude<Evidence, 'untested' | 'too-little'> => (corrected <= level ? 'evident' : alone <= level ? 'possible' : 'none')
