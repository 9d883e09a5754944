import { randomUUID } from 'node:crypto'
import { z } from 'zod'

const CODE_MS = 600_000
/** Seconds that an access token lives unless a fault shortens it. */
export const ACCESS_SECONDS = 4800
const REFRESH_SECONDS = 93_600
const OPEN_AT_MOST = 2

const sessionSchema = z.object({
  id: z.string(),
  userId: z.number(),
  openedAt: z.number(),
  /** What its tokens are answered with since another login pushed it out; null while it is open. */
  pushedOut: z.literal([408, 429, 500]).nullable(),
})
const tokenSchema = z.object({ sessionId: z.string(), expiresAt: z.number() })

/** Everything about logins that outlives a restart. */
export const grantsStateSchema = z.object({
  sessions: z.array(sessionSchema),
  access: z.record(z.string(), tokenSchema),
  refresh: z.record(z.string(), tokenSchema),
})
export type GrantsState = z.infer<typeof grantsStateSchema>

/** The status that a pushed-out session is answered with. */
export type PushedOutStatus = 408 | 429 | 500

/** Tokens as they are handed out; times in seconds. */
export type Granted = {
  readonly userId: number
  readonly accessToken: string
  readonly expiresIn: number
  readonly refreshToken: string | null
  readonly refreshExpiresIn: number
}

/** What a bearer token is worth at the moment. */
export type TokenStanding =
  | { readonly kind: 'good'; readonly userId: number }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'pushed-out'; readonly status: PushedOutStatus }

type Issue = { readonly seconds: number; readonly withRefresh: boolean }

/** The stand-in's memory of who may do what. */
export type Grants = ReturnType<typeof createGrants>

/** Codes, sessions and tokens; `save` is called with the state after every change. */
export const createGrants = (
  wallNow: () => number, saved: GrantsState | null, save: (state: GrantsState) => void,
) => {
  const codes = new Map<string, { clientId: string; redirectUri: string; userId: number; expiresAt: number }>()
  const state: GrantsState = saved ?? { sessions: [], access: {}, refresh: {} }

  const openSessions = (userId: number) => state.sessions.filter((each) => each.userId === userId && each.pushedOut === null)

  const changeSessions = (userId: number, status: PushedOutStatus, keep: number): void => {
    const open = openSessions(userId).sort((a, b) => a.openedAt - b.openedAt)
    for (const session of open.slice(0, Math.max(0, open.length - keep))) session.pushedOut = status
  }

  const drop = (tokens: GrantsState['access'], userId: number): void => {
    for (const [token, { sessionId }] of Object.entries(tokens)) {
      if (state.sessions.some((each) => each.id === sessionId && each.userId === userId)) delete tokens[token]
    }
  }

  const forgetExpired = (): void => {
    for (const tokens of [state.access, state.refresh]) {
      for (const [token, { expiresAt }] of Object.entries(tokens)) if (expiresAt <= wallNow()) delete tokens[token]
    }
    const alive = new Set([...Object.values(state.access), ...Object.values(state.refresh)].map(({ sessionId }) => sessionId))
    state.sessions = state.sessions.filter(({ id }) => alive.has(id))
  }

  const issue = (sessionId: string, userId: number, { seconds, withRefresh }: Issue): Granted => {
    const accessToken = `tok-${randomUUID()}`
    const refreshToken = withRefresh ? `ref-${randomUUID()}` : null
    state.access[accessToken] = { sessionId, expiresAt: wallNow() + seconds * 1000 }
    if (refreshToken !== null) state.refresh[refreshToken] = { sessionId, expiresAt: wallNow() + REFRESH_SECONDS * 1000 }
    forgetExpired()
    save(state)
    return { userId, accessToken, expiresIn: seconds, refreshToken, refreshExpiresIn: REFRESH_SECONDS }
  }

  const openSession = (userId: number, how: Issue): Granted => {
    changeSessions(userId, 408, OPEN_AT_MOST - 1)
    const id = randomUUID()
    state.sessions.push({ id, userId, openedAt: wallNow(), pushedOut: null })
    return issue(id, userId, how)
  }

  const sessionOf = (token: { sessionId: string; expiresAt: number } | undefined) =>
    token === undefined || token.expiresAt <= wallNow() ? undefined : state.sessions.find(({ id }) => id === token.sessionId)

  return {
    /** A code for the consent that a user gave; it works once, with the same client and redirect URI, for ten minutes. */
    giveCode: (consent: { clientId: string; redirectUri: string; userId: number }): string => {
      const code = randomUUID()
      codes.set(code, { ...consent, expiresAt: wallNow() + CODE_MS })
      return code
    },

    /** Swaps a code for the tokens of a new session, the third of which closes the oldest; null where the code is not good. */
    exchange: (code: string, clientId: string, redirectUri: string, how: Issue): Granted | null => {
      const consent = codes.get(code)
      codes.delete(code)
      if (consent === undefined || consent.expiresAt <= wallNow()) return null
      if (consent.clientId !== clientId || consent.redirectUri !== redirectUri) return null
      return openSession(consent.userId, how)
    },

    /** Swaps a refresh token, which dies, for new tokens; one of a session that was pushed out opens a new session. */
    refresh: (token: string, how: Issue): Granted | null => {
      const session = sessionOf(state.refresh[token])
      delete state.refresh[token]
      if (session === undefined) return null
      return session.pushedOut === null ? issue(session.id, session.userId, how) : openSession(session.userId, how)
    },

    /** A new access token for the session of a living one; its refresh token stays as it is. */
    renew: (token: string, seconds: number): Granted | null => {
      const session = sessionOf(state.access[token])
      if (session === undefined || session.pushedOut !== null) return null
      return issue(session.id, session.userId, { seconds, withRefresh: false })
    },

    /** What a bearer token is worth. */
    standing: (token: string): TokenStanding => {
      const session = sessionOf(state.access[token])
      if (session === undefined) return { kind: 'unknown' }
      return session.pushedOut === null ? { kind: 'good', userId: session.userId } : { kind: 'pushed-out', status: session.pushedOut }
    },

    /** How many sessions of a user are open. */
    open: (userId: number): number => openSessions(userId).length,

    /** Kills one access token. */
    killToken: (token: string): void => {
      delete state.access[token]
      save(state)
    },

    /** Kills a user's access tokens. */
    killAccess: (userId: number): void => {
      drop(state.access, userId)
      save(state)
    },

    /** Kills all tokens of a user. */
    revoke: (userId: number): void => {
      drop(state.access, userId)
      drop(state.refresh, userId)
      state.sessions = state.sessions.filter((each) => each.userId !== userId)
      save(state)
    },

    /** Closes the session of a token, as a login elsewhere does. */
    pushOutToken: (token: string, status: PushedOutStatus): void => {
      const session = sessionOf(state.access[token])
      if (session !== undefined) session.pushedOut = status
      save(state)
    },

    /** Closes all sessions of a user, as logins elsewhere do. */
    pushOut: (userId: number, status: PushedOutStatus): void => {
      changeSessions(userId, status, 0)
      save(state)
    },
  }
}
