import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloudRoutes } from '#shared/api/cloud.ts'
import { localRoutes } from '#shared/api/contract.ts'
import { problem } from '#shared/api/problems.ts'
import { startSharedApp, type App } from '#tests/helpers/app.ts'
import { startCloud, type RunningCloud } from '#tests/helpers/cloud.ts'
import { cloudUser, type CloudClient } from '#tests/helpers/cloud-client.ts'
import { queryRows, sharedPostgres, type PostgresServer } from '#tests/helpers/postgres.ts'

const password = 'password-that-nobody-logs'
const at = { symbol: 'MESZ6', qty: 1, entryPrice: 5_000, exitPrice: 5_001, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' }

let app: App
let userId: string
let recoveryCode: string
let postgres: PostgresServer
let databaseUrl: string
let cloud: RunningCloud
let user: CloudClient
let token: string
beforeAll(async () => {
  // First: the program takes the right to read new files from everybody else, the server of the database too.
  postgres = await sharedPostgres()
  databaseUrl = await postgres.newDatabase()
  cloud = await startCloud({ databaseUrl, env: { FILLBOOK_CLOUD_LOG_LEVEL: 'debug' } })
  user = await cloudUser(cloud, 'ann@example.com')
  ;({ token } = await cloud.tokenOf('ann@example.com'))
  app = await startSharedApp()
  ;({ userId, recoveryCode } = await app.browser.signUp('ann@example.com', password))
})
afterAll(async () => {
  await app.stop()
  await cloud.stop()
  await postgres.stop()
})

type Raw = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string | Uint8Array }

/** Sends a path letter for letter, as no browser would. */
const sendRaw = async (origin: string, path: string, { method = 'GET', headers = {}, body }: Raw = {}): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> => {
  const { hostname, port } = new URL(origin)
  const sent = request({ host: hostname, port, path, method, headers, agent: false })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.end(body)
  const [answer] = await answered
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) }
}

/** Each host with how its user adds a trade, and what else it answers. */
const hosts = () => [
  { name: 'the program', origin: app.browser.origin, headers: app.browser.own(), id: userId, path: localRoutes.addTrade.path },
  { name: 'the cloud', origin: cloud.url, headers: { authorization: `Bearer ${token}` }, id: user.userId, path: cloudRoutes.addTrade.path },
]
const codeOf = (body: string): string => problem.parse(JSON.parse(body)).code
const addRaw = (host: ReturnType<typeof hosts>[number], body: string | Uint8Array, headers: Record<string, string> = {}) => sendRaw(host.origin, host.path, { method: 'POST', headers: { ...host.headers, 'content-type': 'application/json', ...headers }, body })
const stillAnswers = async (): Promise<void> => {
  expect((await app.browser.call(localRoutes.session)).currentUser?.uid).toBe(userId)
  expect(await user.call(cloudRoutes.whoAmI)).toEqual({ userId: user.userId })
}

test('a path traversal, however encoded, reaches no file', async () => {
  const ways = ['/../journal.db', '/../../../../etc/passwd', '/..%2f..%2fetc%2fpasswd', '/%2e%2e/%2e%2e/etc/passwd', '/assets/../../journal.db', '/assets/..%5c..%5cjournal.db', '/assets/%2e%2e%2f%2e%2e%2fjournal.db', '/assets/....//....//journal.db', '//etc/passwd', '/assets/%00/../journal.db', '/%c0%ae%c0%ae/journal.db', '/assets/app-1a2b3c4d.js/../../../journal.db', '/.hidden', '/assets/.env', 'http://127.0.0.1/../etc/passwd']
  // What is hidden is there to be found.
  for (const hidden of ['.hidden', 'assets/.env']) writeFileSync(join(app.dataDir, 'test-pages', hidden), 'root: hidden')
  for (const host of hosts()) {
    for (const path of ways) {
      const answer = await sendRaw(host.origin, path, { headers: host.headers })
      expect([host.name, path, answer.status < 500, /root:|SQLite format/.test(answer.body)]).toEqual([host.name, path, true, false])
      // A page of the app or no page at all: nothing is found there.
      expect([host.name, path, answer.status === 200]).toEqual([host.name, path, false])
    }
  }
  for (const name of ['../journal.db', '..%2fjournal.db', `${'a'.repeat(64)}.png/../../journal.db`]) expect([name, (await sendRaw(app.browser.origin, `/api/pictures?name=${name}`, { headers: app.browser.own() })).status]).toEqual([name, 400])
})

test('a deeply nested body, a decompression bomb and a false length are refused, and both hosts keep answering', { tags: 'long' }, async () => {
  const deep = (levels: number, open: string, close: string): string => `{"userId":"x","trade":${open.repeat(levels)}1${close.repeat(levels)}}`
  const bodies: readonly (readonly [string, string | Uint8Array, Record<string, string>, readonly string[]])[] = [
    ['lists in lists', deep(400_000, '[', ']'), {}, ['invalid-request', 'not-this-user']],
    ['objects in objects', deep(150_000, '{"a":', '}'), {}, ['invalid-request', 'not-this-user']],
    ['a list without an end', '['.repeat(500_000), {}, ['invalid-request']],
    ['too large', JSON.stringify({ trade: { notes: 'x'.repeat(1_200_000) } }), {}, ['body-too-large']],
    ['a bomb', gzipSync(Buffer.alloc(200_000_000, 0x20), { level: 9 }), { 'content-encoding': 'gzip' }, ['body-too-large']],
    ['rubbish that says it is packed', 'rubbish', { 'content-encoding': 'gzip' }, ['invalid-request']],
    ['an encoding that nobody knows', '{}', { 'content-encoding': 'rot13' }, ['invalid-request']],
    ['a character set that nobody knows', '{}', { 'content-type': 'application/json; charset=rot13' }, ['invalid-request']],
    ['no JSON', '{"a":', {}, ['invalid-request']],
    ['no object', '"text"', {}, ['invalid-request']],
    ['a form', 'userId=x', { 'content-type': 'application/x-www-form-urlencoded' }, ['invalid-request']],
    ['text', '{"userId":"x"}', { 'content-type': 'text/plain' }, ['invalid-request']],
  ]
  for (const host of hosts()) {
    for (const [what, body, headers, codes] of bodies) {
      const answer = await addRaw(host, body, headers)
      expect([host.name, what, answer.status < 500]).toEqual([host.name, what, true])
      expect(codes, `${host.name}: ${what}`).toContain(codeOf(answer.body))
    }
  }
  await stillAnswers()
})

test('prototype keys in a body change nothing in the program, and grant no right', async () => {
  const keys = ['{"__proto__":{"polluted":"yes","admin":true,"subscriber":true}', '{"constructor":{"prototype":{"polluted":"yes"}}', '{"__proto__":{"userId":"somebody"}']
  for (const host of hosts()) {
    for (const key of keys) {
      const trade = `${key.slice(1)},${JSON.stringify({ ...at, id: 'polluting' }).slice(1)}`
      const answer = await addRaw(host, `{"userId":${JSON.stringify(host.id)},${key.slice(1)},"trade":{${trade}}`)
      expect([host.name, key, answer.status < 500, answer.body.includes('polluted')]).toEqual([host.name, key, true, false])
    }
    for (const query of ['__proto__[polluted]=yes', '__proto__=yes', 'constructor[prototype][polluted]=yes', '__proto__[userId]=somebody']) {
      const answer = await sendRaw(host.origin, `${cloudRoutes.getTrades.path}?userId=${host.id}&${query}`, { headers: host.headers })
      expect([host.name, query, answer.status, answer.body.includes('yes')]).toEqual([host.name, query, 200, false])
    }
  }
  // The program runs in this process, so that what it took over would be seen here.
  expect([({} as Record<string, unknown>)['polluted'], Object.keys(Object.prototype)]).toEqual([undefined, []])
  const none = { admin: false, subscriber: false }
  expect((await user.call(cloudRoutes.getSubscription, { query: { userId: user.userId } })).role).toEqual(none)
  await stillAnswers()
})

test('SQL in any text stays text: it is returned unchanged, matches nothing more, and changes nothing', async () => {
  const sql = ["'; DROP TABLE trades; --", "' OR '1'='1", '" OR ""="', "x' UNION SELECT password_hash FROM profiles --", "1); DELETE FROM records; --", "\\'; SELECT pg_sleep(10); --", '%', '_', '$1; DROP TABLE records', "'||(SELECT version())||'"]
  for (const [place, one] of sql.entries()) {
    const id = `sql-${String(place)} ${one}`
    const trade = { ...at, id, account: one, platform: one, notes: one, tags: [one], screenshotHeadline: one }
    for (const caller of [app.browser, user]) {
      const of = caller === user ? user.userId : userId
      const { trade: kept } = await caller.call(localRoutes.addTrade, { body: { userId: of, trade } })
      expect(kept).toMatchObject({ id, account: one, platform: one, notes: one, tags: [one], screenshotHeadline: one })
      await caller.call(localRoutes.addFinance, { body: { userId: of, finance: { id, type: 'expense', amount: 1, name: one, note: one, balance: 0 } } })
      expect(await caller.fail(localRoutes.removeTrade, { body: { userId: of, id: one } })).toMatchObject({ status: 404 })
      expect(await caller.fail(localRoutes.getTrades, { query: { userId: one } })).toMatchObject({ status: 403 })
    }
    const filtered = async (query: object): Promise<readonly string[]> => (await app.browser.call(localRoutes.pairPage, { query })).rows.map((row) => row.id)
    expect(await filtered({ tag: one })).toEqual([id])
    expect(await filtered({ accounts: one })).toEqual([id])
    expect(await filtered({ account: one })).toContain(id)
    expect(await filtered({ symbol: one })).toEqual([])
    for (const query of [{ sort: one }, { direction: one }, { offset: one }, { limit: one }]) expect(await app.browser.fail(localRoutes.pairPage, { query })).toMatchObject({ status: 400 })
  }
  const ids = sql.map((one, place) => `sql-${String(place)} ${one}`).toSorted()
  expect((await app.browser.call(localRoutes.getTrades, { query: { userId } })).trades.map(({ id }) => id).filter((id) => id.startsWith('sql-')).toSorted()).toEqual(ids)
  expect((await user.call(cloudRoutes.getTrades, { query: { userId: user.userId } })).trades.map(({ id }) => id).filter((id) => id.startsWith('sql-')).toSorted()).toEqual(ids)
  expect((await queryRows(databaseUrl, "SELECT 1 FROM records WHERE entity = 'trade' AND id LIKE 'sql-%'")).length).toBe(sql.length)
})

test('a manipulated brokerage callback leads nowhere but into the app', async () => {
  const { origin } = app.browser
  const ways = ['/oauth/callback?returnTo=https://evil.example', '/oauth/callback?code=1&state=2&redirect=//evil.example', '/oauth/callback?//evil.example', '/oauth/callback?%0d%0aLocation:https://evil.example', '//evil.example/oauth/callback', '/\\evil.example/oauth/callback', '/oauth/callback/..//evil.example', '/%2f%2fevil.example', '/https://evil.example', '/auth/email-link?continueUrl=https://evil.example', '/auth/google/return?state=a&code=b&continue=https://evil.example', '/checkout/return?returnTo=https://evil.example', '/@evil.example']
  for (const path of ways) {
    const { status, headers } = await sendRaw(origin, path)
    expect([path, status < 500]).toEqual([path, true])
    const { location } = headers
    expect([path, location === undefined || /^\/(?:$|#|\?)/.test(location)], location ?? '').toEqual([path, true])
    expect([path, headers['refresh'], headers['set-cookie']]).toEqual([path, undefined, undefined])
  }
  for (const path of ways.slice(0, 4)) {
    const { body, headers } = await sendRaw(cloud.url, path)
    expect([path, headers.location, /(?:href|url)="?(?!fillbook:)[a-z]*:?\/\//i.test(body)]).toEqual([path, undefined, false])
  }
})

test('no token, cookie, password or code is in any log', async () => {
  const launchUrl = await app.backend.launchUrl('anybody')
  const launch = new URL(launchUrl).searchParams.get('token') ?? ''
  for (let time = 0; time < 2; time += 1) await sendRaw(app.browser.origin, `/?token=${launch}`)
  const cookie = app.browser.cookie().split('=')[1] ?? ''
  await app.browser.fail(localRoutes.signIn, { body: { email: 'ann@example.com', password: `${password}-wrong` } })
  await app.browser.fail(localRoutes.resetPassword, { body: { email: 'ann@example.com', recoveryCode: `${recoveryCode}X`, newPassword: password } })
  await app.browser.fail(localRoutes.signIn, { body: { email: { password }, password: [password] } })
  await sendRaw(app.browser.origin, `/oauth/callback?code=code-that-nobody-logs&state=state-that-nobody-logs`)
  await sendRaw(app.browser.origin, `/api/session?token=${launch}`, { headers: { ...app.browser.own(), authorization: `Bearer ${token}` } })
  for (const authorization of [`Bearer ${token}`, `Bearer ${token}x`, `Basic ${token}`]) await sendRaw(cloud.url, `${cloudRoutes.whoAmI.path}?access_token=${token}`, { headers: { authorization } })
  await sendRaw(cloud.url, cloudRoutes.tradovate.path, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: JSON.stringify({ userId: user.userId, action: 'refresh', refreshToken: 'refresh-that-nobody-logs' }) })
  const folder = join(app.dataDir, 'logs')
  const said = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8')).join('')
  expect(said).toContain('/oauth/callback')
  expect(cloud.stderr()).toContain(cloudRoutes.whoAmI.path)
  const secrets = [launch, cookie, app.browser.key(), password, recoveryCode, token, token.split('.')[2] ?? '', 'code-that-nobody-logs', 'state-that-nobody-logs', 'refresh-that-nobody-logs']
  for (const secret of secrets) expect([secret.length > 10, said.includes(secret), cloud.stderr().includes(secret)]).toEqual([true, false, false])
})
