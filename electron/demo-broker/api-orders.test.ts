// @module-tag slow
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { call, logIn, rowsOf, type WireRow } from '#tests/helpers/demo-client.ts'
import { feePerContract, productNamed } from './contracts.ts'

const ACCOUNT = { id: 700_101, name: 'NGF-EVAL50K-104233' }
const answerSchema = z.record(z.string(), z.unknown())

let broker: TestBroker
let ava: string

beforeAll(async () => {
  broker = await startTestBroker({ anchor: '2026-11-20' })
  ava = (await logIn(broker, 'ava.morgan')).access_token
})
afterEach(() => broker.faults.clear())
afterAll(() => broker.stop())

const send = (path: string, body: unknown): Promise<Response> => call(broker, 'demo', ava, path, { method: 'POST', body: JSON.stringify(body) })
const ask = async (path: string, body: unknown) => answerSchema.parse(await (await send(path, body)).json())
const order = (given: object = {}) => ({ accountId: ACCOUNT.id, accountSpec: ACCOUNT.name, action: 'Buy', symbol: 'MNQZ6', orderQty: 2, orderType: 'Market', isAutomated: true, ...given })
const list = (entity: string): Promise<WireRow[]> => rowsOf(broker, 'demo', ava, `/${entity}/list`)
const tagged = (clOrdId: string) => broker.floor.state().flatMap(({ orders }) => orders).filter((each) => each.clOrdId === clOrdId)
const control = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${broker.url}/_demo/${path}`, { method, headers: { authorization: `Bearer ${broker.controlToken}` }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })

describe('orders over HTTP', () => {
  it('are placed, moved and canceled, and hang on their masters in the lists', async () => {
    const { orderId } = await ask('/order/placeorder', order({ orderType: 'Limit', price: 20_000, clOrdId: 'tag-1' }))
    expect(await ask('/order/modifyorder', { orderId, orderQty: 3, orderType: 'Limit', price: 20_001, isAutomated: true })).toEqual({ commandId: expect.any(Number) })
    expect(await ask('/order/cancelorder', { orderId, isAutomated: true })).toEqual({ commandId: expect.any(Number) })
    expect(await (await call(broker, 'demo', ava, `/order/item?id=${String(orderId)}`)).json()).toMatchObject({ ordStatus: 'Canceled', accountId: ACCOUNT.id })
    const commands = await rowsOf(broker, 'demo', ava, `/command/deps?masterid=${String(orderId)}`)
    expect(commands).toMatchObject([{ id: orderId, commandType: 'New', clOrdId: 'tag-1', isAutomated: true }, { commandType: 'Modify' }, { commandType: 'Cancel' }])
    const ids = commands.map(({ id }) => id).join()
    expect(await rowsOf(broker, 'demo', ava, `/commandReport/ldeps?masterids=${ids}`)).toHaveLength(4)
    expect((await rowsOf(broker, 'demo', ava, `/executionReport/ldeps?masterids=${ids}`)).map((row) => row['execType'])).toEqual(['New', 'Replaced', 'Canceled'])
    expect(await rowsOf(broker, 'demo', ava, `/orderVersion/deps?masterid=${String(orderId)}`)).toHaveLength(2)
  })

  it('of a trader with a past move his cash by what they bring less their fees, and go on with his position', async () => {
    const mine = async (entity: string) => (await rowsOf(broker, 'demo', ava, `/${entity}/deps?masterid=${ACCOUNT.id}`))
    const [before] = await mine('cashBalance')
    broker.hand.setPrice('MNQZ6', 25_000)
    const { orderId } = await ask('/order/placeorder', order())
    broker.hand.setPrice('MNQZ6', 25_010)
    await ask('/order/placeorder', order({ action: 'Sell' }))
    const [after] = await mine('cashBalance')
    const won = 2 * 10 * 2 - (feePerContract(productNamed('MNQ')) * 4) / 10_000
    expect(Number(after?.['amount']) - Number(before?.['amount'])).toBeCloseTo(won, 6)
    expect(Number(after?.['realizedPnL']) - Number(before?.['realizedPnL'])).toBeCloseTo(40, 6)
    const positions = (await mine('position')).filter((row) => row['contractId'] === broker.floor.contractNamed('MNQZ6')?.id)
    expect(positions).toMatchObject([{ netPos: 0 }])
    const [fill] = await rowsOf(broker, 'demo', ava, `/fill/deps?masterid=${String(orderId)}`)
    expect(fill).toMatchObject({ qty: 2, price: 25_000, finallyPaired: 2 })
    const others = (await list('fill')).filter(({ id }) => id !== fill?.id)
    expect(others.filter(({ id }) => id < (fill?.id ?? 0)).length).toBeGreaterThan(0)
  })

  it('are in the reports of the day', async () => {
    const { orderId } = await ask('/order/placeorder', order({ symbol: 'MESZ6', orderQty: 1 }))
    const report = async (name: string) => {
      const params = [{ name: 'startDate', value: '11/20/2026' }, { name: 'endDate', value: '11/20/2026' }, { name: 'account', value: ACCOUNT.name }]
      const answer = await fetch(`${broker.origins.reports.demo}/reports/requestReport`, { method: 'POST', headers: { authorization: `Bearer ${ava}` }, body: JSON.stringify({ name, representationType: 'csv', timezone: 0, params }) })
      return z.object({ data: z.string() }).parse(await answer.json()).data
    }
    for (const name of ['Fills', 'Orders']) expect(await report(name)).toContain(String(orderId))
    const [fill] = await rowsOf(broker, 'demo', ava, `/fill/deps?masterid=${String(orderId)}`)
    await ask('/order/placeorder', order({ symbol: 'MESZ6', orderQty: 1, action: 'Sell' }))
    expect(await report('Performance')).toContain(String(fill?.id))
  })

  it('are refused with HTTP 200 where the broker understood, else with 400; reading does not place', async () => {
    const refused = await send('/order/placeorder', order({ symbol: 'NONE' }))
    expect([refused.status, await refused.json()]).toEqual([200, { failureReason: 'InvalidContract', failureText: 'Unknown symbol NONE' }])
    expect(await ask('/order/placeorder', order({ accountId: 700_111, accountSpec: 'DEMO7001250' }))).toEqual({ failureReason: 'UnknownReason', failureText: 'Access is denied' })
    expect(await ask('/order/placeorder', order({ accountSpec: undefined }))).toMatchObject({ failureText: 'Access is denied' })
    expect((await send('/order/placeorder', order({ orderQty: 0 }))).status).toBe(400)
    expect((await send('/order/placeorder', [])).status).toBe(400)
    expect((await call(broker, 'demo', ava, '/order/placeorder')).status).toBe(404)
    const elsewhere = await call(broker, 'live', ava, '/order/placeorder', { method: 'POST', body: JSON.stringify(order()) })
    expect(await elsewhere.json()).toMatchObject({ failureText: 'Access is denied' })
  })
})

describe('orders on a bad line', () => {
  it('are taken although the answer is lost', async () => {
    broker.faults.add({ kind: 'lost-answer', path: 'placeorder', times: 1 })
    await expect(send('/order/placeorder', order({ clOrdId: 'lost-answer' }))).rejects.toThrow()
    expect(tagged('lost-answer')).toMatchObject([{ status: 'Filled' }])
  })

  it('are not taken where the request is lost', async () => {
    broker.faults.add({ kind: 'lost-request', path: 'placeorder', times: 1 })
    await expect(send('/order/placeorder', order({ clOrdId: 'lost-request' }))).rejects.toThrow()
    expect(tagged('lost-request')).toEqual([])
  })

  it('are taken later, after the line was cut', async () => {
    broker.faults.add({ kind: 'late-acceptance', ms: 250, times: 1 })
    await expect(send('/order/placeorder', order({ clOrdId: 'late' }))).rejects.toThrow()
    expect(tagged('late')).toEqual([])
    await expect.poll(() => tagged('late')).toHaveLength(1)
  })

  it('wait for the penalty, whose ticket has to be in the body of the repeat', async () => {
    broker.faults.add({ kind: 'penalty', seconds: 0, account: ACCOUNT.id, times: 2 })
    const penalty = await ask('/order/placeorder', order({ clOrdId: 'penalty' }))
    expect(penalty).toEqual({ 'p-ticket': expect.any(String), 'p-time': 0 })
    expect(await ask('/order/placeorder', order({ clOrdId: 'penalty' }))).toHaveProperty('p-ticket')
    expect(tagged('penalty')).toEqual([])
    expect(await ask('/order/placeorder', { ...order({ clOrdId: 'penalty' }), 'p-ticket': penalty['p-ticket'] })).toHaveProperty('orderId')
    expect(tagged('penalty')).toHaveLength(1)
  })

  it('are too many for one account and not for another', async () => {
    broker.faults.add({ kind: 'rate-limited', path: '/order/', account: ACCOUNT.id })
    expect((await send('/order/placeorder', order())).status).toBe(429)
    const { orderId } = await ask('/order/placeorder', order({ accountId: 700_102, accountSpec: 'NGF-EVAL150K-104871', orderType: 'Limit', price: 20_000 }))
    expect((await send('/order/cancelorder', { orderId })).status).toBe(200)
  })

  it('are accepted and rejected a moment later', async () => {
    broker.faults.add({ kind: 'late-reject', ms: 250, reason: 'NoQuote', text: 'No quote', times: 1 })
    const { orderId } = await ask('/order/placeorder', order({ clOrdId: 'late-reject' }))
    expect(broker.floor.order(Number(orderId))?.status).toBe('PendingNew')
    await expect.poll(() => broker.floor.order(Number(orderId))?.status).toBe('Rejected')
    expect((await list('commandReport')).at(-1)).toMatchObject({ commandId: orderId, rejectReason: 'NoQuote', text: 'No quote' })
  })
})

describe('the controls of the floor', () => {
  it('set prices, trade manually, and list every account’s positions and orders', async () => {
    expect((await control('POST', 'price', { contract: 'ESZ6', price: 6800.25 })).status).toBe(204)
    expect((await control('POST', 'price', { contract: 'ESZ6', price: 6800.1 })).status).toBe(400)
    const { orderId } = answerSchema.parse(await (await control('POST', 'order', { account: '7001251', action: 'Sell', symbol: 'ESZ6', qty: 3 })).json())
    const waiting = answerSchema.parse(await (await control('POST', 'order', { account: 700_112, action: 'Buy', symbol: 'ESZ6', qty: 3, type: 'Stop', stopPrice: 6810 })).json())
    expect((await control('POST', 'modify', { orderId: waiting['orderId'], stopPrice: 6805 })).status).toBe(200)
    const accounts = z.array(z.looseObject({ accountId: z.number(), positions: z.array(z.unknown()), orders: z.array(z.unknown()) })).parse(await (await control('GET', 'floor')).json())
    const account = accounts.find(({ accountId }) => accountId === 700_112)
    expect(account?.positions).toContainEqual({ contract: 'ESZ6', net: -3 })
    expect(account?.orders).toMatchObject([
      { orderId, status: 'Filled', filled: 3, clOrdId: null, isAutomated: false },
      { status: 'Working', type: 'Stop', stopPrice: 6805, commands: [{ type: 'New' }, { type: 'Modify' }] },
    ])
    await control('POST', 'cancel', { orderId: waiting['orderId'] })
    expect(broker.floor.order(Number(waiting['orderId']))?.status).toBe('Canceled')
  })

  it('bust fills, restrict accounts, and refuse invalid requests', async () => {
    const { orderId } = answerSchema.parse(await (await control('POST', 'order', { account: ACCOUNT.id, action: 'Buy', symbol: 'MGCZ6', qty: 1 })).json())
    const [fill] = await rowsOf(broker, 'demo', ava, `/fill/deps?masterid=${String(orderId)}`)
    expect((await control('POST', 'bust', { fillId: fill?.id })).status).toBe(204)
    expect((await control('POST', 'bust', { fillId: fill?.id })).status).toBe(404)
    expect((await list('fill')).find(({ id }) => id === fill?.id)).toMatchObject({ active: false })
    expect((await control('POST', 'account', { account: ACCOUNT.name, restricted: true })).status).toBe(204)
    expect((await list('account'))[0]).toMatchObject({ restricted: true })
    expect(await ask('/order/placeorder', order())).toMatchObject({ failureReason: 'LiquidationOnly' })
    await control('POST', 'account', { account: ACCOUNT.name, restricted: false })
    expect((await control('POST', 'account', { account: 1 })).status).toBe(404)
    expect((await control('POST', 'order', { account: 'nobody', action: 'Buy', symbol: 'MGCZ6', qty: 1 })).status).toBe(200)
    expect((await fetch(`${broker.url}/_demo/floor`)).status).toBe(401)
  })

  it('steps and releases', async () => {
    broker.faults.set([{ kind: 'partial-fills', pieces: 2, byStep: true, times: 1 }])
    const stepped = Number((await ask('/order/placeorder', order()))['orderId'])
    expect(broker.floor.order(stepped)).toMatchObject({ filled: 1 })
    await control('POST', 'step')
    expect(broker.floor.order(stepped)).toMatchObject({ filled: 2 })
    broker.faults.set([{ kind: 'slow-fill', times: 1 }])
    const held = Number((await ask('/order/placeorder', order()))['orderId'])
    expect(broker.floor.order(held)).toMatchObject({ status: 'Working' })
    await control('POST', 'release')
    expect(broker.floor.order(held)).toMatchObject({ status: 'Filled' })
  })
})
