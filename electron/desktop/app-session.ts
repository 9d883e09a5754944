import { session as sessions, type Session, app } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { hardenSession } from './permissions.ts'
import type { Words } from './words.ts'
import { dictionariesFor } from './dictionaries.ts'

/** Sets the spelling languages to the desktop's language, now and after each change. macOS detects the language itself. */
const startSpelling = (session: Session, words: Words): void => {
  if (process.platform === 'darwin') return
  const choose = (): void => session.setSpellCheckerLanguages(dictionariesFor(words.tag(), app.getPreferredSystemLanguages(), session.availableSpellCheckerLanguages))
  choose()
  words.onChange(choose)
}

/** Opens the hardened session of the app's window; returns its cookies. */
export const openAppSession = ({ origin, words, log }: { readonly origin: string; readonly words: Words; readonly log: Log }): ReturnType<typeof watchCookies> => {
  const session = sessions.defaultSession
  hardenSession(session, { origin, log })
  startSpelling(session, words)
  return watchCookies(session, origin)
}

/** The window session's cookies for `origin`; works with the window closed. */
const watchCookies = ({ cookies }: Session, origin: string): { readonly header: () => Promise<string>; readonly onChange: (hear: () => void) => void } => {
  const { hostname } = new URL(origin)
  return {
    header: async () => (await cookies.get({ url: origin })).map(({ name, value }) => `${name}=${value}`).join('; '),
    onChange: (hear) => {
      cookies.on('changed', (_event, { domain }) => {
        if (domain === hostname) hear()
      })
    },
  }
}
