import { shell, type WebContents } from 'electron'
import type { Log } from '#shared/base/log.ts'

/** The origins that the window may show: the app, and the brokerages' consent pages. */
export type Places = {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  readonly consent: { readonly origins: readonly string[]; readonly returns: readonly string[] }
}

/** Where a URL opens: inside the window, as a page of the app instead, in the system's browser, or nowhere. */
type Decision = { readonly to: 'inside'; readonly url: string } | { readonly to: 'app'; readonly url: string } | { readonly to: 'system'; readonly url: string } | { readonly to: 'nowhere' }

/** What started the navigation: the app's own page, another page in its window, or a redirect. */
export type Initiator = 'app' | 'page' | 'redirect'

/** Applies the navigation rules to a page's links, scripts, forms, redirects and new windows. */
export const guardNavigation = (contents: WebContents, { origin, consent, log }: Places & { readonly log: Log }): void => {
  const ownPage = (): boolean => contents.mainFrame.origin === origin
  const judge = (address: string, initiator: Initiator): Decision => decideNavigation(address, initiator, { origin, consent })

  const follow = (decision: Decision, initiator: Initiator): void => {
    if (decision.to === 'system') void shell.openExternal(decision.url).catch((error: unknown) => log.warn({ error }, 'opening the system browser failed'))
    else if (decision.to === 'nowhere') log.warn({ initiator }, 'navigation was refused')
    // Chromium rejects a load from inside the event that cancels another.
    else setImmediate(() => contents.isDestroyed() || void contents.loadURL(decision.url).catch((error: unknown) => log.debug({ error }, 'navigation was superseded')))
  }

  const hold = (event: { readonly url: string; readonly preventDefault: () => void }, initiator: Initiator): void => {
    const decision = judge(event.url, initiator)
    if (decision.to === 'inside') return
    event.preventDefault()
    follow(decision, initiator)
  }

  contents.on('will-navigate', (event) => hold(event, ownPage() ? 'app' : 'page'))
  contents.on('will-redirect', (event) => {
    if (event.isMainFrame) hold(event, 'redirect')
  })
  // The app's page has no frames. A brokerage's page may, and they contain nothing of ours.
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame && ownPage()) event.preventDefault()
  })
  // A foreign page must not keep the window from leaving it.
  contents.on('will-prevent-unload', (event) => {
    if (!ownPage()) event.preventDefault()
  })
  contents.setWindowOpenHandler(({ url }) => {
    const initiator = ownPage() ? 'app' : 'page'
    follow(judge(url, initiator), initiator)
    return { action: 'deny' }
  })
}

const returnedKeys = ['code', 'state', 'error'] as const
const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])
const nowhere: Decision = { to: 'nowhere' }

/** Decides where a URL opens. Only the app's own page can open the system's browser, and only with https or loopback URLs. */
export const decideNavigation = (address: string, initiator: Initiator, { origin, consent }: Places): Decision => {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '') return nowhere
  if (url.origin === origin) return { to: 'inside', url: url.href }
  if (consent.returns.some((route) => isSamePlace(route, url))) return { to: 'app', url: callbackOf(origin, url.searchParams) }
  if (consent.origins.includes(url.origin)) return { to: 'inside', url: url.href }
  const ofTheWeb = url.protocol === 'https:' || loopback.has(url.hostname)
  return initiator === 'app' && ofTheWeb ? { to: 'system', url: url.href } : nowhere
}

const isSamePlace = (route: string, { origin, pathname }: URL): boolean => {
  const returned = URL.parse(route)
  return returned !== null && returned.origin === origin && returned.pathname === pathname
}

/** The app's callback URL with the consent's result; drops unknown parameters. */
export const callbackOf = (origin: string, returned: URLSearchParams): string => {
  const kept = new URLSearchParams()
  for (const key of returnedKeys) {
    const value = returned.get(key)
    if (value !== null) kept.set(key, value)
  }
  return `${origin}/oauth/callback?${kept.toString()}`
}
