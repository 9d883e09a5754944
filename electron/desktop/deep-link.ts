import { z } from 'zod'
import { paymentOutcome } from '#shared/api/sync.ts'
import { callbackOf } from './navigation.ts'

/** The scheme of the links that open the desktop from elsewhere. */
export const scheme = 'fillbook'

const short = z.string().min(1).max(200).regex(/^[\w.~-]+$/)
const opaque = z.string().min(1).max(4_000).regex(/^[!-~]+$/)

const oauth = z.object({ code: opaque.optional(), state: opaque, error: opaque.optional() })
const payment = z.object({ payment: paymentOutcome.optional(), session_id: short.optional() })

/**
 * The address of the app at `origin` that a link leads to; null for one that only brings the window forward, which is
 * every link that is not exactly as Fillbook makes them. What it brings is checked where the same would be checked coming from a browser.
 */
export const addressOf = (link: string, origin: string): string | null => {
  const url = URL.parse(link)
  if (url === null || url.protocol !== `${scheme}:` || url.username !== '' || url.port !== '') return null
  const given = onlyOnce(url.searchParams)
  if (given === null) return null
  switch (`${url.hostname}${url.pathname}`.toLowerCase().replace(/\/$/, '')) {
    case 'oauth/callback': {
      const brought = oauth.safeParse(given)
      return brought.success ? callbackOf(origin, queryOf(brought.data)) : null
    }
    case 'payment': {
      const brought = payment.safeParse(given)
      if (!brought.success) return null
      const query = queryOf(brought.data).toString()
      return `${origin}/#/dashboard/ManageSubscription${query === '' ? '' : `?${query}`}`
    }
    default:
      return null
  }
}

/** The link among the words of a command line, as the system hands one over; null where there is none. */
export const linkAmong = (words: readonly string[]): string | null => words.find((word) => word.toLowerCase().startsWith(`${scheme}://`)) ?? null

// Twice the same key is read differently by different readers.
const onlyOnce = (query: URLSearchParams): Record<string, string> | null => {
  const entries = [...query]
  return new Set(entries.map(([key]) => key)).size === entries.length ? Object.fromEntries(entries) : null
}

const queryOf = (values: Readonly<Record<string, string | undefined>>): URLSearchParams => new URLSearchParams(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
