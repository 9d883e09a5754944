import { and, count, eq, gt, lt, lte, ne } from 'drizzle-orm'
import { err, ok } from '#shared/base/result.ts'
import { storeFault } from './fault.ts'
import type { Read, Write } from './part.ts'
import { oauthStates, profiles, sessions, userSettings } from './schema/people.ts'

export const profile: Read<'profile'> = ({ orm }, { id }) => orm.select().from(profiles).where(eq(profiles.id, id)).get() ?? null

export const profileByEmail: Read<'profileByEmail'> = ({ orm }, { email }) => orm.select().from(profiles).where(eq(profiles.email, email)).get() ?? null

export const profileCount: Read<'profileCount'> = ({ orm }) => orm.select({ count: count() }).from(profiles).get()?.count ?? 0

export const createProfile: Write<'createProfile'> = ({ orm }, input) => {
  const made = { ...input, lastSignInAt: null }
  if (input.email !== null && orm.select({ id: profiles.id }).from(profiles).where(eq(profiles.email, input.email)).get() !== undefined) return err('email-taken')
  orm.insert(profiles).values(made).run()
  return ok(made)
}

export const ensureProfile: Write<'ensureProfile'> = ({ orm }, input) => {
  orm.insert(profiles).values({ ...input, lastSignInAt: null }).onConflictDoNothing().run()
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

export const saveSession: Write<'saveSession'> = ({ orm }, input) => {
  orm.insert(sessions).values(input).onConflictDoUpdate({ target: sessions.idHash, set: { userId: input.userId, expiresAt: input.expiresAt } }).run()
}

export const prolongSession: Write<'prolongSession'> = ({ orm }, { idHash, expiresAt }) => orm.update(sessions).set({ expiresAt }).where(eq(sessions.idHash, idHash)).run().changes > 0

export const endSession: Write<'endSession'> = ({ orm }, { idHash }) => {
  orm.delete(sessions).where(eq(sessions.idHash, idHash)).run()
}

export const endSessionsOf: Write<'endSessionsOf'> = ({ orm }, { userId, except = '' }) => {
  orm.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.idHash, except))).run()
}

export const forgetExpired: Write<'forgetExpired'> = ({ orm }, { at, oauthStatesBefore }) => {
  orm.delete(sessions).where(lte(sessions.expiresAt, at)).run()
  orm.delete(oauthStates).where(lt(oauthStates.createdAt, oauthStatesBefore)).run()
}

export const saveOauthState: Write<'saveOauthState'> = ({ orm }, input) => {
  orm.insert(oauthStates).values(input).run()
}

export const takeOauthState: Write<'takeOauthState'> = ({ orm }, { state }) => orm.delete(oauthStates).where(eq(oauthStates.state, state)).returning().get() ?? null

export const userSetting: Read<'userSetting'> = ({ orm }, { userId, key }) =>
  orm.select({ value: userSettings.value }).from(userSettings).where(and(eq(userSettings.userId, userId), eq(userSettings.key, key))).get()?.value ?? null

export const setUserSetting: Write<'setUserSetting'> = ({ orm }, { userId, key, value }) => {
  if (value === null) orm.delete(userSettings).where(and(eq(userSettings.userId, userId), eq(userSettings.key, key))).run()
  else orm.insert(userSettings).values({ userId, key, value }).onConflictDoUpdate({ target: [userSettings.userId, userSettings.key], set: { value } }).run()
}
