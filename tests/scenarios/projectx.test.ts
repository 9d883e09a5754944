import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Brokerage } from '#backend/sync/token-keeper.ts'
import { reconciliation } from '#shared/api/reconciliation.ts'
import { previousTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { toDecimalString } from '#shared/money/money.ts'
import { journalRows, type JournalRows } from '#tests/helpers/journal-rows.ts'
import { programFile } from '#tests/helpers/program.ts'
import { standInContracts, startProjectx, type ProjectxBroker } from '#tests/helpers/projectx-broker.ts'
import { temporaryFolder } from '#tests/helpers/running-app.ts'
import { seeded } from '#tests/helpers/seeded.ts'
import { openSyncJournal, type SyncJournal } from '#tests/helpers/sync-journal.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { differences } from './kill-walk.ts'
import type { ProjectxOrder } from './projectx-child.ts'

const nowhere = 'http://127.0.0.1:9'
const tradovate: Brokerage = { hosts: { authorize: nowhere, token: [nowhere, nowhere], live: nowhere, demo: nowhere }, application: { clientId: 'own', clientSecret: 'own' }, redirectUri: `${nowhere}/oauth/callback` }
const minute = 60_000
const hour = 60 * minute

type Stage = { readonly broker: ProjectxBroker; readonly it: SyncJournal; readonly connect: (apiKey?: string) => ReturnType<SyncJournal['connections']['connectKey']> }

/** A journal and a stand-in at noon of a Monday in New York. */
const stage = async (): Promise<Stage> => {
  const timing = testTiming(Date.UTC(2026, 2, 2, 17))
  const broker = await startProjectx({ now: timing.now, contracts: standInContracts })
  const it = await openSyncJournal({ brokerage: tradovate, timing, firms: { topstepx: { name: 'TopstepX', api: broker.url, hub: null } } })
  return { broker, it, connect: (apiKey = broker.key.apiKey) => it.connections.connectKey(it.userId, { firm: 'topstepx', userName: broker.key.userName, apiKey }) }
}

/** Trades of an account on so many trading days before now, flat at the end of each; the running one too. */
const tradeDays = (broker: ProjectxBroker, account: number, days: number, now: number, seed: number): number[] => {
  const draw = seeded(seed)
  const ids: number[] = []
  let day = tradingDay(now)
  for (let back = 0; back < days; back += 1, day = previousTradingDay(day)) {
    let at = sessionOf(day).opens + hour
    for (let turn = 0; turn < 4; turn += 1) {
      const contract = standInContracts[Math.floor(draw() * standInContracts.length)] ?? standInContracts[0]
      const size = 2 + 2 * Math.floor(draw() * 2)
      const isLong = draw() < 0.5
      const base = 24_000 + Math.floor(draw() * 400)
      const make = (side: 'buy' | 'sell', qty: number): number => broker.trade({ account, contract, at: (at += Math.ceil(draw() * 20 * minute)), ticks: base + Math.floor(draw() * 80) - 40, side, size: qty })
      ids.push(make(isLong ? 'buy' : 'sell', size), make(isLong ? 'sell' : 'buy', 2))
      if (size > 2) ids.push(make(isLong ? 'sell' : 'buy', size - 2))
    }
  }
  return ids
}

/** The whole reconciliation, and one of its days. */
const reconciled = async ({ journal, userId }: SyncJournal) =>
  reconciliation.parse(JSON.parse(new TextDecoder().decode(await journal.read.reconciliationJson({ userId, from: null, to: null, accounts: [] }))))
const dayOf = ({ journal, userId }: SyncJournal, account: string, day: string) => journal.read.reconciledDay({ userId, account, day })

/** The journal's net by account number and trading day, as the stand-in writes its own. */
const netByDay = async ({ journal, userId }: SyncJournal): Promise<Map<string, string>> => {
  const { byTradingDay } = await journal.read.totals({ userId })
  return new Map(byTradingDay.map(({ account, tradingDay: day, netPnl }) => [`${account.slice(account.lastIndexOf('-') + 1)} ${day}`, Number(toDecimalString(netPnl)).toFixed(2)]))
}

const sorted = (days: ReadonlyMap<string, string>): [string, string][] => [...days].sort(([one], [other]) => one.localeCompare(other))

test("a key connects, and each past day reconciles with the broker's own P&L minus its fees, to the cent", async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 900_101, name: 'COMBINE-900101' })
  broker.addAccount({ id: 900_102, name: 'LIVE-900102', simulated: false })
  tradeDays(broker, 900_101, 45, it.timing.now(), 7)
  tradeDays(broker, 900_102, 12, it.timing.now(), 8)
  expect(await connect()).toMatchObject({ ok: true })
  expect((await it.journal.read.connectedAccounts({ userId: it.userId })).map(({ id, name, environment }) => [id, name, environment])).toEqual([
    ['topstepx:demo:900101', 'COMBINE-900101', 'demo'],
    ['topstepx:live:900102', 'LIVE-900102', 'live'],
  ])

  const receipt = await it.sync('connect')
  expect(receipt).toMatchObject({ outcome: 'complete', accounts: 2, platforms: [{ platform: 'TopstepX', accounts: 2 }], troubles: [], refused: [], holdings: [] })
  // Three holidays clear with the next day.
  expect(broker.netByDay().size).toBe(54)
  expect(sorted(await netByDay(it))).toEqual(sorted(broker.netByDay()))
  // Every day is held against what the broker states of its fills.
  const { days, all, accounts } = await reconciled(it)
  expect(all).toMatchObject({ days: 54, daysEqual: 54, daysDiffer: 0, daysUnchecked: 0 })
  expect(all.pairsChecked).toBe(all.pairsEqual)
  expect(new Set(days.map(({ broker: { netFrom } }) => netFrom))).toEqual(new Set(['fills']))
  expect(sorted(new Map(days.map(({ account, tradingDay: day, broker: { netPnl } }) => [`${account.slice(-6)} ${day}`, netPnl ?? ''])))).toEqual(sorted(broker.netByDay()))
  expect(accounts.map(({ statedBy }) => statedBy)).toEqual(['TopstepX', 'TopstepX'])
  // The stand-in throws at every call that is not one of the journal's, and counts those over its limit.
  expect(broker.refusedByLimit()).toBe(0)

  // The same again changes nothing, and asks for no day of the past any more but those that are read again.
  const before = broker.asked('/api/Trade/search')
  expect(await it.sync()).toMatchObject({ outcome: 'complete', fills: { added: 0, changed: 0 } })
  expect(broker.asked('/api/Trade/search') - before).toBe(2 * (2 + 5))
  expect(broker.asked('/api/Contract/searchById')).toBe(2 * standInContracts.length)
})

test('a trade that the broker busts days later leaves the figures and stays known', { tags: 'long' }, async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 900_101, name: 'COMBINE-900101' })
  tradeDays(broker, 900_101, 6, it.timing.now(), 3)
  const [contract] = standInContracts
  const at = sessionOf('2026-02-27').opens + 12 * hour
  const wrong = [broker.trade({ account: 900_101, contract, at, ticks: 24_000, side: 'buy', size: 3 }), broker.trade({ account: 900_101, contract, at: at + minute, ticks: 24_500, side: 'sell', size: 3 })]
  await connect()
  await it.sync('connect')
  const first = await netByDay(it)

  for (const id of wrong) broker.void(id)
  const receipt = await it.sync()
  expect(receipt).toMatchObject({ outcome: 'complete', fills: { changed: 2 } })
  const second = await netByDay(it)
  expect(second.get('900101 2026-02-27')).not.toBe(first.get('900101 2026-02-27'))
  expect(sorted(second)).toEqual(sorted(broker.netByDay()))
  expect((await reconciled(it)).all).toMatchObject({ days: 6, daysEqual: 6 })
  expect((await dayOf(it, 'topstepx:demo:900101', '2026-02-27'))?.pairs.filter(({ closedBy }) => wrong.map(String).includes(String(closedBy)))).toEqual([])
  expect(it.rows()['fills']?.filter(({ id }) => wrong.map(String).includes(String(id))).map(({ active }) => active)).toEqual([0, 0])
})

test('a fill whose P&L or fee differs from the broker’s is named in its day', { tags: 'long' }, async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 900_101, name: 'COMBINE-900101' })
  const [contract] = standInContracts
  const opened = sessionOf('2026-02-26').opens + 12 * hour
  const made = (at: number, side: 'buy' | 'sell', ticks: number, size: number): number => broker.trade({ account: 900_101, contract, at, ticks, side, size })
  made(opened, 'buy', 24_000, 1)
  made(opened + minute, 'buy', 24_004, 1)
  const both = made(opened + 2 * minute, 'sell', 24_010, 2)
  // Held overnight: the broker books the fee of the opening on its own day.
  made(opened + 3 * minute, 'buy', 24_000, 1)
  made(opened + 24 * hour, 'sell', 24_020, 1)
  await connect()
  await it.sync('connect')
  expect((await reconciled(it)).all).toMatchObject({ days: 2, daysEqual: 2 })
  expect(await dayOf(it, 'topstepx:demo:900101', '2026-02-27')).toMatchObject({ days: [{ state: 'equal', openings: '-1.92' }] })
  expect(await dayOf(it, 'topstepx:demo:900101', '2026-02-26')).toMatchObject({
    days: [{ state: 'equal', broker: { grossPnl: '80.00', netFrom: 'fills' } }],
    cash: [{ balance: null, movements: [] }],
    fees: [{ contract: 'NQH6', fillbook: '9.60', broker: '9.60' }],
    pairs: [{ by: 'fill', closedBy: String(both), state: 'equal', fillbook: { qty: 2, grossPnl: '80.00' }, broker: { qty: null, grossPnl: '80.00' } }],
  })

  broker.fault = ({ path }, answer) => {
    const served = answer() as { json: { trades?: { id: number; profitAndLoss: number | null }[] } }
    return path === '/api/Trade/search' ? { json: { ...served.json, trades: served.json.trades?.map((row) => (row.id === both ? { ...row, profitAndLoss: 80.01 } : row)) } } : served
  }
  await it.sync()
  expect(await dayOf(it, 'topstepx:demo:900101', '2026-02-26')).toMatchObject({ days: [{ state: 'differs', difference: '-0.01' }], pairs: [{ closedBy: String(both), state: 'differs', difference: '-0.01' }] })
  expect((await reconciled(it)).all).toMatchObject({ days: 2, daysEqual: 1, daysDiffer: 1 })
})

test("an open position is compared with the broker's, and a trade missing there is named", { tags: 'long' }, async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 900_101, name: 'COMBINE-900101' })
  const [contract] = standInContracts
  broker.trade({ account: 900_101, contract, at: it.timing.now() - 26 * hour - 3 * 24 * hour, ticks: 24_000, side: 'buy', size: 2 })
  broker.trade({ account: 900_101, contract, at: it.timing.now() - hour, ticks: 24_010, side: 'buy', size: 1 })
  await connect()
  expect(await it.sync('connect')).toMatchObject({ outcome: 'complete', holdings: [] })

  // The positions count one contract more than any trade that is listed.
  broker.fault = ({ path }, answer) => {
    const served = answer() as { json: { positions?: { size: number }[] } }
    return path === '/api/Position/searchOpen' ? { json: { ...served.json, positions: served.json.positions?.map((row) => ({ ...row, size: row.size + 1 })) } } : served
  }
  const receipt = await it.sync()
  expect(receipt.holdings).toMatchObject([{ accountId: 'topstepx:demo:900101', contract: 'NQH6', kind: 'carried', broker: 3, ours: 2 }])
})

test('unreadable rows are named and the others arrive', { tags: 'long' }, async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 900_101, name: 'COMBINE-900101' })
  // Older than what every run reads again.
  tradeDays(broker, 900_101, 1, it.timing.now() - 14 * 24 * hour, 5)
  await connect()
  const broken = [{ price: 6_000.13 }, { contractId: 'CON.F.US.NONE.H26' }, { side: 2 }, { id: 2 ** 60 }, { creationTimestamp: 'yesterday' }, { fees: 0.00001 }]
  broker.fault = (request, answer) => {
    const served = answer() as { json: { trades?: object[] } }
    return request.path === '/api/Trade/search' ? { json: { ...served.json, trades: served.json.trades?.map((row, index) => ({ ...row, ...broken[index] })) } } : served
  }
  const receipt = await it.sync()
  expect(receipt.outcome).toBe('partial')
  expect(new Set(receipt.refused.map(({ reason }) => reason))).toEqual(new Set(['price-off-tick:price', 'no-contract:contractId', 'not-buy-or-sell:side', 'unreadable:id', 'unreadable:creationTimestamp', 'amount-unreadable:fees']))
  expect((await it.journal.read.totals({ userId: it.userId })).fills).toBeGreaterThan(0)
  // A window with an unreadable fill is not done: all is well once the rows are.
  broker.fault = null
  expect(await it.sync()).toMatchObject({ outcome: 'complete' })
  expect(sorted(await netByDay(it))).toEqual(sorted(broker.netByDay()))
})

test('a token is renewed before it expires, and an expired one is replaced with the key', async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 900_101, name: 'COMBINE-900101' })
  await connect()
  await it.sync('connect')
  const logins = broker.asked('/api/Auth/loginKey')
  it.timing.pass(21 * hour)
  await it.sync()
  expect([broker.asked('/api/Auth/validate'), broker.asked('/api/Auth/loginKey')]).toEqual([1, logins])
  broker.endTokens()
  expect(await it.sync()).toMatchObject({ outcome: 'complete' })
  expect(broker.asked('/api/Auth/loginKey')).toBe(logins + 1)
  it.timing.pass(30 * hour)
  expect(await it.sync()).toMatchObject({ outcome: 'complete' })
  expect(broker.asked('/api/Auth/validate')).toBe(1)
})

test('a key refused twice ends the connection and removes nothing, and a new key restores it', async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 900_101, name: 'COMBINE-900101' })
  tradeDays(broker, 900_101, 3, it.timing.now(), 4)
  await connect()
  await it.sync('connect')
  const fills = it.rows()['fills']
  broker.endTokens()
  broker.fault = ({ path }) => (path === '/api/Auth/loginKey' ? { json: { token: null, success: false, errorCode: 3, errorMessage: null } } : undefined)
  expect(await it.sync()).toMatchObject({ outcome: 'failed', troubles: [{ loginName: 'Trader.One', platform: 'TopstepX', code: 'login-needed', detail: 'key-refused' }] })
  expect(it.timing.pauses).toContain(15_000)
  expect(it.rows()['fills']).toEqual(fills)
  broker.fault = null
  expect(await connect()).toMatchObject({ ok: true })
  expect(await it.sync('connect')).toMatchObject({ outcome: 'complete' })
  expect(await it.journal.read.logins({ userId: it.userId })).toMatchObject([{ broker: 'topstepx', brokerUserId: 'trader.one', status: 'ok' }])
})

test.each([
  [3, 'key-refused'],
  [7, 'key-not-allowed'],
  [9, 'key-not-allowed'],
  [10, 'key-not-allowed'],
] as const)('error %i of a first login is reported at once, and nothing is saved', async (errorCode, code) => {
  const { broker, it, connect } = await stage()
  broker.fault = () => ({ json: { token: null, success: false, errorCode, errorMessage: null } })
  expect(await connect()).toEqual({ ok: false, error: { code } })
  expect(it.timing.pauses).toEqual([])
  expect(await it.journal.read.logins({ userId: it.userId })).toEqual([])
})

test('a lapsed subscription is reported and ends no connection', async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 900_101, name: 'COMBINE-900101' })
  await connect()
  broker.fault = ({ path }) => (path === '/api/Auth/loginKey' ? { json: { token: null, success: false, errorCode: 9, errorMessage: null } } : undefined)
  expect(await it.sync('connect')).toMatchObject({ outcome: 'failed', troubles: [{ code: 'refused-by-broker', detail: 'no-api-subscription' }, { code: 'refused-by-broker' }] })
  expect(await it.journal.read.logins({ userId: it.userId })).toMatchObject([{ status: 'ok' }])
})

test('a rate limit used up by another program is waited out once, and a longer one is left to the next run', async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 900_101, name: 'COMBINE-900101' })
  tradeDays(broker, 900_101, 2, it.timing.now(), 6)
  await connect()
  let refusals = 1
  broker.fault = () => ((refusals -= 1) >= 0 ? { status: 429, text: '' } : undefined)
  expect(await it.sync('connect')).toMatchObject({ outcome: 'complete' })
  expect(it.timing.pauses).toContain(minute)
  broker.fault = () => ({ status: 429, text: '', headers: { 'retry-after': '1800' } })
  expect(await it.sync()).toMatchObject({ outcome: 'failed', troubles: [{ code: 'rate-limited', retryAfterMs: 1_800_000 }, { code: 'rate-limited' }] })
  broker.fault = null
  it.timing.pass(hour)
  expect(await it.sync()).toMatchObject({ outcome: 'complete' })
  expect(sorted(await netByDay(it))).toEqual(sorted(broker.netByDay()))
})

test('the key is only in the secret store, and is deleted with the last account', async () => {
  const { broker, it, connect } = await stage()
  broker.addAccount({ id: 900_101, name: 'COMBINE-900101' })
  const connected = await connect()
  if (!connected.ok) throw new Error(connected.error.code)
  await it.sync('connect')
  const { loginId } = connected.value
  expect(await it.store.getKey(loginId)).toEqual({ firm: 'topstepx', userName: broker.key.userName, apiKey: broker.key.apiKey })
  expect(JSON.stringify([it.rows(), await it.journal.read.logins({ userId: it.userId }), await it.journal.read.receipts({ userId: it.userId, limit: 5 })])).not.toContain(broker.key.apiKey)
  await it.connections.removeAccount(it.userId, 'topstepx:demo:900101')
  expect(await it.store.getKey(loginId)).toBeNull()
  expect(await it.journal.read.logins({ userId: it.userId })).toEqual([])
})

test('a program killed repeatedly while it fetches history ends with the same journal', { tags: ['long', 'nightly'] }, async () => {
  const broker = await startProjectx({ now: Date.now, contracts: standInContracts, unlimited: true })
  broker.addAccount({ id: 900_101, name: 'COMBINE-900101' })
  // Nothing of the running session: it would come about while the walks go on.
  tradeDays(broker, 900_101, 45, sessionOf(previousTradingDay(tradingDay(Date.now()))).opens, 11)
  const walk = async (kills: readonly string[]): Promise<JournalRows> => {
    const folder = await temporaryFolder()
    onTestFinished(folder.remove)
    const start = (killAt: string | undefined): Promise<NodeJS.Signals | null> => run({ folder: folder.path, api: broker.url, key: broker.key, ...(killAt === undefined ? {} : { killAt }) })
    for (const killAt of kills) expect(await start(killAt)).toBe('SIGKILL')
    expect(await start(undefined)).toBeNull()
    return journalRows(join(folder.path, 'journal.db'))
  }
  const undisturbed = await walk([])
  const killed = await walk(['fills-written', 'fills-taken:2', 'fills-fetched', 'receipt-saved'])
  // The broker says no moment with a balance: it is that of the run.
  const undated = (rows: JournalRows): JournalRows => ({ ...rows, accounts: rows['accounts']?.map((account) => ({ ...account, balance_at: null })) ?? [] })
  expect(differences(undated(killed), undated(undisturbed))).toEqual([])
  expect(undisturbed['fills']?.length).toBeGreaterThan(300)
})

/** Runs the program once; the signal that ended it, or null. Throws where it failed. */
const run = async (order: ProjectxOrder): Promise<NodeJS.Signals | null> => {
  const child = spawn(process.execPath, [programFile('tests/scenarios/projectx-child.ts')], { env: { ...process.env, PROJECTX_ORDER: JSON.stringify(order) }, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`The process failed:\n${output}`)
  return signal
}
