/** What the window may hold: the app itself, and the pages of brokerages that ask for consent. */
export type Places = {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  readonly consent: { readonly origins: readonly string[]; readonly returns: readonly string[] }
}

/** What becomes of an address: the window goes there, or to a place of the app instead; the system's browser opens it; or nobody does. */
export type Course = { readonly to: 'inside'; readonly url: string } | { readonly to: 'app'; readonly url: string } | { readonly to: 'system'; readonly url: string } | { readonly to: 'nowhere' }

/** Who leads to an address: the app's own page, another page in its window, or an answer that redirects. */
export type Leader = 'app' | 'page' | 'redirect'

const returnedKeys = ['code', 'state', 'error'] as const
const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])
const nowhere: Course = { to: 'nowhere' }

/** Judges an address that a page or an answer leads to. Only the app's own page reaches the system's browser, and only with addresses of the web. */
export const courseOf = (address: string, leader: Leader, { origin, consent }: Places): Course => {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '') return nowhere
  if (url.origin === origin) return { to: 'inside', url: url.href }
  if (consent.returns.some((place) => isSamePlace(place, url))) return { to: 'app', url: callbackOf(origin, url.searchParams) }
  if (consent.origins.includes(url.origin)) return { to: 'inside', url: url.href }
  const ofTheWeb = url.protocol === 'https:' || loopback.has(url.hostname)
  return leader === 'app' && ofTheWeb ? { to: 'system', url: url.href } : nowhere
}

const isSamePlace = (place: string, { origin, pathname }: URL): boolean => {
  const returned = URL.parse(place)
  return returned !== null && returned.origin === origin && returned.pathname === pathname
}

/** The app's own place for what a brokerage brings back; what nobody knows is left out. */
export const callbackOf = (origin: string, brought: URLSearchParams): string => {
  const kept = new URLSearchParams()
  for (const key of returnedKeys) {
    const value = brought.get(key)
    if (value !== null) kept.set(key, value)
  }
  return `${origin}/oauth/callback?${kept.toString()}`
}
