/** What an address says about a return from the payment provider; for a change of plan only that there may be one; `no-session` names no checkout. */
export type Brought = { readonly kind: 'nothing' | 'cancelled' | 'changed' | 'no-session' } | { readonly kind: 'success'; readonly sessionId: string }

/** Reads an address's query. */
export const broughtBy = (query: URLSearchParams): Brought => {
  const payment = query.get('payment')
  const sessionId = query.get('session_id')
  if (payment === 'cancelled' || payment === 'changed') return { kind: payment }
  if (payment !== 'success') return { kind: 'nothing' }
  return sessionId === null || sessionId === '' ? { kind: 'no-session' } : { kind: 'success', sessionId }
}

const lookAgainAfterMs = 3_000
const mostLooks = 10

/** When to check for a payment again, in ms, after `looks` checks without it; false after the last one. */
export const nextLookMs = (active: boolean | undefined, looks: number): number | false => (active === false && looks < mostLooks ? lookAgainAfterMs : false)

/** The state of an awaited payment. */
export type Look = 'checking' | 'waiting' | 'late' | 'active'

/** The state by the last answer and the number of answers. */
export const lookOf = (active: boolean | undefined, looks: number): Look => {
  if (active === undefined) return 'checking'
  if (active) return 'active'
  return looks < mostLooks ? 'waiting' : 'late'
}
