import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordRoutes } from '#shared/api/journal.ts'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import type { MirrorRecord } from '#shared/mirror/record.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import { cloudUser, type CloudClient } from '#tests/helpers/cloud-client.ts'
import { startOwnCloud, type OwnCloud } from '#tests/helpers/own-cloud.ts'
import { queryRows } from '#tests/helpers/postgres.ts'

let cloud: OwnCloud
let people = 0

beforeAll(async () => { cloud = await startOwnCloud() })
afterAll(() => cloud.stop())

const newUser = (): Promise<CloudClient> => cloudUser(cloud, `trader-${String((people += 1))}@example.com`)

const account = 'tradovate:demo:700101'
const other = 'tradovate:live:700101'
// Minutes in the future, as of a computer whose clock is far ahead.
const ahead = '001900000000000-00000-0000000a' as Stamp
const entryTime = Date.parse('2026-11-02T15:00:00Z')

const connected: readonly MirrorRecord[] = [
  { entity: 'profile', id: 'profile', content: { timeZone: 'America/New_York' } },
  { entity: 'account', id: account, content: { environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101', loginName: 'ann', connectedAt: 1, removedAt: null, copyOf: null, stamp: ahead } },
  { entity: 'balance', id: account, content: { balance: 504_005_000, currency: 'USD', balanceAt: 1 } },
  { entity: 'finance', id: account, content: { type: 'Account', amount: 0, date: '2026-11-01', name: 'EVAL-101', balance: 0, currency: 'USD', platform: 'Tradovate', firm: null, removedAt: null, stamp: ahead } },
  { entity: 'contract', id: 'demo/5', content: { contract: 'MESZ6' } },
]
const pair = (id: string, more: Partial<Extract<NonNullable<Extract<MirrorRecord, { entity: 'pair' }>['content']>, object>> = {}): MirrorRecord => ({
  entity: 'pair',
  id,
  content: {
    accountId: account, symbol: 'MESZ6', date: '2026-11-02', tradingDay: '2026-11-02', side: 'long', qty: 2, tickSize: '0.25', entryPrice: 20_000, exitPrice: 20_041,
    entryTime, exitTime: entryTime + 300_000, gross: 1_025_000, commission: 38_000, net: 987_000, currency: 'USD', platform: 'Tradovate', tripId: 'trade-1', otherFees: null,
    multiplierSource: 'broker', feeSource: 'broker', warnings: ['incomplete'],
    ...more,
  },
})

const tradeIds = async (user: CloudClient): Promise<string[]> => (await user.call(recordRoutes.getTrades, { query: { userId: user.userId } })).trades.map(({ id }) => id)
const financesOf = async (user: CloudClient) => (await user.call(recordRoutes.getFinances, { query: { userId: user.userId } })).finances
const hand = { id: 'hand-1', symbol: 'MESZ6', qty: 2, entryPrice: 5_000, exitPrice: 5_010.25, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-03T03:05:00Z' }
const contentOf = (records: readonly MirrorRecord[], entity: MirrorRecord['entity'], id: string): unknown => records.find((record) => record.entity === entity && record.id === id)?.content

describe('fill pairs that a computer computed', () => {
  test("are listed under their account, with their user's notes", async () => {
    const user = await newUser()
    const edit = { notes: { value: 'chased it', stamp: ahead }, tags: { value: ['fomo'], stamp: ahead } }
    await user.tell([...connected, pair('p-2', { exitTime: entryTime + 600_000 }), pair('p-1'), { entity: 'edit', id: 'p-1', content: edit }])
    const { trades } = await user.call(recordRoutes.getTrades, { query: { userId: user.userId } })
    expect(trades.map(({ id }) => id)).toEqual(['p-1', 'p-2'])
    expect(trades[0]).toEqual({
      id: 'p-1', userId: user.userId, symbol: 'MESZ6', account: 'EVAL-101', accountId: account, side: 'long', qty: 2, entryPrice: 5_000, exitPrice: 5_010.25,
      entryTime: '2026-11-02T15:00:00.000Z', exitTime: '2026-11-02T15:05:00.000Z', date: '2026-11-02', tradingDay: '2026-11-02',
      pnl: 98.7, grossPnl: '102.50', commission: '3.80', netPnl: '98.70', currency: 'USD', platform: 'Tradovate', tradeId: 'trade-1', origin: 'synced',
      multiplierSource: 'broker', feeSource: 'broker', warnings: ['incomplete'], notes: 'chased it', tags: ['fomo'], stop: null,
      screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '',
    })
  })

  test('show a note written on a fill pair that has changed since, and let it be edited there', async () => {
    const user = await newUser()
    const { userId } = user
    const fill = (id: string, orderId: string, side: 'buy' | 'sell', minutes: number): MirrorRecord => ({
      entity: 'fill',
      id: `${account}/${id}`,
      content: { account, contract: 'MESZ6', time: entryTime + minutes * 60_000, side, qty: 2, price: 20_000, tickSize: '0.25', fee: null, active: true, source: 'api', orderId, contractId: null, tradeDate: null, otherFees: null },
    })
    const end = (id: string, order: string, minutes: number) => ({ fill: id, order, time: entryTime + minutes * 60_000, price: '5000', qty: 2, from: 0 })
    const place = { account, contract: 'MESZ6', date: '2026-11-02', tradingDay: '2026-11-02', side: 'long' as const, qty: 2, opening: end('1', '11', 0), closing: end('2', '12', 5), beside: [] }
    const stamped = <T>(value: T) => ({ value, stamp: ahead })
    await user.tell([
      ...connected,
      ...[fill('1', '11', 'buy', 0), fill('3', '12', 'sell', 5), pair(`${account}/1/3`)],
      { entity: 'edit', id: `${account}/1/2`, content: { notes: stamped('held too long'), tags: stamped(['late']), place: stamped(place) } },
    ])
    const { trades } = await user.call(recordRoutes.getTrades, { query: { userId } })
    expect(trades).toMatchObject([{ id: `${account}/1/3`, notes: 'held too long', tags: ['late'] }])
    const { trade } = await user.call(recordRoutes.updateTrade, { body: { userId, id: `${account}/1/3`, updates: { notes: 'closed in time', tags: ['late'] } } })
    expect(trade).toMatchObject({ notes: 'closed in time', tags: ['late'] })
    expect((await user.call(recordRoutes.getTrades, { query: { userId } })).trades).toEqual([trade])
    const records = await user.records()
    expect(contentOf(records, 'edit', `${account}/1/2`)).toMatchObject({ notes: { value: '' }, tags: { value: ['late'], stamp: ahead } })
    expect(contentOf(records, 'edit', `${account}/1/3`)).toEqual({ notes: { value: 'closed in time', stamp: expect.stringMatching(/-c10dc10d$/) as string } })
    await user.call(recordRoutes.removeTrade, { body: { userId, id: `${account}/1/3` } })
    expect(await tradeIds(user)).toEqual([])
  })

  test.each([1, 500, 1_000])('are all returned, %i of them', async (count) => {
    const user = await newUser()
    await user.tell(Array.from({ length: count }, (_, index) => pair(`p-${String(index)}`, { exitTime: entryTime + count - index })))
    expect(await tradeIds(user)).toEqual(Array.from({ length: count }, (_, index) => `p-${String(count - 1 - index)}`))
  })

  test('accept changes to notes only; each changed field is stamped later than everything seen', async () => {
    const user = await newUser()
    const { userId } = user
    await user.tell([...connected, pair('p-1'), { entity: 'edit', id: 'p-1', content: { notes: { value: 'old', stamp: ahead }, stop: { value: '4990', stamp: ahead } } }])
    expect(await user.fail(recordRoutes.updateTrade, { body: { userId, id: 'p-1', updates: { notes: 'new', qty: 3 } } })).toMatchObject({ status: 409, error: 'Failed to update trade', code: 'read-only-field' })
    expect(await user.fail(recordRoutes.addTrade, { body: { userId, trade: { ...hand, id: 'p-1' } } })).toMatchObject({ status: 400, error: 'Failed to save trade', code: 'invalid-request', fields: [{ path: 'trade.id', message: 'taken by another trade' }] })
    const before = await user.records()
    const { trade } = await user.call(recordRoutes.updateTrade, { body: { userId, id: 'p-1', updates: { notes: 'new', stop: '4990' } } })
    expect(trade).toMatchObject({ notes: 'new', stop: '4990', qty: 2, origin: 'synced' })
    const edit = contentOf(await user.records(), 'edit', 'p-1') as { notes: { stamp: Stamp } }
    expect(edit).toEqual({ notes: { value: 'new', stamp: expect.stringMatching(/-c10dc10d$/) as string }, stop: { value: '4990', stamp: ahead } })
    expect(edit.notes.stamp > ahead).toBe(true)
    expect(contentOf(before, 'edit', 'p-1')).toEqual({ notes: { value: 'old', stamp: ahead }, stop: { value: '4990', stamp: ahead } })
  })

  test('are removed one by one, or with the finance of their account', async () => {
    const user = await newUser()
    const { userId } = user
    await user.tell([...connected, pair('p-1'), pair('p-2'), pair('p-3', { accountId: 'an account of before' })])
    await user.call(recordRoutes.removeTrade, { body: { userId, id: 'p-1' } })
    expect(await tradeIds(user)).toEqual(['p-2', 'p-3'])
    expect(await user.fail(recordRoutes.removeTrade, { body: { userId, id: 'p-1' } })).toMatchObject({ status: 404, error: 'Failed to remove trade', code: 'not-found' })
    expect(contentOf(await user.records(), 'edit', 'p-1')).toMatchObject({ removedAt: { value: expect.any(Number) as number } })

    await user.call(recordRoutes.removeTrade, { body: { userId, accountId: account } })
    expect([await tradeIds(user), await financesOf(user)]).toEqual([['p-3'], []])
    expect(await user.fail(recordRoutes.updateTrade, { body: { userId, id: 'p-2', updates: { notes: 'x' } } })).toMatchObject({ status: 404 })
    const gone = contentOf(await user.records(), 'account', account) as { removedAt: number; stamp: Stamp }
    expect([gone.removedAt > entryTime, gone.stamp > ahead]).toEqual([true, true])
    // A second time changes nothing.
    await user.call(recordRoutes.removeTrade, { body: { userId, accountId: account } })
    expect(contentOf(await user.records(), 'account', account)).toEqual(gone)
    expect(await user.fail(recordRoutes.removeFinance, { body: { userId, id: account } })).toMatchObject({ status: 404, error: 'Failed to remove finance' })
  })
})

test('a trade entered by hand is computed with the contract figures from a computer, and is mirrored exactly', async () => {
  const user = await newUser()
  const { userId } = user
  const spec = { root: 'MES', rootIsWhole: true, currency: 'USD', tickSize: '0.25', tickValue: { num: 25_000, den: 1 }, feePerSide: 10_000, source: 'broker', rounding: null } as const
  await user.tell([...connected, { entity: 'spec', id: 'MESZ6', content: spec }])
  const { trade } = await user.call(recordRoutes.addTrade, { body: { userId, trade: { ...hand, accountId: account, notes: 'first' } } })
  // 41 ticks × 2 × 2.50 dollars, less 2 × 2 × 1.00; the evening in New York is still the day before, and Chicago's session the next.
  expect(trade).toMatchObject({ grossPnl: '205.00', commission: '4.00', netPnl: '201.00', account: 'EVAL-101', date: '2026-11-02', tradingDay: '2026-11-03', notes: 'first', multiplierSource: 'broker' })
  const kept = contentOf(await user.records(), 'trade', 'hand-1')
  expect(kept).toEqual({
    accountId: account, account: null, symbol: 'MESZ6', date: '2026-11-02', tradingDay: '2026-11-03', side: 'long', qty: 2, tickSize: '0.25', entryPrice: 20_000, exitPrice: 20_041,
    entryTime, exitTime: Date.parse(hand.exitTime), gross: 2_050_000, commission: 40_000, net: 2_010_000, currency: 'USD', platform: '', tripId: null,
    multiplierSource: 'broker', feeSource: 'table', warnings: [], stamp: expect.stringMatching(/-c10dc10d$/) as string,
  })
  const { head } = await user.call(mirrorRoutes.journal, { query: { userId } })
  await user.call(recordRoutes.addTrade, { body: { userId, trade: { ...hand, accountId: account, notes: 'first' } } })
  // Said again is not changed: no computer has anything to take over.
  expect((await user.call(mirrorRoutes.journal, { query: { userId } })).head).toBe(head)
})

describe('the finance of a connected account', () => {
  test("has the broker's name and balance, and keeps its label", async () => {
    const user = await newUser()
    const { userId } = user
    await user.tell(connected)
    expect(await financesOf(user)).toMatchObject([{ id: account, type: 'Account', name: 'EVAL-101', balance: 50_400.5 }])
    const asked = { id: account, name: 'what the page shows', balance: 1, platform: 'Tradovate' }
    const labeled = { type: 'Evaluation Account', firm: 'Apex Trader Funding', name: 'EVAL-101', balance: 50_400.5 }
    expect((await user.call(recordRoutes.addFinance, { body: { userId, finance: { ...asked, type: 'Evaluation Account', firm: 'Apex Trader Funding' } } })).finance).toMatchObject(labeled)
    expect((await user.call(recordRoutes.addFinance, { body: { userId, finance: { ...asked, type: 'Account', firm: '' } } })).finance).toMatchObject(labeled)
    // A newer balance of the broker needs no new label.
    await user.tell([{ entity: 'balance', id: account, content: { balance: 510_000_000, currency: 'USD', balanceAt: 2 } }])
    expect(await financesOf(user)).toMatchObject([{ ...labeled, balance: 51_000 }])
  })

  test('is removed with its account', async () => {
    const user = await newUser()
    await user.tell([...connected, pair('p-1')])
    await user.call(recordRoutes.removeFinance, { body: { userId: user.userId, id: account } })
    expect([await financesOf(user), await tradeIds(user)]).toEqual([[], []])
  })

  test('with an amount that cannot be stored is refused', async () => {
    const user = await newUser()
    const finance = { id: 'f', type: 'earning', amount: 9.5e11, balance: 0 }
    expect(await user.fail(recordRoutes.addFinance, { body: { userId: user.userId, finance } })).toMatchObject({ status: 400, error: 'Failed to save finance', fields: [{ path: 'finance.amount' }] })
  })

  test("is dated today in the trader's time zone", async () => {
    const user = await newUser()
    const { userId } = user
    await user.tell([{ entity: 'profile', id: 'profile', content: { timeZone: 'Pacific/Kiritimati' } }])
    const today = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(Date.now())
    const before = today()
    const { finance } = await user.call(recordRoutes.addFinance, { body: { userId, finance: { id: 'f', type: 'earning', amount: 1, balance: 0 } } })
    expect([before, today()]).toContain(finance.date)
  })
})

describe('a fill added by hand', () => {
  const fill = { id: '9', accountId: '700101', contractId: 5, action: 'Buy', qty: 1, price: 5_000.25, timestamp: '2026-11-02T15:00:00Z', platform: 'Tradovate' }
  const kept = { account, contract: 'MESZ6', time: entryTime, side: 'buy', qty: 1, price: 20_001, tickSize: '0.25', fee: null, active: true, source: 'handed-in', orderId: null, contractId: '5', tradeDate: null, otherFees: null }

  test("is saved under the account and contract of the broker's ids", async () => {
    const user = await newUser()
    const { userId } = user
    await user.tell(connected)
    await user.call(recordRoutes.addFill, { body: { userId, fill: fill as never } })
    expect(contentOf(await user.records(), 'fill', `${account}/9`)).toEqual(kept)
    await user.call(recordRoutes.addFill, { body: { userId, fill: { ...fill, qty: 2, contractSymbol: 'MESZ6', accountId: account } as never } })
    expect(contentOf(await user.records(), 'fill', `${account}/9`)).toEqual({ ...kept, qty: 2 })
  })

  test('overrides nothing from the broker', async () => {
    const user = await newUser()
    const fromBroker = { ...kept, source: 'api', qty: 5, fee: 9_500 }
    await user.tell([...connected, { entity: 'fill', id: `${account}/9`, content: fromBroker } as MirrorRecord])
    await user.call(recordRoutes.addFill, { body: { userId: user.userId, fill: fill as never } })
    expect(contentOf(await user.records(), 'fill', `${account}/9`)).toEqual(fromBroker)
  })

  test('is refused off its tick, and if account or contract is unknown or ambiguous', async () => {
    const user = await newUser()
    const { userId } = user
    const refused = (more: object) => user.fail(recordRoutes.addFill, { body: { userId, fill: { ...fill, ...more } } })
    expect(await refused({})).toMatchObject({ status: 404, error: 'not-found', code: 'not-found' })
    await user.tell(connected)
    expect(await refused({ price: 5_000.1 })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: 'fill.price', message: "not on the contract's tick" }] })
    expect(await refused({ contractId: 6 })).toMatchObject({ status: 404 })
    expect(await refused({ action: 'hold' })).toMatchObject({ status: 400, fields: [{ path: 'fill.action' }] })
    await user.tell([{ ...connected[1], id: other } as MirrorRecord])
    expect(await refused({})).toMatchObject({ status: 404 })
    await user.call(recordRoutes.removeTrade, { body: { userId, accountId: account } })
    expect(await refused({ accountId: account })).toMatchObject({ status: 404 })
    expect((await user.records()).filter(({ entity }) => entity === 'fill')).toEqual([])
  })
})

test("another user's id is refused, and nothing is read or written", async () => {
  const [ann, bob] = [await newUser(), await newUser()]
  await ann.tell([...connected, pair('p-1')])
  const kept = () => queryRows(cloud.databaseUrl, "SELECT 'record' AS kind, to_jsonb(r) AS row FROM records r UNION ALL SELECT 'journal', to_jsonb(j) FROM journals j UNION ALL SELECT 'subscription', to_jsonb(s) FROM subscriptions s ORDER BY 1, 2")
  const before = await kept()
  const of = { userId: ann.userId }
  const refused = [
    bob.fail(recordRoutes.getTrades, { query: of }),
    bob.fail(recordRoutes.addTrade, { body: { ...of, trade: hand } }),
    bob.fail(recordRoutes.addTrade, { body: { userId: bob.userId, trade: { ...hand, ...of } } }),
    bob.fail(recordRoutes.updateTrade, { body: { ...of, id: 'p-1', updates: { notes: 'mine' } } }),
    bob.fail(recordRoutes.removeTrade, { body: { ...of, id: 'p-1' } }),
    bob.fail(recordRoutes.removeTrade, { body: { ...of, accountId: account } }),
    bob.fail(recordRoutes.getFinances, { query: of }),
    bob.fail(recordRoutes.addFinance, { body: { ...of, finance: { id: account, type: 'Funded Account', balance: 0 } } }),
    bob.fail(recordRoutes.removeFinance, { body: { ...of, id: account } }),
    bob.fail(recordRoutes.addFill, { body: { ...of, fill: {} } }),
  ]
  for (const answer of await Promise.all(refused)) expect([answer.status, answer.code, Object.keys(answer).sort()]).toEqual([403, 'not-this-user', ['code', 'error', 'status', 'success']])
  expect(await kept()).toEqual(before)
  // His own journal knows nothing of hers.
  expect(await bob.fail(recordRoutes.updateTrade, { body: { userId: bob.userId, id: 'p-1', updates: { notes: 'mine' } } })).toMatchObject({ status: 404 })
  expect(await tradeIds(ann)).toEqual(['p-1'])
})
