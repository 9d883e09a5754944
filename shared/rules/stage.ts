import type { Stage } from '#shared/api/rules.ts'
import type { Past } from './day-facts.ts'

/**
 * An account's stage: as set by the user, otherwise breached after a hard breach, otherwise by its label, and passed once an evaluation met everything
 * before any breach. An account without a label counts as an evaluation if its rules can be passed.
 */
export const stageOf = (label: string | null, past: Pick<Past, 'breach' | 'passed'>, byHand: Stage | null): Stage => {
  if (byHand !== null) return byHand
  if (label === 'Funded Account') return past.breach === null ? 'funded' : 'breached'
  if (past.passed !== null) return 'passed'
  return past.breach === null ? 'evaluation' : 'breached'
}

/** Whether an account with a label can be at a stage: one that was set by hand before the label, and that the label contradicts, is out of date. */
export const stageFits = (label: string, stage: Stage): boolean => stage === 'breached' || (label === 'Funded Account') === (stage === 'funded')
