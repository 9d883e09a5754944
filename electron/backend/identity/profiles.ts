import { and, count, desc, eq, gt, isNotNull, isNull, lt, lte, or } from 'drizzle-orm'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { Writer, Reader } from '../db/database.ts'
import { storeFault } from '../db/fault.ts'
import { noteChange } from '../mirror/outbox.ts'
import { oauthStates, profiles, sessions } from '../db/schema/people.ts'
import type { At, NewProfile, OauthState, OfUser, Profile, Session } from '../db/rows.ts'

export const profile = ({ orm }: Reader, { id }: { readonly id: string }): Profile | null => orm.select().from(profiles).where(eq(profiles.id, id)).get() ?? null

export const profileByEmail = ({ orm }: Reader, { email }: { readonly email: string }): Profile | null => orm.select().from(profiles).where(eq(profiles.email, email)).get() ?? null

/** Of those that somebody can sign in to: neither the demo's nor one that belongs to nobody yet. */
export const profileCount = ({ orm }: Reader): number => orm.select({ count: count() }).from(profiles).where(or(isNotNull(profiles.email), isNotNull(profiles.firebaseUid))).get()?.count ?? 0

/** The ids of all profiles but the demo's. */
export const realProfiles = ({ orm }: Reader): string[] => orm.select({ id: profiles.id }).from(profiles).where(eq(profiles.demo, false)).all().map(({ id }) => id)

const noteProfile = (writer: Writer, id: string, at: number): void => {
  noteChange(writer, id, at, 'profile', 'profile')
}

const unused = { lastSignInAt: null, firebaseUid: null, firebaseUser: null }

/** Without an e-mail it belongs to nobody yet: the first who signs up takes it over, under its id and with its zone. */
export const createProfile = (writer: Writer, input: NewProfile): Result<Profile, 'email-taken'> => {
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

/** Creates a profile where there is none of its id, and gives the one that stands. */
export const ensureProfile = (writer: Writer, input: NewProfile): Profile => {
  const { orm } = writer
  if (orm.insert(profiles).values({ ...input, ...unused }).onConflictDoNothing().run().changes > 0) noteProfile(writer, input.id, input.createdAt)
  const kept = orm.select().from(profiles).where(eq(profiles.id, input.id)).get()
  if (kept === undefined) throw storeFault('internal', 'A profile that was just kept is not there')
  return kept
}

/** Changes what is given; throws `not-found` for an unknown profile. */
export const updateProfile = ({ orm }: Writer, { id, ...changes }: { readonly id: string } & Partial<Pick<Profile, 'displayName' | 'passwordHash' | 'recoveryHash' | 'lastSignInAt'>>): void => {
  if (Object.keys(changes).length === 0) return
  const done = orm.update(profiles).set(changes).where(eq(profiles.id, id)).run()
  if (done.changes === 0) throw storeFault('not-found', 'No such profile')
}

/** Null where it is unknown or ended before `at`. */
export const session = ({ orm }: Reader, { idHash, at }: { readonly idHash: string; readonly at: number }): Session | null =>
  orm.select().from(sessions).where(and(eq(sessions.idHash, idHash), gt(sessions.expiresAt, at))).get() ?? null

/** Whether a session that has not expired belongs to this key. */
export const knowsKey = ({ orm }: Reader, { keyHash, at }: { readonly keyHash: string; readonly at: number }): boolean =>
  orm.select({ idHash: sessions.idHash }).from(sessions).where(and(eq(sessions.keyHash, keyHash), gt(sessions.expiresAt, at))).get() !== undefined

/** Creates a session or replaces what is known of it. */
export const saveSession = ({ orm }: Writer, input: Session): void => {
  orm.insert(sessions).values(input).onConflictDoUpdate({ target: sessions.idHash, set: { userId: input.userId, expiresAt: input.expiresAt, endedBecause: input.endedBecause, keyHash: input.keyHash } }).run()
}

/** False where the session ended meanwhile: it stays ended. */
export const prolongSession = ({ orm }: Writer, { idHash, expiresAt }: Pick<Session, 'idHash' | 'expiresAt'>): boolean => orm.update(sessions).set({ expiresAt }).where(eq(sessions.idHash, idHash)).run().changes > 0

/** Gives a session the key with this hash; one that ended meanwhile stays ended. */
export const giveKey = ({ orm }: Writer, { idHash, keyHash }: { readonly idHash: string; readonly keyHash: string }): void => {
  orm.update(sessions).set({ keyHash }).where(eq(sessions.idHash, idHash)).run()
}

export const endSession = ({ orm }: Writer, { idHash }: { readonly idHash: string }): void => {
  orm.delete(sessions).where(eq(sessions.idHash, idHash)).run()
}

/** Ends every session of a user. */
export const endSessionsOf = ({ orm }: Writer, { userId }: OfUser): void => {
  orm.delete(sessions).where(eq(sessions.userId, userId)).run()
}

export const forgetExpired = ({ orm }: Writer, { at, oauthStatesBefore }: At & { readonly oauthStatesBefore: number }): void => {
  orm.delete(sessions).where(lte(sessions.expiresAt, at)).run()
  orm.delete(oauthStates).where(lt(oauthStates.createdAt, oauthStatesBefore)).run()
}

export const saveOauthState = ({ orm }: Writer, input: OauthState): void => {
  orm.insert(oauthStates).values(input).run()
}

/** The consent that this state began, which stays as it is; null for an unknown one. */
export const oauthState = ({ orm }: Reader, { state }: { readonly state: string }): OauthState | null => orm.select().from(oauthStates).where(eq(oauthStates.state, state)).get() ?? null

/** The consent that a user began last; null for none. */
export const lastOauthState = ({ orm }: Reader, { userId }: OfUser): OauthState | null =>
  orm.select().from(oauthStates).where(eq(oauthStates.userId, userId)).orderBy(desc(oauthStates.createdAt)).limit(1).get() ?? null

/** Takes a state out: a second call with the same state finds null. */
export const takeOauthState = ({ orm }: Writer, { state }: { readonly state: string }): OauthState | null => orm.delete(oauthStates).where(eq(oauthStates.state, state)).returning().get() ?? null
