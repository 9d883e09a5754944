import type { AccountStanding, RuleState } from '#shared/api/rules.ts'

/** One account of the strip: how it stands, and the limit that is nearest. */
export type HealthCard = { readonly standing: AccountStanding; readonly nearest: RuleState | null }

const urgency = ({ standing: { stage, states }, nearest }: HealthCard): number => {
  // A lost account needs nobody's eye any more.
  if (stage === 'breached') return -1
  const over = (states ?? []).some(({ state }) => state === 'paused' || state === 'breached')
  return over ? 2 : (nearest?.used ?? 0)
}

/** The accounts that have rules, those nearest to a limit first, lost ones last, and of equals by name. */
export const healthCards = (standings: readonly AccountStanding[]): HealthCard[] =>
  standings
    .filter(({ states }) => states !== null)
    .map((standing) => ({ standing, nearest: standing.states?.find(({ rule }) => rule === standing.nearest) ?? null }))
    .sort((one, other) => urgency(other) - urgency(one) || one.standing.name.localeCompare(other.standing.name, undefined, { numeric: true }))
