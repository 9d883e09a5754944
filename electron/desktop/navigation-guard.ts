import { shell, type WebContents } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { decideNavigation, type Decision, type Initiator, type Places } from './navigation.ts'

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
