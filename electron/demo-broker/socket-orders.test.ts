// @module-tag slow
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { call, logIn, type Tokens } from '#tests/helpers/demo-client.ts'
import { plainSocket, type PlainSocket } from '#tests/helpers/plain-socket.ts'
import { until } from '#tests/helpers/until.ts'

const SYMBOL = 'NQZ6'
let broker: TestBroker
let tokens: Tokens
let socket: PlainSocket
let account: { readonly id: number; readonly name: string }

beforeAll(async () => {
  broker = await startTestBroker({ anchor: '2026-11-20', scenario: { kind: 'floor', logins: [{ name: 'ada', live: 1, demo: 2 }, { name: 'bo', live: 0, demo: 1 }] } })
  broker.floor.setPrice(SYMBOL, 100_000)
  tokens = await logIn(broker, 'ada')
  account = broker.logins[0]?.accounts.find(({ environment }) => environment === 'demo') ?? { id: 0, name: '' }
})
beforeEach(async () => {
  broker.faults.clear()
  socket = plainSocket(`ws://127.0.0.1:${broker.port}/demo/v1/websocket`)
  await socket.ask('authorize', '', tokens.access_token)
  await socket.ask('user/syncrequest', '', { splitResponses: false })
})
afterEach(() => socket.close())
afterAll(() => broker.stop())

const order = (fields: object = {}) => ({ accountId: account.id, accountSpec: account.name, action: 'Buy', symbol: SYMBOL, orderQty: 1, orderType: 'Market', isAutomated: true, ...fields })
const changesOf = (entityType: string) => socket.changes().filter((change) => change.entityType === entityType)
const filled = () => until(() => (changesOf('order').some(({ entity }) => entity['ordStatus'] === 'Filled') ? true : null), 'a filled order')

describe('an order over the socket', () => {
  it('is answered as over HTTP, and its lifecycle is pushed step by step', async () => {
    const { s, d } = await socket.ask('order/placeorder', '', order({ clOrdId: 'fb-1' }))
    expect([s, d]).toEqual([200, { orderId: expect.any(Number) }])
    await filled()
    const { orderId } = d as { orderId: number }
    expect(socket.changes().map(({ entityType, eventType }) => `${entityType} ${eventType}`)).toEqual([
      'command Created', 'order Created', 'orderVersion Created', 'commandReport Created', 'commandReport Created', 'command Updated', 'order Updated',
      'executionReport Created', 'executionReport Created', 'fill Created', 'fillFee Created', 'position Created', 'cashBalance Updated', 'order Updated',
    ])
    expect(changesOf('order').map(({ entity }) => [entity.id, entity['ordStatus']])).toEqual([[orderId, 'PendingNew'], [orderId, 'Working'], [orderId, 'Filled']])
    expect(changesOf('command')[0]?.entity).toMatchObject({ orderId, clOrdId: 'fb-1', isAutomated: true, commandType: 'New' })
    expect(changesOf('fill')).toMatchObject([{ eventType: 'Created', entity: { orderId, qty: 1, price: 25_000 } }])
    expect(changesOf('fill')[0]?.entity).not.toHaveProperty('accountId')
    expect(changesOf('position').at(-1)?.entity).toMatchObject({ accountId: account.id, netPos: 1 })
  })

  it('is pushed on every socket of the login, even if placed over HTTP, and to nobody else', async () => {
    const other = plainSocket(`ws://127.0.0.1:${broker.port}/demo/v1/websocket`)
    await other.ask('authorize', '', (await logIn(broker, 'bo')).access_token)
    await other.ask('user/syncrequest', '', {})
    const answer = await call(broker, 'demo', tokens.access_token, '/order/placeorder', { method: 'POST', body: JSON.stringify(order()) })
    expect(await answer.json()).toEqual({ orderId: expect.any(Number) })
    await filled()
    await other.pings()
    expect(other.changes()).toEqual([])
    other.close()
  })

  it('that fills in pieces pushes each fill', async () => {
    broker.faults.add({ kind: 'partial-fills', pieces: 3, times: 1 })
    await socket.ask('order/placeorder', '', order({ orderQty: 5 }))
    await filled()
    expect(changesOf('fill').reduce((sum, { entity }) => sum + Number(entity['qty']), 0)).toBe(5)
    expect(changesOf('fill')).toHaveLength(3)
  })

  it('is rejected after it was accepted', async () => {
    broker.faults.add({ kind: 'late-reject', ms: 5, times: 1 })
    expect(await socket.ask('order/placeorder', '', order())).toMatchObject({ s: 200, d: { orderId: expect.any(Number) } })
    await until(() => (changesOf('order').at(-1)?.entity['ordStatus'] === 'Rejected' ? true : null), 'the rejection')
    expect(changesOf('commandReport').at(-1)?.entity).toMatchObject({ commandStatus: 'RiskRejected', rejectReason: 'MaxOrderQtyLimitReached' })
  })

  it('is moved and canceled', async () => {
    const { d } = await socket.ask('order/placeorder', '', order({ action: 'Sell', orderType: 'Stop', stopPrice: 24_900 }))
    const { orderId } = d as { orderId: number }
    expect(await socket.ask('order/modifyorder', '', { orderId, orderQty: 1, orderType: 'Stop', stopPrice: 24_910, isAutomated: true })).toMatchObject({ s: 200, d: { commandId: expect.any(Number) } })
    expect(await socket.ask('order/cancelorder', '', { orderId, isAutomated: true })).toMatchObject({ s: 200, d: { commandId: expect.any(Number) } })
    await until(() => (changesOf('order').at(-1)?.entity['ordStatus'] === 'Canceled' ? true : null), 'the cancellation')
    expect(changesOf('orderVersion').map(({ entity }) => entity['stopPrice'])).toEqual([24_900, 24_910])
  })

  it('is accepted although its answer is lost with the connection', async () => {
    broker.faults.add({ kind: 'lost-answer', path: 'placeorder$', times: 1 })
    void socket.ask('order/placeorder', '', order({ clOrdId: 'fb-lost' })).catch(() => undefined)
    await socket.ended
    expect(broker.floor.state().flatMap(({ orders }) => orders).map(({ clOrdId }) => clOrdId)).toContain('fb-lost')
  })
})

it('a first reading has orders, versions, commands and reports of the session', async () => {
  const again = plainSocket(`ws://127.0.0.1:${broker.port}/demo/v1/websocket`)
  await again.ask('authorize', '', tokens.access_token)
  const { d } = await again.ask('user/syncrequest', '', { splitResponses: false })
  const { orders, commands } = d as { orders: { id: number }[]; commands: { orderId: number; clOrdId?: string }[] }
  expect(d).toMatchObject({ orderVersions: expect.any(Array), commandReports: expect.any(Array), executionReports: expect.any(Array) })
  expect(commands.find(({ clOrdId }) => clOrdId === 'fb-lost')?.orderId).toBe(orders.at(-1)?.id)
  again.close()
})
