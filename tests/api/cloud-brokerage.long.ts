/** @module-tag long */

import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { TestBroker } from '#tests/demo-broker/broker.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { mirrorStateRoutes } from '#shared/api/mirror-state.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { startApp } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { devUserId, startCloud, type RunningCloud } from '#tests/helpers/cloud.ts'
import { connect, decide, startBroker } from '#tests/helpers/own-broker.ts'
import { startPostgres, type PostgresServer } from '#tests/helpers/postgres.ts'

const { tradovate, connectedAccounts } = brokerageRoutes

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

const cloudOn = async (databaseUrl: string, broker: TestBroker | null, port = 0): Promise<RunningCloud> => {
  const application: Record<string, string> =
    broker === null ? {} : { FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID: broker.clientId, FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET: broker.clientSecret, FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL: broker.origins.tokenUrls[0] }
  // These tests are not about plans: their user passes all gates, in the cloud and so here.
  const cloud = await startCloud({ databaseUrl, port, env: { ...application, FILLBOOK_CLOUD_ADMIN_USER_ID: devUserId('ann@example.com') } })
  onTestFinished(async () => { await cloud.stop() })
  return cloud
}

/** A brokerage, a cloud that has the application's secret, and a program that has none. */
const setUp = async () => {
  const { broker } = await startBroker()
  const { consentUrl, liveApi, demoApi } = broker.origins
  const databaseUrl = await server.newDatabase()
  const cloud = await cloudOn(databaseUrl, broker)
  // No address for tokens is set here: what comes back can only have come by the cloud.
  const app = await startApp({ gates: 'as-the-cloud-says', env: { FILLBOOK_CLOUD_URL: cloud.url, FILLBOOK_TRADOVATE_AUTHORIZE_URL: consentUrl, FILLBOOK_TRADOVATE_LIVE_URL: liveApi, FILLBOOK_TRADOVATE_DEMO_URL: demoApi } })
  return { broker, cloud, databaseUrl, ...app }
}

const synced = async (browser: Browser): Promise<SyncReceipt> => {
  const events = await browser.events()
  await browser.call(syncRoutes.syncNow)
  const { receipt } = await events.next('sync-ended')
  events.close()
  return receipt
}
const loginsIn = (dataDir: string): unknown[] => {
  const journal = new Sqlite(join(dataDir, 'journal.db'), { readonly: true })
  const names = journal.prepare('SELECT name FROM logins').pluck().all()
  journal.close()
  return names
}
const health = (browser: Browser, userId: string) => browser.call(tradovate, { body: { userId, action: 'checkTokenHealth' } })

test("an account is connected and its token renewed by the cloud's application; its secret never comes to this computer", async () => {
  const { broker, cloud, browser, dataDir } = await setUp()
  const { userId } = await browser.signUp()
  expect((await browser.call(sessionRoutes.session)).brokerageReady).toBe(true)
  const events = await browser.events()
  expect(await connect(browser, userId, 'ben.keller')).toMatchObject({ success: true, tokens: { access_token: 'kept-by-fillbook' } })
  expect((await events.next('sync-ended')).receipt).toMatchObject({ trigger: 'connect', outcome: 'complete', accounts: 2 })
  events.close()

  const swaps = (): number => broker.traffic.seen().filter(({ path }) => path.endsWith('/oauthtoken')).length
  expect(swaps()).toBe(1)
  broker.sessions.killAccess('ben.keller')
  expect(await synced(browser)).toMatchObject({ outcome: 'complete', troubles: [] })
  expect(swaps()).toBe(2)
  expect(await health(browser, userId)).toMatchObject({ needsReauth: false })

  const files = globSync('**/*', { cwd: dataDir }).filter((file) => statSync(join(dataDir, file)).isFile())
  expect(files).toContain('journal.db')
  expect(files.filter((file) => readFileSync(join(dataDir, file)).includes(broker.clientSecret))).toEqual([])
  expect(cloud.stderr()).not.toContain(broker.clientSecret)
})

test('an unreachable cloud expires no login; two refusals of the brokerage do, in its words', async () => {
  const { broker, cloud, databaseUrl, browser } = await setUp()
  const { userId } = await browser.signUp()
  const events = await browser.events()
  await connect(browser, userId, 'ben.keller')
  await events.next('sync-ended')
  events.close()

  await cloud.stop()
  broker.sessions.killAccess('ben.keller')
  expect((await synced(browser)).outcome).not.toBe('complete')
  expect(await health(browser, userId)).toMatchObject({ needsReauth: false, expiredAccounts: [] })
  expect((await browser.call(sessionRoutes.session)).brokerageReady).toBe(true)
  expect(await browser.fail(brokerageRoutes.beginConsent, { body: { returnTo: 'autosync' } })).toMatchObject({ status: 502, code: 'brokerage-unreachable' })

  await cloudOn(databaseUrl, broker, Number(new URL(cloud.url).port))
  // A token that could not be renewed is left alone for a minute; a new login of the same user is not.
  expect(await connect(browser, userId, 'ben.keller')).toMatchObject({ success: true })
  await expect.poll(async () => (await browser.call(connectedAccounts)).accounts.map(({ sync }) => sync.state), { timeout: 60_000 }).toEqual(['good', 'good'])

  broker.sessions.revoke('ben.keller')
  await synced(browser)
  const lost = await health(browser, userId)
  expect(lost).toMatchObject({ needsReauth: true, expiredAccounts: [{ lastError: 'invalid_token: The refresh token is not valid' }, {}] })
})

test('a code that the brokerage refuses is refused in the same words as without a cloud, and sent once', async () => {
  const { broker, browser } = await setUp()
  const { userId } = await browser.signUp()
  const { state } = await decide(browser, 'ben.keller')
  broker.traffic.clear()
  expect(await browser.fail(tradovate, { body: { userId, code: 'no-such-code', state } })).toMatchObject({ status: 409, code: 'code-refused' })
  expect(broker.traffic.seen()).toHaveLength(1)
})

test('without an application in the cloud no account can be connected', async () => {
  const cloud = await cloudOn(await server.newDatabase(), null)
  const { browser } = await startApp({ gates: 'as-the-cloud-says', env: { FILLBOOK_CLOUD_URL: cloud.url, FILLBOOK_TRADOVATE_CLIENT_ID: 'own', FILLBOOK_TRADOVATE_CLIENT_SECRET: 'own-secret' } })
  await browser.signUp()
  await expect.poll(async () => (await browser.call(sessionRoutes.session)).brokerageReady, { timeout: 60_000 }).toBe(false)
  expect(await browser.fail(brokerageRoutes.beginConsent, { body: { returnTo: 'autosync' } })).toMatchObject({ status: 409, code: 'brokerage-not-configured' })
})

test('an account removed on another computer ends the login here, and deletes its tokens', async () => {
  const { broker, cloud, browser, dataDir } = await setUp()
  const { consentUrl, liveApi, demoApi } = broker.origins
  const other = await startApp({ gates: 'as-the-cloud-says', env: { FILLBOOK_CLOUD_URL: cloud.url, FILLBOOK_TRADOVATE_AUTHORIZE_URL: consentUrl, FILLBOOK_TRADOVATE_LIVE_URL: liveApi, FILLBOOK_TRADOVATE_DEMO_URL: demoApi } })
  const connected = async (one: Browser): Promise<string> => {
    const { userId } = await one.signUp()
    const events = await one.events()
    await connect(one, userId, 'ben.keller')
    await events.next('sync-ended')
    events.close()
    return userId
  }
  const mirrored = (one: Browser) => expect.poll(async () => (await one.call(mirrorStateRoutes.mirrorNow), (await one.call(mirrorStateRoutes.mirrorState)).state), { timeout: 60_000 }).toBe('up-to-date')
  await connected(browser)
  await mirrored(browser)
  const userId = await connected(other.browser)
  await mirrored(other.browser)
  expect(loginsIn(dataDir)).toEqual(['ben.keller'])

  for (const { id } of (await other.browser.call(connectedAccounts)).accounts) await other.browser.call(tradovate, { body: { userId, action: 'removeToken', accountId: id } })
  await mirrored(other.browser)
  await browser.call(mirrorStateRoutes.mirrorNow)
  await expect.poll(() => loginsIn(dataDir), { timeout: 60_000 }).toEqual([])
  expect((await browser.call(connectedAccounts)).accounts).toEqual([])
})
