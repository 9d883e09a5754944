import { expect, test } from 'vitest'
import { recordRoutes } from '#shared/api/journal.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import type { FaultRow } from '../../build/fault-rows.ts'
import { startApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { fault } from '../helpers/fault.ts'
import { emulatorToken, firebasePaths } from '../helpers/firebase-at.ts'
import { password } from '../helpers/firebase-people.ts'
import { serveLoopback, type Served } from '../helpers/loopback.ts'
import { words } from '../helpers/words.ts'

const tags = ['long', 'fault']
const email = 'ann@example.com'
const well: Readonly<Record<string, Served>> = {
  [firebasePaths.signIn]: { json: { idToken: emulatorToken('ann'), refreshToken: 'refresh', expiresIn: '3600', localId: 'ann' } },
  [firebasePaths.lookup]: { json: { users: [{ localId: 'ann', email, emailVerified: true, createdAt: '1', lastLoginAt: '1', providerUserInfo: [{ providerId: 'password', rawId: email }] }] } },
}

/** The program with somebody signed in, and an identity provider whose answers the test chooses. */
const begin = async () => {
  const provider: { answer: (path: string) => Served | Promise<Served> } = { answer: (path) => well[path] ?? { status: 404, json: { error: { code: 404, message: 'NOT_FOUND' } } } }
  const { url } = await serveLoopback(({ path }) => provider.answer(path))
  const app = await startApp({ env: { FILLBOOK_FIREBASE_API_KEY: 'key', FILLBOOK_FIREBASE_PROJECT_ID: 'demo-fillbook', FILLBOOK_FIREBASE_EMULATOR_URL: url } })
  const { currentUser } = await app.browser.call(sessionRoutes.signIn, { body: { email, password } })
  return { app, provider, userId: currentUser.uid, browser: app.browser }
}

const add = (browser: Browser, userId: string, id: string): Promise<unknown> =>
  browser.call(recordRoutes.addTrade, { body: { userId, trade: { id, symbol: 'MESZ6', qty: 1, entryPrice: 6700, exitPrice: 6701, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' } } })
const idsOf = async (browser: Browser, userId: string): Promise<string[]> => (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.map(({ id }) => id).toSorted()

const answers: Readonly<Partial<Record<FaultRow, readonly Served[]>>> = {
  'identity-down': ['cut', { status: 503, json: { error: { code: 503, message: 'BACKEND_ERROR' } } }, { status: 500, text: '' }],
  'identity-rubbish': [{ text: '<!doctype html><title>Welcome to our network</title>', headers: { 'content-type': 'text/html' } }, { text: '{"idToken":"eyJ' }, { json: [] }, { json: { idToken: 17, localId: null } }, { status: 400, json: { error: 'no' } }],
}

test.for(Object.entries(answers))('%s: a signed-in user stays signed in and keeps working, a new sign-in is refused with a reason, and succeeds later', { tags }, async ([row, served], { task }) => {
  const count = fault(task, row as FaultRow)
  const { app, provider, userId, browser } = await begin()
  const { answer } = provider
  const ids: string[] = []
  for (const [index, one] of served.entries()) {
    provider.answer = () => one
    const failed = await (await app.newBrowser()).fail(sessionRoutes.signIn, { body: { email, password } })
    count.tried()
    count.sees(words('problems', `code.${failed.code}`))
    expect(['network-request-failed', 'internal-error']).toContain(failed.code)
    const id = `t${String(index)}`
    await add(browser, userId, id)
    ids.push(id)
    expect(await browser.call(sessionRoutes.session)).toMatchObject({ currentUser: { uid: userId }, endedBecause: null })
  }
  provider.answer = answer
  const other = await app.newBrowser()
  expect((await other.call(sessionRoutes.signIn, { body: { email, password } })).currentUser.uid).toBe(userId)
  count.compare(await idsOf(other, userId), ids)
  expect(await idsOf(other, userId)).toEqual(ids)
})

test('identity-slow: only a sign-in waits for the answer', { tags }, async ({ task }) => {
  const count = fault(task, 'identity-slow')
  const { app, provider, userId, browser } = await begin()
  const { answer } = provider
  const asked = Promise.withResolvers<undefined>()
  const gate = Promise.withResolvers<undefined>()
  provider.answer = async (path) => {
    asked.resolve(undefined)
    await gate.promise
    return answer(path)
  }
  const other = await app.newBrowser()
  const entering = other.call(sessionRoutes.signIn, { body: { email, password } })
  await asked.promise
  for (const id of ['t0', 't1']) await add(browser, userId, id)
  expect(await idsOf(browser, userId)).toEqual(['t0', 't1'])
  count.tried()
  gate.resolve(undefined)
  expect((await entering).currentUser.uid).toBe(userId)
  count.compare(await idsOf(other, userId), ['t0', 't1'])
  // Only the button shows that it waits.
  count.says(words('auth', 'sign-in.submit'))
})
