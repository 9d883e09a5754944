import type { RuleAlert } from '#shared/api/rules.ts'

/** The alert that one toast tells of several, the one that is nearest to its limit, of equals the newest; null of none. */
export const worstOf = (alerts: readonly RuleAlert[]): RuleAlert | null =>
  alerts.reduce<RuleAlert | null>((worst, alert) => (worst === null || alert.level >= worst.level ? alert : worst), null)
