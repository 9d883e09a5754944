// @module-tag slow
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTestBroker } from '#tests/demo-broker/broker.ts'
import { logIn } from '#tests/helpers/demo-client.ts'
import { until } from '#tests/helpers/until.ts'

const NQ = 'NQZ6'
const [FIRST] = [730_001]

type Received = { readonly s?: number; readonly i?: number; readonly e?: string; readonly d?: unknown }

const setUp = async () => {
  const broker = await startTestBroker({ anchor: '2026-11-20', scenario: { kind: 'floor', logins: [{ name: 'ava', live: 0, demo: 1 }], openPositions: [{ account: 'DEMO730001', product: 'NQ', net: 2 }] } })
  onTestFinished(broker.stop)
  const { access_token: token } = await logIn(broker, 'ava')
  const socket = new WebSocket(`${broker.origins.quotes.replace('http', 'ws')}/websocket`)
  onTestFinished(() => socket.terminate())
  const received: Received[] = []
  let closed = false
  socket.on('close', () => { closed = true })
  socket.on('message', (data: Buffer) => {
    const text = data.toString('utf8')
    if (text.startsWith('a')) received.push(...(JSON.parse(text.slice(1)) as Received[]))
  })
  await new Promise((resolve) => socket.once('open', resolve))
  let last = 0
  const ask = async (endpoint: string, body: object | string): Promise<Received> => {
    const id = (last += 1)
    socket.send(`${endpoint}\n${String(id)}\n\n${typeof body === 'string' ? body : JSON.stringify(body)}`)
    return until(() => received.find(({ i }) => i === id), endpoint, 10_000)
  }
  const prices = (): number[] => received.filter(({ e }) => e === 'md').flatMap(({ d }) => (d as { quotes: { entries: { Trade: { price: number } } }[] }).quotes.map(({ entries }) => entries.Trade.price))
  return { broker, token, ask, prices, received, isClosed: () => closed }
}

test('a contract is quoted at once, on each price change, and not after unsubscribing', async () => {
  const { broker, token, ask, prices } = await setUp()
  broker.hand.setPrice(NQ, 25_000)
  expect(await ask('authorize', token)).toMatchObject({ s: 200 })
  expect(await ask('md/subscribequote', { symbol: NQ })).toMatchObject({ s: 200, d: { mode: 'RealTime' } })
  broker.hand.setPrice(NQ, 25_001.25)
  await until(() => (prices().length === 2 ? true : null), 'both prices', 10_000)
  expect(prices()).toEqual([25_000, 25_001.25])
  expect(broker.quotes.open()).toEqual([{ login: 'ava', contracts: [NQ] }])
  await ask('md/unsubscribeQuote', { symbol: NQ })
  broker.hand.setPrice(NQ, 25_002)
  await ask('md/subscribequote', { symbol: 'nothing' })
  expect(prices()).toHaveLength(2)
})

test('without a token or permission nothing is quoted', async () => {
  const { broker, token, ask, prices, isClosed } = await setUp()
  expect(await ask('md/subscribequote', { symbol: NQ })).toMatchObject({ s: 401 })
  expect(await ask('authorize', 'made-up')).toMatchObject({ s: 401 })
  await ask('authorize', token)
  broker.quotes.permit(false, { login: 'ava' })
  expect(await ask('md/subscribequote', { symbol: NQ })).toMatchObject({ s: 200, d: { errorCode: 'UnknownSymbol', mode: 'None' } })
  expect(prices()).toEqual([])
  broker.sessions.pushOut('ava', 408)
  await until(() => (isClosed() ? true : null), 'the end of its session', 10_000)
})

test('prices move at the requested rate within a limit, and reset when the clock is set', async () => {
  const { broker, token, ask, prices } = await setUp()
  await ask('authorize', token)
  await ask('md/subscribequote', { symbol: NQ })
  const begun = performance.now()
  broker.quotes.flow(2_000)
  await until(() => (broker.quotes.moved() >= 1_000 ? true : null), 'a thousand moves', 20_000)
  const rate = broker.quotes.moved() / ((performance.now() - begun) / 1000)
  broker.quotes.flow(0)
  expect(rate).toBeGreaterThan(500)
  expect(rate).toBeLessThan(2_200)
  const moved = broker.quotes.moved()
  await until(() => (prices().length >= moved ? true : null), 'all of them', 20_000)
  const base = prices()[0] ?? 0
  expect(Math.max(...prices().map((price) => Math.abs(price - base)))).toBeLessThanOrEqual(10)
  broker.clock.set(broker.clock.now() + 60_000)
  expect(broker.floor.mark(broker.floor.contractNamed(NQ) ?? expect.fail('no contract'))).toBe(base * 4)
})

test('an account’s limits are in its lists and follow its highest close', async () => {
  const { broker, token } = await setUp()
  broker.hand.setAccount(FIRST, { limits: { dailyLoss: 1_000_0000, trailing: 2_000_0000 } })
  const list = async (entity: string): Promise<unknown> => (await fetch(`${broker.origins.demoApi}/${entity}/list`, { headers: { authorization: `Bearer ${token}` } })).json()
  expect(await list('userAccountAutoLiq')).toMatchObject([{ id: FIRST, dailyLossAutoLiq: 1_000, trailingMaxDrawdown: 2_000, trailingMaxDrawdownMode: 'EOD' }])
  expect(await list('accountRiskStatus')).toMatchObject([{ id: FIRST, adminAction: 'Normal', maxNetLiq: 100_000, minNetLiq: 98_000 }])
  broker.hand.setAccount(FIRST, { restricted: true })
  expect(await list('accountRiskStatus')).toMatchObject([{ adminAction: 'LiquidateOnlyModeImmediately' }])
})
