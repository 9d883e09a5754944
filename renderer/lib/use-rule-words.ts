import type { RuleKind, RuleState } from '#shared/api/rules.ts'
import { useTranslation } from 'react-i18next'
import { ruleLeft } from './rule-left.ts'
import { useFormat } from './use-format.ts'

type Figure = Pick<RuleState, 'rule' | 'unit' | 'limit' | 'value' | 'left'>

/** Returns the words for rules: their names, how much is left, and where they are. */
export const useRuleWords = () => {
  const { t } = useTranslation('rules')
  const format = useFormat()

  /** `$812.50`, `3 contracts`, `12%`: a rule's figure in its unit. */
  const measure = (value: string, unit: RuleState['unit'], currency: string): string => {
    if (unit === 'money') return format.fullMoney(value, currency)
    if (unit === 'minutes') return format.duration(Number(value) * 60_000)
    if (unit === 'percent') return format.exactPercent(Number(value) / 100)
    return t(`unit.${unit}`, { count: Math.abs(Number(value)), number: format.quantity(Number(value)) })
  }

  return {
    /** A rule's name. */
    name: (rule: RuleKind): string => t(`rule.${rule}`),
    measure,
    /** `$812.50 left`, `Breached`: the most important fact about a rule. */
    left: (state: RuleState, currency: string): string => {
      const left = ruleLeft(state)
      if ('amount' in left) return t(`say.${left.say}`, { amount: measure(left.amount, state.unit, currency) })
      return left.say === 'state' ? t(`state.${state.state}`) : t('no-opposite')
    },
    /** `$250.00 of $3,000.00`: the account's value and the rule's; empty if a figure is missing or meaningless. */
    where: ({ rule, unit, limit, value }: Figure, currency: string): string => {
      if (limit === null || value === null || unit === 'minutes') return ''
      const values = { value: unit === 'days' || unit === 'contracts' ? format.quantity(Number(value)) : measure(value, unit, currency), limit: measure(limit, unit, currency) }
      switch (rule) {
        case 'hedging':
          return Number(value) === 0 ? '' : t('where-against', { value: measure(value, unit, currency) })
        case 'max-loss':
          return t('where-floor', values)
        case 'daily-loss':
          return t('where-day', values)
        case 'payout':
          return unit === 'money' ? t('where-payout', values) : t(unit === 'percent' ? 'where-share' : 'where', values)
        default:
          return t(unit === 'percent' ? 'where-share' : 'where', values)
      }
    },
    /** The same limit from the other source: `Broker's limit $51,000.00, $899.50 left`; empty if there is none. */
    beside: ({ by, unit, beside }: Pick<RuleState, 'by' | 'unit' | 'beside'>, currency: string): string => {
      if (beside === null) return ''
      const limit = t(by === 'rules' ? 'beside.broker' : 'beside.rules', { limit: measure(beside.limit, unit, currency) })
      if (beside.left === null) return limit
      const amount = measure(beside.left.replace('-', ''), unit, currency)
      return t('beside.with', { limit, left: t(beside.left.startsWith('-') ? 'say.over' : 'say.left', { amount }) })
    },
    /** Why a rule's state is unknown; empty if it is known, or the reason is not. */
    why: ({ rule, state }: Pick<RuleState, 'rule' | 'state'>): string => (rule === 'consistency' && state === 'unknown' ? t('needs-target') : ''),
    /** The limitations of a rule's figures, in sentences. */
    notes: (notes: RuleState['notes']): string[] => notes.map((note) => t(`note.${note}`)),
    /** Since when a rule is broken, paused or met; empty if unknown. */
    since: ({ state, since }: Pick<RuleState, 'state' | 'since'>): string => {
      if (since === null || (state !== 'breached' && state !== 'paused' && state !== 'met')) return ''
      if (since.at !== null) return t(`since.${state}`, { at: format.fullDateTime(since.at) })
      const day = format.fullDay(since.tradingDay)
      // A session has the date of the day on which it ends.
      return state === 'paused' ? t('since.paused-session', { day }) : t(`since.${state}`, { at: day })
    },
  }
}
