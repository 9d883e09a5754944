/** What an address says of the payment provider's page that one comes back from: of a change of plan only that there may be one; `no-session` names no checkout. */
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

/** In how many ms to look for a payment again after `looks` without it; false where enough were made. */
export const nextLookMs = (active: boolean | undefined, looks: number): number | false => (active === false && looks < mostLooks ? lookAgainAfterMs : false)

/** How it stands with a payment that was looked for. */
export type Look = 'checking' | 'waiting' | 'late' | 'active'

/** Tells it from the last answer, and from how many there were. */
export const lookOf = (active: boolean | undefined, looks: number): Look => {
  if (active === undefined) return 'checking'
  if (active) return 'active'
  return looks < mostLooks ? 'waiting' : 'late'
}
