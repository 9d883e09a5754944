import type { RuleAlert } from '#shared/api/rules.ts'
import { useTranslation } from 'react-i18next'
import { ruleLeft } from './rule-left.ts'
import { useFormat } from './use-format.ts'
import { useRuleWords } from './use-rule-words.ts'

/** Returns the words for an alert, which is always of a limit: what came near or was reached, and what is left. */
export const useAlertWords = () => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const rules = useRuleWords()
  return {
    /** `Daily loss limit: at least 80% used`. */
    title: ({ rule, level }: RuleAlert): string => t(level >= 100 ? 'alert.limit-reached' : 'alert.limit-near', { rule: rules.name(rule), share: format.wholePercent(level / 100) }),
    /** `$187.50 left`; empty if the alert does not include it, or the limit is reached. */
    left: ({ rule, unit, left, level, currency }: RuleAlert): string => {
      const shown = ruleLeft({ rule, unit, left, state: 'within' })
      return level >= 100 || !('amount' in shown) ? '' : t(`say.${shown.say}`, { amount: rules.measure(shown.amount, unit, currency) })
    },
    /** `$812.50 of $1,000.00`; empty if the alert does not include it. */
    where: (alert: RuleAlert): string => rules.where(alert, alert.currency),
  }
}
