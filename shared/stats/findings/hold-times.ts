import { role, type Candidate } from './candidate.ts'
import { netBars, timeMeasure, standardMeasures } from './measures.ts'
import type { Panel } from './panel.ts'
import { medianOf } from './studentized.ts'

/** Bounds of hold times, in ms, each up to the next. */
export const holdBounds = [0, 60_000, 300_000, 900_000, 3_600_000, 14_400_000] as const

/**
 * What trades made by how long they were held; behind it are all. Never tested: a trade ends for what came of it, so that its time and its result hang
 * together by chance alone. With a near stop and a far target losses are short and wins long, of a coin that is fair.
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
