import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cloudRoutes, deleteCloudAccount, whoAmI } from '#shared/api/cloud.ts'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import { picturePath } from '#shared/api/pictures.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { cloudUser, type CloudClient } from '../helpers/cloud-client.ts'
import { startOwnCloud, type OwnCloud } from '../helpers/own-cloud.ts'
import { asAdministrator, queryRows } from '../helpers/postgres.ts'
import { callerAt } from './caller.ts'
import { edit, finance, pair, png } from './samples.ts'

let cloud: OwnCloud
let people = 0

beforeAll(async () => { cloud = await startOwnCloud() })
afterAll(() => cloud.stop())

const patience = { timeout: 60_000, interval: 10 }
const newEmail = () => `leaver-${String((people += 1))}@example.com`
const paid = { status: 'active', cancelAtPeriodEnd: false, subscriptionType: 'autosync', hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', active: true, currentPeriodEnd: '2030-01-01T00:00:00.000Z' }
const keep = (userId: string, content: object) => queryRows(cloud.databaseUrl, 'INSERT INTO subscriptions VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET content = excluded.content', [userId, JSON.stringify({ userId, ...content })])
const upload = async (email: string, text: string) => {
  const { name, bytes } = png(text)
  const { token } = await cloud.tokenOf(email)
  return fetch(`${cloud.url}${picturePath}?name=${name}`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: bytes })
}

/** How many rows each table has of a user; every table that knows users is looked at. */
const rowsOf = async (userId: string): Promise<Record<string, number>> => {
  const tables = await queryRows<{ name: string }>(cloud.databaseUrl, "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'user_id' AND table_schema = 'public' ORDER BY 1")
  const counted = await Promise.all(tables.map(async ({ name }) => [name, (await queryRows(cloud.databaseUrl, `SELECT 1 FROM ${name} WHERE user_id = $1`, [userId])).length] as const))
  return Object.fromEntries(counted.filter(([, rows]) => rows > 0))
}
const fill = async (email: string): Promise<CloudClient> => {
  const user = await cloudUser(cloud, email)
  await user.tell([pair('one'), edit('one', 'a note'), finance('f', 'a fee')])
  expect((await upload(email, `of ${email}`)).status).toBe(200)
  await keep(user.userId, { status: 'active' })
  await queryRows(cloud.databaseUrl, "INSERT INTO payers VALUES ($1, '{cus_1}', 1)", [user.userId])
  expect(await rowsOf(user.userId)).toEqual({ journal_hashes: 3, journal_marks: 1, journals: 1, payers: 1, pictures: 1, records: 3, stored_bytes: 1, subscriptions: 1 })
  return user
}

test('deleting an account removes everything of its user and nothing of others; repeating it gives the same answer', async () => {
  const [leaver, stayer] = [await fill(newEmail()), await fill(newEmail())]
  const before = await rowsOf(stayer.userId)
  const body = { userId: leaver.userId }
  expect(await leaver.call(deleteCloudAccount, { body })).toEqual({ success: true })
  expect(await rowsOf(leaver.userId)).toEqual({ deleted_accounts: 1 })
  expect(await leaver.call(deleteCloudAccount, { body })).toEqual({ success: true })
  expect(await rowsOf(leaver.userId)).toEqual({ deleted_accounts: 1 })
  expect(await rowsOf(stayer.userId)).toEqual(before)
  expect(await stayer.fail(deleteCloudAccount, { body })).toMatchObject({ status: 403, code: 'not-this-user' })
})

test.each([
  ['a paid plan', paid, 409],
  ['one whose payment failed, which is tried again', { ...paid, status: 'past_due', active: false, subscriptionStatus: 'expired' }, 409],
  ['one that the program said to have ended, and the provider did not', { ...paid, hasSubscription: false }, 409],
  ['one that ends with its period', { ...paid, cancelAtPeriodEnd: true }, 200],
  ['one that ended', { ...paid, hasSubscription: false, active: false, status: 'canceled', subscriptionStatus: 'expired' }, 200],
  ['the default', { status: 'active', cancelAtPeriodEnd: false }, 200],
])('with %s', async (_what, content, status) => {
  const user = await fill(newEmail())
  await keep(user.userId, content)
  const before = await rowsOf(user.userId)
  const answer = await user.send(deleteCloudAccount, { body: { userId: user.userId } })
  expect(answer.status).toBe(status)
  if (status === 409) expect([JSON.parse(answer.body), await rowsOf(user.userId)]).toEqual([expect.objectContaining({ code: 'subscription-runs' }), before])
  else expect(await rowsOf(user.userId)).toEqual({ deleted_accounts: 1 })
})

test('a computer unaware of the deletion restores nothing: it learns that the account is gone, and the same email is a new user from then on', async () => {
  const email = newEmail()
  const user = await fill(email)
  const { userId } = user
  const token = await cloud.tokenOf(email)
  const other = callerAt(cloud.url, token)
  const { journal, head } = await other.state()
  await user.call(deleteCloudAccount, { body: { userId } })
  const refused = { outcome: 'failed', status: 401, code: 'account-gone', retryAfter: null }
  // Where it left off, and as one that never spoke with this cloud.
  expect(await other.push(journal, head, [pair('two')])).toEqual(refused)
  expect(await other.push(null, 0, [pair('two')])).toEqual(refused)
  expect(await user.fail(mirrorRoutes.push, { body: { userId, journal, after: { push: randomUUID() }, records: [pair('two')] } })).toMatchObject({ status: 401 })
  expect(await user.fail(mirrorRoutes.journal, { query: { userId } })).toMatchObject({ status: 401, code: 'account-gone' })
  expect(await user.fail(mirrorRoutes.changes, { query: { userId, part: 'pairs', after: '0', upTo: '1' } })).toMatchObject({ status: 401 })
  expect(await user.fail(subscriptionRoutes.createSubscription, { body: { userId, subscription: { status: 'active' } } })).toMatchObject({ status: 401 })
  expect(await fetch(`${cloud.url}${picturePath}?name=${png('late').name}`, { method: 'POST', headers: { authorization: `Bearer ${token.token}` }, body: png('late').bytes })).toMatchObject({ status: 401 })
  expect(await rowsOf(userId)).toEqual({ deleted_accounts: 1 })
  const next = await cloudUser(cloud, email)
  expect(next.userId).not.toBe(userId)
  expect(await next.call(whoAmI)).toEqual({ userId: next.userId })
  expect((await cloudUser(cloud, email.toUpperCase())).userId).toBe(next.userId)
})

test('every call of a deleted account is refused, even one that reads no user data', async () => {
  const user = await fill(newEmail())
  const { userId } = user
  const paths = Object.values(cloudRoutes)
  expect(await user.call(whoAmI)).toEqual({ userId })
  await user.call(deleteCloudAccount, { body: { userId } })
  for (const route of paths.filter(({ path }) => path !== deleteCloudAccount.path)) {
    expect([route.path, await user.fail(route, { body: { userId, action: 'refresh', refreshToken: 'r' } })]).toMatchObject([route.path, { status: 401, code: 'account-gone' }])
  }
})

test('a push in progress is either complete before the deletion, and deleted too, or refused', async () => {
  const email = newEmail()
  const user = await fill(email)
  const caller = callerAt(cloud.url, await cloud.tokenOf(email))
  const { journal, head } = await caller.state()
  const holding = new pg.Client({ connectionString: asAdministrator(cloud.databaseUrl) })
  await holding.connect()
  await holding.query('BEGIN')
  await holding.query('SELECT * FROM journals WHERE user_id = $1 FOR UPDATE', [user.userId])
  const waiting = async () => (await queryRows(cloud.databaseUrl, "SELECT 1 FROM pg_stat_activity WHERE application_name = 'fillbook-cloud' AND wait_event_type = 'Lock'")).length
  const early = caller.push(journal, head, [pair('early')])
  await vi.waitUntil(async () => (await waiting()) === 1, patience)
  const deleted = user.call(deleteCloudAccount, { body: { userId: user.userId } })
  await vi.waitUntil(async () => (await waiting()) === 2, patience)
  const late = caller.push(null, 0, [pair('late')])
  await vi.waitUntil(async () => (await waiting()) === 3, patience)
  await holding.query('ROLLBACK')
  await holding.end()
  expect(await early).toMatchObject({ outcome: 'taken' })
  expect(await deleted).toEqual({ success: true })
  expect(await late).toMatchObject({ outcome: 'failed', status: 401 })
  expect(await rowsOf(user.userId)).toEqual({ deleted_accounts: 1 })
})
