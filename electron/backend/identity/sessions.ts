import { createHash, randomBytes } from 'node:crypto'
import type { EndedBecause } from '#shared/api/session.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { isStoreFault } from '../db/fault.ts'
import type { Session } from '../db/rows.ts'

/** Lifetime of an unused session, in milliseconds. */
export const sessionLifeMs = 90 * 86_400_000

/** A browser's session. `id` is the hash of its cookie and `keyHash` the hash of its key; the secrets themselves are never stored. */
export type BrowserSession = {
  readonly id: string
  /** Null until the browser gets its key. */
  readonly keyHash: string | null
  readonly userId: string | null
  /** Why the identity provider ended the last sign-in; cleared by the next one. */
  readonly endedBecause: EndedBecause | null
}

type Started = { readonly cookie: string; readonly session: BrowserSession }

const newSecret = (): string => randomBytes(32).toString('base64url')

/**
 * The sessions of browsers that exchanged a launch token for a cookie and a key. Sessions survive a restart. The browser
 * sends the cookie to every program that listens on 127.0.0.1, but the key stays in this origin's storage. Access needs
 * both.
 */
export type Sessions = ReturnType<typeof createSessions>

/** Saves sessions in the journal; `now` is UTC ms. With `endWithRun`, no session is valid after a restart. */
export const createSessions = ({ journal, now, endWithRun = false }: { readonly journal: JournalCalls; readonly now: () => number; readonly endWithRun?: boolean }) => {
  const salt = endWithRun ? newSecret() : ''
  const hashOf = (secret: string): string => createHash('sha256').update(salt + secret).digest('base64url')
  // Every request looks its session up: a cache, so that it never waits behind a heavy journal read.
  const known = new Map<string, Session>()
  const awaited = new Set<string>()
  // Ended sessions that a full disk kept in the journal.
  const ended = new Set<string>()
  let endings = 0

  /** Ignores a full disk, which must not keep anybody from signing out; the cache stays correct for this run. Returns whether it wrote. */
  const unlessFull = async (write: Promise<unknown>): Promise<boolean> => {
    try {
      await write
      return true
    } catch (error) {
      if (isStoreFault(error) && error.code === 'disk-full') return false
      throw error
    }
  }
  const save = async (session: Session): Promise<void> => {
    if (await unlessFull(journal.write.saveSession(session))) for (const idHash of ended) await deleteSession(idHash)
    known.set(session.idHash, session)
  }
  const deleteSession = async (idHash: string): Promise<void> => {
    ended.add(idHash)
    if (await unlessFull(journal.write.endSession({ idHash }))) ended.delete(idHash)
  }
  const begin = async (userId: string | null, keyHash: string | null): Promise<Started> => {
    const cookie = newSecret()
    const idHash = hashOf(cookie)
    await save({ idHash, userId, createdAt: now(), expiresAt: now() + sessionLifeMs, endedBecause: null, keyHash })
    return { cookie, session: { id: idHash, userId, endedBecause: null, keyHash } }
  }
  const end = async (idHash: string): Promise<void> => {
    endings += 1
    known.delete(idHash)
    awaited.delete(idHash)
    await deleteSession(idHash)
  }

  return {
    /** Starts a session without a key and returns the cookie's value. */
    start: (userId: string | null): Promise<Started> => begin(userId, null),
    /** Whether this is the session's key. A match also confirms that the browser stored it. */
    isKeyOf: (key: string, { id, keyHash }: BrowserSession): boolean => {
      const fits = keyHash !== null && hashOf(key) === keyHash
      if (fits) awaited.delete(id)
      return fits
    },
    /** Whether the browser has never sent the key it was issued: the page may have closed before storing it. */
    awaitsKey: ({ id }: BrowserSession): boolean => awaited.has(id),
    /** Issues a new key, which replaces the session's previous one. */
    issueKey: async ({ id }: BrowserSession): Promise<string> => {
      const key = newSecret()
      await unlessFull(journal.write.issueKey({ idHash: id, keyHash: hashOf(key) }))
      // A read in flight still has the old key.
      endings += 1
      const held = known.get(id)
      if (held !== undefined) known.set(id, { ...held, keyHash: hashOf(key) })
      awaited.add(id)
      return key
    },
    /** Starts a signed-out session for a browser that has its key but lost its cookie; null for an unknown key. */
    startWithKey: async (key: string): Promise<Started | null> => ((await journal.read.isKnownKey({ keyHash: hashOf(key), at: now() })) ? begin(null, hashOf(key)) : null),
    /** Null if the cookie is unknown or expired. */
    find: async (cookie: string): Promise<BrowserSession | null> => {
      const idHash = hashOf(cookie)
      const endingsBefore = endings
      if (ended.has(idHash)) return null
      const session = known.get(idHash) ?? (await journal.read.session({ idHash, at: now() }))
      if (session === null || session.expiresAt <= now()) return null
      // A session that ended during the read must not enter the cache again.
      if (endings === endingsBefore) known.set(idHash, session)
      // Extend at most once a day: a browser in use stays signed in, and not every request writes.
      if (session.expiresAt < now() + sessionLifeMs - 86_400_000) {
        const prolonged = { ...session, expiresAt: now() + sessionLifeMs }
        if ((await journal.write.prolongSession(prolonged)) && endings === endingsBefore) known.set(idHash, prolonged)
      }
      return { id: idHash, userId: session.userId, endedBecause: session.endedBecause, keyHash: session.keyHash }
    },
    /** Replaces a session by a new one with the same key: a change of user always changes the cookie. */
    replace: async (session: BrowserSession, userId: string | null): Promise<Started> => {
      const started = await begin(userId, session.keyHash)
      await end(session.id)
      return started
    },
    /** Ends every session of a user. With a reason, the sessions stay but are signed out, and keep the reason until the next sign-in. */
    endAllOf: async (userId: string, because?: EndedBecause): Promise<void> => {
      endings += 1
      for (const session of known.values()) if (session.userId === userId) known.delete(session.idHash)
      if (because === undefined) await journal.write.endSessionsOf({ userId })
      else await journal.write.endSessionsBecause({ userId, because })
      // A read in flight may have cached the user again.
      endings += 1
      for (const session of known.values()) if (session.userId === userId) known.delete(session.idHash)
    },
  }
}
