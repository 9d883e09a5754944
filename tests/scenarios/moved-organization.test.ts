import { expect, test } from 'vitest'
import { historyRoutes } from '#shared/api/history.ts'
import { positionRoutes } from '#shared/api/positions.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import { startApp } from '#tests/helpers/app.ts'
import { connect, startBroker } from '#tests/helpers/own-broker.ts'
import { until } from '#tests/helpers/until.ts'

const [ava, ben] = ['ava.morgan', 'ben.keller']
const evaluation = 'tradovate:demo:700101'
const since = '2026-10-01'
const minutes = 60_000

/** What a path is for, by the broker's own names; both accounts of prices here are simulated. */
const purposeOf = (path: string): string => {
  const [, side, reports] = /^\/(live|demo|md)\/(rpt\/)?/.exec(path) ?? []
  const sides = { live: reports === undefined ? 'live' : 'reportingLive', demo: reports === undefined ? 'demo' : 'reportingDemo', md: 'mdDemo' }
  return side === 'live' || side === 'demo' || side === 'md' ? sides[side] : 'none'
}

test('after an organization moves in mid-session, lists, sockets and reports use the hosts it names for each, the rest of the broker stays, and no token goes anywhere else', { tags: ['long', 'nightly'], timeout: 3 * minutes }, async () => {
  const { broker, env } = await startBroker()
  const { browser } = await startApp({ env })
  const { userId } = await browser.signUp()
  const events = await browser.events()
  const usual = new URL(broker.url).host
  const hosts = await broker.openHosts()
  const seen = (whose: string) => broker.traffic.seen().filter(({ login }) => login === whose)
  const atOwn = () => new Set(broker.traffic.seen().flatMap(({ host, login }) => (host === usual || host === `localhost:${String(broker.port)}` ? [] : [login])))
  const lines = async (): Promise<boolean> => {
    const { accounts } = await browser.call(positionRoutes.positions)
    return accounts.length === 5 && accounts.every(({ line }) => line === 'up')
  }
  const priced = async (price: number): Promise<void> => {
    broker.hand.setPrice('NQZ6', price)
    await until(async () => ((await browser.call(positionRoutes.positions)).positions.some(({ account, last }) => account === evaluation && Number(last?.price) === price) ? true : null), `the price ${String(price)}`, minutes)
  }
  const synced = async (): Promise<void> => {
    const { runId } = await browser.call(syncRoutes.syncNow)
    const receipt = await until(() => events.seen.flatMap((event) => (event.type === 'sync-ended' && event.receipt.runId === runId ? [event.receipt] : []))[0] ?? null, 'the sync to end', minutes)
    expect(receipt).toMatchObject({ outcome: 'complete' })
  }
  for (const login of [ava, ben]) await connect(browser, userId, login)
  await until(async () => ((await lines()) ? true : null), 'all lines', minutes)
  expect(broker.hand.place({ account: 700_101, action: 'Buy', symbol: 'NQZ6', qty: 1 })).toHaveProperty('orderId')
  await priced(25_000)
  await synced()

  // Renewing alone stays possible where they were.
  broker.faults.add({ kind: 'moved-host', organization: 'Northgate Funding', hosts, path: '/v1/(?!auth/)' })
  broker.traffic.clear()
  broker.sockets.drop({ login: ava })
  broker.quotes.drop({ login: ava })
  await synced()
  await until(async () => ((await lines()) && broker.quotes.open({ login: ava }).length > 0 ? true : null), 'the lines after the move', minutes)
  await priced(25_010)
  const strayed = () => seen(ava).filter(({ host, path }) => hosts[purposeOf(path) as keyof typeof hosts] !== host)
  // Where they lived before nothing is given but a renewal.
  expect(strayed().filter(({ host, path, status }) => host !== usual || (status === 200 ? !path.includes('/auth/') : status === 0 && !path.endsWith('/authorize')))).toEqual([])
  expect(new Set(seen(ava).flatMap(({ path, host }) => (path.endsWith('/md/subscribequote') ? [host] : [])))).toEqual(new Set([hosts.mdDemo]))

  expect(atOwn()).toEqual(new Set([ava]))
  broker.traffic.clear()
  await synced()
  await priced(25_020)
  const { logins } = await browser.call(historyRoutes.history)
  for (const { loginId } of logins) await browser.call(historyRoutes.startHistory, { body: { loginId, since } })
  await until(async () => ((await browser.call(historyRoutes.history)).logins.every(({ state }) => state === 'done') ? true : null), 'both histories', 2 * minutes)
  expect(await browser.call(positionRoutes.closePosition, { body: { account: evaluation, contract: 'NQZ6' } })).toMatchObject({ outcome: 'flat' })
  const { logins: brought } = await browser.call(historyRoutes.history)
  expect(brought.map(({ loginName, imported: { fills } }) => [loginName, fills > 0])).toEqual(expect.arrayContaining([[ava, true], [ben, true]]))

  expect(strayed()).toEqual([])
  const given = (part: string) => seen(ava).filter(({ path, status, method }) => path.includes(part) && (status === 200 || method === 'SOCKET')).map(({ host }) => host)
  expect(new Set(given('/fill/list'))).toEqual(new Set([hosts.demo]))
  expect(new Set(given('/reports/requestReport'))).toEqual(new Set([hosts.reportingDemo]))
  expect(new Set(given('/order/'))).toEqual(new Set([hosts.demo]))
  expect(new Set(seen(ben).map(({ host }) => host))).toEqual(new Set([usual]))
  expect(atOwn()).toEqual(new Set([ava]))
})
