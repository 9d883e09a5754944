import { desktop } from '#renderer/lib/desktop.ts'
import { openElsewhere } from '#renderer/lib/open-elsewhere.ts'

const width = 500
const height = 600

/** The window in which somebody signs in elsewhere, as far as the page that opened it can tell. */
export type SignInWindow = {
  readonly goTo: (url: string) => void
  readonly isClosed: () => boolean
  readonly close: () => void
}

/** Opens a small window over the middle of this one, still empty; null where the browser blocks it. It has to be called in the click itself. */
export const openSignInWindow = (): SignInWindow | null => {
  // The desktop gives the address to the system's browser, whose window nobody here can see or close.
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
