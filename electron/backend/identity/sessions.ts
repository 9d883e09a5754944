import { createHash, randomBytes } from 'node:crypto'
import type { EndedBecause } from '#shared/api/session.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { isStoreFault } from '../db/fault.ts'
import type { Session } from '../db/rows.ts'

/** How long a browser that comes back stays known, in milliseconds. */
export const sessionLifeMs = 90 * 86_400_000

/** A known browser. `id` is the hash of its cookie, `keyHash` that of its key: neither is kept here itself. */
export type BrowserSession = {
  readonly id: string
  /** Null for a browser that has no key yet. */
  readonly keyHash: string | null
  readonly userId: string | null
  /** Why the identity provider ended the last sign-in here, until somebody signs in. */
  readonly endedBecause: EndedBecause | null
}

type Started = { readonly cookie: string; readonly session: BrowserSession }

/**
 * The browsers that swapped a launch token for two secrets, and who is signed in in them. They survive a restart. The
 * cookie reaches every program that listens on 127.0.0.1; the key lies in the storage of this origin alone. Neither
 * admits without the other.
 */
export type Sessions = {
  /** Starts a session and gives the cookie's value. It has no key yet. */
  readonly start: (userId: string | null) => Promise<Started>
  /** Null for a cookie that is unknown or too old. */
  readonly find: (cookie: string) => Promise<BrowserSession | null>
  /** Whether this is the session's key. If it is, its browser has kept it. */
  readonly isKeyOf: (key: string, session: BrowserSession) => boolean
  /** Whether a session was given a key with which nothing has come yet: its page may have been left before it kept it. */
  readonly awaitsKey: (session: BrowserSession) => boolean
  /** Gives a session a new key in place of any that it had. */
  readonly giveKey: (session: BrowserSession) => Promise<string>
  /** Starts a session in which nobody is signed in, for a browser that has its key and lost its cookie; null for an unknown key. */
  readonly startAgain: (key: string) => Promise<Started | null>
  /** Ends a session and starts the one that replaces it, with the same key: a cookie never outlives a change of user. */
  readonly replace: (session: BrowserSession, userId: string | null) => Promise<Started>
  /** Ends every session of a user; with a reason the browsers stay known, and keep it until somebody signs in there. */
  readonly endAllOf: (userId: string, because?: EndedBecause) => Promise<void>
}

const newSecret = (): string => randomBytes(32).toString('base64url')

/** Sessions kept in the journal; `now` is UTC ms. Those `ofThisRun` are known to nobody after it. */
export const createSessions = ({ journal, now, ofThisRun = false }: { readonly journal: JournalCalls; readonly now: () => number; readonly ofThisRun?: boolean }): Sessions => {
  const salt = ofThisRun ? newSecret() : ''
  const hashOf = (secret: string): string => createHash('sha256').update(salt + secret).digest('base64url')
  // Asked with every call: the answer must not wait behind a heavy read of the journal.
  const known = new Map<string, Session>()
  const awaited = new Set<string>()
  // Ended, and still in the journal, whose disk was full.
  const ended = new Set<string>()
  let endings = 0

  /** Writes where there is room for it: a full disk keeps nobody from leaving, and what is known of sessions holds in this run all the same. */
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
    if (await unlessFull(journal.write.saveSession(session))) for (const idHash of ended) await strike(idHash)
    known.set(session.idHash, session)
  }
  const strike = async (idHash: string): Promise<void> => {
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
    await strike(idHash)
  }

  return {
    start: (userId) => begin(userId, null),
    isKeyOf: (key, { id, keyHash }) => {
      const fits = keyHash !== null && hashOf(key) === keyHash
      if (fits) awaited.delete(id)
      return fits
    },
    awaitsKey: ({ id }) => awaited.has(id),
    giveKey: async ({ id }) => {
      const key = newSecret()
      await unlessFull(journal.write.giveKey({ idHash: id, keyHash: hashOf(key) }))
      // Whatever is being read has the key of before.
      endings += 1
      const held = known.get(id)
      if (held !== undefined) known.set(id, { ...held, keyHash: hashOf(key) })
      awaited.add(id)
      return key
    },
    startAgain: async (key) => ((await journal.read.knowsKey({ keyHash: hashOf(key), at: now() })) ? begin(null, hashOf(key)) : null),
    find: async (cookie) => {
      const idHash = hashOf(cookie)
      const endingsBefore = endings
      if (ended.has(idHash)) return null
      const session = known.get(idHash) ?? (await journal.read.session({ idHash, at: now() }))
      if (session === null || session.expiresAt <= now()) return null
      // What ended while it was being read must not come back to life here.
      if (endings === endingsBefore) known.set(idHash, session)
      // Once a day at most: a browser in use must not be forgotten, nor every call be a write.
      if (session.expiresAt < now() + sessionLifeMs - 86_400_000) {
        const prolonged = { ...session, expiresAt: now() + sessionLifeMs }
        if ((await journal.write.prolongSession(prolonged)) && endings === endingsBefore) known.set(idHash, prolonged)
      }
      return { id: idHash, userId: session.userId, endedBecause: session.endedBecause, keyHash: session.keyHash }
    },
    replace: async (session, userId) => {
      const started = await begin(userId, session.keyHash)
      await end(session.id)
      return started
    },
    endAllOf: async (userId, because) => {
      endings += 1
      for (const session of known.values()) if (session.userId === userId) known.delete(session.idHash)
      if (because === undefined) await journal.write.endSessionsOf({ userId })
      else await journal.write.endSessionsBecause({ userId, because })
      // What was read meanwhile still names the user.
      endings += 1
      for (const session of known.values()) if (session.userId === userId) known.delete(session.idHash)
    },
  }
}
