import { app, Notification } from 'electron'
import type { CopierAlert } from '#shared/api/copier.ts'
import type { ProblemCode } from '#shared/api/problems.ts'
import type { RuleAlert } from '#shared/api/rules.ts'
import type { SyncReceipt, SyncTrouble } from '#shared/api/sync.ts'
import type { Words } from './words.ts'

// A notification that is garbage collected loses its click handler.
const shown = new Set<Notification>()
const mostShown = 20

/** Shows a native notification if the system supports them. `onClick` also runs for a later click in the notification center. */
export const showNotice = ({ title, body, onClick }: { readonly title: string; readonly body: string; readonly onClick: () => void }): void => {
  if (!Notification.isSupported()) return
  const notice = new Notification({ title, body })
  shown.add(notice)
  for (const oldest of shown) if (shown.size > mostShown) shown.delete(oldest)
  notice.on('click', () => {
    shown.delete(notice)
    onClick()
  })
  notice.show()
}

/** The program's AppUserModelID on Windows, which notifications need: `appId` of electron-builder.yml. */
export const appId = 'app.fillbook.desktop'

/** Lets Windows show the program's notifications. */
export const nameForNotices = (): void => {
  if (process.platform === 'win32') app.setAppUserModelId(appId)
}

/** A notification and the route below the page's `/#` that a click opens; null to stay on the current page. */
export type Notice = { readonly title: string; readonly body: string; readonly route: string | null }

/** The plans page's route. */
export const plansRoute = '/dashboard/ManageSubscription'
/** The copier's route. */
export const copierRoute = '/dashboard/TradeCopier'
const syncRoute = '/dashboard/AutoSync'
const alertsRoute = '/dashboard/PositionScanner'

/** The notice of a finished run: its result, new trades, and what stopped it; AutoSync has the details. */
export const endOfSync = ({ outcome, logins, trades, refusedTotal, troubles }: SyncReceipt, words: Words): Notice => {
  const [trouble] = troubles
  if (logins === 0 && trouble === undefined && outcome !== 'failed') return { title: words('notice.noLogins'), body: words('notice.noLoginsDetail'), route: syncRoute }
  const count = new Intl.NumberFormat(words.tag())
  const parts = [
    ...(outcome === 'failed' && trades.added === 0 ? [] : [trades.added === 0 ? words('notice.noTrades') : words('notice.trades', { count: trades.added, shown: count.format(trades.added) })]),
    ...(refusedTotal === 0 ? [] : [words('notice.refusedRows', { count: refusedTotal, shown: count.format(refusedTotal) })]),
    ...(trouble === undefined ? [] : [words('notice.ofLogin', { login: loginOf(trouble), trouble: textOf(trouble, words) })]),
    ...(outcome === 'failed' && trouble === undefined ? [words('notice.trouble.internal')] : []),
  ]
  return { title: words(`notice.sync.${outcome}`), body: parts.join('\n'), route: outcome === 'complete' ? null : syncRoute }
}

// TopstepX's logins have a key in place of a consent.
const hasKey = ({ platform }: SyncTrouble): boolean => platform === 'TopstepX'

const loginOf = (trouble: SyncTrouble): string => (hasKey(trouble) ? `${trouble.loginName} (TopstepX)` : trouble.loginName)

const textOf = (trouble: SyncTrouble, words: Words): string =>
  hasKey(trouble) && (trouble.code === 'login-needed' || trouble.code === 'permission-missing') ? words(`notice.keyTrouble.${trouble.code}`) : words(`notice.trouble.${trouble.code}`)

/** The notice of a run that did not start; null if the plans page opens instead. */
export const refusalOfSync = (code: ProblemCode, words: Words): Notice | null => {
  if (code === 'plan-needed') return null
  return { title: words('notice.notStarted'), body: words(code === 'cloud-unreachable' ? 'notice.planUnknown' : 'notice.trouble.internal'), route: null }
}

/** The notification of a rule alert: account, rule, share of the limit used, and amount left. */
export const noticeOfAlert = ({ accountName, rule, level, unit, left, currency }: Pick<RuleAlert, 'accountName' | 'rule' | 'level' | 'unit' | 'left' | 'currency'>, words: Words): Notice => {
  const percent = new Intl.NumberFormat(words.tag(), { style: 'percent', maximumFractionDigits: 0 }).format(level / 100)
  const rest = left === null ? null : restOf(unit, Number(left), currency, words)
  const near = rest === null ? words('notice.alertAt', { percent }) : words('notice.alertLeft', { percent, left: rest })
  return { title: words('notice.alert', { account: accountName, rule: words(`notice.rule.${rule}`) }), body: level >= 100 ? words('notice.alertReached') : near, route: alertsRoute }
}

/** The notification of a copier alert: which follower, what it means for its money, and what to do. */
export const noticeOfCopierAlert = ({ trouble, accountName, group, unprotected, brokerText }: CopierAlert, words: Words): Notice => {
  const detail = words(trouble === 'unprotected' ? `notice.copier.unprotected-${unprotected}` : `notice.copier.${trouble}-text`, { group })
  const brokerLine = brokerText === null ? '' : `\n${words('notice.copier.brokerSaid', { text: brokerText })}`
  return { title: words(`notice.copier.${trouble}`, { account: accountName }), body: `${detail}${brokerLine}`, route: copierRoute }
}

const restOf = (unit: RuleAlert['unit'], left: number, currency: string, words: Words): string => {
  const style: Intl.NumberFormatOptions = unit === 'money' ? { style: 'currency', currency } : unit === 'percent' ? { style: 'percent', maximumFractionDigits: 2 } : {}
  const shown = new Intl.NumberFormat(words.tag(), style).format(unit === 'percent' ? left / 100 : left)
  return unit === 'money' || unit === 'percent' ? shown : words(`notice.${unit}`, { count: left, shown })
}
