// @module-tag slow
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { call, logIn, type Tokens } from '#tests/helpers/demo-client.ts'
import { plainSocket, type PlainSocket } from '#tests/helpers/plain-socket.ts'
import { until } from '#tests/helpers/until.ts'

const AVA = 'ava.morgan'
let broker: TestBroker
let tokens: Tokens
let opened: PlainSocket[] = []

beforeAll(async () => {
  broker = await startTestBroker({ anchor: '2026-11-20' })
})
beforeEach(async () => {
  broker.faults.clear()
  broker.sockets.refuse(false)
  broker.sockets.behave({ timeScale: 1, split: 'parts', apartMs: 0, emptyByDefault: false })
  broker.sessions.revoke(AVA)
  tokens = await logIn(broker, AVA)
})
afterEach(() => {
  opened.forEach((socket) => socket.close())
  opened = []
})
afterAll(() => broker.stop())

const connect = (environment = 'demo', port = broker.port, host = '127.0.0.1'): PlainSocket => {
  const socket = plainSocket(`ws://${host}:${port}/${environment}/v1/websocket`)
  opened.push(socket)
  return socket
}
const authorised = async (environment = 'demo'): Promise<PlainSocket> => {
  const socket = connect(environment)
  expect(await socket.ask('authorize', '', tokens.access_token)).toEqual({ s: 200, i: 0 })
  return socket
}
const accounts = (environment: string): number[] =>
  broker.logins.find(({ name }) => name === AVA)?.accounts.filter((each) => each.environment === environment).map(({ id }) => id) ?? []
const own = async (path: string): Promise<unknown> => (await call(broker, 'demo', tokens.access_token, path)).json()

describe('a socket', () => {
  it('opens with `o`, and is authorised by a token, raw or quoted', async () => {
    const socket = connect()
    expect(await socket.ask('authorize', '', tokens.access_token)).toEqual({ s: 200, i: 0 })
    expect(socket.frames[0]).toBe('o')
    expect(await connect().ask('authorize', '', JSON.stringify(tokens.access_token))).toEqual({ s: 200, i: 0 })
  })

  it('answers 401 before it is authorised, and to a token that is none', async () => {
    const socket = connect()
    expect(await socket.ask('account/list')).toEqual({ s: 401, i: 0, d: 'Access is denied' })
    expect(await socket.ask('authorize', '', 'tok-none')).toEqual({ s: 401, i: 1, d: 'Access is denied' })
    expect(await socket.ask('user/syncrequest', '', {})).toMatchObject({ s: 401 })
  })

  it('answers any operation of the API as HTTP does', async () => {
    const socket = await authorised()
    const list = await own('/account/list')
    expect(await socket.ask('account/list')).toEqual({ s: 200, i: 1, d: list })
    const [id] = accounts('demo')
    expect(await socket.ask('account/item', `id=${id}`)).toMatchObject({ s: 200, d: { id } })
    expect(await socket.ask('cashBalance/getcashbalancesnapshot', '', { accountId: id })).toMatchObject({ s: 200, d: { netLiq: expect.any(Number) } })
    expect(await socket.ask('nothing/list')).toEqual({ s: 404, i: 4, d: '' })
  })

  it('reads parameters of what only reads from the query, never from the body', async () => {
    const socket = await authorised()
    const [id] = accounts('demo')
    expect(await socket.ask('account/item', '', { id })).toEqual({ s: 404, i: 1, d: '' })
    expect(await socket.ask('order/deps', '', { masterid: id })).toEqual({ s: 404, i: 2, d: '' })
    expect(await socket.ask('contract/suggest', '', { t: 'M' })).toEqual({ s: 404, i: 3, d: '' })
  })

  it('knows order operations in lower case alone', async () => {
    expect(await (await authorised()).ask('order/placeOCO', '', {})).toEqual({ s: 401, i: 1, d: 'Access is denied' })
  })

  it('sends the messages of one event loop turn in one frame', async () => {
    const socket = await authorised()
    socket.send('authorize\n7\n\nx')
    socket.send('order/placeOCO\n8\n\n{}')
    await until(() => socket.answersTo(8)[0], 'both answers')
    expect(socket.frames.at(-1)).toMatch(/^a\[\{"s":401,"i":7.*\},\{"s":401,"i":8.*\}\]$/)
  })

  it('serves each host its own accounts', async () => {
    const ids = async (environment: string) => ((await (await authorised(environment)).ask('account/list')).d as { id: number }[]).map(({ id }) => id)
    expect(await ids('live')).toEqual(accounts('live'))
    expect(await ids('demo')).toEqual(accounts('demo'))
  })

  it('is closed on an invalid frame', async () => {
    const socket = await authorised()
    socket.send('account/list')
    expect(await socket.ended).toEqual({ code: 3000, reason: 'Go away!' })
    expect(socket.frames.at(-1)).toBe('c[3000,"Go away!"]')
  })

  it('is there under its address and its own names alone', async () => {
    expect(await connect('test').refused).toBe(404)
    const other = plainSocket(`ws://127.0.0.2:${broker.port}/demo/v1/websocket`)
    await other.ended
    expect(other.frames).toEqual([])
  })
})

describe('the life of a socket', () => {
  it('sends heartbeats while idle, and ends if the client is silent', async () => {
    broker.sockets.behave({ timeScale: 0.02 })
    const socket = await authorised()
    expect(await socket.ended).toMatchObject({ code: 3000 })
    const beats = socket.frames.filter((frame) => frame === 'h').length
    expect(beats).toBeGreaterThan(2)
    expect(beats).toBeLessThan(7)
  })

  it('stays open while the client sends heartbeats', async () => {
    broker.sockets.behave({ timeScale: 0.02 })
    const socket = await authorised()
    const beating = setInterval(() => socket.send('[]'), 50)
    await until(() => (socket.frames.filter((frame) => frame === 'h').length >= 12 ? true : null), 'a dozen heartbeats')
    clearInterval(beating)
    expect(broker.sockets.open()).toHaveLength(1)
  })

  it('is counted by login and host, and can be dropped', async () => {
    const [live, demo] = [await authorised('live'), await authorised('demo')]
    await demo.ask('user/syncrequest', '', { splitResponses: false })
    expect(broker.sockets.open()).toEqual([{ environment: 'live', login: AVA, synced: false }, { environment: 'demo', login: AVA, synced: true }])
    expect(broker.sockets.open({ login: 'nobody' })).toEqual([])
    broker.sockets.drop({ login: AVA, environment: 'live' })
    // Without a close frame.
    expect(await live.ended).toEqual({ code: 1006, reason: '' })
    await demo.pings()
    expect(broker.sockets.open()).toMatchObject([{ environment: 'demo' }])
  })

  it('ends with the brokerage', async () => {
    const other = await startTestBroker({ anchor: '2026-11-20' })
    const socket = connect('demo', other.port)
    await socket.ask('account/list')
    await other.stop()
    await socket.ended
  })
})

describe('the first reading', () => {
  const full = { splitResponses: true, entityTypes: ['user', 'account', 'order', 'orderVersion', 'fill', 'fillPair', 'fillFee', 'position', 'cashBalance', 'contract', 'contractMaturity', 'product'] }

  const merged = (socket: PlainSocket, i: number): Record<string, unknown> =>
    Object.assign({}, ...socket.answersTo(i).map(({ d }) => d)) as Record<string, unknown>

  it('is one message where it is not to be split', async () => {
    const socket = await authorised()
    const { d } = await socket.ask('user/syncrequest', '', { splitResponses: false })
    expect(d).toMatchObject({ users: [{ name: AVA }], accounts: await own('/account/list'), fills: await own('/fill/list'), orders: await own('/order/list'), positions: await own('/position/list') })
    expect(socket.answersTo(1)).toHaveLength(1)
  })

  it('is split into messages under one number, apart from each other', async () => {
    broker.sockets.behave({ apartMs: 20 })
    const socket = await authorised()
    await socket.ask('user/syncrequest', '', full)
    await until(() => socket.answersTo(1)[3], 'the last part')
    expect(socket.answersTo(1)).toHaveLength(4)
    // A slow machine may send two of them in one frame.
    expect(socket.frames.filter((frame) => frame.startsWith('a[{"s":200,"i":1,')).length).toBeGreaterThan(1)
    expect(merged(socket, 1)).toMatchObject({ accounts: await own('/account/list'), fills: await own('/fill/list'), fillFees: await own('/fillFee/list'), cashBalances: await own('/cashBalance/list') })
  })

  it('comes as row changes after an empty answer', async () => {
    broker.sockets.behave({ split: 'props' })
    const socket = await authorised()
    expect(await socket.ask('user/syncrequest', '', full)).toEqual({ s: 200, i: 1, d: {} })
    const fills = (await own('/fill/list')) as { id: number }[]
    await until(() => (socket.changes().filter(({ entityType }) => entityType === 'fill').length >= fills.length ? true : null), 'the fills')
    expect(socket.changes().filter(({ entityType, eventType }) => entityType === 'fill' && eventType === 'Created').map(({ entity }) => entity)).toEqual(fills)
  })

  it('contains the traded part of the contract library', async () => {
    const socket = await authorised()
    const { d } = await socket.ask('user/syncrequest', '', { splitResponses: false })
    const { contracts, orders } = d as { contracts: { id: number }[]; orders: { contractId: number }[] }
    expect(new Set(contracts.map(({ id }) => id))).toEqual(new Set(orders.map(({ contractId }) => contractId)))
    expect(contracts.length).toBeLessThan(((await own('/contract/list')) as unknown[]).length)
  })

  it('contains the requested accounts and entities', async () => {
    const fills = (await own('/fill/list')) as { orderId: number }[]
    const orders = (await own('/order/list')) as { id: number; accountId: number }[]
    const account = orders.find(({ id }) => id === fills[0]?.orderId)?.accountId
    const socket = await authorised()
    const { d } = await socket.ask('user/syncrequest', '', { accounts: [account], entityTypes: ['fill', 'fillPair', 'position'] })
    const mine = new Set(orders.filter(({ accountId }) => accountId === account).map(({ id }) => id))
    expect(mine.size).toBeLessThan(orders.length)
    expect(d).toEqual({ fills: fills.filter(({ orderId }) => mine.has(orderId)), fillPairs: expect.any(Array), positions: expect.any(Array) })
  })

  it('is of a user, without entities beside', async () => {
    const userId = broker.logins.find(({ name }) => name === AVA)?.userId ?? 0
    expect(await (await authorised()).ask('user/syncrequest', '', { users: [userId] })).toMatchObject({ s: 200, d: { users: [{ id: userId }], orders: await own('/order/list') } })
    expect(await (await authorised()).ask('user/syncrequest', '', { users: [userId], entityTypes: ['order'] })).toMatchObject({ s: 400 })
    expect(await (await authorised()).ask('user/syncrequest', '', { users: [userId + 1] })).toMatchObject({ s: 400, d: 'Access is denied' })
  })

  it('is empty by default with emptyByDefault', async () => {
    broker.sockets.behave({ emptyByDefault: true })
    expect(await (await authorised()).ask('user/syncrequest', '', { splitResponses: false })).toMatchObject({ s: 200, d: {} })
    expect(await (await authorised()).ask('user/syncrequest', '', { entityTypes: ['account'] })).toMatchObject({ s: 200, d: { accounts: await own('/account/list') } })
  })

  it('is given once a socket', async () => {
    const socket = await authorised()
    await socket.ask('user/syncrequest', '', {})
    expect(await socket.ask('user/syncrequest', '', {})).toMatchObject({ s: 400 })
  })
})

describe('faults of requests on a socket', () => {
  it('ask for a wait before the first reading: the ticket in the body opens it', async () => {
    broker.faults.add({ kind: 'penalty', seconds: 0, path: 'syncrequest$', times: 1 })
    const socket = await authorised()
    const { d } = await socket.ask('user/syncrequest', '', {})
    expect(d).toEqual({ 'p-ticket': expect.any(String), 'p-time': 0 })
    expect(await socket.ask('user/syncrequest', '', { ...(d as object) })).toMatchObject({ s: 200, d: { users: [{ name: AVA }] } })
  })

  it('are too many requests: a status and nothing else', async () => {
    broker.faults.add({ kind: 'rate-limited', times: 1 })
    const socket = connect()
    expect(await socket.ask('authorize', '', tokens.access_token)).toEqual({ s: 429, i: 0 })
    expect(await socket.ask('authorize', '', tokens.access_token)).toEqual({ s: 200, i: 1 })
    broker.faults.add({ kind: 'rate-limited', times: 1 })
    expect(await socket.ask('account/list')).toEqual({ s: 429, i: 2 })
    expect(socket.frames.at(-1)).toBe('a[{"s":429,"i":2}]')
  })

  it('kill the token in mid session; the socket stays', async () => {
    const socket = await authorised()
    broker.sessions.killAccess(AVA)
    expect(await socket.ask('account/list')).toEqual({ s: 401, i: 1, d: 'Access is denied' })
    expect(broker.sockets.open()).toHaveLength(1)
  })

  it('lose the answer with the line', async () => {
    broker.faults.add({ kind: 'lost-answer', path: 'account/list$', times: 1 })
    const socket = await authorised()
    void socket.ask('account/list').catch(() => undefined)
    expect(await socket.ended).toMatchObject({ code: 1006 })
  })

  it('refuse the token, or the connection', async () => {
    broker.faults.set([{ kind: 'socket-refused', times: 1 }, { kind: 'socket-unreachable', path: '^/live/', times: 1 }])
    expect(await connect().ask('authorize', '', tokens.access_token)).toEqual({ s: 401, i: 0, d: 'Access is denied' })
    expect(await connect('live').refused).toBe(503)
    await authorised('live')
    broker.sockets.refuse(true)
    expect(await connect().refused).toBe(503)
  })

  it('have moved to another host', async () => {
    broker.faults.add({ kind: 'moved-host' })
    expect(await connect().refused).toBe(421)
  })

  it.each(['Maintenance', 'ConnectionQuotaReached', 'IPQuotaReached'] as const)('shut down for %s', async (reasonCode) => {
    broker.faults.add({ kind: 'socket-refused', reasonCode, times: 1 })
    const socket = connect()
    void socket.ask('authorize', '', tokens.access_token).catch(() => undefined)
    await socket.ended
    expect(socket.messages()).toEqual([{ e: 'shutdown', d: { reasonCode, reason: expect.any(String) } }])
    const second = await authorised()
    broker.sockets.shutdown(reasonCode)
    await second.ended
    expect(second.messages().at(-1)).toMatchObject({ e: 'shutdown', d: { reasonCode } })
  })

  it('push the oldest session out when a third is opened: its sockets are cut, its token is answered 408', async () => {
    const first = await authorised()
    const old = tokens.access_token
    tokens = await logIn(broker, AVA)
    const second = await authorised()
    await first.pings()
    await logIn(broker, AVA)
    expect(await first.ended).toMatchObject({ code: 1006 })
    await second.pings()
    expect(await connect().ask('authorize', '', old)).toEqual({ s: 408, i: 0, d: '' })
    broker.sessions.pushOut(AVA, 500)
    expect(await second.ended).toMatchObject({ code: 1006 })
  })
})

describe('the controls', () => {
  const control = async (body?: unknown): Promise<Response> =>
    fetch(`${broker.url}/_demo/socket`, { headers: { authorization: `Bearer ${broker.controlToken}` }, ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }) })

  it('list open sockets, drop them, and refuse and allow new ones', async () => {
    const socket = await authorised()
    expect(await (await control()).json()).toEqual([{ environment: 'demo', login: AVA, synced: false }])
    await control({ do: 'drop', login: 'nobody' })
    await socket.pings()
    await control({ do: 'refuse' })
    await control({ do: 'drop', login: AVA })
    await socket.ended
    expect(await connect().refused).toBe(503)
    await control({ do: 'allow' })
    await control({ do: 'behave', split: 'one' })
    const again = await authorised()
    await again.ask('user/syncrequest', '', { splitResponses: true })
    expect(Object.keys(again.answersTo(1)[0]?.d as object)).toContain('fills')
    await control({ do: 'shutdown', reason: 'Maintenance' })
    await again.ended
    expect((await control({ do: 'nothing' })).status).toBe(400)
    expect((await fetch(`${broker.url}/_demo/socket`)).status).toBe(401)
  })

  it('silence a socket: it stays open and says nothing more', async () => {
    broker.sockets.behave({ timeScale: 0.02 })
    const socket = await authorised()
    await control({ do: 'silence' })
    const count = socket.frames.length
    socket.send('account/list\n9\n\n')
    await socket.ended
    expect(socket.frames.slice(count).filter((frame) => frame !== 'h')).toEqual([])
    expect(socket.frames.length).toBe(count)
  })
})
