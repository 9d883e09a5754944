/** @module-tag long */

import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { TestBroker } from '#tests/demo-broker/broker.ts'
import { brokerageRoutes, type AccountSync } from '#shared/api/brokerage.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { syncRoutes, type SyncReceipt } from '#shared/api/sync.ts'
import { startApp, type App } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { connect, startBroker } from '#tests/helpers/own-broker.ts'

const { connectedAccounts, syncGaps, closeGap, tradovate } = brokerageRoutes
const hour = 3_600_000
const evaluation = 'tradovate:demo:700111'
const funded = 'tradovate:live:700112'
const poll = { timeout: 60_000, interval: 20 }

/** Starts a run and waits for its end, whoever else starts one. */
const ended = async (browser: Browser, start: () => Promise<unknown>): Promise<SyncReceipt> => {
  const events = await browser.events()
  await start()
  const { receipt } = await events.next('sync-ended')
  events.close()
  return receipt
}
const syncNow = (browser: Browser): Promise<SyncReceipt> => ended(browser, () => browser.call(syncRoutes.syncNow))
const stateOf = async (browser: Browser, account: string): Promise<AccountSync | undefined> => (await browser.call(connectedAccounts)).accounts.find(({ id }) => id === account)?.sync

/** A profile with ben's two accounts, each on its side of the broker. */
const begin = async (): Promise<{ app: App; browser: Browser; userId: string; broker: TestBroker; env: Record<string, string> }> => {
  const { broker, env } = await startBroker()
  broker.clock.set(broker.walk.at(-2)?.at ?? 0)
  const app = await startApp({ env })
  const { userId } = await app.browser.signUp()
  await ended(app.browser, () => connect(app.browser, userId, 'ben.keller'))
  return { app, browser: app.browser, userId, broker, env }
}

/** Changes the journal's file while no program has it open. */
const rewrite = (dataDir: string, change: (database: Sqlite.Database) => void): void => {
  const database = new Sqlite(join(dataDir, 'journal.db'))
  try {
    change(database)
  } finally {
    database.close()
  }
}

test('each account shows its sync state: good, running, waiting with the next try, and good again', async () => {
  const { browser, broker } = await begin()
  expect(await stateOf(browser, evaluation)).toMatchObject({ state: 'good', nextTryAt: null })

  broker.faults.set([{ kind: 'slow', ms: 25_000, path: 'fill/list' }])
  const running = syncNow(browser)
  await expect.poll(async () => (await stateOf(browser, evaluation))?.state, poll).toBe('running')
  broker.faults.clear()
  await running
  await expect.poll(async () => (await stateOf(browser, evaluation))?.state, poll).toBe('good')

  const before = (await stateOf(browser, evaluation))?.lastGoodAt
  broker.faults.set([{ kind: 'rate-limited', path: '/demo/v1/fill/list' }])
  const limited = await syncNow(browser)
  expect(limited.troubles).toMatchObject([{ code: 'rate-limited', environment: 'demo' }])
  await expect.poll(async () => (await stateOf(browser, evaluation))?.state, poll).toBe('waiting')
  const waiting = await stateOf(browser, evaluation)
  expect(waiting?.lastGoodAt).toBe(before)
  expect(Date.parse(waiting?.nextTryAt ?? '')).toBeGreaterThanOrEqual(Date.parse(limited.endedAt) + hour - 1_000)
  expect(await stateOf(browser, funded)).toMatchObject({ state: 'good', nextTryAt: null })

  broker.faults.clear()
  const healed = await syncNow(browser)
  expect(healed.outcome).toBe('complete')
  await expect.poll(() => stateOf(browser, evaluation), poll).toMatchObject({ state: 'good', nextTryAt: null })
  expect(Date.parse((await stateOf(browser, evaluation))?.lastGoodAt ?? '')).toBeGreaterThanOrEqual(Date.parse(healed.endedAt))
})

test('an unreachable broker makes accounts wait and expires none; two refusals end the login, and removing and reconnecting restores everything', async () => {
  const { browser, userId, broker } = await begin()
  const health = () => browser.call(tradovate, { body: { userId, action: 'checkTokenHealth' } })
  const fine = { success: true, needsReauth: false, expiredAccounts: [] }
  broker.faults.set([{ kind: 'lost-answer', path: '/v1/' }])
  expect((await syncNow(browser)).troubles.map(({ code }) => code)).toEqual(['unreachable', 'unreachable'])
  await expect.poll(async () => (await stateOf(browser, funded))?.state, poll).toBe('waiting')
  expect((await stateOf(browser, funded))?.nextTryAt).not.toBeNull()
  expect(await health()).toEqual(fine)
  broker.faults.clear()
  await syncNow(browser)

  const label = { id: evaluation, type: 'Evaluation Account', amount: 0, name: '', balance: 0, platform: 'Tradovate', firm: 'Tradeify' } as const
  await browser.call(recordRoutes.addFinance, { body: { userId, finance: label } })
  const mine = async () => (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.toSorted((one, other) => one.id.localeCompare(other.id))
  const ofEvaluation = (await mine()).filter(({ accountId }) => accountId === evaluation)
  const [noted, removed] = ofEvaluation
  const words = { notes: 'waited for the retest', screenshot: 'a-chart.png', screenshotHeadline: 'the retest' }
  await browser.call(recordRoutes.updateTrade, { body: { userId, id: noted?.id ?? '', updates: words } })
  await browser.call(recordRoutes.removeTrade, { body: { userId, id: removed?.id ?? '' } })
  const before = await mine()
  const labels = (await browser.call(recordRoutes.getFinances, { query: { userId } })).finances

  broker.sessions.revoke('ben.keller')
  expect((await syncNow(browser)).troubles).toMatchObject([{ code: 'login-needed', loginName: 'ben.keller' }])
  expect((await stateOf(browser, evaluation))?.state).toBe('login-needed')
  const lost = await health()
  expect(lost).toMatchObject({ needsReauth: true })
  const expired = 'expiredAccounts' in lost ? lost.expiredAccounts : []
  expect(expired.map(({ accountId }) => accountId).toSorted()).toEqual([evaluation, funded])
  for (const { lastError } of expired) expect(lastError).toMatch(/\w/)

  // The dialog's three calls, each account's in another order, and all of them twice.
  for (const [index, { accountId, tokenDocId }] of [...expired, ...expired].entries()) {
    const calls = [
      () => browser.send(recordRoutes.removeFinance.path, post(browser, { userId, id: accountId })),
      () => browser.send(recordRoutes.removeTrade.path, post(browser, { userId, accountId })),
      () => browser.send(tradovate.path, post(browser, { userId, action: 'removeToken', accountId, ...(tokenDocId === undefined ? {} : { tokenDocId }) })),
    ]
    const answers = []
    for (const call of [...calls.slice(index), ...calls.slice(0, index)]) answers.push(await call())
    for (const answer of answers) expect([200, 404]).toContain(answer.status)
  }
  expect(await health()).toEqual(fine)
  expect((await browser.call(connectedAccounts)).accounts).toEqual([])
  expect(await mine()).toEqual([])
  expect((await browser.call(recordRoutes.getFinances, { query: { userId } })).finances).toEqual([])
  expect((await syncNow(browser)).logins).toBe(0)

  await ended(browser, () => connect(browser, userId, 'ben.keller'))
  expect(await mine()).toEqual(before)
  expect((await mine()).find(({ id }) => id === noted?.id)).toMatchObject(words)
  expect((await browser.call(recordRoutes.getFinances, { query: { userId } })).finances).toEqual(labels)
  expect(labels.find(({ id }) => id === evaluation)).toMatchObject({ type: 'Evaluation Account', firm: 'Tradeify' })
  await expect.poll(async () => (await stateOf(browser, evaluation))?.state, poll).toBe('good')
})

const post = (browser: Browser, body: object) => ({ method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', origin: browser.origin } })

test('a login without tokens asks for a new consent, and an account from elsewhere asks for nothing', async () => {
  const { app, userId, env } = await begin()
  await app.stop()
  rewrite(app.dataDir, (database) => {
    database.prepare("UPDATE logins SET id = 'of-no-tokens'").run()
    database.prepare("UPDATE accounts SET login_id = 'of-no-tokens'").run()
    database.prepare('UPDATE accounts SET watched_since = NULL WHERE key = ?').run(funded)
  })
  const { browser } = await startApp({ env, dataDir: app.dataDir })
  await browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  expect((await stateOf(browser, evaluation))?.state).toBe('login-needed')
  expect((await stateOf(browser, funded))?.state).toBe('elsewhere')
  expect(await browser.call(tradovate, { body: { userId, action: 'checkTokenHealth' } })).toEqual({ success: true, needsReauth: false, expiredAccounts: [] })
})

test('a missed session is a gap until the user dismisses it; the demo profile has none', async () => {
  const { app, userId, env } = await begin()
  const read = (database: Sqlite.Database, day: string, until: string): void => {
    database.prepare('INSERT INTO session_reads (user_id, account, trading_day, read_until) VALUES (?, ?, ?, ?)').run(userId, evaluation, day, Date.parse(until))
  }
  await app.stop()
  // February: Chicago is six hours behind UTC. Watched from Tuesday 09:00; Friday's session is over, and no list holds it any more.
  rewrite(app.dataDir, (database) => {
    database.prepare('DELETE FROM session_reads').run()
    database.prepare('UPDATE accounts SET watched_since = CASE key WHEN ? THEN ? ELSE NULL END').run(evaluation, Date.parse('2026-02-10T15:00:00Z'))
    read(database, '2026-02-10', '2026-02-10T22:02:00Z')
    read(database, '2026-02-11', '2026-02-11T18:00:00Z')
    read(database, '2026-02-13', '2026-02-13T21:55:00Z')
  })
  const now = (): number => Date.parse('2026-02-13T23:30:00Z')
  const again = await startApp({ env, dataDir: app.dataDir, now })
  const { browser } = again
  await browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  const name = (await browser.call(connectedAccounts)).accounts.find(({ id }) => id === evaluation)?.name
  const wednesday = { accountId: evaluation, accountName: name, tradingDay: '2026-02-11', from: '2026-02-11T18:00:00.000Z', to: '2026-02-11T22:00:00.000Z' }
  const thursday = { accountId: evaluation, accountName: name, tradingDay: '2026-02-12', from: '2026-02-11T23:00:00.000Z', to: '2026-02-12T22:00:00.000Z' }
  expect((await browser.call(syncGaps)).gaps).toEqual([thursday, wednesday])

  const events = await browser.events()
  await browser.call(closeGap, { body: wednesday })
  await events.next('journal-changed')
  await browser.call(closeGap, { body: wednesday })
  expect((await browser.call(syncGaps)).gaps).toEqual([thursday])
  for (const wrong of [{ accountId: 'tradovate:demo:1', tradingDay: '2026-02-12' }, { accountId: evaluation, tradingDay: '2026-02-14' }, { accountId: evaluation, tradingDay: '2026-02-16' }]) {
    expect(await browser.fail(closeGap, { body: wrong })).toMatchObject({ status: 404 })
  }
  expect(await browser.fail(closeGap, { body: { accountId: evaluation, tradingDay: 'Thursday' } })).toMatchObject({ status: 400 })

  await browser.call(sessionRoutes.signInDemo)
  await again.stop()
  rewrite(app.dataDir, (database) => database.prepare("UPDATE accounts SET user_id = 'demo'").run())
  const demo = await startApp({ env, dataDir: app.dataDir, now })
  await demo.browser.call(sessionRoutes.signInDemo)
  expect((await demo.browser.call(connectedAccounts)).accounts.map(({ id }) => id)).toContain(evaluation)
  expect((await demo.browser.call(syncGaps)).gaps).toEqual([])
})
