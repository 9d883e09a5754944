// @module-tag slow
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainSocket, type PlainSocket } from '#tests/helpers/plain-socket.ts'
import { until } from '#tests/helpers/until.ts'
import { empty } from '#demo-broker/answers.ts'
import type { FloorEvent } from '#demo-broker/rows.ts'
import { createGrants } from '#demo-broker/grants.ts'
import { noHooks } from '#demo-broker/hooks.ts'
import { openSockets } from '#demo-broker/http.ts'
import type { View } from '#demo-broker/market.ts'
import { createFaults, type Faults } from './faults.ts'
import { createMoves } from './request-faults.ts'
import { createSocketFaults, type SocketFaults } from './socket-faults.ts'

const USER = 9001
let faults: Faults
let desk: ReturnType<typeof openSockets>
let socketFaults: SocketFaults
let socket: PlainSocket
let end: () => void

const emptyView: View = {
  login: { userId: USER, name: 'ava', fullName: 'Ava', email: 'ava@example.com', organization: null },
  rows: () => [],
  row: (entity, id) => (entity === 'order' ? { id, accountId: id === 50 ? 1 : 2 } : null),
  listBytes: () => null,
  snapshot: () => null,
}

beforeEach(async () => {
  faults = createFaults()
  const grants = createGrants(Date.now, null, () => undefined)
  const code = grants.giveCode({ clientId: 'c', redirectUri: 'r', userId: USER })
  const token = grants.exchange(code, 'c', 'r', { seconds: 60, withRefresh: false })?.accessToken ?? ''
  const server = createServer()
  const moves = createMoves({ faults, logins: () => [], port: () => (server.address() as AddressInfo).port })
  socketFaults = createSocketFaults({ faults, moves, strikes: { before: () => null } })
  desk = openSockets({ grants, hooks: { ...noHooks, ...socketFaults.hooks }, view: () => emptyView, loginName: () => 'ava', respond: () => Promise.resolve(empty(404)) })
  server.on('upgrade', desk.upgrade)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  socket = plainSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/demo/v1/websocket`)
  await socket.ask('authorize', '', token)
  end = () => {
    desk.stop()
    server.close()
  }
})
afterEach(() => end())

const sync = (body: object = { splitResponses: false }) => socket.ask('user/syncrequest', '', body)
const fill = (id: number, of: Partial<FloorEvent> = {}): FloorEvent =>
  ({ environment: 'demo', userIds: [USER], entityType: 'fill', eventType: 'Created', entity: { id, orderId: 50, qty: 1 }, ...of })
const publishAll = (...ids: number[]): void => ids.forEach((id) => desk.publish(fill(id)))
const receivedIds = (): number[] => socket.changes().map(({ entity }) => entity.id)
const received = (count: number) => until(() => (receivedIds().length >= count ? receivedIds() : null), `${count} events`)

describe('row changes on a socket', () => {
  it('start with the initial read', async () => {
    publishAll(1)
    await sync()
    publishAll(2, 3)
    expect(await received(2)).toEqual([2, 3])
    expect(socket.frames.at(-1)).toBe(
      'a[{"e":"props","d":{"entityType":"fill","eventType":"Created","entity":{"id":2,"orderId":50,"qty":1}}},{"e":"props","d":{"entityType":"fill","eventType":"Created","entity":{"id":3,"orderId":50,"qty":1}}}]')
  })

  it('are those of the host and the login', async () => {
    await sync()
    desk.publish(fill(1, { environment: 'live' }))
    desk.publish(fill(2, { userIds: [USER + 1] }))
    desk.publish(fill(3, { userIds: [USER + 1, USER] }))
    expect(await received(1)).toEqual([3])
  })

  it('are those of the asked entities and accounts', async () => {
    await sync({ entityTypes: ['fill'], accounts: [1] })
    desk.publish(fill(1, { entityType: 'order', entity: { id: 50, accountId: 1 } }))
    desk.publish(fill(2, { entity: { id: 2, orderId: 51 } }))
    publishAll(3)
    expect(await received(1)).toEqual([3])
  })
})

describe('faults of row changes', () => {
  beforeEach(() => sync())

  it('send one twice', async () => {
    faults.add({ kind: 'socket-duplicates', times: 1 })
    publishAll(1, 2)
    expect(await received(3)).toEqual([1, 1, 2])
  })

  it('send them in another order, the same for the same seed', async () => {
    faults.add({ kind: 'socket-shuffles', ms: 20, seed: 4 })
    publishAll(1, 2, 3, 4, 5, 6)
    const first = await received(6)
    expect(first).not.toEqual([1, 2, 3, 4, 5, 6])
    expect([...first].sort()).toEqual([1, 2, 3, 4, 5, 6])
    publishAll(1, 2, 3, 4, 5, 6)
    expect((await received(12)).slice(6)).toEqual(first)
  })

  it('hold them back until they are released, or the fault is removed', async () => {
    faults.add({ kind: 'socket-withholds', times: 2 })
    publishAll(1, 2, 3)
    expect(await received(1)).toEqual([3])
    socketFaults.release()
    expect(await received(3)).toEqual([3, 1, 2])
    faults.add({ kind: 'socket-withholds' })
    publishAll(4)
    await socket.pings()
    expect(receivedIds()).toHaveLength(3)
    faults.clear()
    expect(await received(4)).toEqual([3, 1, 2, 4])
  })

  it('cut the line instead, without a close frame', async () => {
    faults.add({ kind: 'socket-cut', times: 1 })
    publishAll(1)
    expect(await socket.ended).toEqual({ code: 1006, reason: '' })
    expect(receivedIds()).toEqual([])
  })

  it('shut it down instead', async () => {
    faults.add({ kind: 'socket-shutdown', reasonCode: 'ConnectionQuotaReached', times: 1 })
    publishAll(1)
    await socket.ended
    expect(socket.messages().at(-1)).toMatchObject({ e: 'shutdown', d: { reasonCode: 'ConnectionQuotaReached' } })
    expect(receivedIds()).toEqual([])
  })

  it('go silent from one event on: no answers either, but the connection stays open', async () => {
    faults.add({ kind: 'socket-silent', times: 1 })
    publishAll(1, 2)
    socket.send('account/list\n9\n\n')
    await until(() => (faults.active().length === 0 ? true : null), 'the fault to strike')
    expect(receivedIds()).toEqual([])
    expect(desk.live()).toHaveLength(1)
    expect(socket.answersTo(9)).toEqual([])
  })

  it('leave a field out', async () => {
    faults.add({ kind: 'socket-malformed', field: 'qty', times: 1 })
    publishAll(1, 2)
    await received(2)
    expect(socket.changes().map(({ entity }) => entity)).toEqual([{ id: 1, orderId: 50 }, { id: 2, orderId: 50, qty: 1 }])
  })

  it.each([['entity', { entityType: 'fill', eventType: 'Created', entity: [{ id: 1, orderId: 50, qty: 1 }] }],
    ['d', [{ entityType: 'fill', eventType: 'Created', entity: { id: 1, orderId: 50, qty: 1 } }]]] as const)('tell %s as an array', async (of, d) => {
    faults.add({ kind: 'socket-arrays', of, times: 1 })
    publishAll(1, 2)
    await received(1)
    expect(socket.messages().filter((message) => 'e' in message)[0]?.d).toEqual(d)
  })

  it('send an unknown entity', async () => {
    faults.add({ kind: 'socket-unknown-entity', times: 1 })
    publishAll(1)
    await received(2)
    expect(socket.changes().map(({ entityType }) => entityType)).toEqual(['lunarPhase', 'fill'])
  })

  it('affect only the sockets of their path', async () => {
    faults.add({ kind: 'socket-duplicates', path: '/demo/v1/websocket/ben$' })
    publishAll(1, 2)
    expect(await received(2)).toEqual([1, 2])
    faults.set([{ kind: 'socket-duplicates', path: '/demo/v1/websocket/ava$' }])
    publishAll(3)
    expect(await received(4)).toEqual([1, 2, 3, 3])
  })
})
