import { and, count, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { SignedInUser } from '#shared/api/session.ts'
import { atomically, query, type Reader, type Writer } from '../db/database.ts'
import { emptyFreePages, oweFreePages } from '../db/free-pages.ts'
import { noteChange } from '../mirror/outbox.ts'
import type { Read, Write } from '../journal/part.ts'
import type { Profile } from '../db/rows.ts'
import { profiles, sessions } from '../db/schema/people.ts'

export const firebaseProfiles: Read<'firebaseProfiles'> = ({ orm }) =>
  orm.select({ id: profiles.id, firebaseUid: profiles.firebaseUid }).from(profiles).all().flatMap(({ id, firebaseUid }) => (firebaseUid === null ? [] : [{ id, firebaseUid }]))

export const sessionCount: Read<'sessionCount'> = ({ orm }, { userId, at }) =>
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

export const journalWaits: Read<'journalWaits'> = (reader, { email, at }) => waitingAt(reader, email, at) !== undefined

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

export const enterFirebaseUser: Write<'enterFirebaseUser'> = (writer, { user, newId, timeZone, at }): Profile => {
  const { orm } = writer
  const known = orm.select({ id: profiles.id }).from(profiles).where(ofFirebase(user.uid)).get()
  const id = known?.id ?? waitingFor(writer, user, at) ?? newProfile(writer, newId, user, timeZone, at)
  return orm.update(profiles).set({ firebaseUid: user.uid, firebaseUser: user, lastSignInAt: at }).where(eq(profiles.id, id)).returning().get()
}

export const tellFirebaseUser: Write<'tellFirebaseUser'> = ({ orm }, { user }) => {
  orm.update(profiles).set({ firebaseUser: user }).where(ofFirebase(user.uid)).run()
}

export const endSessionsBecause: Write<'endSessionsBecause'> = ({ orm }, { userId, because }) => {
  orm.update(sessions).set({ userId: null, endedBecause: because }).where(and(isNotNull(sessions.userId), eq(sessions.userId, userId))).run()
}

/** Deletes a user's rows; free pages of the file may still hold them. */
export const forgetUser: Write<'forgetUser'> = (writer, { userId }) => {
  const { database } = writer
  // Rows refer to each other across tables: what is left in the end must fit, not each step.
  database.pragma('defer_foreign_keys = ON')
  const tables = query<{ name: string }>(writer, "SELECT name FROM sqlite_schema AS one WHERE type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(one.name) WHERE name = 'user_id')").all()
  for (const { name } of tables) database.prepare(`DELETE FROM "${name}" WHERE user_id = ?`).run(userId)
  database.prepare('DELETE FROM profiles WHERE id = ?').run(userId)
}

/** Deletes a user's rows, and rewrites the file without their traces; not inside of a transaction. */
export const forgetForGood: Write<'forgetUser'> = (writer, input) => {
  const { name: file } = writer.database
  oweFreePages(file)
  atomically(writer, () => { forgetUser(writer, input) })
  emptyFreePages(file)
}
