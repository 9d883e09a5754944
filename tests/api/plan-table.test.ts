/** @module-tag long */

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { createEntitlements } from '#backend/plans/entitlements.ts'
import { createRights } from '#backend/plans/rights.ts'
import { cloudBrokerageRoutes } from '#shared/api/cloud.ts'
import { copierLeaseRoutes } from '#shared/api/copier-lease.ts'
import { copierRoutes, type GroupDraft } from '#shared/api/copier.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import { err, ok } from '#shared/base/result.ts'
import { startApp } from '#tests/helpers/app.ts'
import { cloudUser } from '#tests/helpers/cloud-client.ts'
import { devUserId, startCloud, type RunningCloud } from '#tests/helpers/cloud.ts'
import { isOpen, planTable, type PlanRow } from '#tests/helpers/plan-table.ts'
import { queryRows, sharedPostgres, type PostgresServer } from '#tests/helpers/postgres.ts'
import { startRightsCloud } from '#tests/helpers/rights-cloud.ts'
import { openRightsJournal } from '#tests/helpers/rights-journal.ts'

const { getSubscription, payments } = subscriptionRoutes
const subscriptionOf = ({ asked }: PlanRow) => (asked.kind === 'found' ? asked.subscription : null)
const now = Date.UTC(2026, 10, 2, 15)
const [leader, account] = ['tradovate:demo:1', 'tradovate:demo:2']
const draft: GroupDraft = { name: 'g', leader, followers: [{ account, on: true, ratio: { num: 1, den: 1 }, mappings: [], contractCap: null, maxPosition: null, products: null, dailyLoss: null, dailyProfit: null, maxRejects: 1, invert: false, guard: false }], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: true }
const answers = ({ name }: PlanRow, isOpen: boolean) => ({ name, isOpen })

test('the local API: a call that needs a plan is allowed or refused as the table says', async () => {
  const cloud = await startRightsCloud({ verifiedAt: now })
  const { browser } = await startApp({ env: { FILLBOOK_CLOUD_URL: cloud.url }, now: () => now, gates: 'as-the-cloud-says' })
  const { userId } = await browser.signUp()
  const call = async (path: string, body: object): Promise<number> => (await browser.send(path, { method: 'POST', headers: { 'content-type': 'application/json', origin: browser.origin }, body: JSON.stringify(body) })).status
  for (const row of planTable(now)) {
    // Unreachable clouds and rows of one moment have tests of their own: the last answer counts for seven days, and what is known ages while the program runs.
    if (row.asked.kind === 'failed' || row.atOneMoment) continue
    Object.assign(cloud, { subscription: subscriptionOf(row), details: row.details, role: row.role })
    // What the screen does when the user changes.
    expect([row.name, (await browser.call(getSubscription, { query: { userId } })).role]).toEqual([row.name, row.role])
    if (row.details !== null) await call(payments.path, { action: 'get-subscription-details', stripeCustomerId: 'cus_1' })
    const status = await call(syncRoutes.syncNow.path, {})
    expect([200, 402]).toContain(status)
    expect(answers(row, status === 200)).toEqual(answers(row, isOpen(row, 'autosync')))
    // No account is connected here: a group that is let in gets as far as that.
    const saved = await call(copierRoutes.saveGroup.path, { id: null, draft })
    expect([200, 402]).toContain(saved)
    expect(answers(row, saved === 200)).toEqual(answers(row, isOpen(row, 'tradecopier')))
    expect([row.name, (await browser.call(copierRoutes.copier)).limit > 0]).toEqual([row.name, isOpen(row, 'tradecopier')])
    for (const path of [copierRoutes.pause.path, copierRoutes.consent.path]) expect([row.name, await call(path, path === copierRoutes.pause.path ? { id: null } : {})]).toEqual([row.name, 200])
  }
})

test('the rights behind it: both requirements, and a cloud that was never reachable', async () => {
  const { journal, userId } = openRightsJournal()
  for (const row of planTable(now)) {
    const answer = { subscription: subscriptionOf(row), role: row.role, verifiedAt: now }
    const away = { kind: 'unreachable', cause: 'network', status: null } as const
    const calls = {
      get: () => Promise.resolve(row.asked.kind === 'failed' ? err(away) : ok(answer)),
      details: () => Promise.resolve(row.details === null ? err(away) : ok(row.details)),
      create: () => Promise.resolve(ok(null)),
      save: () => Promise.resolve(ok(null)),
      pay: () => Promise.resolve(err(away)),
    }
    // Each row has its own cloud: none knows another's answer.
    const standings = createEntitlements({ journal, cloudUrl: `https://cloud.example/${encodeURIComponent(row.name)}`, callsOf: () => Promise.resolve(calls), demoRole: row.role, roleOf: () => null, now: () => now, uptime: () => 0 })
    const rights = createRights({ entitlements: standings })
    for (const requirement of ['autosync', 'tradecopier'] as const) {
      const right = await rights.require(userId, requirement)
      expect([answers(row, right.ok), await rights.holds(userId, requirement)]).toEqual([answers(row, isOpen(row, requirement)), isOpen(row, requirement)])
      if (!right.ok) expect(right.error.code).toBe(row.asked.kind === 'failed' ? 'cloud-unreachable' : 'plan-needed')
    }
  }
})

let postgres: PostgresServer
let broker: TestBroker
beforeAll(async () => {
  postgres = await sharedPostgres()
  broker = await startTestBroker({ anchor: '2026-11-20' })
})
afterAll(async () => {
  await broker.stop()
  await postgres.stop()
})

test('the cloud: a code is exchanged and a lease granted, or refused, as the table says', { tags: 'long' }, async () => {
  const databaseUrl = await postgres.newDatabase()
  const env = {
    FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID: broker.clientId, FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET: broker.clientSecret, FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL: broker.origins.tokenUrls[0],
    FILLBOOK_CLOUD_ADMIN_USER_ID: devUserId('admin@example.com'), FILLBOOK_CLOUD_SUBSCRIBER_USER_ID: devUserId('subscriber@example.com'),
  }
  const cloud: RunningCloud = await startCloud({ databaseUrl, env })
  onTestFinished(async () => void (await cloud.stop()))
  const people = { admin: await cloudUser(cloud, 'admin@example.com'), subscriber: await cloudUser(cloud, 'subscriber@example.com'), nobody: await cloudUser(cloud, 'ann@example.com') }
  let asked = 0
  for (const row of planTable(Date.now())) {
    // It asks the payment provider nothing here, is never out of its own reach, and its clock runs.
    if (row.details !== null || row.asked.kind === 'failed' || row.atOneMoment) continue
    asked += 1
    const { userId, call, fail } = row.role.admin ? people.admin : row.role.subscriber ? people.subscriber : people.nobody
    await queryRows(databaseUrl, 'DELETE FROM subscriptions WHERE user_id = $1', [userId])
    const subscription = subscriptionOf(row)
    if (subscription !== null) await queryRows(databaseUrl, 'INSERT INTO subscriptions (user_id, content) VALUES ($1, $2)', [userId, JSON.stringify({ userId, ...subscription })])
    expect([row.name, await call(getSubscription, { query: { userId } })]).toMatchObject([row.name, { subscription, role: row.role }])
    const failure = await fail(cloudBrokerageRoutes.tradovate, { body: { userId, code: `no-such-code-${String(asked)}`, redirectUri: 'http://127.0.0.1:47615/oauth/callback' } })
    expect(['code-refused', 'plan-needed']).toContain(failure.code)
    expect(answers(row, failure.code === 'code-refused')).toEqual(answers(row, isOpen(row, 'autosync')))
    const { outcome } = await call(copierLeaseRoutes.leaseCopier, { body: { userId, machine: 'the computer of the table', accounts: [account], seconds: 60 } })
    expect(['granted', 'plan-needed']).toContain(outcome)
    expect(answers(row, outcome === 'granted')).toEqual(answers(row, isOpen(row, 'tradecopier')))
  }
  expect(asked).toBeGreaterThanOrEqual(40)
})
