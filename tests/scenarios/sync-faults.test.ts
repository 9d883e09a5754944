/** @module-tag long */

import { expect, onTestFinished, test } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import type { Fault, FaultKind, TradingFaultKind } from '#tests/demo-broker/faults.ts'
import type { SyncReceipt, SyncTrouble } from '#shared/api/sync.ts'
import type { FaultRow } from '../../build/fault-rows.ts'
import { fault, type FaultCount } from '../helpers/fault.ts'
import type { JournalRows } from '../helpers/journal-rows.ts'
import { brokerageAt } from '../helpers/stand-in.ts'
import { openSyncJournal, type SyncJournal } from '../helpers/sync-journal.ts'
import { testTiming } from '../helpers/test-timing.ts'
import { words } from '../helpers/words.ts'

const login = 'ava.morgan'
const hours = 3_600_000

/** A stand-in in the middle of its story, with tokens on the journal's clock, and a journal connected to it. */
const connected = async (before: readonly Fault[] = []): Promise<{ broker: TestBroker; it: SyncJournal }> => {
  const timing = testTiming()
  const broker = await startTestBroker({ anchor: '2026-03-06', wallNow: timing.now })
  onTestFinished(() => broker.stop())
  broker.clock.set(broker.walk[3]?.at ?? 0)
  broker.faults.set(before)
  const it = await openSyncJournal({ brokerage: brokerageAt(broker), timing, timeoutMs: 400 })
  await it.connect(login)
  broker.faults.clear()
  return { broker, it }
}

let undisturbed: Promise<JournalRows> | null = null

/** What a journal holds that met no fault; the same for every stand-in of this seed, so it is made once. */
const undisturbedRows = (broker: TestBroker, { timing }: SyncJournal): Promise<JournalRows> =>
  (undisturbed ??= (async () => {
    const other = await openSyncJournal({ brokerage: brokerageAt(broker), timing })
    await other.connect(login)
    await other.sync()
    return other.rows()
  })())

// A fill pair that existed for a while in a journal with gaps leaves a removal record: the mirror needs it.
const withoutGone = ({ outbox = [], ...rows }: JournalRows): JournalRows => {
  const pairs = new Set(rows['fill_pairs']?.map(({ id }) => id))
  return { ...rows, outbox: outbox.filter(({ entity, entity_id }) => entity !== 'pair' || pairs.has(entity_id)) }
}

/** Without faults the next run brings what an undisturbed journal holds, row by row. */
const heals = async (broker: TestBroker, it: SyncJournal, count?: FaultCount): Promise<void> => {
  broker.faults.clear()
  expect(await it.sync()).toMatchObject({ outcome: 'complete', refused: [], troubles: [] })
  const expected = await undisturbedRows(broker, it)
  expect(expected['fills']?.length).toBeGreaterThan(20)
  count?.compare(withoutGone(it.rows()), expected)
  expect(withoutGone(it.rows())).toEqual(expected)
}

const statusOf = async (it: SyncJournal): Promise<string | undefined> => (await it.journal.read.logins({ userId: it.userId }))[0]?.status
const codes = (receipt: SyncReceipt): SyncTrouble['code'][] => receipt.troubles.map(({ code }) => code)

type Case = {
  readonly title: string
  readonly faults: readonly Fault[]
  /** Time that passes before the run: two hours let the access token die. */
  readonly pass?: number
  readonly outcome: SyncReceipt['outcome']
  readonly troubles?: readonly Partial<SyncTrouble>[]
  readonly refused?: readonly object[]
  /** Fills are taken all the same. */
  readonly takes?: true
}

const fills = '^/demo/v1/fill/list'
const tokens = '/oauthtoken$'

const cases: Record<Exclude<FaultKind, TradingFaultKind | 'no-refresh-token' | 'short-lived' | 'captcha' | 'pushed-out' | 'report-refused' | 'report-days'>, readonly Case[]> = {
  'refuse-refresh': [{ title: 'a refresh that is refused once is accepted a little later', faults: [{ kind: 'refuse-refresh', times: 1 }], pass: 2 * hours, outcome: 'complete' }],
  'wrong-client': [{ title: 'a client that is refused once', faults: [{ kind: 'wrong-client', times: 1 }], pass: 2 * hours, outcome: 'complete' }],
  penalty: [
    { title: 'a short penalty is waited out', faults: [{ kind: 'penalty', seconds: 3, path: fills, times: 1 }], outcome: 'complete' },
    { title: 'a long penalty is reported', faults: [{ kind: 'penalty', seconds: 900, path: fills, times: 1 }], outcome: 'partial', troubles: [{ code: 'penalty', environment: 'demo', retryAfterMs: 900_000 }] },
  ],
  'rate-limited': [{ title: 'too many requests', faults: [{ kind: 'rate-limited', path: fills }], outcome: 'partial', troubles: [{ code: 'rate-limited', environment: 'demo', retryAfterMs: hours }] }],
  'token-dead': [{ title: 'a token that dies during the run is renewed', faults: [{ kind: 'token-dead', path: fills, times: 1 }], outcome: 'complete' }],
  'permission-missing': [
    { title: 'balances that may not be read hold up no fill', faults: [{ kind: 'permission-missing', path: '^/demo/v1/cashBalance' }], outcome: 'partial', troubles: [{ code: 'permission-missing', environment: 'demo' }], takes: true },
    { title: 'an environment without accounts of the login is no trouble', faults: [{ kind: 'permission-missing', path: '^/live/v1/(account|user)' }], outcome: 'complete' },
    { title: 'without permission to read fees the commission of the rate table applies', faults: [{ kind: 'permission-missing', path: '^/demo/v1/fillFee' }], outcome: 'partial', troubles: [{ code: 'permission-missing' }], takes: true },
  ],
  'server-error': [
    { title: 'a broker that fails briefly is retried', faults: [{ kind: 'server-error', status: 503, path: fills, times: 2 }], outcome: 'complete' },
    { title: 'a broker that is down ends no connection', faults: [{ kind: 'server-error', status: 503 }], pass: 2 * hours, outcome: 'failed', troubles: [{ code: 'unreachable', environment: 'demo', detail: 'http-503' }, { code: 'unreachable', environment: 'live' }] },
  ],
  'never-answers': [
    { title: 'a missing answer is requested again', faults: [{ kind: 'never-answers', path: fills, times: 1 }], outcome: 'complete' },
    { title: 'silence of one environment leaves the other', faults: [{ kind: 'never-answers', path: '^/demo/v1/' }], outcome: 'partial', troubles: [{ code: 'unreachable', environment: 'demo', detail: 'timeout' }] },
  ],
  slow: [{ title: 'slow answers are waited for', faults: [{ kind: 'slow', ms: 60, path: '/demo/v1/' }], outcome: 'complete' }],
  'lost-answer': [{ title: 'a lost list is requested again', faults: [{ kind: 'lost-answer', path: fills, times: 1 }], outcome: 'complete' }],
  'truncated-json': [
    { title: 'a truncated answer is requested again', faults: [{ kind: 'truncated-json', path: fills, times: 1 }], outcome: 'complete' },
    { title: 'only truncated answers', faults: [{ kind: 'truncated-json', path: fills }], outcome: 'partial', troubles: [{ code: 'unreadable-answer', environment: 'demo' }] },
  ],
  html: [{ title: 'a web page instead of rows', faults: [{ kind: 'html', path: fills }], outcome: 'partial', troubles: [{ code: 'unreadable-answer', environment: 'demo' }] }],
  'empty-list': [
    { title: "no fills where the broker's positions count some", faults: [{ kind: 'empty-list', path: fills }], outcome: 'partial' },
    { title: 'nothing at all: the session rolled', faults: [{ kind: 'empty-list', path: '^/demo/v1/(fill|fillPair|position)/list' }], outcome: 'complete' },
    { title: 'no accounts: known ones are synced all the same', faults: [{ kind: 'empty-list', path: 'account/list' }], outcome: 'complete' },
    { title: 'no fees yet', faults: [{ kind: 'empty-list', path: '/fillFee/' }], outcome: 'complete' },
    { title: 'no orders: they are requested by id', faults: [{ kind: 'empty-list', path: '/order/list' }], outcome: 'complete' },
  ],
  'missing-rows': [{ title: 'a list without its last fills', faults: [{ kind: 'missing-rows', path: '/fill/list', last: 3 }, { kind: 'missing-rows', path: '/fillPair/', last: 99_999 }], outcome: 'partial' }],
  'changed-rows': [{ title: 'fees that are not booked yet', faults: [{ kind: 'changed-rows', path: '/fillFee/', set: { commission: 0, exchangeFee: null, clearingFee: null, nfaFee: null, brokerageFee: null, orderRoutingFee: null } }], outcome: 'complete' }],
  'accounts-need-user-id': [{ title: 'accounts are requested again with the user id', faults: [{ kind: 'accounts-need-user-id' }], outcome: 'complete' }],
  'moved-host': [{ title: 'the organization moved', faults: [{ kind: 'moved-host', path: '^/demo/v1/' }], outcome: 'complete' }],
  'shorter-items': [{ title: 'missing items are requested one by one', faults: [{ kind: 'shorter-items' }], outcome: 'complete' }],
  'unknown-fields': [{ title: 'unknown fields in every row', faults: [{ kind: 'unknown-fields' }], outcome: 'complete' }],
  'malformed-row': [
    { title: 'a fill without price is named, the others are taken', faults: [{ kind: 'malformed-row', field: 'price', path: fills }], outcome: 'partial', refused: [{ entity: 'fill', reason: 'unreadable:price' }], takes: true },
    { title: 'an order without account costs no fill whose pair names the account', faults: [{ kind: 'malformed-row', field: 'accountId', path: '/order/' }], outcome: 'partial', refused: [{ entity: 'order', reason: 'unreadable:accountId' }], takes: true },
    { title: 'without pairs it costs its fills only', faults: [{ kind: 'malformed-row', field: 'accountId', path: '/order/' }, { kind: 'empty-list', path: '/fillPair/' }], outcome: 'partial', refused: [{ entity: 'order', reason: 'unreadable:accountId' }, { entity: 'fill', reason: 'no-order:orderId' }], takes: true },
    { title: 'an account without a name waits', faults: [{ kind: 'malformed-row', field: 'name', path: '/account/list' }], outcome: 'partial', refused: [{ entity: 'account', reason: 'unreadable:name' }] },
  ],
  'error-text': [{ title: 'an error with HTTP 200', faults: [{ kind: 'error-text', text: 'Something is odd', path: fills }], outcome: 'partial', troubles: [{ code: 'refused-by-broker', detail: 'Something is odd' }] }],
}

/** Kinds that the client's own tests cover too. */
const rare = new Set(['slow', 'lost-answer', 'truncated-json', 'html', 'empty-list', 'accounts-need-user-id', 'shorter-items', 'unknown-fields', 'error-text'])

/** The row of the fault table that each kind belongs to. */
const faultRowOf: Partial<Record<string, FaultRow>> = {
  'server-error': 'brokerage-down', 'never-answers': 'brokerage-down', 'lost-answer': 'brokerage-down',
  slow: 'brokerage-slow', penalty: 'brokerage-slow', 'rate-limited': 'brokerage-slow',
  'truncated-json': 'brokerage-rubbish', html: 'brokerage-rubbish', 'malformed-row': 'brokerage-rubbish', 'error-text': 'brokerage-rubbish', 'unknown-fields': 'brokerage-rubbish', 'empty-list': 'brokerage-rubbish', 'shorter-items': 'brokerage-rubbish',
}

/** Counts a run that met a fault: what the page says of it. */
const countRun = (count: FaultCount, receipt: SyncReceipt): void => {
  count.tried()
  if (receipt.outcome === 'complete') count.sees(words('sync', 'outcome.complete'))
  for (const code of codes(receipt)) count.sees(words('sync', `trouble.${code}`))
  if (receipt.refused.length > 0) count.sees(words('sync', 'refused-text'))
}

for (const [kind, rows] of Object.entries(cases)) {
  const row = faultRowOf[kind]
  const tags = [...(rare.has(kind) ? ['long'] : []), ...(row === undefined ? [] : ['fault'])]
  test.for(rows)(`${kind}: $title`, { tags }, async ({ faults, pass = 0, outcome, troubles = [], refused = [], takes = false }, { task }) => {
    const count = row === undefined ? undefined : fault(task, row)
    const { broker, it } = await connected()
    it.timing.pass(pass)
    broker.faults.set(faults)
    const receipt = await it.sync()
    if (count !== undefined) countRun(count, receipt)
    expect(receipt.troubles).toEqual(troubles.map((trouble) => expect.objectContaining({ loginName: login, ...trouble })))
    expect(receipt.refused).toEqual(expect.arrayContaining(refused.map((row) => expect.objectContaining(row))))
    expect(receipt.refused.length > 0).toBe(refused.length > 0)
    expect(receipt.outcome).toBe(outcome)
    const { received, added, changed, unchanged, refused: left } = receipt.fills
    if (takes) expect(added).toBeGreaterThan(20)
    expect(added + changed + unchanged + left).toBe(received)
    expect(await it.journal.read.receipts({ userId: it.userId, limit: 1 })).toEqual([receipt])
    expect(await statusOf(it)).toBe('ok')
    await heals(broker, it, count)
  })
}

test('captcha: nothing more is sent for an hour, then the next run succeeds', async () => {
  const { broker, it } = await connected()
  broker.faults.set([{ kind: 'captcha', path: fills }])
  expect((await it.sync()).troubles).toMatchObject([{ code: 'captcha', environment: 'demo', retryAfterMs: hours }])
  broker.faults.clear()
  it.timing.pass(0.5 * hours)
  broker.traffic.clear()
  expect(codes(await it.sync())).toEqual(['captcha', 'captcha'])
  expect(broker.traffic.seen()).toEqual([])
  it.timing.pass(0.5 * hours)
  await heals(broker, it)
})

test('rate-limited: the schedule pauses for as long as the broker asked, the user may try', async () => {
  const { broker, it } = await connected()
  broker.faults.set([{ kind: 'rate-limited', path: fills }])
  await it.sync('schedule')
  broker.faults.clear()
  broker.traffic.clear()
  it.timing.pass(300_000)
  expect((await it.sync('schedule')).troubles).toMatchObject([{ code: 'rate-limited', retryAfterMs: hours - 300_000 }])
  expect(broker.traffic.seen().filter(({ path }) => path.startsWith('/demo/'))).toEqual([])
  await heals(broker, it)
})

test.each([408, 429, 500] as const)('pushed-out with %i: a newer session elsewhere closed ours, the run opens it again', { tags: 'long' }, async (status) => {
  const { broker, it } = await connected()
  broker.faults.set([{ kind: 'pushed-out', status, path: fills, times: 1 }])
  expect(await it.sync()).toMatchObject({ outcome: 'complete', troubles: [] })
  await heals(broker, it)
})

test('refuse-refresh: only two refusals with a pause between end a connection, and a new consent heals it', async () => {
  const { broker, it } = await connected()
  it.timing.pass(2 * hours)
  broker.faults.set([{ kind: 'refuse-refresh', times: 2 }])
  const before = it.timing.pauses.length
  expect(await it.sync()).toMatchObject({ outcome: 'failed', troubles: [{ code: 'login-needed', environment: null, loginName: login }] })
  expect(it.timing.pauses.slice(before).some((pause) => pause >= 5_000)).toBe(true)
  expect(await statusOf(it)).toBe('expired')

  broker.faults.clear()
  expect(codes(await it.sync())).toEqual(['login-needed'])
  await it.connect(login)
  expect(await statusOf(it)).toBe('ok')
  await heals(broker, it)
})

test('no-refresh-token: such a login lasts as long as its session, then asks for a new consent', async () => {
  const { broker, it } = await connected([{ kind: 'no-refresh-token' }])
  expect((await it.sync()).outcome).toBe('complete')
  it.timing.pass(2 * hours)
  expect(codes(await it.sync())).toEqual(['login-needed'])
  await it.connect(login)
  await heals(broker, it)
})

test('short-lived: a token that would die during the run is renewed before it', async () => {
  const { broker, it } = await connected([{ kind: 'short-lived', seconds: 60 }])
  it.timing.pass(50_000)
  broker.traffic.clear()
  expect((await it.sync()).outcome).toBe('complete')
  expect(broker.traffic.seen()[0]?.path).toMatch(/renewaccesstoken|oauthtoken/)
  await heals(broker, it)
})

test('lost-answer on a refresh: the dead token ends the connection only after two refusals', async () => {
  const { broker, it } = await connected()
  it.timing.pass(2 * hours)
  broker.faults.set([{ kind: 'lost-answer', path: tokens, times: 1 }])
  const lost = await it.sync()
  expect(await statusOf(it)).toBe(codes(lost).includes('login-needed') ? 'expired' : 'ok')
  expect(codes(await it.sync())).toEqual(['login-needed'])
  await it.connect(login)
  await heals(broker, it)
})

test('lost-answer, wrong-client, html on the exchange: the code is never sent again', { tags: 'long' }, async () => {
  for (const [fault, code] of [['lost-answer', 'answer-lost'], ['wrong-client', 'code-refused']] as const) {
    const { broker, it } = await connected()
    broker.faults.set([{ kind: fault, path: tokens }])
    await expect(it.connect(login)).rejects.toThrow(code)
    expect(broker.traffic.seen().filter(({ path }) => path.endsWith('/oauthtoken'))).toHaveLength(2)
    broker.faults.clear()
    await it.connect(login)
    await heals(broker, it)
  }
})
