import { createHash, randomBytes } from 'node:crypto'

const lifeMs = 30_000
const mostWaiting = 100

const hashOf = (ticket: string): string => createHash('sha256').update(ticket).digest('base64url')

/** Tickets for downloads, where a browser cannot send a header: each replaces the key of one session, for one path, once, for half a minute; `now` is in ms. */
export const createTickets = (now: () => number) => {
  const waiting = new Map<string, { readonly sessionId: string; readonly path: string; readonly until: number }>()
  return {
    mint: (sessionId: string, path: string): string => {
      for (const [hash, { until }] of waiting) if (until <= now() || waiting.size >= mostWaiting) waiting.delete(hash)
      const ticket = randomBytes(32).toString('base64url')
      waiting.set(hashOf(ticket), { sessionId, path, until: now() + lifeMs })
      return ticket
    },
    /** The session of a ticket for this path; null the second time. */
    take: (ticket: string, path: string): string | null => {
      const hash = hashOf(ticket)
      const found = waiting.get(hash)
      waiting.delete(hash)
      return found !== undefined && found.path === path && found.until > now() ? found.sessionId : null
    },
  }
}
