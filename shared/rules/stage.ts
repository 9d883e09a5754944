import type { Stage } from '#shared/api/rules.ts'
import type { Past } from './day-facts.ts'

/**
 * Where an account stands in its life: as it was moved by hand, else breached once a hard breach ended it, else as its label says, and passed
 * once an evaluation met everything before any breach. An account without a label counts as an evaluation where its rules have been passed or not.
 */
export const stageOf = (label: string | null, past: Pick<Past, 'breach' | 'passed'>, byHand: Stage | null): Stage => {
  if (byHand !== null) return byHand
  if (label === 'Funded Account') return past.breach === null ? 'funded' : 'breached'
  if (past.passed !== null) return 'passed'
  return past.breach === null ? 'evaluation' : 'breached'
}
