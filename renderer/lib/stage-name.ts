import type { AccountStanding, Stage } from '#shared/api/rules.ts'

/** The name of a stage: an own account is stored as a funded one without a firm, but no one funds it. */
export const stageName = ({ stage, firm }: Pick<AccountStanding, 'stage' | 'firm'>): Stage | 'own' => (stage === 'funded' && firm === null ? 'own' : stage)
