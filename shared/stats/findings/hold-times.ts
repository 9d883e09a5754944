import { role, type Candidate } from './candidate.ts'
import { netBars, timeMeasure, standardMeasures } from './measures.ts'
import type { Panel } from './panel.ts'
import { medianOf } from './studentized.ts'

/** The lower bounds of hold time groups, in ms. */
export const holdBounds = [0, 60_000, 300_000, 900_000, 3_600_000, 14_400_000] as const

/**
 * P&L by hold time, over all trades. Untested: a trade ends because of its result, so time and result are related by chance alone. With a near stop and a far
 * target, a fair coin also gives short losses and long wins.
 */
export const holdCandidate = (panel: Panel): Candidate => {
  const roles = new Uint8Array(panel.size).fill(role.behind)
  return {
    kind: 'hold', about: {}, roles, tested: 'never', sign: null, excess: null,
    describe: () => ({
      measures: [timeMeasure('hold', medianOf(panel.held)), ...standardMeasures(panel, roles)],
      bars: netBars(panel, holdBounds.map(String), (index) => holdBounds.findLastIndex((bound) => (panel.held[index] ?? 0) >= bound), () => false),
      barsIn: 'money',
    }),
  }
}
