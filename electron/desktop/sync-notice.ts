import type { ProblemCode } from '#shared/api/problems.ts'
import type { SyncReceipt, SyncTrouble } from '#shared/api/sync.ts'
import type { Words } from './words.ts'

/** A notification and the route below the page's `/#` that a click opens; null to stay on the current page. */
export type Notice = { readonly title: string; readonly body: string; readonly place: string | null }

/** The plans page's route. */
export const plansPlace = '/dashboard/ManageSubscription'
const syncPlace = '/dashboard/AutoSync'

/** The notice of a finished run: its result, new trades, and what stopped it; AutoSync has the details. */
export const endOfSync = ({ outcome, logins, trips, refusedTotal, troubles }: SyncReceipt, words: Words): Notice => {
  const [trouble] = troubles
  if (logins === 0 && trouble === undefined && outcome !== 'failed') return { title: words('notice.noLogins'), body: words('notice.noLoginsDetail'), place: syncPlace }
  const count = new Intl.NumberFormat(words.tag())
  const parts = [
    ...(outcome === 'failed' && trips.added === 0 ? [] : [trips.added === 0 ? words('notice.noTrades') : words('notice.trades', { count: trips.added, shown: count.format(trips.added) })]),
    ...(refusedTotal === 0 ? [] : [words('notice.refusedRows', { count: refusedTotal, shown: count.format(refusedTotal) })]),
    ...(trouble === undefined ? [] : [words('notice.ofLogin', { login: loginOf(trouble), trouble: textOf(trouble, words) })]),
    ...(outcome === 'failed' && trouble === undefined ? [words('notice.trouble.internal')] : []),
  ]
  return { title: words(`notice.sync.${outcome}`), body: parts.join('\n'), place: outcome === 'complete' ? null : syncPlace }
}

// TopstepX's logins have a key in place of a consent.
const hasKey = ({ platform }: SyncTrouble): boolean => platform === 'TopstepX'

const loginOf = (trouble: SyncTrouble): string => (hasKey(trouble) ? `${trouble.loginName} (TopstepX)` : trouble.loginName)

const textOf = (trouble: SyncTrouble, words: Words): string =>
  hasKey(trouble) && (trouble.code === 'login-needed' || trouble.code === 'permission-missing') ? words(`notice.keyTrouble.${trouble.code}`) : words(`notice.trouble.${trouble.code}`)

/** The notice of a run that did not start; null if the plans page opens instead. */
export const refusalOfSync = (code: ProblemCode, words: Words): Notice | null => {
  if (code === 'plan-needed') return null
  return { title: words('notice.notStarted'), body: words(code === 'cloud-unreachable' ? 'notice.planUnknown' : 'notice.trouble.internal'), place: null }
}
