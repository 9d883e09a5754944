import { session as sessions, type Session, app } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { hardenSession } from './permissions.ts'
import type { Words } from './words.ts'

/** Opens the hardened session of the app's window; returns its cookies. */
export const openAppSession = ({ origin, words, log }: { readonly origin: string; readonly words: Words; readonly log: Log }): ReturnType<typeof watchCookies> => {
  const session = sessions.defaultSession
  hardenSession(session, { origin, log })
  startSpelling(session, words)
  return watchCookies(session, origin)
}

/** Sets the spelling languages to the desktop's language, now and after each change. macOS detects the language itself. */
const startSpelling = (session: Session, words: Words): void => {
  if (process.platform === 'darwin') return
  const choose = (): void => session.setSpellCheckerLanguages(dictionariesFor(words.tag(), app.getPreferredSystemLanguages(), session.availableSpellCheckerLanguages))
  choose()
  words.onChange(choose)
}

/** Picks the spelling dictionaries for a language: its own first, then the system's variant of English, because traders' notes are full of English. */
export const dictionariesFor = (tag: string, systemTags: readonly string[], available: readonly string[]): string[] => {
  const stem = (name: string): string => name.split('-')[0]?.toLowerCase() ?? ''
  const best = (wanted: string): string | undefined =>
    [tag, ...systemTags].filter((one) => stem(one) === wanted).map((one) => available.find((name) => name.toLowerCase() === one.toLowerCase())).find((name) => name !== undefined) ??
    available.find((name) => name === (wanted === 'en' ? 'en-US' : wanted)) ??
    available.find((name) => stem(name) === wanted)
  return [...new Set([best(stem(tag)), best('en')].filter((name) => name !== undefined))]
}

/** The window session's cookies for `origin`; works with the window closed. */
const watchCookies = ({ cookies }: Session, origin: string): { readonly header: () => Promise<string>; readonly onChange: (listener: () => void) => void } => {
  const { hostname } = new URL(origin)
  return {
    header: async () => (await cookies.get({ url: origin })).map(({ name, value }) => `${name}=${value}`).join('; '),
    onChange: (listener) => {
      cookies.on('changed', (_event, { domain }) => {
        if (domain === hostname) listener()
      })
    },
  }
}
