import { and, count, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { SignedInUser, EndedBecause } from '#shared/api/session.ts'
import { atomically, query, type Reader, type Writer } from '../db/database.ts'
import { emptyFreePages, oweFreePages } from '../db/free-pages.ts'
import { noteChange } from '../mirror/outbox.ts'
import type { Profile, OfUser } from '../db/rows.ts'
import { profiles, sessions } from '../db/schema/people.ts'

/** Every profile that belongs to a user of Firebase. */
export const firebaseProfiles = ({ orm }: Reader): { id: string; firebaseUid: string }[] =>
  orm.select({ id: profiles.id, firebaseUid: profiles.firebaseUid }).from(profiles).all().flatMap(({ id, firebaseUid }) => (firebaseUid === null ? [] : [{ id, firebaseUid }]))

/** In how many browsers a user is signed in; `at` is UTC ms. */
export const sessionCount = ({ orm }: Reader, { userId, at }: OfUser & { readonly at: number }): number =>
  orm.select({ count: count() }).from(sessions).where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, at))).get()?.count ?? 0

const ofFirebase = (firebaseUid: string) => eq(profiles.firebaseUid, firebaseUid)
const onlyLocal = and(isNull(profiles.firebaseUid), eq(profiles.demo, false))

/** The journal of another user of the provider with this e-mail who is signed in nowhere here: an e-mail has one user there at a time, so that the other was deleted. */
const leftBy = (reader: Reader, email: string, at: number): { readonly id: string } | undefined =>
  reader.orm
    .select({ id: profiles.id, user: profiles.firebaseUser })
    .from(profiles)
    .where(isNotNull(profiles.firebaseUid))
    .orderBy(desc(profiles.lastSignInAt))
    .all()
    .find(({ id, user }) => user?.emailVerified === true && user.email?.toLowerCase() === email && sessionCount(reader, { userId: id, at }) === 0)

/** The journal that waits for whoever comes with this e-mail verified. */
const waitingAt = (reader: Reader, email: string, at: number): { readonly id: string } | undefined =>
  reader.orm.select({ id: profiles.id }).from(profiles).where(and(onlyLocal, eq(profiles.email, email.toLowerCase()))).get() ?? leftBy(reader, email.toLowerCase(), at)

/** Whether a journal is here that whoever comes with this e-mail continues, once the provider has verified it; `at` is UTC ms. */
export const journalWaits = (reader: Reader, { email, at }: { readonly email: string; readonly at: number }): boolean => waitingAt(reader, email, at) !== undefined

/** Whose journal somebody continues who comes for the first time. */
const waitingFor = (writer: Writer, { email, emailVerified }: SignedInUser, at: number): string | undefined => {
  const own = email !== null && emailVerified ? waitingAt(writer, email, at) : undefined
  return (own ?? writer.orm.select({ id: profiles.id }).from(profiles).where(and(onlyLocal, isNull(profiles.email))).get())?.id
}

const newProfile = (writer: Writer, id: string, user: SignedInUser, timeZone: string, createdAt: number): string => {
  const nothing = { email: null, displayName: '', passwordHash: null, recoveryHash: null, lastSignInAt: null }
  writer.orm.insert(profiles).values({ ...nothing, id, demo: false, timeZone, createdAt, firebaseUid: user.uid, firebaseUser: user }).run()
  noteChange(writer, id, createdAt, 'profile', 'profile')
  return id
}

/**
 * The profile of a user who signed in with Firebase, with what Firebase says of the user. Whoever comes for the first
 * time takes over the local profile of the same e-mail, where Firebase has verified that, or that of a user with this e-mail who was deleted there, or else the journal that
 * belongs to nobody yet, or else gets a new profile under `newId`.
 */
export const enterFirebaseUser = (writer: Writer, { user, newId, timeZone, at }: { readonly user: SignedInUser; readonly newId: string; readonly timeZone: string; readonly at: number }): Profile => {
  const { orm } = writer
  const known = orm.select({ id: profiles.id }).from(profiles).where(ofFirebase(user.uid)).get()
  const id = known?.id ?? waitingFor(writer, user, at) ?? newProfile(writer, newId, user, timeZone, at)
  return orm.update(profiles).set({ firebaseUid: user.uid, firebaseUser: user, lastSignInAt: at }).where(eq(profiles.id, id)).returning().get()
}

/** Keeps what Firebase says of a user of this computer; nothing happens where there is no such profile. */
export const tellFirebaseUser = ({ orm }: Writer, { user }: { readonly user: SignedInUser }): void => {
  orm.update(profiles).set({ firebaseUser: user }).where(ofFirebase(user.uid)).run()
}

/** Puts a user out of every browser; each keeps the reason until somebody signs in there. */
export const endSessionsBecause = ({ orm }: Writer, { userId, because }: OfUser & { readonly because: EndedBecause }): void => {
  orm.update(sessions).set({ userId: null, endedBecause: because }).where(and(isNotNull(sessions.userId), eq(sessions.userId, userId))).run()
}

/** Deletes a user's rows; free pages of the file may still hold them. */
export const forgetUser = (writer: Writer, { userId }: OfUser): void => {
  const { database } = writer
  // Rows refer to each other across tables: what is left in the end must fit, not each step.
  database.pragma('defer_foreign_keys = ON')
  const tables = query<{ name: string }>(writer, "SELECT name FROM sqlite_schema AS one WHERE type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(one.name) WHERE name = 'user_id')").all()
  for (const { name } of tables) database.prepare(`DELETE FROM "${name}" WHERE user_id = ?`).run(userId)
  database.prepare('DELETE FROM profiles WHERE id = ?').run(userId)
}

/** Deletes a profile and everything that is kept for it, and rewrites the file so that no free page holds any of it; not inside of a transaction. */
export const forgetForGood = (writer: Writer, input: OfUser): void => {
  const { name: file } = writer.database
  oweFreePages(file)
  atomically(writer, () => { forgetUser(writer, input) })
  emptyFreePages(file)
}
