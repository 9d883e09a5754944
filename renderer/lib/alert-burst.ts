import type { RuleAlert } from '#shared/api/rules.ts'

/** The alert to show for several: the one nearest to its limit, on a tie the newest; null without any. */
export const worstOf = (alerts: readonly RuleAlert[]): RuleAlert | null =>
  alerts.reduce<RuleAlert | null>((worst, alert) => (worst === null || alert.level >= worst.level ? alert : worst), null)
