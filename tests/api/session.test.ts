import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { join, relative } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backupRoutes } from '#shared/api/backups.ts'
import { deleteCloudAccount, whoAmI } from '#shared/api/cloud.ts'
import { uploadPath } from '#shared/api/imports.ts'
import { journalFilePath } from '#shared/api/journal-file.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { mirrorStateRoutes } from '#shared/api/mirror-state.ts'
import { picturePath } from '#shared/api/pictures.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { startApp, startSharedApp } from '#tests/helpers/app.ts'
import type { App } from '#tests/helpers/app.ts'
import { serveLoopback } from '#tests/helpers/loopback.ts'
import type { Served } from '#tests/helpers/loopback.ts'

const password = 'correct horse'

let app: App
beforeAll(async () => { app = await startSharedApp({ passwords: 'as-shipped' }) })
afterAll(() => app.stop())

/** A browser that opened the program, and an e-mail that no other test uses. */
const newcomer = async () => {
  const browser = await app.newBrowser()
  return { browser, email: `ann-${new URL(browser.origin).port}-${browser.cookie().slice(-8).replaceAll(/\W/g, '')}@example.com`.toLowerCase() }
}

test('a fresh installation lists its sign-in options', async () => {
  const { browser } = app
  expect(await browser.call(sessionRoutes.session)).toEqual({
    currentUser: null, demo: false, identity: 'local', federated: [], endedBecause: null, secrets: 'file', demoOffered: true, brokerageReady: false, hasProfiles: false, recoveryCodeUnsaved: false, cloud: 'this-computer-only', timeZone: 'America/New_York', version: '0.0.0-test',
  })
})

test('signing up signs in, and shows the recovery code', async () => {
  const { browser, email } = await newcomer()
  const before = browser.cookie()
  const { currentUser, recoveryCode } = await browser.call(sessionRoutes.signUp, { body: { email: email.toUpperCase(), password, displayName: 'Ann' } })
  expect(recoveryCode).toMatch(/^([0-9A-Z]{4}-){4}[0-9A-Z]{4}$/)
  expect(currentUser).toMatchObject({ email, displayName: 'Ann', emailVerified: false, isAnonymous: false, tenantId: null })
  expect(browser.cookie()).not.toBe(before)
  expect(await browser.call(sessionRoutes.session)).toMatchObject({ currentUser: { uid: currentUser.uid }, demo: false, hasProfiles: true })
})

test('the cookie from before a sign-in is refused after it', async () => {
  const { browser, email } = await newcomer()
  const before = browser.cookie()
  await browser.signUp(email)
  expect(await browser.fail(sessionRoutes.signOut, { headers: { cookie: before } })).toMatchObject({ status: 401, code: 'no-session' })
})

test('stored passwords are hashed by scrypt at the intended cost', async () => {
  const { browser, email } = await newcomer()
  await browser.signUp(email)
  const journal = new Sqlite(join(app.dataDir, 'journal.db'), { readonly: true })
  const kept = journal.prepare('SELECT password_hash FROM profiles WHERE email = ?').pluck().get(email)
  journal.close()
  expect(kept).toMatch(/^scrypt\$32768\$8\$3\$/)
})

test('signing out leaves the browser known and without a user', async () => {
  const { browser, email } = await newcomer()
  await browser.signUp(email)
  await browser.call(sessionRoutes.signOut)
  expect((await browser.call(sessionRoutes.session)).currentUser).toBeNull()
  expect(await browser.fail(sessionRoutes.signOut)).toMatchObject({ status: 401, code: 'not-signed-in' })
  expect((await browser.call(sessionRoutes.signIn, { body: { email: ` ${email.toUpperCase()} `, password } })).currentUser.email).toBe(email)
})

test('an email address can sign up once, whatever its case', async () => {
  const { browser, email } = await newcomer()
  await browser.signUp(email)
  expect(await (await app.newBrowser()).fail(sessionRoutes.signUp, { body: { email: email.toUpperCase(), password } })).toMatchObject({ status: 409, code: 'email-taken' })
})

test('a password has at least six characters, counted as a reader sees them', async () => {
  const { browser, email } = await newcomer()
  for (const short of ['12345', '\u{1F600}'.repeat(5)]) {
    expect(await browser.fail(sessionRoutes.signUp, { body: { email, password: short } })).toMatchObject({ status: 400, code: 'password-too-short' })
  }
  expect(await browser.fail(sessionRoutes.signUp, { body: { email: 'no address', password } })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: 'email' }] })
  await browser.signUp(email, '123456')
})

test('a wrong password and an unknown email get the same answer in the same time', async () => {
  const { browser, email } = await newcomer()
  await browser.signUp(email)
  const stranger = await app.newBrowser()
  const timed = async (body: object) => {
    const startedAt = performance.now()
    const failure = await stranger.fail(sessionRoutes.signIn, { body })
    return { failure, ms: performance.now() - startedAt }
  }
  const wrong = [await timed({ email, password: 'wrong horse' }), await timed({ email, password: 'wrong horse' })]
  const unknown = [await timed({ email: 'bob@example.com', password }), await timed({ email: 'bob@example.com', password })]
  expect(unknown[0]?.failure).toEqual(wrong[0]?.failure)
  expect(wrong[0]?.failure).toMatchObject({ status: 401, code: 'wrong-credentials' })
  // Both derive one key; without that the unknown one would be some fifty times faster.
  const fastest = (times: { ms: number }[]): number => Math.min(...times.map(({ ms }) => ms))
  expect(fastest(unknown)).toBeGreaterThan(fastest(wrong) / 3)
})

test('guessing is slowed down, for an unknown email too, and locks nobody else out', async () => {
  const clock = { now: Date.UTC(2026, 10, 2, 15) }
  const { browser, newBrowser } = await startApp({ now: () => clock.now })
  const email = 'ann@example.com'
  await browser.signUp(email)
  const stranger = await newBrowser()
  for (const guessed of [email, 'nobody@example.com']) {
    const codes = []
    for (let guess = 0; guess < 6; guess += 1) codes.push((await stranger.fail(sessionRoutes.signIn, { body: { email: guessed, password: `wrong ${String(guess)}` } })).code)
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'wrong-credentials'), 'too-many-attempts'])
  }
  const locked = await stranger.fail(sessionRoutes.signIn, { body: { email, password } })
  expect(locked).toMatchObject({ status: 429, code: 'too-many-attempts', retryAfterMs: 180_000 })
  await stranger.signUp('carl@example.com')
  // Whoever knows the password, in a browser of their own, is not held up by that.
  for (let made = 0; made < 45; made += 1) await stranger.fail(sessionRoutes.signIn, { body: { email: `made-up-${String(made)}@example.com`, password } })
  expect((await (await newBrowser()).call(sessionRoutes.signIn, { body: { email, password } })).currentUser.email).toBe(email)
  clock.now += 180_000
  expect((await stranger.call(sessionRoutes.signIn, { body: { email, password } })).currentUser.email).toBe(email)
})

test('guessing at recovery codes is slowed down too', { tags: 'long' }, async () => {
  const { browser, email } = await newcomer()
  await browser.signUp(email)
  const codes = []
  for (let guess = 0; guess < 6; guess += 1) codes.push((await browser.fail(sessionRoutes.resetPassword, { body: { email, recoveryCode: `AAAA-${String(guess)}`, newPassword: 'another horse' } })).code)
  expect(codes).toEqual([...Array.from({ length: 5 }, () => 'wrong-recovery-code'), 'too-many-attempts'])
})

test('a recovery code, however it is typed, sets a new password, and works until the next code is confirmed', { tags: 'long' }, async () => {
  const { browser, email } = await newcomer()
  const { recoveryCode } = await browser.signUp(email)
  const other = await app.newBrowser()
  const typed = ` ${recoveryCode.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `
  const { recoveryCode: next } = await other.call(sessionRoutes.resetPassword, { body: { email, recoveryCode: typed, newPassword: 'battery staple' } })
  expect(next).not.toBe(recoveryCode)
  // Whoever was signed in with the old password is out.
  expect(await browser.fail(sessionRoutes.session)).toMatchObject({ status: 401 })
  expect(await other.fail(sessionRoutes.signIn, { body: { email, password } })).toMatchObject({ code: 'wrong-credentials' })
  // The browser was signed out: the code itself is the proof.
  await other.call(sessionRoutes.confirmRecoveryCode, { body: { email, recoveryCode: next } })
  expect(await other.fail(sessionRoutes.resetPassword, { body: { email, recoveryCode, newPassword: 'again again' } })).toMatchObject({ status: 401, code: 'wrong-recovery-code' })
  expect(await other.fail(sessionRoutes.resetPassword, { body: { email, recoveryCode: next, newPassword: 'short' } })).toMatchObject({ code: 'password-too-short' })
  await other.call(sessionRoutes.signIn, { body: { email, password: 'battery staple' } })
  await other.call(sessionRoutes.resetPassword, { body: { email, recoveryCode: next, newPassword: 'third horse' } })
})

test('a recovery code is renewed with the password, and the page shows it until it is confirmed', { tags: 'long' }, async () => {
  const { browser, email } = await newcomer()
  const { recoveryCode: first } = await browser.signUp(email)
  const unsaved = async () => (await browser.call(sessionRoutes.session)).recoveryCodeUnsaved
  expect(await unsaved()).toBe(true)
  await browser.call(sessionRoutes.confirmRecoveryCode, { body: { email, recoveryCode: first } })
  expect(await unsaved()).toBe(false)
  expect(await browser.fail(sessionRoutes.renewRecoveryCode, { body: { password: 'wrong horse' } })).toMatchObject({ status: 401, code: 'wrong-credentials' })
  const { recoveryCode } = await browser.call(sessionRoutes.renewRecoveryCode, { body: { password } })
  expect([recoveryCode === first, await unsaved()]).toEqual([false, true])
  expect(await browser.call(sessionRoutes.renewRecoveryCode, { body: { password } })).toEqual({ recoveryCode })
  await browser.call(sessionRoutes.confirmRecoveryCode, { body: { email, recoveryCode: recoveryCode.toLowerCase() } })
  expect(await unsaved()).toBe(false)
  await browser.call(sessionRoutes.signInDemo)
  expect(await browser.fail(sessionRoutes.renewRecoveryCode, { body: { password } })).toMatchObject({ code: 'not-offered' })
})

test('a reset in the signed-in browser leaves that browser known', { tags: 'long' }, async () => {
  const { browser, email } = await newcomer()
  const { recoveryCode } = await browser.signUp(email)
  await browser.call(sessionRoutes.resetPassword, { body: { email, recoveryCode, newPassword: 'battery staple' } })
  expect((await browser.call(sessionRoutes.session)).currentUser).toBeNull()
  await browser.call(sessionRoutes.signIn, { body: { email, password: 'battery staple' } })
})

test('there is one demo profile, and it is no local profile', async () => {
  const { browser, newBrowser } = await startApp()
  const other = await newBrowser()
  // Both at once, while there is no demo profile yet.
  const [{ currentUser }, second] = await Promise.all([browser.call(sessionRoutes.signInDemo), other.call(sessionRoutes.signInDemo)])
  expect(currentUser).toMatchObject({ uid: 'demo', email: null, isAnonymous: true, providerData: [] })
  expect(await browser.call(sessionRoutes.session)).toMatchObject({ demo: true, hasProfiles: false })
  expect(second.currentUser.metadata.creationTime).toBe(currentUser.metadata.creationTime)
})

test('without the demo there is no demo profile', { tags: 'long' }, async () => {
  const { browser } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  expect((await browser.call(sessionRoutes.session)).demoOffered).toBe(false)
  expect(await browser.fail(sessionRoutes.signInDemo)).toMatchObject({ status: 404, code: 'not-found' })
})

test('features of an identity provider are not offered', async () => {
  const { browser, email } = await newcomer()
  await browser.signUp(email)
  const link = 'https://example.com/?mode=signIn&oobCode=1'
  for (const failed of [
    await browser.fail(sessionRoutes.mailPasswordReset, { body: { email } }),
    await browser.fail(sessionRoutes.mailSignInLink, { body: { email } }),
    await browser.fail(sessionRoutes.signInByLink, { body: { email, link } }),
    await browser.fail(sessionRoutes.beginFederated, { body: { provider: 'google' } }),
    await browser.fail(sessionRoutes.endFederated, { body: { attempt: 'any' } }),
    await browser.fail(sessionRoutes.mailVerification),
    await browser.fail(sessionRoutes.reloadUser),
  ]) {
    expect(failed).toMatchObject({ status: 409, code: 'not-offered' })
  }
  expect(await browser.call(sessionRoutes.passwordPolicy)).toEqual({ minLength: 6, maxLength: null, lowercase: false, uppercase: false, digit: false, symbol: false })
})

/** Files of a folder that contain a text. */
const filesIn = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    try {
      return entry.isFile() && readFileSync(path).includes(text) ? [relative(folder, path)] : []
    } catch (error) {
      // The demo's cloud removes files of its own meanwhile.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
  })
const filesWith = (text: string): string[] => filesIn(app.dataDir, text)

test('deleting the account needs the password, and deletes everything stored', { tags: 'long' }, async () => {
  const { browser, email } = await newcomer()
  const { userId } = await browser.signUp(email)
  const trade = { id: 'hand-1', symbol: 'MESZ6', qty: 2, entryPrice: 5_000, exitPrice: 5_010.25, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' }
  await browser.call(recordRoutes.addTrade, { body: { userId, trade } })
  const other = await app.newBrowser()
  await other.call(sessionRoutes.signIn, { body: { email, password } })
  const events = await other.events()
  expect(await browser.fail(sessionRoutes.deleteAccount, { body: {} })).toMatchObject({ status: 401, code: 'recent-login-needed' })
  expect(await browser.fail(sessionRoutes.deleteAccount, { body: { password: 'wrong horse' } })).toMatchObject({ status: 401, code: 'wrong-credentials' })
  expect((await app.backend.totals(userId)).pairs).toBe(1)
  await browser.call(backupRoutes.makeBackup)
  expect(filesWith(email)).toContain('journal.db-wal')
  await browser.call(sessionRoutes.deleteAccount, { body: { password } })
  await events.next('signed-out')
  // To the last byte: in no free page, no log, no backup and no file beside them.
  expect([filesWith(email), filesWith(userId)]).toEqual([[], []])
  expect((await browser.call(sessionRoutes.session)).currentUser).toBeNull()
  expect(await other.fail(sessionRoutes.session)).toMatchObject({ code: 'no-session' })
  expect((await app.backend.totals(userId)).pairs).toBe(0)
  expect(await browser.fail(sessionRoutes.signIn, { body: { email, password } })).toMatchObject({ code: 'wrong-credentials' })
  expect((await browser.signUp(email)).userId).not.toBe(userId)
})

test('the demo profile is removed with all its data, leaves other profiles alone, and starts fresh', { tags: 'long' }, async () => {
  const it = await startApp()
  const { userId: real } = await it.browser.signUp('ann@example.com')
  const { currentUser } = await it.browser.call(sessionRoutes.signInDemo)
  const trade = { id: 'hand-1', symbol: 'MESZ6', qty: 2, entryPrice: 5_000, exitPrice: 5_010.25, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z', notes: 'only in the demo' }
  await it.browser.call(recordRoutes.addTrade, { body: { userId: 'demo', trade } })
  const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=', 'base64')
  expect((await fetch(new URL(picturePath, it.browser.origin), { method: 'POST', body: picture, headers: { ...it.browser.own(), 'content-type': 'application/octet-stream' } })).status).toBe(200)
  await it.browser.call(backupRoutes.makeBackup)
  const holding = (text: string) => filesIn(it.dataDir, text)
  const pictures = () => readdirSync(join(it.dataDir, 'pictures'))
  expect([holding('only in the demo').length > 1, pictures()]).toEqual([true, ['demo']])
  await it.browser.call(sessionRoutes.deleteAccount, { body: {} })
  expect([holding('only in the demo'), pictures(), readdirSync(join(it.dataDir, 'leaving'))]).toEqual([[], [], []])
  expect(await it.browser.call(sessionRoutes.session)).toMatchObject({ currentUser: null, hasProfiles: true })
  const again = await it.browser.call(sessionRoutes.signInDemo)
  expect([again.currentUser.uid, again.currentUser.metadata.creationTime > currentUser.metadata.creationTime, (await it.backend.totals('demo')).pairs, real === 'demo']).toEqual(['demo', true, 0, false])
  await it.browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password } })
})

test('calls in progress while the account is deleted leave nothing behind', { tags: 'long' }, async () => {
  const { browser, email } = await newcomer()
  const { userId } = await browser.signUp(email)
  const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=', 'base64')
  const trade = Buffer.from(JSON.stringify({ userId, trade: { id: 'late', symbol: 'MESZ6', qty: 1, entryPrice: 1, exitPrice: 2, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' } }))
  /** Sends half of a body, and the rest once it is called: gives the status. */
  const begin = async (path: string, content: Buffer, type = 'application/octet-stream'): Promise<() => Promise<number>> => {
    const sent = request(new URL(path, browser.origin), { method: 'POST', agent: false, headers: { ...browser.own(), 'content-type': type, 'content-length': content.length } })
    const answered = once(sent, 'response').then(([answer]) => (answer as IncomingMessage).resume().statusCode ?? 0)
    sent.write(content.subarray(0, 20))
    await once(sent, 'socket')
    return () => {
      sent.end(content.subarray(20))
      return answered
    }
  }
  const ends = [
    await begin(picturePath, picture),
    await begin(recordRoutes.addTrade.path, trade, 'application/json'),
    await begin(`${uploadPath}?name=a.csv`, Buffer.from('x'.repeat(100))),
    await begin(journalFilePath, Buffer.from('x'.repeat(100))),
  ]
  await expect.poll(() => ['imports', 'journal-files'].map((name) => existsSync(join(app.dataDir, name, userId)))).toEqual([true, true])
  await browser.call(sessionRoutes.deleteAccount, { body: { password } })
  for (const end of ends) expect(await end()).toBe(401)
  expect([filesWith(email), filesWith(userId)]).toEqual([[], []])
  expect(readdirSync(app.dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes(userId))).toEqual([])
})

test('while an account is deleted in the cloud its journal is not mirrored, whatever its other windows request; if the deletion fails, mirroring resumes', { tags: 'long' }, async () => {
  const deleting = Promise.withResolvers<Served>()
  const asked: string[] = []
  const { url } = await serveLoopback(({ path }) => {
    asked.push(path)
    if (path === '/dev/token') return { json: { token: 'token' } }
    if (path === whoAmI.path) return { json: { userId: 'in-cloud' } }
    return path === deleteCloudAccount.path ? deleting.promise : { status: 503, json: { success: false, code: 'internal', error: 'internal' } }
  })
  const alone = await startApp({ env: { FILLBOOK_CLOUD_URL: url } })
  const email = 'ann@example.com'
  await alone.browser.signUp(email)
  const other = await alone.newBrowser()
  await other.call(sessionRoutes.signIn, { body: { email, password } })
  const state = async () => (await other.call(mirrorStateRoutes.mirrorState)).state
  await expect.poll(state, { timeout: 30_000 }).toBe('offline')
  const failed = alone.browser.fail(sessionRoutes.deleteAccount, { body: { password } })
  await expect.poll(() => asked.includes(deleteCloudAccount.path), { timeout: 30_000 }).toBe(true)
  expect(await state()).toBe('this-computer-only')
  expect(asked.slice(asked.indexOf(deleteCloudAccount.path)).filter((path) => path.startsWith('/api/mirror/'))).toEqual([])
  deleting.resolve({ status: 503, json: { success: false, code: 'internal', error: 'internal' } })
  expect(await failed).toMatchObject({ status: 502 })
  await expect.poll(state, { timeout: 30_000 }).toBe('offline')
})
