import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import { startApp } from '#tests/helpers/app.ts'
import { connect, decide, startBroker } from '#tests/helpers/own-broker.ts'

test('a profile connects, syncs and sees its trades; no token and no secret leaves the program', async () => {
  const { broker, env } = await startBroker()
  const { browser, backend, dataDir } = await startApp({ env })
  expect((await browser.call(sessionRoutes.session)).brokerageReady).toBe(true)
  const { userId } = await browser.signUp()
  const events = await browser.events()

  const { back, code, state } = await decide(browser, 'ava.morgan')
  expect(back.origin + back.pathname).toBe(`${browser.origin}/oauth/callback`)
  const exchanged = await browser.call(brokerageRoutes.tradovate, { body: { userId, code, state } })
  expect(exchanged).toMatchObject({ success: true, tokens: { access_token: 'kept-by-fillbook' }, returnTo: 'tradecopier' })

  const { receipt } = await events.next('sync-ended')
  expect(receipt).toMatchObject({ trigger: 'connect', outcome: 'complete', accounts: 3, refused: [], troubles: [] })
  expect(receipt.fills.added).toBeGreaterThan(20)
  const progress = events.seen.flatMap((event) => (event.type === 'sync-progress' ? [event.progress] : []))
  expect(progress.at(-1)).toMatchObject({ phase: 'done', overall: 1 })
  expect(progress.map(({ overall }) => overall)).toEqual(progress.map(({ overall }) => overall).toSorted((one, other) => one - other))
  await events.next('journal-changed')

  const { accounts } = await browser.call(brokerageRoutes.connectedAccounts)
  expect(accounts.map(({ id, loginName, environment }) => [id, loginName, environment])).toContainEqual(['tradovate:demo:700101', 'ava.morgan', 'demo'])
  expect((await browser.call(recordRoutes.getFinances, { query: { userId } })).finances.map(({ id, type, platform }) => [id, type, platform])).toContainEqual(['tradovate:demo:700101', 'Account', 'Tradovate'])
  const { trades: pairs } = await browser.call(recordRoutes.getTrades, { query: { userId } })
  expect(pairs).toHaveLength(receipt.pairs.added)
  const answered = await browser.call(brokerageRoutes.tradovate, { body: { userId, action: 'account' } })
  expect('accounts' in answered && answered.accounts).toHaveLength(3)
  expect(await browser.call(syncRoutes.syncState)).toMatchObject({ running: null, last: { runId: receipt.runId } })
  expect((await browser.call(syncRoutes.receipts)).receipts).toEqual([receipt])
  expect(await browser.call(brokerageRoutes.tradovate, { body: { userId, action: 'checkTokenHealth' } })).toEqual({ success: true, needsReauth: false, expiredAccounts: [] })

  const synced = pairs[0]
  expect(await browser.fail(recordRoutes.updateTrade, { body: { userId, id: synced?.id, updates: { qty: 99 } } })).toMatchObject({ status: 409, code: 'read-only-field', error: 'Failed to update trade' })
  expect((await browser.call(recordRoutes.updateTrade, { body: { userId, id: synced?.id ?? '', updates: { notes: 'patience' } } })).trade.notes).toBe('patience')
  expect(await browser.fail(recordRoutes.addTrade, { body: { userId, trade: { ...synced, platform: 'x' } } })).toMatchObject({ status: 400, error: 'Failed to save trade' })

  const whole = await browser.call(journalRoutes.tradePage, { query: {} })
  expect(await browser.call(statisticsRoutes.statistics, { query: { unit: 'pairs' } })).toMatchObject({ trades: pairs.length, all: { count: pairs.length } })
  const trade = whole.rows.find((each) => each.pairs > 1)
  expect((await browser.call(journalRoutes.tradePairs, { query: { tradeId: trade?.id ?? '' } })).rows).toHaveLength(trade?.pairs ?? -1)

  const handed = { accountId: 'tradovate:demo:700101', contractId: 77, contract: { productSymbol: 'MES', symbol: 'MESM7' }, qty: 2, platform: 'Tradovate', timestamp: '2026-11-20T18:00:00Z' }
  await browser.call(recordRoutes.addFill, { body: { userId, fill: { ...handed, id: '9000000000001', action: 'buy', price: 6_000 } } })
  await browser.call(recordRoutes.addFill, { body: { userId, fill: { ...handed, id: '9000000000002', action: 'Sell', price: 6_001.25 } } })
  const { rows } = await browser.call(journalRoutes.pairPage, { query: { symbol: 'mesm7' } })
  expect(rows).toMatchObject([{ symbol: 'MESM7', qty: 2, grossPnl: '12.50', commission: '3.80', netPnl: '8.70', pnl: 8.7, feeSource: 'table' }])

  await backend.stop()
  const files = [join(dataDir, 'logs'), dataDir].flatMap((folder) => readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(folder, entry.name)))
  const holding = (text: string): string[] => files.filter((file) => readFileSync(file, 'latin1').includes(text))
  for (const secret of [broker.clientSecret, code, 'tok-', 'ref-']) expect([secret, holding(secret)]).toEqual([secret, []])
  for (const personal of [state, 'ann@example.com', broker.clientId]) expect([personal, holding(personal).filter((file) => file.includes('logs'))]).toEqual([personal, []])
})

test('the client secret is needed at the first start only', { tags: 'long' }, async () => {
  const { env } = await startBroker()
  const { FILLBOOK_TRADOVATE_CLIENT_SECRET: secret, ...later } = env
  expect(secret).toBe('own-secret-5f1c')
  const first = await startApp({ env })
  await first.stop()
  const second = await startApp({ env: later, dataDir: first.dataDir })
  expect((await second.browser.call(sessionRoutes.session)).brokerageReady).toBe(true)
  const { userId } = await second.browser.signUp()
  expect(await connect(second.browser, userId, 'ben.keller')).toMatchObject({ success: true })
})

test('an OAuth state works once, for the user who started it, and no request succeeds without one', async () => {
  const { env } = await startBroker()
  const { browser, newBrowser } = await startApp({ env })
  const { userId } = await browser.signUp()
  const bob = await newBrowser()
  const { userId: bobs } = await bob.signUp('bob@example.com')

  expect(await browser.fail(brokerageRoutes.tradovate, { body: { userId, code: 'stolen' } })).toMatchObject({ status: 400, code: 'unknown-state' })
  expect(await browser.fail(brokerageRoutes.tradovate, { body: { userId, code: 'stolen', state: 'guessed' } })).toMatchObject({ status: 400, code: 'unknown-state' })
  const { code, state } = await decide(browser, 'ava.morgan')
  // As the page says it where its address has none.
  expect(await browser.fail(brokerageRoutes.tradovate, { body: { userId, code, state: '' } })).toMatchObject({ code: 'unknown-state' })
  expect(await bob.fail(brokerageRoutes.tradovate, { body: { userId: bobs, code, state } })).toMatchObject({ code: 'unknown-state' })
  const fresh = await decide(browser, 'ava.morgan')
  await browser.call(brokerageRoutes.tradovate, { body: { userId, code: fresh.code, state: fresh.state } })
  expect(await browser.fail(brokerageRoutes.tradovate, { body: { userId, code: fresh.code, state: fresh.state } })).toMatchObject({ code: 'unknown-state' })
})

test('a consent is pending from start to finish, and polling it changes nothing', { tags: 'long' }, async () => {
  const { env } = await startBroker()
  const { browser, backend: { consent } } = await startApp({ env })
  await browser.signUp()
  for (const strange of ['', 'guessed', '%']) expect([strange, await consent.awaits(strange)]).toEqual([strange, false])
  const { state } = await decide(browser, 'ava.morgan', 'deny')
  expect([await consent.awaits(state), await consent.awaits(state), await consent.awaits(`${state}x`)]).toEqual([true, true, false])
  expect(await browser.call(brokerageRoutes.endConsent, { body: { state } })).toEqual({ returnTo: 'tradecopier' })
  expect(await consent.awaits(state)).toBe(false)
})

test('a refused consent leads back to its starting page', { tags: 'long' }, async () => {
  const { env } = await startBroker()
  const { browser } = await startApp({ env })
  await browser.signUp()
  const { back, state } = await decide(browser, 'ava.morgan', 'deny')
  expect(back.searchParams.get('error')).toBe('access_denied')
  expect(await browser.call(brokerageRoutes.endConsent, { body: { state } })).toEqual({ returnTo: 'tradecopier' })
  expect(await browser.call(brokerageRoutes.endConsent, { body: { state } })).toEqual({ returnTo: 'autosync' })
})

test('a refused exchange differs from a lost one', { tags: 'long' }, async () => {
  const { broker, env } = await startBroker()
  const { browser } = await startApp({ env })
  const { userId } = await browser.signUp()
  broker.faults.set([{ kind: 'wrong-client', times: 1 }])
  const refused = await decide(browser, 'ava.morgan')
  expect(await browser.fail(brokerageRoutes.tradovate, { body: { userId, code: refused.code, state: refused.state } })).toMatchObject({ status: 409, code: 'code-refused' })
  broker.faults.set([{ kind: 'lost-answer', path: 'oauthtoken', times: 1 }])
  const lost = await decide(browser, 'ava.morgan')
  expect(await browser.fail(brokerageRoutes.tradovate, { body: { userId, code: lost.code, state: lost.state } })).toMatchObject({ status: 502, code: 'answer-lost' })
  expect((await browser.call(brokerageRoutes.connectedAccounts)).accounts).toEqual([])
})

test('without a brokerage in the settings no account can be connected', async () => {
  const { browser } = await startApp()
  const { userId } = await browser.signUp()
  expect(await browser.fail(brokerageRoutes.beginConsent, {})).toMatchObject({ status: 409, code: 'brokerage-not-configured' })
  expect(await browser.fail(brokerageRoutes.beginConsent, { body: { returnTo: 'https://evil.example' } })).toMatchObject({ status: 400, code: 'invalid-request' })
  expect(await browser.fail(brokerageRoutes.tradovate, { body: { userId, action: 'transfer-money' } })).toMatchObject({ status: 400, code: 'invalid-request' })
  expect(await browser.call(syncRoutes.syncState)).toEqual({ running: null, last: null, lastGoodAt: null, nextAt: null })
})

test('removing an account ends its access and updates open pages; reconnecting restores it', { tags: 'long' }, async () => {
  const { env } = await startBroker()
  const { browser } = await startApp({ env })
  const { userId } = await browser.signUp()
  const events = await browser.events()
  const exchanged = await connect(browser, userId, 'ben.keller')
  await events.next('sync-ended')
  const before = (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades
  events.close()

  const { accounts } = await browser.call(brokerageRoutes.connectedAccounts)
  const [first, ...others] = accounts
  const pushes = await browser.events()
  await browser.call(brokerageRoutes.tradovate, { body: { userId, action: 'removeToken', accountId: first?.id ?? '', tokenDocId: 'tokenDocId' in exchanged ? exchanged.tokenDocId : '' } })
  await pushes.next('finances-changed')
  for (const { id } of others) await browser.call(recordRoutes.removeFinance, { body: { userId, id } })
  expect((await browser.call(brokerageRoutes.connectedAccounts)).accounts).toEqual([])
  expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toEqual([])
  expect((await browser.call(syncRoutes.syncState)).nextAt).toBeNull()

  const again = await browser.events()
  await connect(browser, userId, 'ben.keller')
  await again.next('sync-ended')
  expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted())
})

test('an account removed while the first sync of its login runs stays removed', async () => {
  const { broker, env } = await startBroker()
  const { browser } = await startApp({ env })
  const { userId } = await browser.signUp()
  const events = await browser.events()
  broker.faults.add({ kind: 'slow', ms: 500, path: '/account/list$' })
  await connect(browser, userId, 'ben.keller')
  const [first, second] = (await browser.call(brokerageRoutes.connectedAccounts)).accounts
  await browser.call(brokerageRoutes.tradovate, { body: { userId, action: 'removeToken', accountId: first?.id ?? '' } })
  expect((await events.next('sync-ended')).type).toBe('sync-ended')
  expect((await browser.call(brokerageRoutes.connectedAccounts)).accounts.map(({ id }) => id)).toEqual([second?.id])
})

test('a fee whose currency number the broker does not name is shown under it, replaced by no rate, and its day cannot be checked until it is named', { tags: 'long' }, async () => {
  const { broker, env } = await startBroker()
  const { browser } = await startApp({ env })
  const { userId } = await browser.signUp()
  // During a session: its fees are read again at its end.
  const end = broker.walk.at(-1)?.at ?? 0
  broker.clock.set(end - 3 * 3_600_000)
  broker.faults.set([{ kind: 'changed-rows', path: '/fillFee/', set: { exchangeCurrencyId: 99 } }])
  const events = await browser.events()
  await connect(browser, userId, 'ava.morgan')
  expect((await events.next('sync-ended')).receipt).toMatchObject({ refused: [] })
  const trades = async () => (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades
  const days = async () => (await browser.call(reconciliationRoutes.reconciliation, { query: {} })).days
  const numbered = (await trades()).filter(({ otherFees }) => otherFees?.some(({ currency, amount }) => currency === '#99' && Number(amount) > 0))
  expect(numbered.length).toBe((await trades()).length)
  expect(new Set(numbered.map(({ feeSource }) => feeSource))).toEqual(new Set(['broker']))
  expect(new Set((await days()).map(({ reason }) => reason))).toEqual(new Set(['unknown-currency']))
  expect((await days()).some(({ currency }) => currency === '#99')).toBe(true)
  broker.faults.clear()
  broker.clock.set(end)
  const later = await browser.events()
  await browser.call(syncRoutes.syncNow)
  await later.next('sync-ended')
  expect((await trades()).flatMap(({ otherFees = [] }) => otherFees)).toEqual([])
  expect(new Set((await days()).map(({ reason }) => reason))).not.toContain('unknown-currency')
})

test('a second sync request joins the running sync', { tags: 'long' }, async () => {
  const { broker, env } = await startBroker()
  const { browser } = await startApp({ env })
  const { userId } = await browser.signUp()
  await connect(browser, userId, 'ava.morgan')
  const events = await browser.events()
  broker.faults.set([{ kind: 'slow', ms: 25_000, path: 'fill/list' }])
  const [one, other] = [await browser.call(syncRoutes.syncNow), await browser.call(syncRoutes.syncNow)]
  expect(other).toEqual({ runId: one.runId, joined: true })
  expect((await browser.call(syncRoutes.syncState)).running).not.toBeNull()
  broker.faults.clear()
  await events.next('sync-ended')
})

test('each sync of the demo profile adds sessions, and a restart continues where it stopped', { tags: ['long', 'nightly'] }, async () => {
  const first = await startApp()
  await first.browser.call(sessionRoutes.signInDemo)
  const events = await first.browser.events()
  await connect(first.browser, 'demo', 'ava.morgan')
  const { receipt: walked } = await events.next('sync-ended')
  expect(walked).toMatchObject({ trigger: 'connect', outcome: 'complete', accounts: 3, troubles: [] })
  const days = new Set((await first.browser.call(recordRoutes.getTrades, { query: { userId: 'demo' } })).trades.map(({ tradingDay }) => tradingDay))
  expect(days.size).toBe(12)
  const progress = events.seen.flatMap((event) => (event.type === 'sync-progress' ? [event.progress.overall] : []))
  expect(progress).toEqual(progress.toSorted((one, other) => one - other))
  expect(new Set(progress).size).toBeGreaterThan(12)
  expect(first.backend.demo?.stopsLeft()).toBe(1)
  expect((await first.browser.call(syncRoutes.syncState)).last).toMatchObject({ runId: walked.runId, fills: walked.fills })
  await first.stop()

  const second = await startApp({ dataDir: first.dataDir })
  await second.browser.call(sessionRoutes.signInDemo)
  const rest = await second.backend.syncNow('demo')
  expect(rest).toMatchObject({ outcome: 'complete', troubles: [] })
  expect(rest.fills.added).toBeGreaterThan(0)
  expect(second.backend.demo?.stopsLeft()).toBe(0)
  expect((await second.backend.syncNow('demo')).fills).toMatchObject({ added: 0, changed: 0 })
  expect(existsSync(join(first.dataDir, 'demo', 'walk.json'))).toBe(true)
})
