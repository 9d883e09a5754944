import { session as sessions } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { watchCookies } from './cookies.ts'
import { hardenSession } from './permissions.ts'
import { startSpelling } from './spelling.ts'
import type { Words } from './words.ts'

/** Opens the hardened session of the app's window; returns its cookies. */
export const openAppSession = ({ origin, words, log }: { readonly origin: string; readonly words: Words; readonly log: Log }): ReturnType<typeof watchCookies> => {
  const session = sessions.defaultSession
  hardenSession(session, { origin, log })
  startSpelling(session, words)
  return watchCookies(session, origin)
}
