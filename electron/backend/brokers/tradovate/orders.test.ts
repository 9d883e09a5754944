import { expect, test } from 'vitest'
import type { Exchange } from '../exchange.ts'
import type { OrderToPlace } from './live.ts'
import { createOrderWire } from './orders.ts'

const order: OrderToPlace = { accountId: 700101, accountName: 'DEMO700101', clOrdId: 'fb-1', action: 'Buy', symbol: 'MESM6', qty: 2, type: 'Market' }

type Seen = { readonly endpoint: string; readonly fields: Readonly<Record<string, unknown>> }

const json = (value: unknown): Exchange => ({ kind: 'json', status: 200, retryAfterMs: null, value })
const text = (status: number, body = '', retryAfterMs: number | null = null): Exchange => ({ kind: 'text', status, retryAfterMs, text: body })

/** An order route over a scripted socket. */
const setUp = (answer: (count: number) => Exchange) => {
  const seen: Seen[] = []
  const route = {
    token: 'tok-secret',
    ask: (endpoint: string, body: string, onWire?: (at: number) => void) => {
      seen.push({ endpoint, fields: JSON.parse(body) as Seen['fields'] })
      onWire?.(7)
      return Promise.resolve(answer(seen.length))
    },
  }
  return { ...createOrderWire(), route, seen }
}

test('an order is sent as automated, with account name and number', async () => {
  const { place, route, seen } = setUp(() => json({ orderId: 600000000102 }))
  const written: number[] = []
  expect(await place(route, { ...order, type: 'StopLimit', price: 6700.25, stopPrice: 6700.5 }, (at) => written.push(at))).toEqual({ outcome: { kind: 'accepted', orderId: 600000000102 }, about: null })
  expect(written).toEqual([7])
  expect(seen).toMatchObject([{
    endpoint: 'order/placeorder',
    fields: { accountSpec: 'DEMO700101', accountId: 700101, clOrdId: 'fb-1', action: 'Buy', symbol: 'MESM6', orderQty: 2, orderType: 'StopLimit', price: 6700.25, stopPrice: 6700.5, isAutomated: true },
  }])
})

test.each<[string, Exchange, object]>([
  ['a reason', json({ failureReason: 'MaxOrderQtyLimitReached', failureText: 'Too many, tok-secret' }), { outcome: { kind: 'refused', reason: 'MaxOrderQtyLimitReached', text: 'Too many, …' }, about: null }],
  ['a reason beside an id', json({ orderId: 5, failureReason: 'TradingLocked' }), { outcome: { kind: 'refused', reason: 'TradingLocked', text: '' }, about: null }],
  ['success beside an id', json({ orderId: 5, failureReason: 'Success' }), { outcome: { kind: 'accepted', orderId: 5 }, about: null }],
  ['an error text', json({ errorText: 'Not today' }), { outcome: { kind: 'refused', reason: 'UnknownReason', text: 'Not today' }, about: null }],
  ['access denied', json({ errorText: 'Access is denied' }), { outcome: { kind: 'denied', failure: { kind: 'permission-missing' } }, about: 'token' }],
  ['a dead token', text(401, 'Access is denied'), { outcome: { kind: 'denied', failure: { kind: 'permission-missing' } }, about: 'token' }],
  ['another host', text(307), { outcome: { kind: 'denied', failure: { kind: 'wrong-host' } }, about: 'host' }],
  ['too many calls', text(429, '', 7000), { outcome: { kind: 'not-now', why: 'rate-limited', waitMs: 7000 }, about: null }],
  ['too many calls, or a closed session', text(429), { outcome: { kind: 'not-now', why: 'rate-limited', waitMs: 3_600_000 }, about: 'session' }],
  ['a captcha', json({ 'p-ticket': 't', 'p-captcha': true }), { outcome: { kind: 'not-now', why: 'captcha', waitMs: 3_600_000 }, about: null }],
  ['a lock-out', text(423), { outcome: { kind: 'not-now', why: 'captcha', waitMs: 3_600_000 }, about: null }],
  ['an answer that says nothing', json({}), { outcome: { kind: 'lost', reached: true }, about: null }],
  ['a page', text(200, '<html>'), { outcome: { kind: 'lost', reached: true }, about: null }],
  ['a server in trouble', text(503), { outcome: { kind: 'lost', reached: true }, about: null }],
  ['a server in trouble, or a closed session', text(500, 'oops'), { outcome: { kind: 'lost', reached: true }, about: 'session' }],
  ['a cut line', { kind: 'lost', cause: 'network', reached: true }, { outcome: { kind: 'lost', reached: true }, about: null }],
  ['a socket that is not open', { kind: 'lost', cause: 'network', reached: false }, { outcome: { kind: 'lost', reached: false }, about: null }],
])('%s', async (_, answer, wanted) => {
  const { place, route, seen } = setUp(() => answer)
  expect(await place(route, order)).toEqual(wanted)
  expect(seen).toHaveLength(1)
})

test('a penalty is reported, and its ticket is sent once with the next order of the same account, contract, and side', async () => {
  const { place, route, seen } = setUp((count) => json(count === 1 ? { 'p-ticket': 'tick-1', 'p-time': 3 } : { orderId: 5 }))
  expect(await place(route, order)).toEqual({ outcome: { kind: 'not-now', why: 'penalty', waitMs: 3000 }, about: null })
  await place(route, { ...order, action: 'Sell', clOrdId: 'fb-2' })
  await place(route, { ...order, clOrdId: 'fb-3' })
  await place(route, { ...order, clOrdId: 'fb-4' })
  expect(seen.map(({ fields }) => [fields['clOrdId'], fields['p-ticket']])).toEqual([['fb-1', undefined], ['fb-2', undefined], ['fb-3', 'tick-1'], ['fb-4', undefined]])
})

test('a modify and a cancel carry their changes and return their command', async () => {
  const { modify, cancel, route, seen } = setUp(() => json({ commandId: 17 }))
  expect(await modify(route, { orderId: 5, clOrdId: 'fb-2', qty: 1, type: 'Stop', stopPrice: 6700 })).toEqual({ outcome: { kind: 'accepted' }, about: null })
  expect(await cancel(route, { orderId: 5, clOrdId: 'fb-3' })).toEqual({ outcome: { kind: 'accepted' }, about: null })
  expect(seen).toMatchObject([
    { endpoint: 'order/modifyorder', fields: { orderId: 5, clOrdId: 'fb-2', orderQty: 1, orderType: 'Stop', stopPrice: 6700, isAutomated: true } },
    { endpoint: 'order/cancelorder', fields: { orderId: 5, clOrdId: 'fb-3', isAutomated: true } },
  ])
})

test('a late cancel is refused', async () => {
  const { cancel, route } = setUp(() => json({ failureReason: 'TooLate', failureText: 'Already filled' }))
  expect((await cancel(route, { orderId: 5, clOrdId: 'fb-3' })).outcome).toEqual({ kind: 'refused', reason: 'TooLate', text: 'Already filled' })
})
