import { expect, test } from 'vitest'
import type { TestBroker } from '#tests/demo-broker/broker.ts'
import type { OrderToPlace } from '#backend/brokers/tradovate/live.ts'
import { freePort } from '../helpers/free-port.ts'
import { until } from '../helpers/until.ts'
import { floorBroker, lineTo, TRADER, type OpenedLine } from './open-line.ts'

const mine = (broker: TestBroker) => broker.logins[0]?.accounts.filter(({ environment }) => environment === 'demo') ?? []
const symbol = 'MESZ6'

let counter = 0
const orderOn = (broker: TestBroker, more: Partial<OrderToPlace> = {}): OrderToPlace => {
  const account = mine(broker)[0]
  counter += 1
  return { accountId: account?.id ?? 0, accountName: account?.name ?? '', clOrdId: `fb-test-${String(counter)}`, action: 'Buy', symbol, qty: 1, type: 'Market', ...more }
}
const filled = (opened: OpenedLine, count: number) =>
  until(() => (new Set(opened.facts('fill', 'socket').map(({ id }) => id)).size >= count ? true : null), `${String(count)} fills on the socket`, 20_000)

test('a line reports accounts and contracts, and is up once the lists are read', async () => {
  const broker = await floorBroker({ scenario: { kind: 'floor', logins: [{ name: TRADER, live: 1, demo: 3 }], openPositions: [{ account: 'DEMO730002', product: 'MES', net: 2 }] } })
  const opened = await lineTo(broker)
  await opened.up()
  expect(opened.events.filter(({ kind }) => kind === 'state')).toMatchObject([{ state: 'connecting', why: 'opening' }, { state: 'connecting', why: 'reading' }, { state: 'up', why: null }])
  expect(new Set(opened.events.flatMap((event) => (event.kind === 'accounts' ? event.accounts.map(({ name }) => name) : [])))).toEqual(new Set(mine(broker).map(({ name }) => name)))
  expect(opened.facts('position', 'lists')).toMatchObject([{ accountId: mine(broker)[0]?.id, net: 2 }])
  expect(opened.events.flatMap((event) => (event.kind === 'contracts' ? event.contracts : []))).toMatchObject([{ product: 'MES', tickSize: '0.25', valuePerPoint: 5 }])
  expect(opened.calls()).toBeGreaterThanOrEqual(8)
})

test('an order is reported from its command to its last fill, with its own account', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  broker.faults.add({ kind: 'partial-fills', pieces: 2 })
  const order = orderOn(broker, { qty: 3 })
  const written: number[] = []
  const outcome = await opened.line.place(order, (at) => written.push(at))
  expect(outcome).toMatchObject({ kind: 'accepted' })
  await filled(opened, 2)
  const filledOrder = await until(() => opened.facts('order', 'socket').find(({ status }) => status === 'Filled'), 'its end')
  expect(filledOrder).toMatchObject({ accountId: order.accountId, id: outcome.kind === 'accepted' ? outcome.orderId : 0 })
  expect(opened.facts('command', 'socket').map(({ clOrdId }) => clOrdId)).toContain(order.clOrdId)
  expect(await until(() => opened.facts('version', 'socket')[0], 'the version')).toMatchObject({ orderId: filledOrder.id, qty: 3, type: 'Market' })
  const position = await until(() => opened.facts('position', 'socket').find(({ net }) => net === 3), 'the position')
  expect(position).toMatchObject({ accountId: order.accountId, bought: 3 })
  const [contract] = await until(() => opened.events.flatMap((event) => (event.kind === 'contracts' ? [event.contracts] : []))[0], 'the contract')
  expect(contract).toMatchObject({ name: symbol, product: 'MES' })
  expect(written).toHaveLength(1)
})

test('a working order is changed and canceled', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  const placed = await opened.line.place(orderOn(broker, { type: 'Limit', price: 1000 }))
  const orderId = placed.kind === 'accepted' ? placed.orderId : 0
  expect(await opened.line.modify({ orderId, clOrdId: 'fb-change', qty: 2, type: 'Limit', price: 1000.25 })).toMatchObject({ kind: 'accepted' })
  expect(await opened.line.cancel({ orderId, clOrdId: 'fb-cancel' })).toMatchObject({ kind: 'accepted' })
  await until(() => opened.facts('order', 'socket').find(({ id, status }) => id === orderId && status === 'Canceled'), 'the cancellation')
  expect(opened.facts('version', 'socket').map(({ qty, price }) => [qty, price])).toEqual([[1, 1000], [2, 1000.25]])
  expect(await opened.line.cancel({ orderId, clOrdId: 'fb-again' })).toMatchObject({ kind: 'refused' })
})

test('events missed while the line was cut are read before it is up again', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  broker.sockets.refuse(true)
  broker.sockets.drop()
  await until(() => (opened.pauses.length >= 3 ? true : null), 'three attempts')
  expect(opened.line.state()).not.toBe('up')
  broker.hand.place({ account: mine(broker)[1]?.id ?? 0, action: 'Sell', symbol, qty: 2 })
  broker.sockets.refuse(false)
  await opened.up(2)
  // A second and its doubles, each with up to a tenth more.
  expect(opened.pauses.slice(0, 3).map((ms) => Math.floor(ms / 1_000))).toEqual([1, 2, 4])
  expect(opened.facts('position', 'lists')).toMatchObject([{ accountId: mine(broker)[1]?.id, net: -2 }])
  expect(opened.facts('fill', 'lists')).toMatchObject([{ side: 'sell', qty: 2 }])
  const upAt = opened.events.map((event) => event.kind === 'state' && event.state === 'up').lastIndexOf(true)
  const readAt = opened.events.findIndex((event) => event.kind === 'facts' && event.source === 'lists' && event.facts.length > 0)
  expect(readAt).toBeLessThan(upAt)
})

test('a silent socket is pinged, dropped and reopened', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker, { times: { tokenMs: 60_000, refreshMs: 60_000, socket: { heartbeatMs: 20, silenceMs: 500, pongMs: 100, answerMs: 10_000 } } })
  await opened.up()
  broker.sockets.silence()
  await opened.up(2)
  expect(opened.whys('down')).toContain('silence')
  expect(broker.sockets.open()).toHaveLength(1)
})

test('duplicate and reordered events are reported as they come', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  broker.faults.add({ kind: 'socket-duplicates' })
  broker.faults.add({ kind: 'socket-shuffles', ms: 20, seed: 3 })
  await opened.line.place(orderOn(broker))
  await until(() => (opened.facts('fill', 'socket').length >= 2 ? true : null), 'the fill, twice')
  expect(new Set(opened.facts('fill', 'socket').map(({ id }) => id)).size).toBe(1)
})

test('a fill without a known order is completed by asking for the order', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  // No event reports the order: its rows cannot be read.
  broker.faults.add({ kind: 'socket-malformed', field: 'accountId' })
  await opened.line.place(orderOn(broker))
  const [fill] = await filled(opened, 1).then(() => opened.facts('fill', 'socket'))
  const order = await until(() => opened.facts('order', 'lists').find(({ id }) => id === fill?.orderId), 'the order')
  expect(order.accountId).toBe(mine(broker)[0]?.id)
  expect(opened.facts('order', 'socket')).toEqual([])
  expect(opened.line.state()).toBe('up')
})

test('a snapshot in one piece, in late pieces, and as events', async () => {
  const scenario = { kind: 'floor', logins: [{ name: TRADER, live: 1, demo: 3 }], openPositions: [{ account: 'DEMO730002', product: 'MES', net: 2 }] } as const
  for (const sockets of [{ split: 'one' }, { split: 'parts', apartMs: 30 }, { split: 'props', apartMs: 5 }] as const) {
    const broker = await floorBroker({ scenario, sockets })
    const opened = await lineTo(broker)
    await opened.up()
    await until(() => opened.facts('position').find(({ net }) => net === 2), `the position, ${sockets.split}`)
    expect(opened.events.some(({ kind }) => kind === 'accounts')).toBe(true)
  }
})

test('a dead token is renewed, for the socket, for the lists and for an order', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  broker.sessions.killAccess(TRADER)
  const order = orderOn(broker)
  // Both came of the same token: it is renewed once, and neither was done.
  expect(await Promise.all([opened.line.place(order), opened.line.place(orderOn(broker))])).toEqual(Array.from({ length: 2 }, () => ({ kind: 'not-now', why: 'renewing', waitMs: 1000 })))
  await opened.up(2)
  expect(await opened.line.place(order)).toMatchObject({ kind: 'accepted' })
  broker.sessions.killAccess(TRADER)
  expect(await opened.line.readAnew()).toBe(true)
  broker.sessions.killAccess(TRADER)
  broker.sockets.drop()
  await opened.up(3)
  expect(await opened.line.place(orderOn(broker))).toMatchObject({ kind: 'accepted' })
  expect(opened.pauses.filter((ms) => ms === 0)).toHaveLength(1)
})

test('an account that may not trade is denied by the second token, and costs no third one', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  const order = orderOn(broker)
  broker.faults.add({ kind: 'permission-missing', path: 'placeorder', account: order.accountId })
  expect(await opened.line.place(order)).toMatchObject({ kind: 'not-now', why: 'renewing' })
  await opened.up(2)
  expect(await opened.line.place(order)).toEqual({ kind: 'denied', failure: { kind: 'permission-missing' } })
  expect(await opened.line.place(orderOn(broker, { accountId: mine(broker)[1]?.id ?? 0, accountName: mine(broker)[1]?.name ?? '' }))).toMatchObject({ kind: 'accepted' })
  expect(opened.whys('up')).toHaveLength(2)
})

test.each([408, 429, 500] as const)('a session closed by newer ones (%i) says so, and reconnects after a minute', async (status) => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  broker.sessions.pushOut(TRADER, status)
  await opened.up(2)
  expect(opened.whys('down')).toContain('pushed-out')
  expect(opened.pauses.filter((ms) => ms >= 60_000)).toHaveLength(1)
  expect(await opened.line.place(orderOn(broker))).toMatchObject({ kind: 'accepted' })
})

test('a shutdown for quota pauses for five minutes, one for maintenance for a minute', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  broker.sockets.shutdown('ConnectionQuotaReached')
  await opened.up(2)
  broker.sockets.shutdown('Maintenance')
  await opened.up(3)
  expect(opened.whys('down').filter((why) => why === 'quota' || why === 'maintenance')).toEqual(expect.arrayContaining(['quota', 'maintenance']))
  expect(opened.pauses.map((ms) => Math.floor(ms / 60_000)).filter((minutes) => minutes >= 1)).toEqual([5, 1])
})

test('an organization that moved to another host is followed, by socket and by order', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  broker.faults.add({ kind: 'moved-host', path: '^/demo/' })
  expect(await opened.line.place(orderOn(broker))).toMatchObject({ kind: 'not-now', why: 'renewing' })
  await opened.up(2)
  expect(await opened.line.place(orderOn(broker))).toMatchObject({ kind: 'accepted' })
})

test('a line whose saved host is gone opens on the default host after two tries, and trades there', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker, { hosts: { demo: `127.0.0.1:${String(await freePort())}` } })
  await opened.up()
  expect(opened.whys('down')).toEqual(['network', 'network', 'network', 'network'])
  expect(await opened.line.place(orderOn(broker))).toMatchObject({ kind: 'accepted' })
  expect(broker.traffic.seen().filter(({ path }) => path.endsWith('/auth/renewaccesstoken'))).toHaveLength(1)
})

test('an answer lost with the socket is found by its command id', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  broker.faults.add({ kind: 'lost-answer', path: 'placeorder', times: 1 })
  broker.faults.add({ kind: 'socket-withholds', path: 'websocket' })
  const order = orderOn(broker)
  expect(await opened.line.place(order)).toEqual({ kind: 'lost', reached: true })
  expect(await opened.line.place(orderOn(broker))).toEqual({ kind: 'lost', reached: false })
  expect(opened.facts('command').filter(({ clOrdId }) => clOrdId === order.clOrdId)).toEqual([])
  await opened.up(2)
  const [command] = opened.facts('command', 'lists').filter(({ clOrdId }) => clOrdId === order.clOrdId)
  expect(opened.facts('fill', 'lists')).toMatchObject([{ orderId: command?.orderId }])
  expect(await opened.line.fillsOf(command?.orderId ?? 0)).toMatchObject([{ orderId: command?.orderId, qty: 1 }])
})

test.each([
  ['never arrived', { kind: 'lost-request' }, 0],
  ['arrives late', { kind: 'late-acceptance', ms: 50 }, 1],
] as const)('a request that %s cuts the socket like one whose answer is lost', async (_, fault, orders) => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  broker.faults.add({ ...fault, path: 'placeorder', times: 1 })
  const order = orderOn(broker)
  expect(await opened.line.place(order)).toEqual({ kind: 'lost', reached: true })
  await opened.up(2)
  if (orders > 0) await until(() => opened.facts('command').find(({ clOrdId }) => clOrdId === order.clOrdId), 'the command')
  else expect(await opened.line.readAnew()).toBe(true)
  expect(opened.facts('command').some(({ clOrdId }) => clOrdId === order.clOrdId)).toBe(orders > 0)
})

test('rate limits and penalties are reported, and the ticket goes with the next try', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  broker.faults.add({ kind: 'rate-limited', path: 'placeorder', times: 1 })
  expect(await opened.line.place(orderOn(broker))).toMatchObject({ kind: 'not-now', why: 'rate-limited' })
  broker.faults.add({ kind: 'penalty', seconds: 0, path: 'placeorder', times: 1 })
  const order = orderOn(broker)
  expect(await opened.line.place(order)).toEqual({ kind: 'not-now', why: 'penalty', waitMs: 0 })
  expect(await opened.line.place(order)).toMatchObject({ kind: 'accepted' })
  expect(opened.line.state()).toBe('up')
})

test('a penalty on the initial read is waited out', async () => {
  const broker = await floorBroker()
  broker.faults.add({ kind: 'penalty', seconds: 0, path: 'syncrequest', times: 1 })
  const opened = await lineTo(broker)
  await opened.up()
  expect(opened.pauses).toEqual([])
})

test('a new session carries over positions, and drops the lists of the old one', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  await opened.line.place(orderOn(broker, { qty: 2 }))
  await filled(opened, 1)
  broker.clock.set(Date.UTC(2026, 10, 23, 0, 30))
  await until(() => opened.facts('position', 'socket').find(({ before }) => before === 2), 'the carried position')
  expect(await opened.line.readAnew()).toBe(true)
  expect(opened.facts('position', 'lists').at(-1)).toMatchObject({ net: 2, before: 2, bought: 0, sold: 0 })
})

test('lists in flight do not overwrite newer socket events', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  const placed = await opened.line.place(orderOn(broker, { type: 'Limit', price: 1000 }))
  const orderId = placed.kind === 'accepted' ? placed.orderId : 0
  await until(() => opened.facts('order', 'socket').find(({ status }) => status === 'Working'), 'the order')
  // The order is listed as working, and canceled before the fills are listed.
  broker.faults.add({ kind: 'slow', ms: 60_000, path: 'fill/list' })
  broker.traffic.clear()
  const read = opened.line.readAnew()
  await until(() => (broker.traffic.seen().some(({ path, status }) => path.endsWith('/command/list') && status === 200) ? true : null), 'the orders to be listed')
  await opened.line.cancel({ orderId, clOrdId: 'fb-cancel' })
  await until(() => opened.facts('order', 'socket').find(({ status }) => status === 'Canceled'), 'the cancellation')
  broker.faults.clear()
  expect(await read).toBe(true)
  expect(opened.facts('order').at(-1)?.status).toBe('Canceled')
})

test('a contract is found by its name, and money by its account', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  expect(await opened.line.contractNamed('MNQZ6')).toMatchObject({ name: 'MNQZ6', product: 'MNQ', tickSize: '0.25', valuePerPoint: 2 })
  expect(await opened.line.contractNamed('NONE9')).toBeNull()
  expect(await opened.line.cashOf(mine(broker)[0]?.id ?? 0)).toMatchObject({ netLiq: expect.any(Number) as number })
})

test('a line asked to reconnect does so at once; a stopped one reports nothing more', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  opened.line.reopen()
  await opened.up(2)
  expect(opened.pauses.filter((ms) => ms > 0)).toEqual([])
  await opened.line.stop()
  const { length } = opened.events
  await until(() => (broker.sockets.open().length === 0 ? true : null), 'the socket to be closed')
  expect(opened.events).toHaveLength(length)
})

test('fifty orders of one tick are sent in one turn of the event loop', async () => {
  const broker = await floorBroker()
  const opened = await lineTo(broker)
  await opened.up()
  const fan = async (action: 'Buy' | 'Sell'): Promise<number> => {
    let written = 0
    let writtenAtFirstAnswer = 0
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const outcome = await opened.line.place(orderOn(broker, { action }), () => { written += 1 })
        writtenAtFirstAnswer ||= written
        return outcome.kind
      }),
    )
    expect(new Set(outcomes)).toEqual(new Set(['accepted']))
    return writtenAtFirstAnswer
  }
  expect(await fan('Buy')).toBe(50)
  await until(() => opened.facts('position', 'socket').find(({ net }) => net === 50), 'the position')
  expect(await fan('Sell')).toBe(50)
  await until(() => opened.facts('position', 'socket').find(({ sold }) => sold === 50), 'the position')
})
