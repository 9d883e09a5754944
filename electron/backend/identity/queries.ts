import { and, count, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { SignedInUser, EndedBecause } from '#shared/api/session.ts'
import type { Reader, Writer } from '../db/database.ts'
import { queueChange } from '../db/outbox.ts'
import type { Profile, OfUser } from '../db/rows.ts'
import { profiles, sessions } from '../db/schema/people.ts'

/** All profiles of Firebase users. */
export const firebaseProfiles = ({ orm }: Reader): { id: string; firebaseUid: string }[] =>
  orm.select({ id: profiles.id, firebaseUid: profiles.firebaseUid }).from(profiles).all().flatMap(({ id, firebaseUid }) => (firebaseUid === null ? [] : [{ id, firebaseUid }]))

/** Counts the browsers in which a user is signed in; `at` is UTC ms. */
export const sessionCount = ({ orm }: Reader, { userId, at }: OfUser & { readonly at: number }): number =>
  orm.select({ count: count() }).from(sessions).where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, at))).get()?.count ?? 0

const ofFirebase = (firebaseUid: string) => eq(profiles.firebaseUid, firebaseUid)
const onlyLocal = and(isNull(profiles.firebaseUid), eq(profiles.demo, false))

/** The journal of another Firebase user with this email and no session here. An email has one Firebase user at a time, so the other user was deleted. */
const journalOfDeletedUser = (reader: Reader, email: string, at: number): { readonly id: string } | undefined =>
  reader.orm
    .select({ id: profiles.id, user: profiles.firebaseUser })
    .from(profiles)
    .where(isNotNull(profiles.firebaseUid))
    .orderBy(desc(profiles.lastSignInAt))
    .all()
    .find(({ id, user }) => user?.emailVerified === true && user.email?.toLowerCase() === email && sessionCount(reader, { userId: id, at }) === 0)

/** The journal that the next user with this verified email continues. */
const journalForEmail = (reader: Reader, email: string, at: number): { readonly id: string } | undefined =>
  reader.orm.select({ id: profiles.id }).from(profiles).where(and(onlyLocal, eq(profiles.email, email.toLowerCase()))).get() ?? journalOfDeletedUser(reader, email.toLowerCase(), at)

/** Whether a local journal waits for this email to be verified; `at` is UTC ms. */
export const hasWaitingJournal = (reader: Reader, { email, at }: { readonly email: string; readonly at: number }): boolean => journalForEmail(reader, email, at) !== undefined

/** The journal that a new Firebase user continues: one for the verified email, or an unclaimed one. */
const journalForNewUser = (writer: Writer, { email, emailVerified }: SignedInUser, at: number): string | undefined => {
  const own = email !== null && emailVerified ? journalForEmail(writer, email, at) : undefined
  return (own ?? writer.orm.select({ id: profiles.id }).from(profiles).where(and(onlyLocal, isNull(profiles.email))).get())?.id
}

const newProfile = (writer: Writer, id: string, user: SignedInUser, timeZone: string, createdAt: number): string => {
  const nothing = { email: null, displayName: '', passwordHash: null, recoveryHash: null, lastSignInAt: null }
  writer.orm.insert(profiles).values({ ...nothing, id, demo: false, timeZone, createdAt, firebaseUid: user.uid, firebaseUser: user }).run()
  queueChange(writer, id, createdAt, 'profile', 'profile')
  return id
}

/**
 * Returns the profile of a Firebase user who just signed in and stores Firebase's user record. A new user takes over,
 * in this order: the local profile with the same verified email, the journal of a deleted Firebase user with that
 * email, an unclaimed journal, or a new profile with `newId`.
 */
export const enterFirebaseUser = (writer: Writer, { user, newId, timeZone, at }: { readonly user: SignedInUser; readonly newId: string; readonly timeZone: string; readonly at: number }): Profile => {
  const { orm } = writer
  const known = orm.select({ id: profiles.id }).from(profiles).where(ofFirebase(user.uid)).get()
  const id = known?.id ?? journalForNewUser(writer, user, at) ?? newProfile(writer, newId, user, timeZone, at)
  return orm.update(profiles).set({ firebaseUid: user.uid, firebaseUser: user, lastSignInAt: at }).where(eq(profiles.id, id)).returning().get()
}

/** Saves Firebase's user record; does nothing if the user has no profile. */
export const updateFirebaseUser = ({ orm }: Writer, { user }: { readonly user: SignedInUser }): void => {
  orm.update(profiles).set({ firebaseUser: user }).where(ofFirebase(user.uid)).run()
}

/** Signs a user out of every browser; each session keeps the reason until the next sign-in. */
export const endSessionsBecause = ({ orm }: Writer, { userId, because }: OfUser & { readonly because: EndedBecause }): void => {
  orm.update(sessions).set({ userId: null, endedBecause: because }).where(and(isNotNull(sessions.userId), eq(sessions.userId, userId))).run()
}
