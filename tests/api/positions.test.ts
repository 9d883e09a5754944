import { expect, test } from 'vitest'
import { loadScenario } from '#tests/demo-broker/load-scenario.ts'
import { demoMarketRoutes } from '#shared/api/demo-market.ts'
import { positionRoutes, positionsLive, type PositionsLive } from '#shared/api/positions.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { startApp } from '#tests/helpers/app.ts'
import type { EventStream } from '#tests/helpers/browser.ts'
import { connect, startBroker } from '#tests/helpers/own-broker.ts'
import { until } from '#tests/helpers/until.ts'

const { positions, closePosition, flattenAccount } = positionRoutes
const [evaluation, second, benDemo, benLive] = ['tradovate:demo:700101', 'tradovate:demo:700102', 'tradovate:demo:700111', 'tradovate:live:700112']
const NQ = 'NQZ6'
const MNQ = 'MNQZ6'

/** The positions that a page received last, and how to wait for others. */
const hearing = (events: EventStream) => {
  const last = (): PositionsLive | undefined => {
    const event = events.seen.findLast(({ type }) => type === 'positions')
    return event?.type === 'positions' ? event.live : undefined
  }
  const untilLive = (look: (live: PositionsLive) => boolean, what: string): Promise<PositionsLive> =>
    until(() => {
      const live = last()
      return live !== undefined && look(live) ? live : null
    }, `${what}, not ${JSON.stringify(last())?.slice(0, 2_000)}`, 30_000)
  return untilLive
}

/** A program whose user has connected a login of the stand-in, at the end of its last session. */
const setUp = async () => {
  const { broker, env } = await startBroker()
  const app = await startApp({ env })
  const { userId } = await app.browser.signUp()
  await connect(app.browser, userId, 'ava.morgan')
  const trade = (account: string, action: 'Buy' | 'Sell', qty: number, symbol = NQ): void =>
    expect(broker.hand.place({ account: Number(account.split(':').at(-1)), action, symbol, qty })).toHaveProperty('orderId')
  return { broker, userId, trade, untilLive: hearing(await app.browser.events()), ...app }
}
const of = (live: PositionsLive, account: string) => live.accounts.find((each) => each.account === account)
const isUp = (live: PositionsLive): boolean => live.accounts.length > 0 && live.accounts.every(({ line }) => line === 'up')

test('open positions of all accounts are read, pushed as prices move, and can be closed', async () => {
  const { browser, broker, trade, untilLive } = await setUp()
  broker.hand.setPrice(NQ, 25_000)
  trade(evaluation, 'Buy', 2)
  trade(second, 'Sell', 3, MNQ)
  const first = await browser.call(positions)
  expect(positionsLive.parse(first).accounts.map(({ account }) => account)).toContain(evaluation)
  const up = await untilLive((live) => isUp(live) && live.positions.length === 2 && live.positions.every(({ last }) => last !== null), 'both positions')
  const nq = up.positions.find(({ contract }) => contract === NQ)
  expect(nq).toMatchObject({ account: evaluation, product: 'NQ', net: 2, averagePrice: '25000.00', currency: 'USD', last: { price: '25000.00' }, micros: 20, against: [second] })
  expect(up.exposure.find(({ market }) => market === 'NQ')).toEqual({ market: 'NQ', net: 17, long: 20, short: -3, accounts: 2 })
  expect(up.seq).toBeGreaterThan(first.seq)
  broker.hand.setPrice(NQ, 24_990.5)
  const moved = await untilLive((live) => live.positions.some(({ open }) => open?.amount === '-380.00'), 'the loss')
  expect(of(moved, evaluation)).toMatchObject({ name: 'NGF-EVAL50K-104233', environment: 'demo', prices: 'live', from: 'live', currency: 'USD', open: { amount: '-380.00', from: 'prices' }, restricted: false })
  expect(await browser.call(closePosition, { body: { account: evaluation, contract: NQ } })).toEqual({ account: evaluation, outcome: 'flat', left: [], detail: null })
  const after = await untilLive((live) => live.positions.length === 1, 'the position to go')
  expect(of(after, evaluation)).toMatchObject({ open: null })
  expect(await browser.call(flattenAccount, { body: { account: second } })).toMatchObject({ outcome: 'flat' })
  await untilLive((live) => live.positions.length === 0 && live.exposure.length === 0, 'everything to be flat')
})

test('the broker’s own limits apply to an account without rules of its user', { tags: 'long' }, async () => {
  const { browser, untilLive } = await setUp()
  await browser.call(positions)
  const live = await untilLive((each) => of(each, evaluation)?.states?.length === 2, 'the limits')
  const states = of(live, evaluation)?.states ?? []
  expect(states.map(({ rule, by }) => [rule, by])).toEqual(expect.arrayContaining([['max-loss', 'broker'], ['daily-loss', 'broker']]))
  expect(states.find(({ rule }) => rule === 'daily-loss')).toMatchObject({ unit: 'money', state: 'within' })
})

test('without the right to read prices the snapshot replaces them, with its age', { tags: ['long', 'nightly'] }, async () => {
  const { browser, broker, trade, untilLive } = await setUp()
  broker.quotes.permit(false)
  broker.hand.setPrice(NQ, 25_000)
  trade(evaluation, 'Buy', 1)
  broker.hand.setPrice(NQ, 25_010)
  await browser.call(positions)
  const live = await untilLive((each) => of(each, evaluation)?.open?.from === 'snapshot' && of(each, evaluation)?.prices === 'denied', 'the snapshot')
  expect(of(live, evaluation)).toMatchObject({ prices: 'denied', open: { amount: '200.00', from: 'snapshot' } })
  expect(live.positions[0]).toMatchObject({ last: null, open: { amount: '200.00', from: 'snapshot' } })
  expect((of(live, evaluation)?.open?.at ?? 0) <= live.at).toBe(true)
})

test("invalid calls are refused by field, and another user's account is not found", { tags: 'long' }, async () => {
  const { browser, newBrowser, trade, broker } = await setUp()
  trade(evaluation, 'Buy', 1)
  expect(await browser.fail(closePosition, { body: { account: evaluation } })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: 'contract' }] })
  expect(await browser.fail(flattenAccount, { body: {} })).toMatchObject({ status: 400, code: 'invalid-request' })
  const other = await newBrowser()
  await other.signUp('somebody@example.com')
  expect(await other.fail(closePosition, { body: { account: evaluation, contract: NQ } })).toMatchObject({ status: 404, code: 'not-found' })
  expect(await other.fail(flattenAccount, { body: { account: evaluation } })).toMatchObject({ status: 404, code: 'not-found' })
  expect((await other.call(positions)).accounts).toEqual([])
  expect(broker.floor.state().find(({ accountId }) => accountId === 700_101)?.positions.find(({ contract }) => contract === NQ)?.net).toBe(1)
})

test('an account that is connected later is watched too', { tags: ['long', 'nightly'] }, async () => {
  const { browser, userId, untilLive } = await setUp()
  await browser.call(positions)
  await untilLive(isUp, 'the first login')
  await connect(browser, userId, 'ben.keller')
  const both = await untilLive((live) => of(live, benLive)?.line === 'up' && of(live, benDemo)?.line === 'up', 'the second login')
  expect(of(both, benLive)?.environment).toBe('live')
})

test('without a plan no position is read, but closing needs no plan', async () => {
  const { browser } = await startApp({ gates: 'closed' })
  await browser.signUp()
  expect((await browser.fail(positions)).code).toMatch(/^(plan-needed|cloud-unreachable)$/)
  expect(await browser.fail(closePosition, { body: { account: evaluation, contract: NQ } })).toMatchObject({ status: 404, code: 'not-found' })
})

test('in the demo profile prices move while a page watches, and a manual trade is realized when it is closed', { tags: 'long' }, async () => {
  const { browser } = await startApp()
  const { currentUser } = await browser.call(sessionRoutes.signInDemo)
  await connect(browser, currentUser.uid, 'ava.morgan')
  const untilLive = hearing(await browser.events())
  const { contract, refused } = await browser.call(demoMarketRoutes.demoTrade, { body: { account: evaluation, product: 'MNQ', side: 'buy', qty: 2 } })
  expect(refused).toBeNull()
  await browser.call(positions)
  // The demo's market advances with each sync, so other accounts may have positions too.
  const own = (live: PositionsLive) => live.positions.find(({ account }) => account === evaluation)
  const priced = await untilLive((live) => (own(live)?.last ?? null) !== null, 'the first price')
  const first = own(priced)?.last?.price
  const moved = await untilLive((live) => (own(live)?.last?.price ?? first) !== first, 'another price')
  expect(own(moved)).toMatchObject({ contract, net: 2 })
  expect(await browser.call(closePosition, { body: { account: evaluation, contract } })).toMatchObject({ outcome: 'flat' })
  const after = await untilLive((live) => own(live) === undefined && of(live, evaluation)?.dayRealized !== '0.00', 'the trade to be realized')
  expect(of(after, evaluation)?.dayNet).toBe(of(after, evaluation)?.dayRealized)
})

test('fifty accounts with two hundred positions are published at most five times a second, while prices change two thousand times', { tags: ['long', 'nightly'] }, async () => {
  const { broker, env } = await startBroker({ scenario: loadScenario })
  const { browser } = await startApp({ env })
  const { userId } = await browser.signUp()
  for (const { name } of broker.logins) await connect(browser, userId, name)
  const events = await browser.events()
  const untilLive = hearing(events)
  await browser.call(positions)
  const all = await untilLive((live) => live.positions.length === 200 && live.positions.every(({ open }) => open !== null), 'all positions')
  expect(all.accounts).toHaveLength(50)
  broker.quotes.flow(2_000)
  const count = (): number => events.seen.filter(({ type }) => type === 'positions').length
  const [before, movedBefore, begun] = [count(), broker.quotes.moved(), performance.now()]
  await until(() => (broker.quotes.moved() - movedBefore >= 10_000 ? true : null), 'ten thousand prices', 60_000)
  const perSecond = (count() - before) / ((performance.now() - begun) / 1_000)
  expect(perSecond).toBeGreaterThan(1)
  expect(perSecond).toBeLessThanOrEqual(5.5)
  broker.quotes.flow(0)
  // The last prices reported are those at which the brokerage trades.
  const marks = new Map(broker.floor.contracts().map((contract) => [contract.name, (broker.floor.mark(contract) * contract.product.tickUnits) / contract.product.tickScale]))
  await untilLive((live) => live.positions.length === 200 && live.positions.every(({ contract, last }) => Number(last?.price) === marks.get(contract)), 'the last prices')
})
