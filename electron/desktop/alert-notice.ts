import type { CopierAlert } from '#shared/api/copier.ts'
import type { RuleAlert } from '#shared/api/rules.ts'
import type { Notice } from './sync-notice.ts'
import type { Words } from './words.ts'

const alertsPlace = '/dashboard/PositionScanner'
const copierPlace = '/dashboard/TradeCopier'

/** The notification of a rule alert: account, rule, share of the limit used, and amount left. */
export const noticeOfAlert = ({ accountName, rule, level, unit, left, currency }: Pick<RuleAlert, 'accountName' | 'rule' | 'level' | 'unit' | 'left' | 'currency'>, words: Words): Notice => {
  const percent = new Intl.NumberFormat(words.tag(), { style: 'percent', maximumFractionDigits: 0 }).format(level / 100)
  const rest = left === null ? null : restOf(unit, Number(left), currency, words)
  const near = rest === null ? words('notice.alertAt', { percent }) : words('notice.alertLeft', { percent, left: rest })
  return { title: words('notice.alert', { account: accountName, rule: words(`notice.rule.${rule}`) }), body: level >= 100 ? words('notice.alertReached') : near, place: alertsPlace }
}

/** The notification of a copier alert: which follower, what it means for its money, and what to do. */
export const noticeOfCopierAlert = ({ trouble, accountName, group, unprotected, brokerText }: CopierAlert, words: Words): Notice => {
  const detail = words(trouble === 'unprotected' ? `notice.copier.unprotected-${unprotected}` : `notice.copier.${trouble}-text`, { group })
  const brokerLine = brokerText === null ? '' : `\n${words('notice.copier.brokerSaid', { text: brokerText })}`
  return { title: words(`notice.copier.${trouble}`, { account: accountName }), body: `${detail}${brokerLine}`, place: copierPlace }
}

const restOf = (unit: RuleAlert['unit'], left: number, currency: string, words: Words): string => {
  const style: Intl.NumberFormatOptions = unit === 'money' ? { style: 'currency', currency } : unit === 'percent' ? { style: 'percent', maximumFractionDigits: 2 } : {}
  const shown = new Intl.NumberFormat(words.tag(), style).format(unit === 'percent' ? left / 100 : left)
  return unit === 'money' || unit === 'percent' ? shown : words(`notice.${unit}`, { count: left, shown })
}
