import { expect, onTestFinished, test } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import type { FaultInput } from '#tests/demo-broker/faults.ts'
import { createImports } from '#backend/imports/imports.ts'
import { reportOf } from '#backend/sync/logins.ts'
import { reportZone } from '#backend/brokers/tradovate/reports.ts'
import type { JournalRows } from '../helpers/journal-rows.ts'
import { brokerageAt } from '../helpers/stand-in.ts'
import { openSyncJournal, type SyncJournal } from '../helpers/sync-journal.ts'
import { testTiming } from '../helpers/test-timing.ts'

const ACCOUNT = 700_101
const account = `tradovate:demo:${String(ACCOUNT)}`
// A point is 100 dollars.
const contract = 'GCJ6'
const hour = 3_600_000

/** A stand-in in the middle of a session, two before its last, and how to trade a contract on it that its own story leaves alone. */
const begin = async () => {
  const timing = testTiming()
  const broker = await startTestBroker({ anchor: '2026-03-06', wallNow: timing.now })
  onTestFinished(() => broker.stop())
  const end = broker.walk.at(-1)?.at ?? 0
  const goTo = (time: number): void => {
    timing.pass(time - timing.now())
    broker.clock.set(time)
  }
  goTo(end - (27 + 24) * hour)
  const it = await openSyncJournal({ brokerage: brokerageAt(broker), timing })
  const trade = (action: 'Buy' | 'Sell', qty: number, price: number): number => {
    if (!broker.hand.setPrice(contract, price)) throw new Error(`No price ${price}`)
    const placed = broker.hand.place({ account: ACCOUNT, action, symbol: contract, qty })
    if (!('orderId' in placed)) throw new Error(placed.failureText)
    goTo(timing.now() + 60_000)
    return placed.orderId
  }
  return { broker, it, end, goTo, trade, strike: (...faults: FaultInput[]) => { broker.faults.set(faults) } }
}

const connect = async (it: SyncJournal): Promise<void> => void (await it.connect('ava.morgan'))

/** The contract's pairs in the journal: side, quantity, gross in dollars, warnings. */
const pairsOf = (it: SyncJournal): unknown[][] => {
  const { fill_pairs: pairs = [] } = it.rows()
  const ours = (row: JournalRows[string][number]): boolean => row['account_id'] === account && row['symbol'] === contract
  return pairs.filter(ours).sort((one, other) => Number(one['exit_time']) - Number(other['exit_time'])).map((row) => [row['side'], row['qty'], Number(row['gross']) / 10_000, row['warnings']])
}

const fillIdOf = async (broker: TestBroker, order: number): Promise<number> => (await broker.archive()).executions.find(({ orderId }) => orderId === order)?.id ?? 0

test("a position carried into the first sync matches the broker, from the broker's own fill pairs", async () => {
  const { it, end, goTo, trade } = await begin()
  trade('Buy', 1, 3000)
  trade('Buy', 1, 3001.5)
  goTo(end - 3 * hour)
  trade('Sell', 1, 3002)
  await connect(it)
  // One of two is closed: the trade is not over, and the journal does not say that it was.
  const first = await it.sync()
  expect(first.holdings).toMatchObject([{ accountId: account, contract, kind: 'carried', broker: 2, ours: 1 }])
  expect(pairsOf(it)).toMatchObject([['long', 1, 200, '["incomplete"]']])
  trade('Sell', 1, 3002)
  trade('Buy', 1, 3030)
  trade('Sell', 1, 3031)
  const receipt = await it.sync()
  expect(receipt.holdings).toMatchObject([{ accountId: account, contract, kind: 'carried-from-pairs', broker: 2, ours: 2 }])
  expect(receipt.outcome).toBe('partial')
  expect(pairsOf(it)).toEqual([['long', 1, 200, '[]'], ['long', 1, 50, '[]'], ['long', 1, 100, '[]']])
  const again = await it.sync()
  expect(again).toMatchObject({ holdings: receipt.holdings, batches: 0 })
})

test("without the broker's positions the trades of a first session are incomplete", async () => {
  const { it, end, goTo, trade, strike } = await begin()
  trade('Buy', 2, 3000)
  goTo(end - 3 * hour)
  trade('Sell', 2, 3020)
  await connect(it)
  strike({ kind: 'server-error', status: 500, path: '/position/list' })
  expect(await it.sync()).toMatchObject({ outcome: 'partial', troubles: [{ code: 'unreachable' }] })
  trade('Buy', 2, 3010)
  await it.sync()
  expect(pairsOf(it)).toEqual([['short', 2, 2_000, '["incomplete"]']])
  strike()
  await it.sync()
  expect(pairsOf(it)).toEqual([['long', 2, 4_000, '[]']])
})

test('without fill pairs a carried position gives no trade, and the receipt names it', async () => {
  const { it, end, goTo, trade, strike } = await begin()
  trade('Buy', 2, 3000)
  goTo(end - 3 * hour)
  trade('Sell', 2, 3020)
  trade('Buy', 1, 3010)
  trade('Sell', 1, 3011)
  await connect(it)
  strike({ kind: 'server-error', status: 500, path: '/fillPair/list' })
  const receipt = await it.sync()
  expect(receipt).toMatchObject({ outcome: 'partial', troubles: [{ code: 'unreachable' }], holdings: [{ contract, kind: 'carried', broker: 2, ours: 0 }] })
  expect(pairsOf(it)).toEqual([['long', 1, 100, '[]']])
})

test('a carried lot is closed before those opened later', async () => {
  const { it, end, goTo, trade } = await begin()
  trade('Buy', 2, 3000)
  goTo(end - 27 * hour)
  await connect(it)
  expect(await it.sync()).toMatchObject({ holdings: [{ kind: 'carried', broker: 2, ours: 0 }] })
  trade('Buy', 1, 3050)
  trade('Sell', 1, 3060)
  await it.sync()
  goTo(end - 3 * hour)
  trade('Sell', 2, 3070)
  expect((await it.sync()).holdings).toMatchObject([{ contract, kind: 'carried-from-pairs', broker: 2, ours: 2 }])
  expect(pairsOf(it)).toEqual([['long', 1, 6_000, '[]'], ['long', 1, 7_000, '[]'], ['long', 1, 2_000, '[]']])
})

test('a fill missing in the list is requested by its id', { tags: 'long' }, async () => {
  const { broker, it, end, goTo, trade, strike } = await begin()
  goTo(end - 3 * hour)
  const opening = trade('Buy', 1, 3000)
  trade('Sell', 1, 3010)
  await connect(it)
  strike({ kind: 'missing-rows', path: '/fill/list', ids: [await fillIdOf(broker, opening)] })
  expect((await it.sync()).holdings).toEqual([])
  expect(pairsOf(it)).toEqual([['long', 1, 1_000, '[]']])
})

test('a fill that the broker does not return is named and its trades are marked, until it arrives', async () => {
  const { broker, it, end, goTo, trade, strike } = await begin()
  goTo(end - 3 * hour)
  await connect(it)
  await it.sync()
  trade('Buy', 1, 3000)
  const lost = trade('Buy', 1, 3005)
  trade('Sell', 1, 3010)
  const id = await fillIdOf(broker, lost)
  strike({ kind: 'missing-rows', path: '/fill/', ids: [id] })
  const receipt = await it.sync()
  expect(receipt).toMatchObject({ outcome: 'partial', holdings: [{ accountId: account, contract, kind: 'fills-missing', broker: 3, ours: 2 }] })
  expect(pairsOf(it)).toEqual([['long', 1, 1_000, '["incomplete"]']])
  goTo(end)
  await it.sync('daily')
  const gaps = async () => (await it.journal.read.syncGaps({ userId: it.userId, at: end + 5 * hour })).filter(({ accountId }) => accountId === account)
  expect(await gaps()).toMatchObject([{ tradingDay: '2026-03-06' }])
  strike()
  expect((await it.sync('daily')).holdings).toEqual([])
  expect(await gaps()).toEqual([])
  expect(pairsOf(it)).toEqual([['long', 1, 1_000, '[]']])
})

test('a list that shrinks removes no fill, and its session does not count as read', async () => {
  const { it, end, goTo, trade, strike } = await begin()
  goTo(end - 3 * hour)
  trade('Buy', 1, 3000)
  trade('Sell', 1, 3010)
  await connect(it)
  await it.sync()
  const before = it.rows()
  goTo(end)
  await it.sync('daily')
  const gaps = () => it.journal.read.syncGaps({ userId: it.userId, at: end + 5 * hour })
  expect(await gaps()).toEqual([])
  strike({ kind: 'missing-rows', path: '/fill', last: 1 })
  await it.sync('daily')
  expect(it.rows()['fills']?.length).toBeGreaterThanOrEqual(before['fills']?.length ?? 0)
  expect(await gaps()).not.toEqual([])
  strike()
  await it.sync('daily')
  expect(await gaps()).toEqual([])
})

test('a fill unreadable at the last sync leaves a gap in the session', async () => {
  const { broker, it, end, goTo, trade, strike } = await begin()
  goTo(end - 3 * hour)
  await connect(it)
  const id = await fillIdOf(broker, trade('Buy', 1, 3000))
  trade('Sell', 1, 3010)
  strike({ kind: 'changed-rows', path: '/fill/', ids: [id], set: { price: null } })
  goTo(end)
  expect(await it.sync('daily')).toMatchObject({ refused: [{ entity: 'fill', id: String(id), reason: 'unreadable:price' }], holdings: [{ contract, kind: 'fills-missing', broker: 2, ours: 1 }] })
  const gaps = await it.journal.read.syncGaps({ userId: it.userId, at: end + 5 * hour })
  expect(gaps.map(({ tradingDay }) => tradingDay)).toContain('2026-03-06')
})

test.each([['nothing of it', { commission: 0, exchangeFee: null, clearingFee: null, nfaFee: null, orderRoutingFee: null }], ['a part of it', { exchangeFee: null }]] as const)('a fee of which %s is booked is read again until it is complete', async (_, set) => {
  const { it, end, goTo, trade, strike } = await begin()
  goTo(end - 3 * hour)
  trade('Buy', 1, 3000)
  await connect(it)
  const fee = (): unknown => it.rows()['fills']?.find((row) => row['contract'] === contract)?.['fee']
  strike({ kind: 'changed-rows', path: '/fillFee/', set })
  await it.sync()
  const early = fee()
  strike()
  await it.sync('schedule')
  expect(fee()).toBeGreaterThan(Number(early))
  const whole = fee()
  await it.sync('schedule')
  expect(fee()).toBe(whole)
})

test.each(['cashBalance', 'currency', 'fillFee', 'position', 'fillPair', 'contractMaturity'])('fills arrive even if the list of %s fails', async (entity) => {
  const { it, end, goTo, strike } = await begin()
  goTo(end - 3 * hour)
  await connect(it)
  strike({ kind: 'server-error', status: 500, path: `^/demo/v1/${entity}/` })
  const receipt = await it.sync()
  expect(receipt.outcome).toBe('partial')
  expect(receipt.fills.added).toBeGreaterThan(20)
  strike()
  expect((await it.sync()).troubles).toEqual([])
})

test('a fill whose order is listed a sync later is taken then, and a known fill stays when its order is no longer listed', async () => {
  const { it, end, goTo, trade, strike } = await begin()
  goTo(end - 3 * hour)
  await connect(it)
  await it.sync()
  const order = trade('Buy', 1, 3000)
  strike({ kind: 'missing-rows', path: '/order/', ids: [order] })
  expect(await it.sync()).toMatchObject({ fills: { added: 0 }, refused: [{ entity: 'fill', reason: 'no-order:orderId' }] })
  strike()
  expect(await it.sync()).toMatchObject({ fills: { added: 1 }, refused: [] })
  strike({ kind: 'missing-rows', path: '/order/', ids: [order] })
  expect(await it.sync()).toMatchObject({ fills: { added: 0 }, refused: [] })
})

test('a position that the broker does not have is named while the journal has it', async () => {
  const { it, end, goTo, trade, strike } = await begin()
  goTo(end - 3 * hour)
  trade('Buy', 2, 3000)
  await connect(it)
  expect((await it.sync()).holdings).toEqual([])
  strike({ kind: 'changed-rows', path: '/position/list', set: { netPos: 0, prevPos: 0, bought: 0, sold: 0 } })
  const differs = { accountId: account, contract, kind: 'position-differs', broker: 0, ours: 2 }
  expect((await it.sync()).holdings).toContainEqual(expect.objectContaining(differs))
  expect((await it.sync()).holdings).toContainEqual(expect.objectContaining(differs))
  strike()
  trade('Sell', 2, 3001)
  expect((await it.sync()).holdings).toEqual([])
  expect(pairsOf(it)).toEqual([['long', 2, 200, '[]']])
})

test("an import overrides the broker's fee only until it is undone", { tags: 'long' }, async () => {
  const { it, end, goTo, trade, strike } = await begin()
  goTo(end - 3 * hour)
  trade('Buy', 1, 3000)
  trade('Sell', 1, 3010)
  const loginId = await it.connect('ava.morgan')
  // The journal knows the account and the figures of the report before the fills come from the broker's lists.
  strike({ kind: 'server-error', status: 500, path: '/fill/list' })
  await it.sync()
  strike()
  const imports = createImports({ journal: it.journal, now: it.timing.now })
  const query = { environment: 'demo', name: 'Fills', account: 'NGF-EVAL50K-104233', from: '2026-03-06', to: '2026-03-06' } as const
  const report = await reportOf(it.logins, { userId: it.userId, loginId }, query, new AbortController().signal)
  if (!report.ok) throw new Error(report.error.kind)
  const file = { name: 'Fills.csv', open: async function* () { yield await Promise.resolve(Buffer.from(report.value)) } }
  const imported = await imports.add(it.userId, [file], { zone: reportZone, account: query.account, id: 'import' })
  expect(imported.ok).toBe(true)
  const feeSources = (): unknown[] => (it.rows()['fill_pairs'] ?? []).filter((row) => row['account_id'] === account && row['symbol'] === contract).map((row) => [row['fee_source'], row['net']])
  await it.sync()
  const [[, net] = []] = feeSources() as unknown[][]
  expect((await it.journal.write.undoImport({ userId: it.userId, importId: 'import', at: it.timing.now() })).ok).toBe(true)
  expect(feeSources()).toEqual([['broker', net]])
  expect(it.rows()['fills']?.filter((row) => row['contract'] === contract).every(({ fee }) => fee !== null)).toBe(true)
})
