import { app } from 'electron'
import { z } from 'zod'
import { hiddenArgument } from './login-item.ts'
import { callbackOf } from './navigation.ts'

/** The URL scheme of the desktop's deep links. */
const scheme = 'fillbook'

/** Registers the program's link scheme with the system. */
export const registerLinks = (): void => {
  // If not installed, the system needs program and folder.
  app.setAsDefaultProtocolClient(scheme, process.execPath, argumentsBeforeLink(app.isPackaged ? null : app.getAppPath()))
}

/** The arguments that precede the link when Windows starts the program; `folder` is the unpacked program's folder, null if packed. */
export const argumentsBeforeLink = (folder: string | null): string[] => [
  ...(folder === null ? [] : [folder]),
  // A quote in a link may end its argument: `--` keeps the rest from being read as a switch.
  '--',
]

/** Collects deep links and activations from program start; `listen` gets each one, including earlier ones: a link, or null to only show the window. */
export const watchArrivals = (): { readonly listen: (take: (link: string | null) => void) => void } => {
  const waiting: (string | null)[] = []
  let listening = false
  let arrive = (link: string | null): void => void waiting.push(link)
  const first = linkIn(process.argv)
  if (first !== null) arrive(first)
  // macOS sends links as an event; Windows and Linux start a second instance.
  app.on('open-url', (event, link) => {
    event.preventDefault()
    arrive(link)
  })
  app.on('second-instance', (_event, words) => {
    // A hidden start by the system must not open the window.
    if (!words.includes(hiddenArgument)) arrive(linkIn(words))
  })
  // macOS also activates at the start itself, which may be hidden.
  app.on('activate', () => {
    if (listening) arrive(null)
  })
  return {
    listen: (take) => {
      listening = true
      arrive = take
      for (const link of waiting.splice(0)) take(link)
    },
  }
}

/** The deep link in a command line, or null. */
export const linkIn = (words: readonly string[]): string | null => words.find((word) => word.toLowerCase().startsWith(`${scheme}://`)) ?? null

const opaque = z.string().min(1).max(4_000).regex(/^[!-~]+$/)
const answer = z.object({ code: opaque.optional(), state: opaque, error: opaque.optional() })

// The OAuth state of a link and the app's URL that completes that consent.
type ConsentReturn = { readonly state: string; readonly address: string }

/**
 * The consent return of a link to the app at `origin`; null for every link that is not exactly as the cloud builds them,
 * and such a link only shows the window. Any page can make a link: the backend decides whether its consent is pending.
 */
export const consentReturnOf = (link: string, origin: string): ConsentReturn | null => {
  const url = URL.parse(link)
  if (url === null || url.protocol !== `${scheme}:` || url.username !== '' || url.port !== '') return null
  if (`${url.hostname}${url.pathname}`.toLowerCase().replace(/\/$/, '') !== 'oauth/callback') return null
  const parsed = answer.safeParse(onlyOnce(url.searchParams))
  if (!parsed.success) return null
  const { state, code, error } = parsed.data
  if (code === undefined && error === undefined) return null
  return { state, address: callbackOf(origin, new URLSearchParams({ state, ...(code === undefined ? {} : { code }), ...(error === undefined ? {} : { error }) })) }
}

// Parsers disagree on duplicate keys.
const onlyOnce = (query: URLSearchParams): Record<string, string> | null => {
  const entries = [...query]
  return new Set(entries.map(([key]) => key)).size === entries.length ? Object.fromEntries(entries) : null
}
