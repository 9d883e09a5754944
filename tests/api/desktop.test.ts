import { expect, test } from 'vitest'
import type { Backend } from '#backend/host.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { syncRoutes, type Pushed } from '#shared/api/sync.ts'
import { toDecimalString } from '#shared/money/money.ts'
import { startApp } from '#tests/helpers/app.ts'
import { connect, startBroker } from '#tests/helpers/own-broker.ts'

const syncByDesktop = async ({ desktop }: Backend, userId: string) => {
  const started = await desktop.sync(userId)
  if (!started.ok) throw new Error(started.error)
  return started.value.ended
}

test('a sync from the desktop is the same as from the page: its rights, its run, its receipt, its events', async () => {
  const { broker, env } = await startBroker()
  const clock = { now: Date.now() }
  const { browser, backend } = await startApp({ env, now: () => clock.now })
  const { userId } = await browser.signUp()
  const events = await browser.events()
  const received: Pushed[] = []
  const stopListening = backend.desktop.listen(userId, (event) => void received.push(event))
  expect(await backend.desktop.glance(userId)).toEqual({ lastSync: null, running: null, today: [], timeZone: 'America/New_York', copier: null })

  await connect(browser, userId, 'ava.morgan')
  await events.next('sync-ended')
  expect(await backend.desktop.whoIs(browser.cookie())).toEqual({ userId, demo: false })

  broker.faults.set([{ kind: 'slow', ms: 1_000, path: 'fill/list', times: 1 }])
  const begun = await backend.desktop.sync(userId)
  const byPage = await browser.call(syncRoutes.syncNow)
  expect(begun.ok && { runId: (await begun.value.ended).runId, joined: true }).toEqual(byPage)

  const receipt = await syncByDesktop(backend, userId)
  expect((await browser.call(syncRoutes.receipts)).receipts[0]).toEqual(receipt)
  expect((await browser.call(syncRoutes.syncState)).last).toEqual(receipt)
  expect(receipt).toMatchObject({ trigger: 'manual', outcome: 'complete' })

  const runs = received.flatMap((event) => (event.type === 'sync-progress' ? [event.progress.runId] : []))
  expect(runs).toContain(receipt.runId)
  expect(received.filter(({ type }) => type === 'sync-ended')).toHaveLength(3)
  stopListening()
  await syncByDesktop(backend, userId)
  expect(received.filter(({ type }) => type === 'sync-ended')).toHaveLength(3)

  // On the last day that was traded the glance says what Overview says of it.
  const { lastDay } = await browser.call(statisticsRoutes.statistics, {})
  if (lastDay === null) throw new Error('Nothing was traded')
  clock.now = Date.parse(`${lastDay}T18:00:00Z`)
  const { all } = await browser.call(statisticsRoutes.statistics, { query: { from: lastDay, to: lastDay } })
  const glance = await backend.desktop.glance(userId)
  expect(all.money).not.toEqual([])
  expect(glance.today.map(({ amount, currency }) => [currency, toDecimalString(amount)])).toEqual(all.money.map(({ currency, netPnl }) => [currency, netPnl]))
  const [newest] = (await browser.call(syncRoutes.receipts)).receipts
  expect(glance).toMatchObject({ running: null, lastSync: { at: Date.parse(newest?.endedAt ?? ''), outcome: 'complete' } })
  expect(broker.origins.consentUrl).toContain(backend.consent.origins.at(-1) ?? 'nothing')
})

test('a run under way shows in the glance, of its user alone', { tags: ['long', 'nightly'] }, async () => {
  const { broker, env } = await startBroker()
  const { browser, newBrowser, backend } = await startApp({ env })
  const { userId } = await browser.signUp()
  const other = await (await newBrowser()).signUp('bob@example.com')
  const events = await browser.events()
  broker.faults.set([{ kind: 'slow', ms: 1_000, path: 'fill/list' }])
  await connect(browser, userId, 'ava.morgan')
  await events.next('sync-ended')
  const started = await backend.desktop.sync(userId)
  const { running } = await backend.desktop.glance(userId)
  expect(running).toBeGreaterThanOrEqual(0)
  expect(running).toBeLessThan(1)
  expect((await backend.desktop.glance(other.userId)).running).toBeNull()
  expect(started.ok && (await started.value.ended).outcome).toBe('complete')
  expect((await backend.desktop.glance(userId)).running).toBeNull()
})

test('the desktop opens nothing that the plan does not', { tags: 'long' }, async () => {
  const { browser, backend } = await startApp({ gates: 'closed' })
  const { userId } = await browser.signUp()
  expect(await backend.desktop.sync(userId)).toEqual({ ok: false, error: 'plan-needed' })
  expect(await browser.fail(syncRoutes.syncNow)).toMatchObject({ code: 'plan-needed' })
  expect((await browser.call(syncRoutes.receipts)).receipts).toEqual([])
})

test('the desktop knows only the user signed in with the given browser’s cookies', async () => {
  const { browser, newBrowser, backend } = await startApp()
  const { whoIs } = backend.desktop
  const nobody = await newBrowser()
  expect(await whoIs(nobody.cookie())).toBeNull()
  const { userId } = await browser.signUp()
  const [name = '', value = ''] = browser.cookie().split('=')
  expect(await whoIs(`theme=dark; ${browser.cookie()}; a=b`)).toEqual({ userId, demo: false })
  for (const strange of ['', 'x', `${name}=`, `${name}=${value}x`, `fillbook-1=${value}`, `${name}x=${value}`, `${name}=${'a'.repeat(43)}`]) expect([strange, await whoIs(strange)]).toEqual([strange, null])
  const before = browser.cookie()
  await browser.call(sessionRoutes.signOut)
  for (const cookie of [before, browser.cookie()]) expect(await whoIs(cookie)).toBeNull()
  await browser.call(sessionRoutes.signInDemo)
  expect(await whoIs(browser.cookie())).toEqual({ userId: 'demo', demo: true })
})

test.each([
  ['the own address', {}, []],
  ['a cloud address', { FILLBOOK_TRADOVATE_REDIRECT_URI: 'https://cloud.example/oauth/callback' }, ['https://cloud.example/oauth/callback']],
  ["this computer's other name", { FILLBOOK_TRADOVATE_REDIRECT_URI: 'http://localhost:47615/oauth/callback' }, ['http://localhost:47615/oauth/callback']],
])('consent is given on the pages of the brokerages alone, and leads back to %s', { tags: 'long' }, async (_what, more, returns) => {
  const { broker, env } = await startBroker()
  const { backend, browser } = await startApp({ env: { ...env, ...more } })
  await browser.call(sessionRoutes.signInDemo)
  const { url } = await browser.call(brokerageRoutes.beginConsent, { body: { returnTo: 'autosync' } })
  expect(backend.consent.origins.toSorted()).toEqual([new URL(url).origin, new URL(broker.origins.consentUrl).origin].toSorted())
  expect(backend.consent.returns).toEqual(returns)
})
