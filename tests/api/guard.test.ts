import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { localRoutes } from '#shared/api/contract.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import type { Route } from '#shared/api/route.ts'
import { browserKeyHeader, sessionRoutes } from '#shared/api/session.ts'
import { eventsPath } from '#shared/api/sync.ts'
import { openBrowser } from '#tests/helpers/browser.ts'
import { rawRequest } from '#tests/helpers/raw-request.ts'
import { startSharedApp } from '#tests/helpers/app.ts'
import type { App } from '#tests/helpers/app.ts'

const codeOf = (body: string): unknown => (JSON.parse(body) as { code?: unknown }).code
let app: App
beforeAll(async () => { app = await startSharedApp() })
afterAll(() => app.stop())

const routes: [string, Route][] = Object.entries(localRoutes)
const textOf = ({ failure }: Route, body?: unknown): string | undefined => (typeof failure === 'function' ? failure(body) : failure)

test('the server answers only under its own two host names, whatever the request', async () => {
  const browser = await app.newBrowser()
  const port = new URL(browser.origin).port
  for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.2:${port}`, `localhost:${String(Number(port) + 1)}`, `localhost.evil.example:${port}`]) {
    for (const path of ['/', '/api/session', '/assets/app-1a2b3c4d.js', '/oauth/callback?code=1']) {
      const answer = await browser.send(path, { headers: { host } })
      expect([host, path, answer.status, codeOf(answer.body)]).toEqual([host, path, 403, 'strange-host'])
    }
  }
  expect((await browser.send('/api/session', { headers: { host: `127.0.0.1:${port}` } })).status).toBe(200)
  expect((await rawRequest(`${browser.origin}/`, { headers: { host: `localhost:${port}` } })).status).toBe(200)
})

test('a page of another origin can make no call', async () => {
  const browser = await app.newBrowser()
  const port = new URL(browser.origin).port
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://localhost:${port}` },
    { origin: `http://127.0.0.1:${String(Number(port) + 1)}` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]
  for (const headers of foreign) {
    for (const route of [sessionRoutes.session, sessionRoutes.signInDemo, recordRoutes.addTrade]) {
      expect(await browser.fail(route, { headers })).toMatchObject({ status: 403, code: 'strange-origin' })
    }
    expect((await browser.send(eventsPath, { headers })).status).toBe(403)
  }
  const answer = await browser.send('/api/session', { headers: { origin: browser.origin, 'sec-fetch-site': 'same-origin' } })
  expect(answer.status).toBe(200)
  expect(answer.headers['access-control-allow-origin']).toBeUndefined()
})

test('a preflight of another origin gets no permission', async () => {
  const browser = await app.newBrowser()
  const answer = await browser.send('/api/session', { method: 'OPTIONS', headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' } })
  expect(answer.status).toBe(403)
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('without a launch cookie every call is refused', async () => {
  const browser = await app.newBrowser()
  for (const [name, route] of routes) {
    const answer = await rawRequest(`${browser.origin}${route.path}`, route.method === 'POST' ? { method: 'POST', headers: { 'content-type': 'application/json', origin: browser.origin }, body: '{}' } : {})
    expect([name, answer.status, codeOf(answer.body)]).toEqual([name, 401, 'no-session'])
  }
  const forged = await rawRequest(`${browser.origin}/api/session`, { headers: { cookie: `${browser.cookie().slice(0, -4)}AAAA` } })
  expect(codeOf(forged.body)).toBe('no-session')
  expect((await rawRequest(`${browser.origin}${eventsPath}`)).status).toBe(401)
})

test('a call for users is refused in a browser without a signed-in user', async () => {
  const browser = await app.newBrowser()
  for (const [name, route] of routes.filter(([, { access }]) => access !== 'none')) {
    expect([name, await browser.fail(route)]).toMatchObject([name, { status: 401, code: 'not-signed-in', error: textOf(route) ?? 'not-signed-in' }])
  }
  expect((await browser.send(eventsPath)).status).toBe(401)
})

test('a launch token works once, in one browser, and leaves no trace in the address', async () => {
  const { backend } = app
  const launchUrl = await backend.launchUrl('anybody')
  const first = await rawRequest(launchUrl)
  expect([first.status, first.headers.location]).toEqual([200, undefined])
  for (const [at, path] of ['/', '/api'].entries()) expect(first.headers['set-cookie']?.[at]).toMatch(new RegExp(`^fillbook-\\d+=[\\w-]{43}; Max-Age=\\d+; Path=${path}; Expires=.+; HttpOnly; SameSite=Strict$`))
  // The page takes the token out of its address once it has kept the key.
  const key = String(first.headers[browserKeyHeader])
  expect(key).toMatch(/^[\w-]{43}$/)
  expect(first.body).toContain(`<meta name="fillbook-key" content="${key}">`)
  expect(first.headers['cache-control']).toBe('no-store')

  const second = await rawRequest(launchUrl)
  expect(second.status).toBe(403)
  expect(second.headers['set-cookie']).toBeUndefined()
  expect(second.headers['content-type']).toContain('text/html')
  expect(second.body).toContain('used already')
  expect(second.body).not.toContain('<script')
  expect((await rawRequest(`${backend.url}/?token=`)).status).toBe(403)
  expect((await rawRequest(`${backend.url}/?token=a&token=b`)).status).toBe(403)
})

test('the browser that used a launch token may use it again', async () => {
  const { backend } = app
  const launchUrl = await backend.launchUrl('anybody')
  const browser = await openBrowser(launchUrl)
  await browser.call(sessionRoutes.session)
  const cookie = browser.cookie()
  const again = await browser.send(launchUrl.slice(browser.origin.length))
  expect([again.status, again.headers.location, again.headers[browserKeyHeader]]).toEqual([303, '/', undefined])
  expect(browser.cookie()).toBe(cookie)
})

test('a browser that lost its key gets a new one with address and cookie together, and with neither alone', async () => {
  const { backend } = app
  const launchUrl = await backend.launchUrl('anybody')
  const other = await backend.launchUrl('anybody')
  const browser = await openBrowser(launchUrl)
  const [cookie, lost] = [browser.cookie(), browser.key()]
  expect((await rawRequest(launchUrl)).status).toBe(403)
  const stranger = await openBrowser(other)
  for (const headers of [{ cookie }, { cookie: stranger.cookie() }]) {
    const answer = await rawRequest(headers.cookie === cookie ? other : launchUrl, { headers })
    expect([answer.status, answer.headers[browserKeyHeader]]).toEqual([303, undefined])
  }
  expect((await rawRequest(`${backend.url}/api/session`, { headers: { cookie } })).status).toBe(401)

  await browser.send(launchUrl.slice(browser.origin.length))
  expect([browser.cookie(), browser.key() === lost]).toEqual([cookie, false])
  expect((await browser.send('/api/session', { headers: { [browserKeyHeader]: lost } })).status).toBe(401)
  expect(await browser.call(sessionRoutes.session)).toMatchObject({ currentUser: null })
  // From then on the address is used up, for this browser too.
  const late = await rawRequest(launchUrl, { headers: { cookie } })
  expect([late.status, late.headers[browserKeyHeader]]).toEqual([303, undefined])
})

test('cookies of the same name from other programs on this computer lock nobody out', async () => {
  const browser = await app.newBrowser()
  const { userId } = await browser.signUp('shadowed@example.com')
  const [name = ''] = browser.cookie().split('=')
  const session = async (cookie: string): Promise<unknown> => JSON.parse((await browser.send('/api/session', { headers: { cookie } })).body)
  // One under a longer path comes first, one that overwrote ours under '/' comes after the other that we set.
  expect(await session(`${name}=x; ${browser.cookie()}`)).toMatchObject({ currentUser: { uid: userId } })
  expect(await session(`${browser.cookie()}; ${name}=x; ${name}=`)).toMatchObject({ currentUser: { uid: userId } })
  // Where all of ours are gone the browser is still known by its key, and its user signs in again.
  const signedIn = browser.cookie()
  expect(await session(`${name}=x`)).toMatchObject({ currentUser: null })
  expect(browser.cookie()).not.toBe(signedIn)
  await browser.call(sessionRoutes.signIn, { body: { email: 'shadowed@example.com', password: 'correct horse' } })
  expect(await browser.call(sessionRoutes.session)).toMatchObject({ currentUser: { uid: userId } })
  expect(codeOf((await browser.send('/api/session', { headers: { [browserKeyHeader]: 'x', cookie: `${name}=x` } })).body)).toBe('no-session')
})

test('as many cookies as a browser keeps for one host, at full length, lock nobody out either', async () => {
  const browser = await app.newBrowser()
  const { userId } = await browser.signUp('flooded@example.com')
  const others = Array.from({ length: 180 }, (_, index) => `other-${String(index)}=${'x'.repeat(4_080)}`).join('; ')
  const { status, body } = await browser.send('/api/session', { headers: { cookie: `${others}; ${browser.cookie()}` } })
  expect([status, JSON.parse(body)]).toMatchObject([200, { currentUser: { uid: userId } }])
})

test('a launch address gives a known browser a new key, and leaves its user signed in', async () => {
  const browser = await app.newBrowser()
  const { userId } = await browser.signUp('again@example.com')
  const before = browser.own()
  await browser.send((await app.backend.launchUrl('anybody')).slice(browser.origin.length))
  expect(browser.key()).not.toBe(before[browserKeyHeader])
  expect(await browser.call(sessionRoutes.session)).toMatchObject({ currentUser: { uid: userId } })
  expect((await rawRequest(`${browser.origin}/api/trades.csv`, { headers: before })).status).toBe(401)
})

test('a ticket allows one download, once, in the browser that requested it', async () => {
  const browser = await app.newBrowser()
  await browser.signUp('tickets@example.com')
  const cookieAlone = { cookie: browser.cookie() }
  const ticket = async (): Promise<string> => (await browser.call(sessionRoutes.downloadTicket, { body: { path: '/api/trades.csv' } })).ticket
  const status = async (path: string, headers: Record<string, string>, method = 'GET'): Promise<number> => (await rawRequest(`${browser.origin}${path}`, { headers, method })).status
  const used = await ticket()
  expect(await status(`/api/trades.csv?ticket=${used}`, cookieAlone)).toBe(200)
  expect(await status(`/api/trades.csv?ticket=${used}`, cookieAlone)).toBe(401)
  for (const [path, headers] of [['/api/trades.csv', {}], ['/api/trades.csv', { cookie: (await app.newBrowser()).cookie() }], ['/api/books.csv', cookieAlone], ['/api/journal-file', cookieAlone], ['/api/session', cookieAlone]] as const) {
    const one = await ticket()
    expect([path, await status(`${path}?ticket=${one}`, headers)]).toEqual([path, 401])
    expect(await status(`/api/trades.csv?ticket=${one}`, cookieAlone)).toBe(401)
  }
})

test('the page and the brokerage callback need no cookie, and keep the query', async () => {
  const browser = await app.newBrowser()
  const page = await rawRequest(`${browser.origin}/`)
  expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-cache'])
  expect(page.body).toContain('id="root"')
  const asset = await rawRequest(`${browser.origin}/assets/app-1a2b3c4d.js`)
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const back = await rawRequest(`${browser.origin}/oauth/callback?code=a%2Bb&state=c`)
  expect([back.status, back.headers.location]).toEqual([302, '/#/oauth/callback?code=a%2Bb&state=c'])
  expect((await rawRequest(`${browser.origin}/oauth/callback`)).headers.location).toBe('/#/oauth/callback')
  expect((await rawRequest(`${browser.origin}/somewhere?x=1`)).headers.location).toBe('/#/404')
  expect((await rawRequest(`${browser.origin}/assets/none.js`)).status).toBe(404)
  for (const path of ['/../package.json', '/%2e%2e/journal.db', '/assets/..%2f..%2fjournal.db', '/assets/%c0%ae/', '/%']) {
    const answer = await rawRequest(`${browser.origin}/`.slice(0, -1) + path)
    expect([path, answer.status < 200 || answer.status >= 300]).toEqual([path, true])
  }
})

test('the callbacks of a mailed link and of Google need no cookie, and disclose nothing', async () => {
  const { origin } = await app.newBrowser()
  const link = await rawRequest(`${origin}/auth/email-link?apiKey=a&oobCode=b%2Bc&mode=signIn`)
  expect([link.status, link.headers.location, link.headers['set-cookie']]).toEqual([302, '/#/auth/email-link?apiKey=a&oobCode=b%2Bc&mode=signIn', undefined])
  const back = await rawRequest(`${origin}/auth/google/return?state=a&code=b`)
  expect(back).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store', 'cross-origin-opener-policy': 'unsafe-none', 'referrer-policy': 'no-referrer' } })
  // The page contains nothing from the address, and its only script is our own file.
  expect(back.body).toContain('<script src="/auth/close.js"></script>')
  expect(await rawRequest(`${origin}/auth/google/return?state=%3Cscript%3E&code=x`)).toMatchObject({ body: back.body })
  expect(await rawRequest(`${origin}/auth/close.js`)).toMatchObject({ status: 200, body: 'window.close()\n' })
  expect((await rawRequest(`${origin}/`)).headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
})

test('every answer has a content security policy, and no header names the server software', async () => {
  const browser = await app.newBrowser()
  for (const path of ['/', '/api/session', '/api/nothing', '/oauth/callback', '/assets/none.js']) {
    const { headers } = await browser.send(path)
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/default-src 'none'.*script-src 'self'.*connect-src 'self'.*base-uri 'none'.*form-action 'self'.*frame-ancestors 'none'/)
    expect(/script-src[^;]*unsafe/.test(policy)).toBe(false)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    expect(headers['x-powered-by']).toBeUndefined()
  }
  expect((await browser.send('/api/session')).headers['cache-control']).toBe('no-store')
})

test('an unknown call gets a problem document, not the page', async () => {
  const browser = await app.newBrowser()
  for (const path of ['/api/nothing', '/api', '/api/session/', '/API/SESSION']) {
    const answer = await browser.send(path)
    expect([path, answer.status, codeOf(answer.body)]).toEqual([path, 404, 'unknown-call'])
  }
  expect((await browser.send('/api/session', { method: 'DELETE', headers: { origin: browser.origin } })).status).toBe(404)
})

test('a body that cannot be decompressed is refused as unreadable, whatever its encoding', async () => {
  const browser = await app.newBrowser()
  for (const encoding of ['br', 'gzip', 'deflate']) {
    const answer = await browser.send(sessionRoutes.signIn.path, { method: 'POST', headers: { 'content-type': 'application/json', 'content-encoding': encoding }, body: 'not packed at all' })
    expect([encoding, answer.status, codeOf(answer.body)]).toEqual([encoding, 400, 'invalid-request'])
  }
})

test('a body that is too large is refused with the text of its call', async () => {
  const browser = await app.newBrowser()
  const { userId } = await browser.signUp('huge@example.com')
  const huge = { userId, trade: { id: 'x', notes: 'x'.repeat(1_100_000) } }
  expect(await browser.fail(recordRoutes.addTrade, { body: huge })).toMatchObject({ status: 413, code: 'body-too-large', error: 'Failed to save trade' })
})

test('every call that names another user is refused and changes nothing', async () => {
  const browser = await app.newBrowser()
  const { userId: anns } = await browser.signUp()
  const bob = await app.newBrowser()
  const { userId: bobs } = await bob.signUp('bob@example.com')
  await bob.call(recordRoutes.addTrade, { body: { userId: bobs, trade: { id: 'bob-1', symbol: 'MESZ6', qty: 1, entryPrice: 5000, exitPrice: 5001, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' } } })

  const named = routes.filter(([, { query, body }]) => namesUser(query) || namesUser(body))
  expect(named.map(([name]) => name).toSorted()).toEqual(['addFill', 'addFinance', 'addTrade', 'createSubscription', 'getFinances', 'getSubscription', 'getTrades', 'payments', 'removeFinance', 'removeTrade', 'savePairs', 'saveSubscription', 'tradovate', 'updateTrade'])
  for (const [name, route] of named) {
    const given = namesUser(route.query) ? { query: { userId: bobs } } : { body: { userId: bobs, id: 'bob-1', action: 'account' } }
    expect([name, await browser.fail(route, given)]).toMatchObject([name, { status: 403, code: 'not-this-user', error: textOf(route, given.body) ?? 'not-this-user' }])
  }
  const inside = { userId: anns, trade: { id: 'ann-1', userId: bobs, symbol: 'MESZ6', qty: 1, entryPrice: 1, exitPrice: 2, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' } }
  expect(await browser.fail(recordRoutes.addTrade, { body: inside })).toMatchObject({ status: 403, code: 'not-this-user' })
  // What bob has is found under his own id only.
  expect(await browser.fail(recordRoutes.removeTrade, { body: { userId: anns, id: 'bob-1' } })).toMatchObject({ status: 404, error: 'Failed to remove trade' })
  expect((await bob.call(recordRoutes.getTrades, { query: { userId: bobs } })).trades.map(({ id }) => id)).toEqual(['bob-1'])
  expect((await browser.call(recordRoutes.getTrades, { query: { userId: anns } })).trades).toEqual([])
})

const namesUser = (schema: z.core.$ZodType | undefined): boolean => schema !== undefined && JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' })).includes('"userId"')
