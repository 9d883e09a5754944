// @module-tag slow
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askTokens, call, codeFor, logIn, refreshTokens, rowsOf, type Tokens } from '#tests/helpers/demo-client.ts'
import type { TestBroker } from './broker.ts'
import { startTestBroker } from './broker.ts'

const AVA = 'ava.morgan'
let wall = Date.parse('2026-11-21T10:00:00Z')
let broker: TestBroker
let tokens: Tokens

beforeAll(async () => {
  broker = await startTestBroker({ anchor: '2026-11-20', wallNow: () => wall })
})
beforeEach(async () => {
  broker.faults.clear()
  broker.sessions.revoke(AVA)
  tokens = await logIn(broker, AVA)
})
afterAll(() => broker.stop())

const get = (path: string, init?: RequestInit): Promise<Response> => call(broker, 'demo', tokens.access_token, path, init)
const statusAndText = async (answer: Response): Promise<[number, string]> => [answer.status, await answer.text()]
const refresh = async (): Promise<unknown> => (await askTokens(broker, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' })).json()

describe('faults of the token exchange', () => {
  it('refuse a refresh once, and leave the token good for the next try', async () => {
    broker.faults.add({ kind: 'refuse-refresh', times: 1 })
    expect(await refresh()).toMatchObject({ error: 'invalid_token' })
    expect(await refresh()).toHaveProperty('access_token')
  })

  it('refuse a refresh for good', async () => {
    broker.faults.add({ kind: 'refuse-refresh' })
    for (let time = 0; time < 3; time += 1) expect(await refresh()).toMatchObject({ error: 'invalid_token' })
  })

  it('hand out no refresh token, or a short life', async () => {
    broker.faults.set([{ kind: 'no-refresh-token', times: 1 }, { kind: 'short-lived', seconds: 2, times: 1 }])
    const short = await logIn(broker, AVA)
    expect(short.refresh_token).toBeUndefined()
    expect(short.expires_in).toBe(2)
    wall += 2000
    expect((await call(broker, 'demo', short.access_token, '/account/list')).status).toBe(401)
  })

  it('refuse the client', async () => {
    broker.faults.add({ kind: 'wrong-client', times: 1 })
    expect(await refresh()).toMatchObject({ error: 'invalid_client' })
  })

  it('lose the answer after the exchange was done: the code is spent', async () => {
    const code = await codeFor(broker, AVA)
    broker.faults.add({ kind: 'lost-answer', path: 'oauthtoken$', times: 1 })
    const open = broker.sessions.open(AVA)
    await expect(askTokens(broker, { grant_type: 'authorization_code', code })).rejects.toThrow()
    expect(broker.sessions.open(AVA)).toBe(open + 1)
    expect(await (await askTokens(broker, { grant_type: 'authorization_code', code })).json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('lose the answer after a refresh was done: the old token is dead', async () => {
    broker.faults.add({ kind: 'lost-answer', path: 'oauthtoken$', times: 1 })
    await expect(refresh()).rejects.toThrow()
    expect(await refresh()).toMatchObject({ error: 'invalid_token' })
  })
})

describe('faults of every call', () => {
  it('impose a penalty: the ticket in the body is valid after its time, and not before', async () => {
    broker.faults.add({ kind: 'penalty', seconds: 3, path: '/fill/list$', times: 1 })
    const penalty = await (await get('/fill/list')).json()
    expect(penalty).toEqual({ 'p-ticket': expect.any(String), 'p-time': 3 })
    const again = { method: 'POST', body: JSON.stringify({ 'p-ticket': penalty['p-ticket'] }) }
    wall += 2000
    expect(await (await get('/fill/list', again)).json()).toEqual({ 'p-ticket': penalty['p-ticket'], 'p-time': 1 })
    wall += 1000
    expect((await (await get('/fill/list', again)).json()).length).toBeGreaterThan(0)
  })

  it('ask for a captcha', async () => {
    broker.faults.add({ kind: 'captcha', times: 1 })
    expect(await (await get('/fill/list')).json()).toMatchObject({ 'p-captcha': true, 'p-time': 3600 })
  })

  it.each([
    ['rate-limited', { kind: 'rate-limited', times: 1 }, 429],
    ['permission-missing', { kind: 'permission-missing', times: 1 }, 401],
    ['server-error', { kind: 'server-error', status: 503, times: 1 }, 503],
  ] as const)('%s: a status with an empty body, then normal answers', async (_, fault, status) => {
    broker.faults.add(fault)
    expect(await statusAndText(await get('/account/list'))).toEqual([status, ''])
    expect((await get('/account/list')).status).toBe(200)
  })

  it('kill the access token in mid-session; the refresh token stays valid', async () => {
    broker.faults.add({ kind: 'token-dead', path: '/order/', times: 1 })
    expect((await get('/fill/list')).status).toBe(200)
    expect(await statusAndText(await get('/order/list'))).toEqual([401, 'Access is denied'])
    expect((await get('/fill/list')).status).toBe(401)
    tokens = await refreshTokens(broker, tokens.refresh_token ?? '')
    expect((await get('/fill/list')).status).toBe(200)
  })

  it.each([408, 429, 500] as const)('push the session out: %i from then on', async (status) => {
    broker.faults.add({ kind: 'pushed-out', status, times: 1 })
    for (const path of ['/fill/list', '/order/list']) expect((await get(path)).status).toBe(status)
    expect(broker.sessions.open(AVA)).toBe(0)
  })

  it('never answer', async () => {
    broker.faults.add({ kind: 'never-answers', times: 1 })
    const controller = new AbortController()
    broker.traffic.clear()
    const asked = get('/fill/list', { signal: controller.signal })
    await expect.poll(() => broker.traffic.seen()).toMatchObject([{ path: '/demo/v1/fill/list', status: 0 }])
    controller.abort()
    await expect(asked).rejects.toThrow()
  })

  it('answer slowly', async () => {
    broker.faults.add({ kind: 'slow', ms: 60, times: 1 })
    const begun = performance.now()
    expect((await get('/fill/list')).status).toBe(200)
    expect(performance.now() - begun).toBeGreaterThan(55)
  })

  it('answer slow requests at once when they are cleared', async () => {
    broker.faults.add({ kind: 'slow', ms: 3_600_000, times: 1 })
    const asked = get('/fill/list')
    await expect.poll(() => broker.faults.active()).toEqual([])
    broker.faults.clear()
    expect((await asked).status).toBe(200)
  })

  it('cut JSON short, or send a page instead', async () => {
    broker.faults.set([{ kind: 'truncated-json', path: '/fill/', times: 1 }, { kind: 'html', path: '/order/', times: 1 }])
    await expect((await get('/fill/list')).json()).rejects.toThrow(SyntaxError)
    const page = await get('/order/list')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })

  it('send a client to another host, which answers, and to which a renewal points', async () => {
    broker.faults.add({ kind: 'moved-host' })
    const moved = await get('/fill/list?x=1')
    const location = moved.headers.get('location') ?? ''
    expect([moved.status, location]).toEqual([307, `http://localhost:${broker.port}/demo/v1/fill/list?x=1`])
    expect((await fetch(location)).status).toBe(401)
    const authorised = { headers: { authorization: `Bearer ${tokens.access_token}` } }
    expect((await fetch(location, authorised)).status).toBe(200)
    const renewed = await (await fetch(`http://localhost:${broker.port}/demo/v1/auth/renewaccesstoken`, authorised)).json()
    expect(renewed.apiHosts).toMatchObject(Object.fromEntries(['live', 'demo', 'mdLive', 'mdDemo', 'replay', 'reportingLive', 'reportingDemo'].map((key) => [key, `localhost:${broker.port}`])))
    // The reporting host says nothing of it.
    const report = await fetch(`${broker.url}/demo/rpt/v1/reports/requestReport`, { method: 'POST', ...authorised })
    expect([report.status, await report.text()]).toEqual([404, ''])
  })

  it('send one organization to hosts of its own for each purpose, and leave all others where they were', async () => {
    const hosts = await broker.openHosts()
    broker.faults.add({ kind: 'moved-host', organization: 'Northgate Funding', hosts, path: '/v1/(?!auth/)' })
    const ben = await logIn(broker, 'ben.keller')
    expect([(await get('/fill/list')).headers.get('location'), (await call(broker, 'demo', ben.access_token, '/fill/list')).status]).toEqual([`http://${hosts.demo}/demo/v1/fill/list`, 200])
    const at = (host: string, path: string, token: string) => fetch(`http://${host}${path}`, { redirect: 'manual', headers: { authorization: `Bearer ${token}` } })
    expect((await at(hosts.demo, '/demo/v1/fill/list', tokens.access_token)).status).toBe(200)
    // Neither another purpose nor another login is served there.
    expect((await at(hosts.live, '/demo/v1/fill/list', tokens.access_token)).headers.get('location')).toBe(`http://${hosts.demo}/demo/v1/fill/list`)
    expect((await at(hosts.demo, '/demo/v1/fill/list', ben.access_token)).headers.get('location')).toBe(`${broker.origins.demoApi}/fill/list`)
    const named = (token: string) => get('/auth/renewaccesstoken', { headers: { authorization: `Bearer ${token}` } }).then((answer) => answer.json())
    expect([(await named(tokens.access_token)).apiHosts, (await named(ben.access_token)).apiHosts]).toEqual([hosts, undefined])
    broker.faults.set([{ kind: 'moved-host', login: 'ben.keller', hosts: { demo: hosts.demo } }])
    expect([(await get('/fill/list')).status, (await call(broker, 'demo', ben.access_token, '/fill/list')).status, (await call(broker, 'live', ben.access_token, '/fill/list')).status]).toEqual([200, 307, 200])
  })

  it('return an error with HTTP 200', async () => {
    broker.faults.add({ kind: 'error-text', text: 'Try again later', times: 1 })
    expect(await statusAndText(await get('/fill/list'))).toEqual([200, '{"errorText":"Try again later"}'])
  })
})

describe('faults of rows', () => {
  const rows = (path: string) => rowsOf(broker, 'demo', tokens.access_token, path)

  it('empty a list', async () => {
    broker.faults.add({ kind: 'empty-list', path: '/fill/list$', times: 1 })
    expect(await rows('/fill/list')).toEqual([])
    expect((await rows('/fill/list')).length).toBeGreaterThan(0)
  })

  it('hide accounts from a caller that does not name the user', async () => {
    broker.faults.add({ kind: 'accounts-need-user-id' })
    expect(await rows('/account/list')).toEqual([])
    expect(await rows('/account/list?userId=9001')).toHaveLength(3)
    expect((await rows('/fill/list')).length).toBeGreaterThan(0)
  })

  it('leave a row out of items', async () => {
    const asked = (await rows('/order/list')).slice(0, 5).map(({ id }) => id)
    broker.faults.add({ kind: 'shorter-items' })
    expect(await rows(`/order/items?ids=${asked.join(',')}`)).toHaveLength(4)
  })

  it('add unknown fields, to rows and to single objects', async () => {
    const plain = await rows('/fill/list')
    broker.faults.add({ kind: 'unknown-fields' })
    const strange = await rows('/fill/list')
    expect(strange).toHaveLength(plain.length)
    expect(strange[0]).toEqual({ ...plain[0], settlementVenue: expect.any(String), auditTrail: expect.any(Object) })
    expect(await (await get(`/fill/item?id=${plain[0]?.id}`)).json()).toHaveProperty('auditTrail')
  })

  it('spoil one row among good ones', async () => {
    const plain = await rows('/fill/list')
    broker.faults.add({ kind: 'malformed-row', field: 'price', path: '/fill/list$' })
    const spoilt = await rows('/fill/list')
    expect(spoilt).toHaveLength(plain.length)
    expect(spoilt.filter((row) => !('price' in row))).toHaveLength(1)
  })
})

describe('the switches', () => {
  it('affect only their path and as often as set', async () => {
    broker.faults.add({ kind: 'server-error', status: 500, path: '^/demo/v1/fill/', times: 2 })
    const statuses = []
    for (const path of ['/order/list', '/fill/list', '/fill/list', '/fill/list']) statuses.push((await get(path)).status)
    expect(statuses).toEqual([200, 500, 500, 200])
    expect(broker.faults.active()).toEqual([])
    expect(() => broker.faults.add({ kind: 'html', path: '(' })).toThrow('not a regular expression')
  })

  it('obey over HTTP any caller with the control token', async () => {
    const control = (method: string, path: string, body?: unknown, token = broker.controlToken) =>
      fetch(`${broker.url}/_demo/${path}`, {
        method, headers: { authorization: `Bearer ${token}` }, ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    expect((await control('POST', 'faults', [{ kind: 'html' }], 'guess')).status).toBe(401)
    expect(await (await control('POST', 'faults', [{ kind: 'rate-limited', times: 1 }])).json()).toEqual([{ kind: 'rate-limited', times: 1 }])
    expect((await get('/fill/list')).status).toBe(429)
    expect(await (await control('GET', 'faults')).json()).toEqual([])
    expect((await control('POST', 'faults', [{ kind: 'gremlin' }])).status).toBe(400)

    const [stop] = broker.walk
    const stood = broker.clock.now()
    expect((await control('POST', 'clock', { now: stop?.at })).status).toBe(200)
    expect(broker.clock.now()).toBe(stop?.at)
    expect(await (await control('GET', 'clock')).json()).toEqual({ now: stop?.at, walk: broker.walk })
    broker.clock.set(stood)

    expect(await (await control('GET', 'traffic')).json()).toContainEqual(expect.objectContaining({ path: '/demo/v1/fill/list', status: 429 }))
    expect((await control('DELETE', 'traffic')).status).toBe(204)
    expect(JSON.stringify(broker.traffic.seen())).not.toContain(tokens.access_token)
  })
})
