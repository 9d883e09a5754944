import type { AccountStanding, Stage } from '#shared/api/rules.ts'

/** What a stage is called: nobody funds an own account, which is stored as a funded one without a firm. */
export const stageName = ({ stage, firm }: Pick<AccountStanding, 'stage' | 'firm'>): Stage | 'own' => (stage === 'funded' && firm === null ? 'own' : stage)
