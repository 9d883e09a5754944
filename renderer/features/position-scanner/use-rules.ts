import { apiQuestion } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useRuleWords } from '#renderer/lib/use-rule-words.ts'
import { ruleRoutes, type AccountRules } from '#shared/api/rules.ts'
import { queryOptions } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ReplaySummary } from './replay-rows.ts'

/** The rules to evaluate: the account's own, or a preset's. */
export type UnderRules = { readonly own: true } | { readonly presetId: string }

/** The query of an account's past under rules. */
export const replayQuery = ({ account, since }: AccountRules, rules: UnderRules) => apiQuestion(ruleRoutes.replay, { body: { account, rules, since } })

/** The query of an account's odds under rules; the same input gives the same answer. */
export const oddsQuery = ({ account, since }: AccountRules, rules: UnderRules, runs: number, seed: number) => queryOptions({ ...apiQuestion(ruleRoutes.odds, { body: { account, rules, since, runs, seed } }), staleTime: Infinity })

/** Returns the sentence for a replay's outcome: which rule was broken on which day, passed, or neither. */
export const useOutcomeWords = (): ((summary: ReplaySummary) => string) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const words = useRuleWords()
  return ({ outcome, breach, passed, days }) => {
    if (breach !== null) {
      const details = { rule: words.name(breach.rule), day: format.fullDay(breach.tradingDay), at: breach.at === null ? '' : format.fullDateTime(breach.at) }
      const broken = breach.at === null ? t('outcome.breached', details) : t('outcome.breached-at', details)
      return passed === null ? broken : `${t('outcome.passed', { day: format.fullDay(passed) })} ${broken}`
    }
    return passed === null ? t(`outcome.${outcome}`, { count: days, days: format.count(days), day: '' }) : t('outcome.passed', { day: format.fullDay(passed) })
  }
}
