/**
 * @module-tag long
 * @module-tag nightly
 */

import { expect, test } from 'vitest'
import type { Brokerage } from '#backend/sync/token-keeper.ts'
import { reconciliation } from '#shared/api/reconciliation.ts'
import { previousTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { toDecimalString } from '#shared/money/money.ts'
import { standInContracts, startProjectx, type ProjectxBroker } from '#tests/helpers/projectx-broker.ts'
import { openSyncJournal, type SyncJournal } from '#tests/helpers/sync-journal.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'

const nowhere = 'http://127.0.0.1:9'
const tradovate: Brokerage = { hosts: { authorize: nowhere, token: [nowhere, nowhere], live: nowhere, demo: nowhere }, application: { clientId: 'own', clientSecret: 'own' }, redirectUri: `${nowhere}/oauth/callback` }
const minute = 60_000
const hour = 60 * minute
const [contract] = standInContracts

type Row = Record<string, unknown> & { readonly id: number }
type Stage = { readonly broker: ProjectxBroker; readonly it: SyncJournal; readonly connect: () => ReturnType<SyncJournal['connections']['connectKey']>; readonly trades: (change: (rows: Row[]) => Row[]) => void }

const stage = async (now = Date.UTC(2026, 2, 2, 17)): Promise<Stage> => {
  const timing = testTiming(now)
  const broker = await startProjectx({ now: timing.now, contracts: standInContracts })
  const it = await openSyncJournal({ brokerage: tradovate, timing, firms: { topstepx: { name: 'TopstepX', api: broker.url, hub: null } } })
  return {
    broker,
    it,
    connect: () => it.connections.connectKey(it.userId, { firm: 'topstepx', userName: broker.key.userName, apiKey: broker.key.apiKey }),
    trades: (change) => {
      broker.fault = ({ path }, answer) => {
        const served = answer() as { json?: { trades?: Row[] } }
        return path === '/api/Trade/search' && served.json?.trades !== undefined ? { json: { ...served.json, trades: change(served.json.trades) } } : (served as ReturnType<typeof answer>)
      }
    },
  }
}

const reconciled = async ({ journal, userId }: SyncJournal) =>
  reconciliation.parse(JSON.parse(new TextDecoder().decode(await journal.read.reconciliationJson({ userId, from: null, to: null, accounts: [] }))))

const netByDay = async ({ journal, userId }: SyncJournal): Promise<Record<string, string>> => {
  const { byTradingDay } = await journal.read.totals({ userId })
  return Object.fromEntries(byTradingDay.map(({ account, tradingDay: day, netPnl }) => [`${account.slice(account.lastIndexOf('-') + 1)} ${day}`, Number(toDecimalString(netPnl)).toFixed(2)]))
}

const roundTurn = (broker: ProjectxBroker, account: number, at: number, points = 10): number[] => [
  broker.trade({ account, contract, at, ticks: 96_000, side: 'buy', size: 1 }),
  broker.trade({ account, contract, at: at + minute, ticks: 96_000 + points * 4, side: 'sell', size: 1 }),
]
const daysBack = (now: number, count: number): string => {
  let day = tradingDay(now)
  for (let back = 0; back < count; back += 1) day = previousTradingDay(day)
  return day
}
const noonOf = (day: string): number => sessionOf(day).opens + 15 * hour

/** State and reason of each day, by account number and day. */
const statesOf = async (it: SyncJournal): Promise<(string | null)[]> => (await reconciled(it)).days.map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`))

test('a trade or position of another account in an answer is named, and counts twice in neither', async () => {
  const { broker, it, connect, trades } = await stage()
  broker.addAccount({ id: 1, name: 'A' })
  broker.addAccount({ id: 2, name: 'B' })
  roundTurn(broker, 1, noonOf(daysBack(it.timing.now(), 1)))
  let all: Row[] = []
  trades((rows) => {
    if (rows.length > 0) all = rows
    return all
  })
  await connect()
  const receipt = await it.sync('connect')
  expect(receipt.outcome).toBe('partial')
  expect(new Set(receipt.refused.map(({ reason }) => reason))).toEqual(new Set(['unreadable:accountId']))
  expect(await netByDay(it)).toEqual({ 'A 2026-02-27': '196.16' })
})

test.each([
  [{ fees: -1.4, commissions: -0.52 }],
  [{ fees: -1.4 }],
  [{ commissions: -0.52 }],
  [{ fees: null }],
  [{ fees: null, commissions: null }],
])('costs of %j count as unknown: the day is not checked', async (change) => {
  const { broker, it, connect, trades } = await stage()
  broker.addAccount({ id: 1, name: 'A' })
  roundTurn(broker, 1, noonOf(daysBack(it.timing.now(), 1)))
  trades((rows) => rows.map((row) => ({ ...row, ...change })))
  await connect()
  await it.sync('connect')
  expect(await statesOf(it)).toEqual(['unchecked fees-uncertain'])
  expect(Number((await netByDay(it))['A 2026-02-27'])).toBeLessThan(200)
})

test('costs without the newer commissions are complete, and a cost of zero is valid', async () => {
  for (const [change, net] of [[{ commissions: undefined }, '197.20'], [{ fees: 0, commissions: 0 }, '200.00']] as const) {
    const { broker, it, connect, trades } = await stage()
    broker.addAccount({ id: 1, name: 'A' })
    roundTurn(broker, 1, noonOf(daysBack(it.timing.now(), 1)))
    trades((rows) => rows.map((row) => ({ ...row, ...change })))
    await connect()
    await it.sync('connect')
    expect([await netByDay(it), await statesOf(it)]).toEqual([{ 'A 2026-02-27': net }, ['equal']])
  }
})

test.each([
  ['is listed no more', null],
  ['is voided without its size', { voided: true, size: 0 }],
  ['is voided without its price', { voided: true, price: null }],
  ['is voided under another contract', { voided: true, contractId: 'CON.F.US.NONE.H26' }],
  ['has become unreadable', { price: 24_000.03 }],
])('a past day whose trade %s is no longer reconciled', async (_, change) => {
  const { broker, it, connect, trades } = await stage()
  broker.addAccount({ id: 1, name: 'A' })
  const day = daysBack(it.timing.now(), 2)
  roundTurn(broker, 1, noonOf(day))
  const gone = roundTurn(broker, 1, noonOf(day) + hour, 30)
  await connect()
  await it.sync('connect')
  expect(await statesOf(it)).toEqual(['equal'])
  trades((rows) => rows.flatMap((row) => (!gone.includes(row.id) ? [row] : change === null ? [] : [{ ...row, ...change }])))
  await it.sync()
  expect(await statesOf(it)).toEqual(['differs'])
  // The same answer as before heals it.
  broker.fault = null
  await it.sync()
  expect([await statesOf(it), await netByDay(it)]).toEqual([['equal'], { [`A ${day}`]: '792.32' }])
})

test('a late trade in a reconciled day counts, and the day is reconciled again', async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 1, name: 'A' })
  const day = daysBack(it.timing.now(), 3)
  roundTurn(broker, 1, noonOf(day))
  await connect()
  await it.sync('connect')
  roundTurn(broker, 1, noonOf(day) + hour, 30)
  expect(await it.sync()).toMatchObject({ outcome: 'complete', fills: { added: 2 } })
  expect([await statesOf(it), await netByDay(it)]).toEqual([['equal'], { [`A ${day}`]: '792.32' }])
})

test('an unordered answer with every trade twice counts each once', async () => {
  const { broker, it, connect, trades } = await stage()
  broker.addAccount({ id: 1, name: 'A' })
  roundTurn(broker, 1, noonOf(daysBack(it.timing.now(), 1)))
  trades((rows) => [...rows, ...rows].reverse())
  await connect()
  await it.sync('connect')
  expect([await statesOf(it), await netByDay(it)]).toEqual([['equal'], { 'A 2026-02-27': '196.16' }])
})

test('trades at session boundaries, over a daylight saving change, and on a Saturday arrive once each', async () => {
  const { broker, it, connect } = await stage(Date.UTC(2026, 2, 12, 17))
  broker.addAccount({ id: 1, name: 'A' })
  let day = previousTradingDay(tradingDay(it.timing.now()))
  let turns = 1
  for (let back = 0; back < 40; back += 1, day = previousTradingDay(day)) {
    const { opens, closes, listedUntil } = sessionOf(day)
    for (const at of [opens, closes - minute - 1, listedUntil - minute - 1]) {
      roundTurn(broker, 1, at, 1)
      turns += 1
    }
  }
  roundTurn(broker, 1, Date.UTC(2026, 2, 7, 15), 2)
  await connect()
  expect(await it.sync('connect')).toMatchObject({ outcome: 'complete', fills: { added: 2 * turns } })
  expect(new Set(await statesOf(it))).toEqual(new Set(['equal']))
  expect(await netByDay(it)).toEqual(Object.fromEntries([...broker.netByDay()].map(([key, net]) => [key.replace('1 ', 'A '), net])))
})

test('expired tokens, rate limits, and HTML pages in the middle of the history lose no trade', async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 1, name: 'A' })
  for (let back = 1; back < 30; back += 1) roundTurn(broker, 1, noonOf(daysBack(it.timing.now(), back)))
  let count = 0
  broker.fault = ({ path }, answer) => {
    if (path !== '/api/Trade/search') return answer()
    count += 1
    if (count % 7 === 3) {
      broker.endTokens()
      return { status: 401, text: '' }
    }
    return count % 11 === 5 ? { status: 429, text: '', headers: { 'retry-after': '2' } } : count % 13 === 6 ? { text: '<html>' } : answer()
  }
  await connect()
  expect(await it.sync('connect')).toMatchObject({ outcome: 'complete', fills: { added: 58 } })
  // Presidents’ Day clears with the next day.
  expect((await reconciled(it)).all).toMatchObject({ days: 28, daysEqual: 28 })
})

test('an account that becomes a live one counts once, under its existing key', async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 1, name: 'A' })
  roundTurn(broker, 1, noonOf(daysBack(it.timing.now(), 1)))
  await connect()
  await it.sync('connect')
  broker.addAccount({ id: 1, name: 'A renamed', simulated: false })
  broker.addAccount({ id: 2, name: 'new', simulated: false })
  expect(await it.sync()).toMatchObject({ outcome: 'complete', fills: { added: 0 } })
  expect((await it.journal.read.connectedAccounts({ userId: it.userId })).map(({ id, name }) => [id, name])).toEqual([['topstepx:demo:1', 'A renamed'], ['topstepx:live:2', 'new']])
  expect(await netByDay(it)).toEqual({ 'A renamed 2026-02-27': '196.16' })
})
