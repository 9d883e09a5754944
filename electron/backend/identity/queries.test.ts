import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { SignedInUser } from '#shared/api/session.ts'
import { fill, monday, openEmptyStore, openStore, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'

const signedIn = (uid: string, email: string | null, emailVerified: boolean): SignedInUser => ({
  uid, email, emailVerified, displayName: null, photoURL: null, phoneNumber: null, isAnonymous: false, tenantId: null,
  providerData: [{ providerId: 'password', uid: email ?? uid }],
  metadata: { creationTime: '2026-01-05T15:00:00.000Z', lastSignInTime: '2026-01-05T15:00:00.000Z' },
})
const enter = ({ write }: TestStore, who: SignedInUser) => write.enterFirebaseUser({ user: who, newId: who.uid, timeZone: 'UTC', at: monday })

describe('a Firebase user', () => {
  test('gets a profile with the Firebase uid, and the same one at each sign-in', () => {
    const store = openEmptyStore()
    expect(enter(store, signedIn('f1', 'new@example.org', false))).toMatchObject({ id: 'f1', email: null, firebaseUid: 'f1', timeZone: 'UTC', lastSignInAt: monday })
    expect(enter(store, signedIn('f1', 'changed@example.org', true))).toMatchObject({ id: 'f1', firebaseUser: { email: 'changed@example.org' } })
    expect(store.read.firebaseProfiles()).toEqual([{ id: 'f1', firebaseUid: 'f1' }])
    expect(store.read.profileCount()).toBe(2)
  })

  test('takes over the local profile with the same verified email', () => {
    const store = openEmptyStore()
    expect(enter(store, signedIn('f1', 'A@example.org', true))).toMatchObject({ id: user.userId, email: 'a@example.org', firebaseUid: 'f1', timeZone: 'America/New_York' })
  })

  test('continues the journal of a deleted Firebase user with the same verified email and no session here', () => {
    const store = openEmptyStore()
    const gone = enter(store, signedIn('f1', 'A@example.org', true)).id
    const session = { idHash: 'one', userId: gone, createdAt: monday, expiresAt: monday + 1_000, endedBecause: null, keyHash: null }
    store.write.saveSession(session)
    const waits = (email: string) => store.read.hasWaitingJournal({ email, at: monday })
    expect([waits('a@example.org'), enter(store, signedIn('f2', 'a@example.org', true)).id]).toEqual([false, 'f2'])
    store.write.endSessionsBecause({ userId: gone, because: 'user-token-expired' })
    expect([waits('A@Example.org'), waits('b@example.org')]).toEqual([true, false])
    expect(enter(store, signedIn('f3', 'a@example.org', false)).id).toBe('f3')
    store.write.saveSession({ ...session, idHash: 'two', userId: 'f2' })
    expect(enter(store, signedIn('f4', 'a@example.org', true))).toMatchObject({ id: gone, firebaseUid: 'f4' })
  })

  test('does not continue a journal whose email was never verified', () => {
    const store = openEmptyStore()
    enter(store, signedIn('f1', 'b@example.org', false))
    expect([store.read.hasWaitingJournal({ email: 'b@example.org', at: monday }), enter(store, signedIn('f2', 'b@example.org', true)).id]).toEqual([false, 'f2'])
  })

  test('gets a separate profile while the email is unverified', () => {
    const store = openEmptyStore()
    expect(enter(store, signedIn('f1', 'a@example.org', false)).id).toBe('f1')
    expect(store.read.profile({ id: user.userId })?.firebaseUid).toBeNull()
  })

  test('takes over an unclaimed journal, but not the demo or another Firebase user\'s', () => {
    const store = openEmptyStore()
    const nobody = { email: null, displayName: '', passwordHash: null, recoveryHash: null, timeZone: 'UTC', createdAt: monday }
    store.write.ensureProfile({ ...nobody, id: 'demo', demo: true })
    expect(enter(store, signedIn('f1', null, false)).id).toBe('f1')
    store.write.createProfile({ ...nobody, id: 'imported', demo: false })
    expect(enter(store, signedIn('f2', null, false)).id).toBe('imported')
    expect(store.write.createProfile({ ...nobody, id: 'u9', email: 'b@example.org', demo: false })).toMatchObject({ ok: true, value: { id: 'u9' } })
  })
})

test('sessions that the provider ended keep the reason, and other sessions keep their user', () => {
  const store = openEmptyStore()
  const other = enter(store, signedIn('f1', null, false)).id
  const session = (idHash: string, userId: string) => ({ idHash, userId, createdAt: monday, expiresAt: monday + 1_000, endedBecause: null, keyHash: null })
  store.write.saveSession(session('one', user.userId))
  store.write.saveSession(session('two', other))
  store.write.endSessionsBecause({ ...user, because: 'user-disabled' })
  expect(store.read.session({ idHash: 'one', at: monday })).toMatchObject({ userId: null, endedBecause: 'user-disabled' })
  expect(store.read.session({ idHash: 'two', at: monday })).toMatchObject({ userId: other, endedBecause: null, keyHash: null })
  expect([store.read.sessionCount({ ...user, at: monday }), store.read.sessionCount({ userId: other, at: monday }), store.read.sessionCount({ userId: other, at: monday + 1_000 })]).toEqual([0, 1, 0])
})

test('forgetting a user deletes the rows of every table and no other user\'s', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6_000), fill(2, 'sell', 1, 6_001))
  store.write.saveSession({ idHash: 'one', userId: user.userId, createdAt: monday, expiresAt: monday + 1_000, endedBecause: null, keyHash: null })
  const other = enter(store, signedIn('f1', null, false)).id
  store.write.addFinance({ userId: other, at: monday, finance: { id: 'kept', type: 'earning', amount: 1, name: 'Payout', balance: 0, platform: '', firm: null } })
  const tables = store.writer.database.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all().map(({ name }) => name)
  const ownedBy = (userId: string) => tables.filter((table) => rowsOf(store, table).some((row) => Object.values(row as object).includes(userId)))
  const before = ownedBy(other)
  expect(ownedBy(user.userId).length).toBeGreaterThan(8)
  await store.write.deleteUser(user)
  for (const part of ['', '-wal']) expect(readFileSync(store.file + part).includes('EVAL-101'), part).toBe(false)
  expect(ownedBy(user.userId)).toEqual([])
  expect(ownedBy(other)).toEqual(before)
  expect(store.writer.database.pragma('foreign_key_check')).toEqual([])
})
