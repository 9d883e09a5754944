import { desktop } from '#renderer/lib/desktop.ts'
import { openElsewhere } from '#renderer/lib/open-elsewhere.ts'

const width = 500
const height = 600

/** The window of a sign-in at another provider, as far as the opening page can see it. */
export type SignInWindow = {
  readonly goTo: (url: string) => void
  readonly isClosed: () => boolean
  readonly close: () => void
}

/** Opens a small empty window over the middle of this one; null if the browser blocks it. Must be called within the click event. */
export const openSignInWindow = (): SignInWindow | null => {
  // The desktop passes the address to the system's browser, whose window we can neither see nor close.
  if (desktop !== null) return { goTo: openElsewhere, isClosed: () => false, close: () => undefined }
  const left = Math.round(globalThis.screenX + (globalThis.outerWidth - width) / 2)
  const top = Math.round(globalThis.screenY + (globalThis.outerHeight - height) / 2)
  const opened = globalThis.open('', '_blank', `popup,width=${String(width)},height=${String(height)},left=${String(left)},top=${String(top)}`)
  if (opened === null) return null
  return {
    goTo: (url) => { opened.location.replace(url) },
    isClosed: () => opened.closed,
    close: () => { opened.close() },
  }
}
