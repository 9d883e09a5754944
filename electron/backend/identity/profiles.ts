import { and, count, desc, eq, gt, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { err, ok, type Result } from '#shared/base/result.ts'
import { perConnection, type Reader, type Writer } from '../db/database.ts'
import { storeFault } from '../db/fault.ts'
import { queueChange } from '../db/outbox.ts'
import { oauthStates, profiles, sessions } from '../db/schema/people.ts'
import type { At, NewProfile, OauthState, OfUser, Profile, Session } from '../db/rows.ts'

export const profile = ({ orm }: Reader, { id }: { readonly id: string }): Profile | null => orm.select().from(profiles).where(eq(profiles.id, id)).get() ?? null

const selectId = perConnection(({ orm }: Reader) => orm.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, sql.placeholder('id'))).prepare())

/** Whether there is a profile of this id; every write asks. */
export const hasProfile = (reader: Reader, id: string): boolean => selectId(reader).get({ id }) !== undefined

export const profileByEmail = ({ orm }: Reader, { email }: { readonly email: string }): Profile | null => orm.select().from(profiles).where(eq(profiles.email, email)).get() ?? null

/** Counts the profiles that can be signed in to: not the demo, and not an unclaimed one. */
export const profileCount = ({ orm }: Reader): number => orm.select({ count: count() }).from(profiles).where(or(isNotNull(profiles.email), isNotNull(profiles.firebaseUid))).get()?.count ?? 0

/** Ids of all profiles except the demo. */
export const realProfiles = ({ orm }: Reader): string[] => orm.select({ id: profiles.id }).from(profiles).where(eq(profiles.demo, false)).all().map(({ id }) => id)

const queueProfile = (writer: Writer, id: string, at: number): void => {
  queueChange(writer, id, at, 'profile', 'profile')
}

const unused = { lastSignInAt: null, firebaseUid: null, firebaseUser: null }

/** Creates a profile. A profile without an email is unclaimed: the first sign-up takes it over and keeps its id and time zone. */
export const createProfile = (writer: Writer, input: NewProfile): Result<Profile, 'email-taken'> => {
  const { orm } = writer
  const created = { ...input, ...unused }
  if (input.email !== null && orm.select({ id: profiles.id }).from(profiles).where(eq(profiles.email, input.email)).get() !== undefined) return err('email-taken')
  const unclaimed = input.email === null ? undefined : orm.select({ id: profiles.id }).from(profiles).where(and(isNull(profiles.email), isNull(profiles.firebaseUid), eq(profiles.demo, false))).get()
  if (unclaimed !== undefined) {
    const { email, displayName, passwordHash, recoveryHash } = input
    return ok(orm.update(profiles).set({ email, displayName, passwordHash, recoveryHash }).where(eq(profiles.id, unclaimed.id)).returning().get())
  }
  orm.insert(profiles).values(created).run()
  queueProfile(writer, input.id, input.createdAt)
  return ok(created)
}

/** Returns the profile with this id and creates it if needed. */
export const ensureProfile = (writer: Writer, input: NewProfile): Profile => {
  const { orm } = writer
  if (orm.insert(profiles).values({ ...input, ...unused }).onConflictDoNothing().run().changes > 0) queueProfile(writer, input.id, input.createdAt)
  const kept = orm.select().from(profiles).where(eq(profiles.id, input.id)).get()
  if (kept === undefined) throw storeFault('internal', 'A profile that was just saved is missing')
  return kept
}

/** Updates the given fields; throws `not-found` for an unknown profile. */
export const updateProfile = ({ orm }: Writer, { id, ...changes }: { readonly id: string } & Partial<Pick<Profile, 'displayName' | 'passwordHash' | 'recoveryHash' | 'lastSignInAt'>>): void => {
  if (Object.keys(changes).length === 0) return
  const done = orm.update(profiles).set(changes).where(eq(profiles.id, id)).run()
  if (done.changes === 0) throw storeFault('not-found', 'No such profile')
}

/** Null if it is unknown or expired at `at`. */
export const session = ({ orm }: Reader, { idHash, at }: { readonly idHash: string; readonly at: number }): Session | null =>
  orm.select().from(sessions).where(and(eq(sessions.idHash, idHash), gt(sessions.expiresAt, at))).get() ?? null

/** Whether an unexpired session has this key. */
export const isKnownKey = ({ orm }: Reader, { keyHash, at }: { readonly keyHash: string; readonly at: number }): boolean =>
  orm.select({ idHash: sessions.idHash }).from(sessions).where(and(eq(sessions.keyHash, keyHash), gt(sessions.expiresAt, at))).get() !== undefined

/** Upserts a session. */
export const saveSession = ({ orm }: Writer, input: Session): void => {
  orm.insert(sessions).values(input).onConflictDoUpdate({ target: sessions.idHash, set: { userId: input.userId, expiresAt: input.expiresAt, endedBecause: input.endedBecause, keyHash: input.keyHash } }).run()
}

/** Extends a session; false if it ended meanwhile, and it stays ended. */
export const prolongSession = ({ orm }: Writer, { idHash, expiresAt }: Pick<Session, 'idHash' | 'expiresAt'>): boolean => orm.update(sessions).set({ expiresAt }).where(eq(sessions.idHash, idHash)).run().changes > 0

/** Saves a session's key hash; a session that ended meanwhile stays ended. */
export const issueKey = ({ orm }: Writer, { idHash, keyHash }: { readonly idHash: string; readonly keyHash: string }): void => {
  orm.update(sessions).set({ keyHash }).where(eq(sessions.idHash, idHash)).run()
}

export const endSession = ({ orm }: Writer, { idHash }: { readonly idHash: string }): void => {
  orm.delete(sessions).where(eq(sessions.idHash, idHash)).run()
}

/** Ends every session of a user. */
export const endSessionsOf = ({ orm }: Writer, { userId }: OfUser): void => {
  orm.delete(sessions).where(eq(sessions.userId, userId)).run()
}

export const deleteExpired = ({ orm }: Writer, { at, oauthStatesBefore }: At & { readonly oauthStatesBefore: number }): void => {
  orm.delete(sessions).where(lte(sessions.expiresAt, at)).run()
  orm.delete(oauthStates).where(lt(oauthStates.createdAt, oauthStatesBefore)).run()
}

export const saveOauthState = ({ orm }: Writer, input: OauthState): void => {
  orm.insert(oauthStates).values(input).run()
}

/** Reads the OAuth consent of this state without consuming it; null if unknown. */
export const oauthState = ({ orm }: Reader, { state }: { readonly state: string }): OauthState | null => orm.select().from(oauthStates).where(eq(oauthStates.state, state)).get() ?? null

/** The user's latest OAuth consent, or null. */
export const lastOauthState = ({ orm }: Reader, { userId }: OfUser): OauthState | null =>
  orm.select().from(oauthStates).where(eq(oauthStates.userId, userId)).orderBy(desc(oauthStates.createdAt)).limit(1).get() ?? null

/** Consumes a state: a second call with the same state returns null. */
export const consumeOauthState = ({ orm }: Writer, { state }: { readonly state: string }): OauthState | null => orm.delete(oauthStates).where(eq(oauthStates.state, state)).returning().get() ?? null
