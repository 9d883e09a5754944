import { shell, type WebContents } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { courseOf, type Course, type Leader, type Places } from './navigation.ts'

/** Holds the page of a window to the rules of navigation: links, scripts, forms, redirects and new windows alike. */
export const guardNavigation = (contents: WebContents, { origin, consent, log }: Places & { readonly log: Log }): void => {
  const ownPage = (): boolean => contents.mainFrame.origin === origin
  const judge = (address: string, leader: Leader): Course => courseOf(address, leader, { origin, consent })

  const follow = (course: Course, leader: Leader): void => {
    if (course.to === 'system') void shell.openExternal(course.url).catch((error: unknown) => log.warn({ error }, 'The system’s browser was not opened'))
    else if (course.to === 'nowhere') log.warn({ leader }, 'An address was refused')
    // Chromium refuses a load from within the event that stops another.
    else setImmediate(() => contents.isDestroyed() || void contents.loadURL(course.url).catch((error: unknown) => log.debug({ error }, 'An address was overtaken')))
  }

  const hold = (event: { readonly url: string; readonly preventDefault: () => void }, leader: Leader): void => {
    const course = judge(event.url, leader)
    if (course.to === 'inside') return
    event.preventDefault()
    follow(course, leader)
  }

  contents.on('will-navigate', (event) => hold(event, ownPage() ? 'app' : 'page'))
  contents.on('will-redirect', (event) => {
    if (event.isMainFrame) hold(event, 'redirect')
  })
  // The app's page has no frames; a brokerage's may, and nothing of ours is in them.
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame && ownPage()) event.preventDefault()
  })
  // A page of somebody else's can not hold the window back from its way home.
  contents.on('will-prevent-unload', (event) => {
    if (!ownPage()) event.preventDefault()
  })
  contents.setWindowOpenHandler(({ url }) => {
    const leader = ownPage() ? 'app' : 'page'
    follow(judge(url, leader), leader)
    return { action: 'deny' }
  })
}
