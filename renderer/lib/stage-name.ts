import type { AccountStanding, Stage } from '#shared/api/rules.ts'

/** The name of a stage: an own account is stored as a funded one without a firm, but no one funds it. Null for one without a label, which nobody called an evaluation yet. */
export const stageName = ({ stage, firm }: Pick<AccountStanding, 'stage' | 'firm'>): Stage | 'own' | null =>
  firm !== null ? stage : stage === 'funded' ? 'own' : stage === 'evaluation' ? null : stage
