import { and, count, desc, eq, gt, isNotNull, isNull, lt, lte, or } from 'drizzle-orm'
import { err, ok } from '#shared/base/result.ts'
import type { JournalWrites } from '../journal/journal-writes.ts'
import { query, type Writer } from '../db/database.ts'
import { storeFault } from '../db/fault.ts'
import { noteChange } from '../mirror/outbox.ts'
import type { Read, Write } from '../journal/part.ts'
import { oauthStates, profiles, sessions } from '../db/schema/people.ts'

export const profile: Read<'profile'> = ({ orm }, { id }) => orm.select().from(profiles).where(eq(profiles.id, id)).get() ?? null

export const profileByEmail: Read<'profileByEmail'> = ({ orm }, { email }) => orm.select().from(profiles).where(eq(profiles.email, email)).get() ?? null

export const profileCount: Read<'profileCount'> = ({ orm }) => orm.select({ count: count() }).from(profiles).where(or(isNotNull(profiles.email), isNotNull(profiles.firebaseUid))).get()?.count ?? 0

export const realProfiles: Read<'realProfiles'> = ({ orm }) => orm.select({ id: profiles.id }).from(profiles).where(eq(profiles.demo, false)).all().map(({ id }) => id)

const noteProfile = (writer: Writer, id: string, at: number): void => {
  noteChange(writer, id, at, 'profile', 'profile')
}

const unused = { lastSignInAt: null, firebaseUid: null, firebaseUser: null }

export const createProfile: Write<'createProfile'> = (writer, input) => {
  const { orm } = writer
  const made = { ...input, ...unused }
  if (input.email !== null && orm.select({ id: profiles.id }).from(profiles).where(eq(profiles.email, input.email)).get() !== undefined) return err('email-taken')
  const unclaimed = input.email === null ? undefined : orm.select({ id: profiles.id }).from(profiles).where(and(isNull(profiles.email), isNull(profiles.firebaseUid), eq(profiles.demo, false))).get()
  if (unclaimed !== undefined) {
    const { email, displayName, passwordHash, recoveryHash } = input
    return ok(orm.update(profiles).set({ email, displayName, passwordHash, recoveryHash }).where(eq(profiles.id, unclaimed.id)).returning().get())
  }
  orm.insert(profiles).values(made).run()
  noteProfile(writer, input.id, input.createdAt)
  return ok(made)
}

export const ensureProfile: Write<'ensureProfile'> = (writer, input) => {
  const { orm } = writer
  if (orm.insert(profiles).values({ ...input, ...unused }).onConflictDoNothing().run().changes > 0) noteProfile(writer, input.id, input.createdAt)
  const kept = orm.select().from(profiles).where(eq(profiles.id, input.id)).get()
  if (kept === undefined) throw storeFault('internal', 'A profile that was just kept is not there')
  return kept
}

export const updateProfile: Write<'updateProfile'> = ({ orm }, { id, ...changes }) => {
  if (Object.keys(changes).length === 0) return
  const done = orm.update(profiles).set(changes).where(eq(profiles.id, id)).run()
  if (done.changes === 0) throw storeFault('not-found', 'No such profile')
}

export const session: Read<'session'> = ({ orm }, { idHash, at }) =>
  orm.select().from(sessions).where(and(eq(sessions.idHash, idHash), gt(sessions.expiresAt, at))).get() ?? null

export const knowsKey: Read<'knowsKey'> = ({ orm }, { keyHash, at }) =>
  orm.select({ idHash: sessions.idHash }).from(sessions).where(and(eq(sessions.keyHash, keyHash), gt(sessions.expiresAt, at))).get() !== undefined

export const saveSession: Write<'saveSession'> = ({ orm }, input) => {
  orm.insert(sessions).values(input).onConflictDoUpdate({ target: sessions.idHash, set: { userId: input.userId, expiresAt: input.expiresAt, endedBecause: input.endedBecause, keyHash: input.keyHash } }).run()
}

export const prolongSession: Write<'prolongSession'> = ({ orm }, { idHash, expiresAt }) => orm.update(sessions).set({ expiresAt }).where(eq(sessions.idHash, idHash)).run().changes > 0

/** A session that ended meanwhile stays ended. */
export const giveKey: Write<'giveKey'> = ({ orm }, { idHash, keyHash }) => {
  orm.update(sessions).set({ keyHash }).where(eq(sessions.idHash, idHash)).run()
}

export const endSession: Write<'endSession'> = ({ orm }, { idHash }) => {
  orm.delete(sessions).where(eq(sessions.idHash, idHash)).run()
}

export const endSessionsOf: Write<'endSessionsOf'> = ({ orm }, { userId }) => {
  orm.delete(sessions).where(eq(sessions.userId, userId)).run()
}

export const forgetExpired: Write<'forgetExpired'> = ({ orm }, { at, oauthStatesBefore }) => {
  orm.delete(sessions).where(lte(sessions.expiresAt, at)).run()
  orm.delete(oauthStates).where(lt(oauthStates.createdAt, oauthStatesBefore)).run()
}

export const saveOauthState: Write<'saveOauthState'> = ({ orm }, input) => {
  orm.insert(oauthStates).values(input).run()
}

export const oauthState: Read<'oauthState'> = ({ orm }, { state }) => orm.select().from(oauthStates).where(eq(oauthStates.state, state)).get() ?? null

/** The consent that a user began last. */
export const lastOauthState: Read<'lastOauthState'> = ({ orm }, { userId }) =>
  orm.select().from(oauthStates).where(eq(oauthStates.userId, userId)).orderBy(desc(oauthStates.createdAt)).limit(1).get() ?? null

export const takeOauthState: Write<'takeOauthState'> = ({ orm }, { state }) => orm.delete(oauthStates).where(eq(oauthStates.state, state)).returning().get() ?? null

/** What is written of users who are on their way in or out. */
const ofAnybody: ReadonlySet<string> = new Set<keyof JournalWrites>(['saveSession', 'prolongSession', 'endSessionsOf', 'endSessionsBecause', 'forgetUser'])

/** Throws `no-profile` for a user who has none: a call that was under way while its user's account was deleted leaves nothing behind. */
export const requireProfile = (writer: Writer, name: string, input: unknown): void => {
  const userId = typeof input === 'object' && input !== null && 'userId' in input ? input.userId : null
  if (typeof userId !== 'string' || ofAnybody.has(name)) return
  if (query(writer, 'SELECT 1 FROM profiles WHERE id = ?').get(userId) === undefined) throw storeFault('no-profile', `Nothing is written for a user without a profile: ${name}`)
}
