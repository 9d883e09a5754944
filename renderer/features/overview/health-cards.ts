import { urgencyOf } from '#renderer/lib/urgency.ts'
import type { AccountStanding, RuleState } from '#shared/api/rules.ts'

/** One account of the strip: how it stands, and the limit that is nearest. */
export type HealthCard = { readonly standing: AccountStanding; readonly nearest: RuleState | null }

/** The accounts that have rules, those nearest to a limit first, lost ones last, and of equals by name. */
export const healthCards = (standings: readonly AccountStanding[]): HealthCard[] =>
  standings
    .filter(({ states }) => states !== null)
    .map((standing) => ({ standing, nearest: standing.states?.find(({ rule }) => rule === standing.nearest) ?? null }))
    .sort((one, other) => urgencyOf(other.standing) - urgencyOf(one.standing) || one.standing.name.localeCompare(other.standing.name, undefined, { numeric: true }))
