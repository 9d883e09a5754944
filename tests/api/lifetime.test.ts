import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRoutes } from '#shared/api/journal.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { eventsPath } from '#shared/api/sync.ts'
import { startApp, testFolder } from '#tests/helpers/app.ts'
import { openBrowser, ownAt } from '#tests/helpers/browser.ts'
import { rawRequest } from '#tests/helpers/raw-request.ts'

const trade = { id: 'hand-1', symbol: 'MESZ6', qty: 1, entryPrice: 5_000, exitPrice: 5_001, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' }

test('a restart keeps the sign-in and everything saved', async () => {
  const dataDir = testFolder()
  const first = await startApp({ dataDir })
  const { userId } = await first.browser.signUp()
  await first.browser.call(recordRoutes.addTrade, { body: { userId, trade } })
  await first.stop()

  const second = await startApp({ dataDir })
  // The cookie carries the port in its name, and this test's port is another one.
  const headers = ownAt(first.browser, { origin: second.backend.url })
  const session = await rawRequest(`${second.backend.url}${sessionRoutes.session.path}`, { headers })
  expect(JSON.parse(session.body)).toMatchObject({ currentUser: { uid: userId } })
  const trades = await rawRequest(`${second.backend.url}${recordRoutes.getTrades.path}?userId=${userId}`, { headers })
  expect(JSON.parse(trades.body)).toMatchObject({ success: true, trades: [{ id: 'hand-1' }] })
})

test('a browser that is not used for ninety days is forgotten', { tags: 'long' }, async () => {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const { browser } = await startApp({ now: () => clock.now })
  await browser.signUp()
  clock.now += 89 * 86_400_000
  expect((await browser.call(sessionRoutes.session)).currentUser).not.toBeNull()
  clock.now += 89 * 86_400_000
  expect((await browser.call(sessionRoutes.session)).currentUser).not.toBeNull()
  clock.now += 91 * 86_400_000
  expect(await browser.fail(sessionRoutes.session)).toMatchObject({ status: 401, code: 'no-session' })
})

test('changes reach every open page of their user, and no page of another', async () => {
  const { browser, newBrowser } = await startApp()
  const { userId } = await browser.signUp()
  const second = await newBrowser()
  await second.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  const bob = await newBrowser()
  const { userId: bobs } = await bob.signUp('bob@example.com')
  const [one, two, bobsPage] = [await browser.events(), await second.events(), await bob.events()]

  await browser.call(recordRoutes.addTrade, { body: { userId, trade } })
  await one.next('journal-changed')
  await two.next('journal-changed')
  await bob.call(recordRoutes.addFinance, { body: { userId: bobs, finance: { id: 'f', type: 'earning', balance: 0 } } })
  await bobsPage.next('finances-changed')
  expect(bobsPage.seen.map(({ type }) => type)).toEqual(['finances-changed'])

  await second.call(sessionRoutes.signOut)
  await two.next('signed-out')
  await two.ended
  await browser.call(recordRoutes.removeTrade, { body: { userId, id: trade.id } })
  expect(two.seen.map(({ type }) => type)).toEqual(['journal-changed', 'signed-out'])
  expect((await second.send(eventsPath)).status).toBe(401)
})

test('a new password ends event streams that used the old one', { tags: 'long' }, async () => {
  const { browser, newBrowser } = await startApp()
  const { recoveryCode } = await browser.signUp()
  const page = await browser.events()
  await (await newBrowser()).call(sessionRoutes.resetPassword, { body: { email: 'ann@example.com', recoveryCode, newPassword: 'battery staple' } })
  await page.next('signed-out')
  await page.ended
})

test('stopping ends open event streams at once, and the next start finds everything in order', { tags: 'long' }, async () => {
  const { backend, browser, dataDir, stop } = await startApp()
  await browser.signUp()
  const page = await browser.events()
  const startedAt = performance.now()
  await stop()
  await page.ended
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  await expect(fetch(backend.url)).rejects.toThrow()
  expect(existsSync(join(dataDir, 'journal.db-wal'))).toBe(false)
  await startApp({ dataDir })
})

test('the launch for the demo signs in to the demo profile', async () => {
  const { backend } = await startApp()
  const browser = await openBrowser(await backend.launchUrl('demo'))
  expect(await browser.call(sessionRoutes.session)).toMatchObject({ demo: true, currentUser: { uid: 'demo' } })
})
