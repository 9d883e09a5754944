import { randomUUID } from 'node:crypto'
import { z } from 'zod'

const CODE_MS = 600_000
/** Lifetime of an access token in seconds. */
export const ACCESS_SECONDS = 4800
const REFRESH_SECONDS = 93_600
const OPEN_AT_MOST = 2

const sessionSchema = z.object({
  id: z.string(),
  userId: z.number(),
  openedAt: z.number(),
  /** The HTTP status that its tokens get after another login closed the session; null while it is open. */
  pushedOut: z.literal([408, 429, 500]).nullable(),
})
const tokenSchema = z.object({ sessionId: z.string(), expiresAt: z.number() })

/** The login state that survives a restart. */
export const grantsStateSchema = z.object({
  sessions: z.array(sessionSchema),
  access: z.record(z.string(), tokenSchema),
  refresh: z.record(z.string(), tokenSchema),
})
export type GrantsState = z.infer<typeof grantsStateSchema>

/** The HTTP status for a session that another login closed. */
type PushedOutStatus = 408 | 429 | 500

/** Issued tokens; times in seconds. */
export type Granted = {
  readonly userId: number
  readonly accessToken: string
  readonly expiresIn: number
  readonly refreshToken: string | null
  readonly refreshExpiresIn: number
}

/** Whether a bearer token is valid. */
export type TokenStanding =
  | { readonly kind: 'good'; readonly userId: number }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'pushed-out'; readonly status: PushedOutStatus }

type Tokens = Map<string, z.infer<typeof tokenSchema>>
/** Terms of new tokens: access token lifetime in seconds, and whether a refresh token comes with it. */
export type Issue = { readonly seconds: number; readonly withRefresh: boolean }

/** The user of a valid token, or null. */
export const userOf = ({ standing }: Pick<Grants, 'standing'>, token: string | null): number | null => {
  const held = token === null ? null : standing(token)
  return held?.kind === 'good' ? held.userId : null
}

/** The login name of a valid token, or null. */
export const loginOfToken = ({ grants, loginName }: { readonly grants: Pick<Grants, 'standing'>; readonly loginName: (userId: number) => string }, token: string | null): string | null => {
  const userId = userOf(grants, token)
  return userId === null ? null : loginName(userId)
}

/** The demo brokerage's sessions and tokens. */
export type Grants = ReturnType<typeof createGrants>

/** Manages codes, sessions and tokens; calls `save` with the state after every change. */
export const createGrants = (
  wallNow: () => number, saved: GrantsState | null, save: (state: GrantsState) => void,
) => {
  const codes = new Map<string, { clientId: string; redirectUri: string; userId: number; expiresAt: number }>()
  const access: Tokens = new Map(Object.entries(saved?.access ?? {}))
  const refresh: Tokens = new Map(Object.entries(saved?.refresh ?? {}))
  const held = { sessions: saved?.sessions ?? [], access, refresh }

  const keep = (): void => save({ sessions: held.sessions, access: Object.fromEntries(access), refresh: Object.fromEntries(refresh) })

  const closeOldest = (userId: number): void => {
    const open = held.sessions.filter((each) => each.userId === userId && each.pushedOut === null).sort((a, b) => a.openedAt - b.openedAt)
    for (const session of open.slice(0, Math.max(0, open.length - OPEN_AT_MOST + 1))) session.pushedOut = 408
  }

  const forgetExpired = (): void => {
    const alive = new Set<string>()
    for (const tokens of [access, refresh]) {
      for (const [token, { sessionId, expiresAt }] of tokens) {
        if (expiresAt <= wallNow()) tokens.delete(token)
        else alive.add(sessionId)
      }
    }
    held.sessions = held.sessions.filter(({ id }) => alive.has(id))
  }

  const issue = (sessionId: string, userId: number, { seconds, withRefresh }: Issue): Granted => {
    const accessToken = `tok-${randomUUID()}`
    const refreshToken = withRefresh ? `ref-${randomUUID()}` : null
    access.set(accessToken, { sessionId, expiresAt: wallNow() + seconds * 1000 })
    if (refreshToken !== null) refresh.set(refreshToken, { sessionId, expiresAt: wallNow() + REFRESH_SECONDS * 1000 })
    forgetExpired()
    keep()
    return { userId, accessToken, expiresIn: seconds, refreshToken, refreshExpiresIn: REFRESH_SECONDS }
  }

  const openSession = (userId: number, how: Issue): Granted => {
    closeOldest(userId)
    const id = randomUUID()
    held.sessions.push({ id, userId, openedAt: wallNow(), pushedOut: null })
    return issue(id, userId, how)
  }

  const sessionOf = (token: { sessionId: string; expiresAt: number } | undefined) =>
    token === undefined || token.expiresAt <= wallNow() ? undefined : held.sessions.find(({ id }) => id === token.sessionId)

  return {
    /** Issues an authorization code; it works once within ten minutes, with the same client and redirect URI. */
    giveCode: (consent: { clientId: string; redirectUri: string; userId: number }): string => {
      const code = randomUUID()
      codes.set(code, { ...consent, expiresAt: wallNow() + CODE_MS })
      return code
    },

    /** Exchanges a code for the tokens of a new session; null for an invalid code. A third session closes the oldest. */
    exchange: (code: string, clientId: string, redirectUri: string, how: Issue): Granted | null => {
      const consent = codes.get(code)
      codes.delete(code)
      if (consent === undefined || consent.expiresAt <= wallNow()) return null
      if (consent.clientId !== clientId || consent.redirectUri !== redirectUri) return null
      return openSession(consent.userId, how)
    },

    /** Exchanges a refresh token, which works once, for new tokens; if its session was closed, opens a new one. */
    refresh: (token: string, how: Issue): Granted | null => {
      const session = sessionOf(refresh.get(token))
      refresh.delete(token)
      if (session === undefined) return null
      return session.pushedOut === null ? issue(session.id, session.userId, how) : openSession(session.userId, how)
    },

    /** Renews a valid access token in the same session; the refresh token stays valid. */
    renew: (token: string, seconds: number): Granted | null => {
      const session = sessionOf(access.get(token))
      if (session === undefined || session.pushedOut !== null) return null
      return issue(session.id, session.userId, { seconds, withRefresh: false })
    },

    /** Whether a bearer token is valid. */
    standing: (token: string): TokenStanding => {
      const session = sessionOf(access.get(token))
      if (session === undefined) return { kind: 'unknown' }
      return session.pushedOut === null ? { kind: 'good', userId: session.userId } : { kind: 'pushed-out', status: session.pushedOut }
    },

    /** The sessions and tokens, and what saves them after a change: for test controls. */
    inside: { held, keep },
  }
}
