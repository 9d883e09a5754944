import { urgencyOf } from '#renderer/lib/urgency.ts'
import type { AccountStanding, RuleState } from '#shared/api/rules.ts'

/** One account of the card: its standing, and its nearest limit. */
export type HealthCard = { readonly standing: AccountStanding; readonly nearest: RuleState | null }

/** All accounts: those nearest to a limit first, then lost ones, those without rules last, and of equals by name. */
export const healthCards = (standings: readonly AccountStanding[]): HealthCard[] =>
  standings
    .map((standing) => ({ standing, nearest: standing.states?.find(({ rule }) => rule === standing.nearest) ?? null }))
    .sort(
      (one, other) =>
        Number(one.standing.states === null) - Number(other.standing.states === null) ||
        urgencyOf(other.standing) - urgencyOf(one.standing) ||
        one.standing.name.localeCompare(other.standing.name, undefined, { numeric: true }),
    )
