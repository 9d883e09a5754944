import { z } from 'zod'
import { callbackOf } from './navigation.ts'

/** The scheme of the links that open the desktop from elsewhere. */
export const scheme = 'fillbook'

const opaque = z.string().min(1).max(4_000).regex(/^[!-~]+$/)
const answer = z.object({ code: opaque.optional(), state: opaque, error: opaque.optional() })

// The consent that a link says it answers, and the address of the app that goes on with it.
type ConsentReturn = { readonly state: string; readonly address: string }

/**
 * What a link brings back to the app at `origin`; null for one that only brings the window forward, which is every link
 * that is not exactly as the cloud makes them. Any page can make one: whether its consent is under way is for the backend to say.
 */
export const consentReturnOf = (link: string, origin: string): ConsentReturn | null => {
  const url = URL.parse(link)
  if (url === null || url.protocol !== `${scheme}:` || url.username !== '' || url.port !== '') return null
  if (`${url.hostname}${url.pathname}`.toLowerCase().replace(/\/$/, '') !== 'oauth/callback') return null
  const brought = answer.safeParse(onlyOnce(url.searchParams))
  if (!brought.success) return null
  const { state, code, error } = brought.data
  if (code === undefined && error === undefined) return null
  return { state, address: callbackOf(origin, new URLSearchParams({ state, ...(code === undefined ? {} : { code }), ...(error === undefined ? {} : { error }) })) }
}

/** The words of the command line by which Windows starts the program with a link behind them; `folder` is the program's where it is not packed. */
export const wordsBeforeLink = (folder: string | null): string[] => [
  ...(folder === null ? [] : [folder]),
  // A quote in a link may end its word: what follows this is never taken for a switch.
  '--',
]

/** The link among the words of a command line, as the system hands one over; null where there is none. */
export const linkAmong = (words: readonly string[]): string | null => words.find((word) => word.toLowerCase().startsWith(`${scheme}://`)) ?? null

// Twice the same key is read differently by different readers.
const onlyOnce = (query: URLSearchParams): Record<string, string> | null => {
  const entries = [...query]
  return new Set(entries.map(([key]) => key)).size === entries.length ? Object.fromEntries(entries) : null
}
