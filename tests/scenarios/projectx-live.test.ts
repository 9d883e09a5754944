import { expect, onTestFinished, test, vi } from 'vitest'
import type { BrokerageLive } from '#backend/brokers/port.ts'
import { createProjectxClient } from '#backend/brokers/projectx/client.ts'
import { hubMethods } from '#backend/brokers/projectx/hub.ts'
import { projectxLive } from '#backend/brokers/projectx/live.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { toDecimalString } from '#shared/money/money.ts'
import { standInContracts, startProjectx, type ProjectxBroker } from '#tests/helpers/projectx-broker.ts'

const [contract] = standInContracts
const account = 900_101

type Stage = { readonly broker: ProjectxBroker; readonly live: BrokerageLive; readonly traded: () => number; readonly shows: (expected: object) => Promise<void> }

/** One account that holds two contracts, and its live accounts, whose pauses take a hundredth of their time. */
const stage = async (now = Date.now): Promise<Stage> => {
  const broker = await startProjectx({ now, contracts: standInContracts, unlimited: true })
  broker.addAccount({ id: account, name: 'COMBINE-900101' })
  broker.hub.trade({ account, contract, ticks: 24_000, side: 'buy', size: 2 })
  const timing = { now, random: () => 0, sleep: (ms: number, signal?: AbortSignal) => new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms / 100)
    signal?.addEventListener('abort', () => { clearTimeout(timer); reject(new Error('aborted')) })
  }) }
  const client = createProjectxClient({ api: broker.url, key: broker.key, timing })
  let fills = 0
  const live = projectxLive({ client, hub: broker.hub.url, timing, settleMs: 50 }, {
    accounts: () => Promise.resolve([{ key: `topstepx:demo:${String(account)}` as AccountKey, environment: 'demo', brokerAccountId: String(account) }]),
    changed: () => undefined,
    traded: () => void (fills += 1),
    log: { warn: () => undefined },
  })
  onTestFinished(live.stop)
  const shown = () => live.now().map(({ line, cash, dayRealized, positions, working }) => ({
    line, working, cash: cash === null ? null : toDecimalString(cash), dayRealized: dayRealized === null ? null : toDecimalString(dayRealized),
    positions: positions.map(({ contract: symbol, net }) => [symbol, net]),
  }))
  const shows = (expected: object): Promise<void> => vi.waitFor(() => { expect(shown()).toMatchObject([expected]) }, { timeout: 10_000, interval: 20 })
  await shows({ line: 'up', cash: '49996.16', dayRealized: '-3.84', positions: [['NQH6', 2]] })
  return { broker, live, traded: () => fills, shows }
}

test('the journal invokes four methods of the hub, all of which subscribe', () => {
  expect(hubMethods).toEqual(['SubscribeAccounts', 'SubscribeOrders', 'SubscribePositions', 'SubscribeTrades'])
})

test('a trade shows in position, balance, and realized P&L with its commissions, and is published once however often its events come', async () => {
  const { broker, traded, shows } = await stage()
  expect(broker.hub.invoked).toEqual(['1 SubscribeAccounts', '1 SubscribeOrders 900101', '1 SubscribePositions 900101', '1 SubscribeTrades 900101'])
  expect(traded()).toBe(0)
  broker.hub.times = 3
  broker.hub.trade({ account, contract, ticks: 24_010, side: 'sell', size: 3 })
  // Two contracts made 10 ticks of 5.00, and five halves cost 1.92 each.
  await shows({ cash: '50090.40', dayRealized: '90.40', positions: [['NQH6', -1]] })
  broker.hub.trade({ account, contract, ticks: 24_010, side: 'buy', size: 1 })
  await shows({ dayRealized: '88.48', positions: [] })
  expect(traded()).toBe(2)
})

test.each([['Labor Day', Date.UTC(2026, 8, 7, 15), '92.32'], ['a Monday', Date.UTC(2026, 8, 14, 15), '96.16']])('on the day after %s, realized P&L has what was booked with it', async (_day, monday, realized) => {
  let now = monday
  const { broker, shows } = await stage(() => now)
  now += 24 * 60 * 60_000
  broker.hub.trade({ account, contract, ticks: 24_010, side: 'sell', size: 2 })
  await shows({ dayRealized: realized, positions: [] })
})

test('working orders are counted from events, and read again after a disconnect', async () => {
  const { broker, traded, shows } = await stage()
  broker.hub.order(account, 1, true)
  broker.hub.order(account, 2, true)
  await shows({ working: 2 })
  broker.hub.order(account, 1, false)
  await shows({ working: 1 })
  broker.hub.isDown = true
  broker.hub.cut()
  await shows({ line: 'down' })
  broker.hub.order(account, 2, false)
  broker.hub.isDown = false
  await shows({ line: 'up', working: 0 })
  expect(traded()).toBe(0)
})

test('a cut connection is reopened and resubscribed, and what happened meanwhile is read', async () => {
  const { broker, live, traded, shows } = await stage()
  broker.hub.isDown = true
  broker.hub.cut()
  await shows({ line: 'down' })
  expect(live.now()).toMatchObject([{ downSince: expect.any(Number) as number, positions: [{ net: 2 }] }])
  broker.hub.trade({ account, contract, ticks: 24_010, side: 'sell', size: 2 })
  broker.hub.isDown = false
  await shows({ line: 'up', dayRealized: '92.32', positions: [] })
  expect(broker.hub.invoked.slice(4).map((call) => call.replace(/^\d+ /, ''))).toEqual(['SubscribeAccounts', 'SubscribeOrders 900101', 'SubscribePositions 900101', 'SubscribeTrades 900101'])
  expect(traded()).toBe(1)
})

test('late, unknown, and malformed events change nothing permanently, and an unreadable frame costs one connection', async () => {
  const { broker, traded, shows } = await stage()
  const late = { id: 1, accountId: account, contractId: contract.id, creationTimestamp: new Date().toISOString(), type: 1, size: 7, averagePrice: 1 }
  broker.hub.send('GatewayUserPosition', { action: 1, data: late })
  await shows({ positions: [['NQH6', 7]] })
  await shows({ positions: [['NQH6', 2]] })
  for (const payload of [null, 'text', {}, { ...late, size: -1 }, { ...late, accountId: 5 }]) for (const event of ['GatewayUserPosition', 'GatewayUserTrade', 'GatewayUserAccount', 'GatewayUserOrder', 'GatewayUnheardOf']) broker.hub.send(event, payload)
  broker.hub.raw('{"type":1,\u001e')
  await vi.waitFor(() => { expect(broker.hub.invoked).toHaveLength(8) }, { timeout: 10_000 })
  await shows({ line: 'up', positions: [['NQH6', 2]] })
  expect(traded()).toBe(0)
})

test('a refused key is not tried again', async () => {
  const { broker, live, shows } = await stage()
  broker.endTokens()
  broker.fault = ({ path }) => (path === '/api/Auth/loginKey' ? { json: { token: null, success: false, errorCode: 3, errorMessage: null } } : undefined)
  broker.hub.cut()
  await shows({ line: 'none' })
  const logins = broker.asked('/api/Auth/loginKey')
  await live.stop()
  expect([logins, broker.asked('/api/Auth/loginKey')]).toEqual([3, 3])
})

test('an expired token is replaced, and the hub is opened with the new one', async () => {
  const { broker, shows } = await stage()
  broker.endTokens()
  broker.hub.cut()
  await vi.waitFor(() => { expect(broker.hub.invoked).toHaveLength(8) }, { timeout: 10_000 })
  await shows({ line: 'up' })
  expect(broker.asked('/api/Auth/loginKey')).toBe(2)
})
