// @module-tag slow
import { existsSync, statSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ledgerRow } from '#shared/api/copier.ts'
import { causeOf, copierPaths, draftOf, follower, intentOf, leader } from '#tests/helpers/copier-samples.ts'
import { openCopier, openWithGroup } from '#tests/helpers/copier-store.ts'
import { day, minute, monday, temporaryFolder, user } from '#tests/helpers/store.ts'
import { openLedger, type Ledger } from './open-ledger.ts'

const openReads = (folder: string): Ledger => {
  const ledger = openLedger(copierPaths(folder).file)
  if (ledger === null) throw new Error('There is no file')
  onTestFinished(() => ledger.close())
  return ledger
}

const openBoth = () => {
  const folder = temporaryFolder()
  const store = openWithGroup(folder)
  return { store, reads: openReads(folder), folder }
}

const all = { ...user, limit: 100 }

describe('the ledger', () => {
  test("shows a leader’s fill with its result at each follower", () => {
    const { store, reads } = openBoth()
    const event = store.writeIntents(causeOf(11, { qty: 3 }), [intentOf('a', { qty: 3 }), intentOf('b', { account: follower(2), qty: 2 }), intentOf('c', { account: follower(3) })])
    store.record([
      { clOrdId: 'a', stage: 'filled', orderId: 900, filled: 3, price: '6750.333333', toWireMs: 1.25, ackMs: 21.5, fillMs: 31.2504, slippage: { ticks: 1, money: 12_500, currency: 'USD' } },
      { clOrdId: 'b', stage: 'acknowledged', orderId: 901, filled: 1, toWireMs: 1.5 },
      { clOrdId: 'c', stage: 'refused', why: 'Market is closed' },
    ])
    store.notSent([{ cause: event, account: follower(4), contract: 'MESM6', why: 'cap' }])
    store.notSent([{ cause: event, account: follower(4), contract: 'MESM6', why: 'hedge' }])
    const { rows, more } = reads.ledger(all)
    expect(more).toBe(false)
    expect(rows.map((row) => ledgerRow.parse(row))).toEqual(rows)
    const unknown = { orderId: null, filled: 0, price: null, why: null, times: { toWire: null, toAck: null, toFill: null }, slippage: null }
    expect(rows).toEqual([
      {
        id: event, groupId: 'g1', at: '2026-01-05T15:00:00.000Z', kind: 'fill',
        leader: { account: leader, contract: 'MESM6', fillId: '11', side: 'buy', qty: 3, price: '6750.25' },
        copies: [
          {
            follower: follower(1), contract: 'MESM6', clOrdId: 'a', orderId: '900', side: 'buy', qty: 3, filled: 3, price: '6750.333333', status: 'filled', why: null,
            times: { toWire: 1.25, toAck: 20.25, toFill: 30 }, slippage: { ticks: 1, money: '1.25', currency: 'USD' },
          },
          { ...unknown, follower: follower(2), contract: 'MESM6', clOrdId: 'b', orderId: '901', side: 'buy', qty: 2, filled: 1, status: 'part-filled', times: { toWire: 1.5, toAck: null, toFill: null } },
          { ...unknown, follower: follower(3), contract: 'MESM6', clOrdId: 'c', side: 'buy', qty: 1, status: 'rejected', why: 'Market is closed' },
          { ...unknown, follower: follower(4), contract: 'MESM6', clOrdId: null, side: null, qty: 0, status: 'not-sent', why: 'hedge' },
        ],
      },
    ])
  })

  test('pages newest first over the user’s own groups, removed ones too', () => {
    const { store, reads } = openBoth()
    store.saveGroup({ ...user, id: 'g2', draft: draftOf(1) })
    store.saveGroup({ userId: 'u2', id: 'g3', draft: draftOf(1) })
    const [one, two, theirs, three, four] = ['g1', 'g2', 'g3', 'g2', 'g1'].map((groupId, index) => store.writeCause(causeOf(index, { groupId })))
    store.removeGroup('g2')
    const page = (input: { groupId?: string; before?: number | undefined; limit: number }) => {
      const { rows, more } = reads.ledger({ ...user, ...input })
      return [rows.map(({ id }) => id), more]
    }
    expect(page({ limit: 3 })).toEqual([[four, three, two], true])
    expect(page({ limit: 3, before: two })).toEqual([[one], false])
    expect(page({ limit: 4 })).toEqual([[four, three, two, one], false])
    expect(page({ groupId: 'g2', limit: 1 })).toEqual([[three], true])
    expect(page({ groupId: 'g3', limit: 5 })).toEqual([[], false])
    expect(reads.ledger({ userId: 'u2', limit: 5 }).rows.map(({ id }) => id)).toEqual([theirs])
  })

  test('sees recent writes without notification', async () => {
    const { store, reads } = openBoth()
    store.writeIntents(causeOf(11), [intentOf('a', { dryRun: true })])
    await expect.poll(() => reads.ledger(all).rows[0]?.copies.map(({ status }) => status)).toEqual(['dry-run'])
  })

  test('is null before the copier creates its file', () => {
    const folder = temporaryFolder()
    expect(openLedger(copierPaths(folder).file)).toBeNull()
    openCopier(folder).close()
    expect(openReads(folder).ledger(all)).toEqual({ rows: [], more: false })
  })
})

describe('a dry run', () => {
  const dry = (id: string, more: Parameters<typeof intentOf>[1] = {}) => intentOf(id, { dryRun: true, ...more })
  const noFees = { own: { rates: [], firms: [] }, charged: [], accounts: [] }

  test('is summed in contracts and money, from its arming on and at the user’s own rates', () => {
    const { store, reads } = openBoth()
    const rate = { scope: 'account', of: follower(1), product: 'MES', perSide: 10_000, currency: 'USD' } as unknown as Parameters<Ledger['dryRun']>[0]['fees']['own']['rates'][number]
    const report = (sinceMs = monday - day) => reads.dryRun({ ...user, sinceMs, fees: { ...noFees, own: { rates: [rate], firms: [] } } })
    store.saveGroup({ ...user, id: 'g1', draft: draftOf(2, { dryRun: true }) })
    store.writeIntents(causeOf(11, { price: '6700.00' }), [dry('a')])
    store.setGroupState('g1', 'armed')
    store.writeIntents(causeOf(12, { price: '6750.00' }), [dry('b', { qty: 2 }), dry('c', { account: follower(2) }), dry('stop', { purpose: 'exit', side: 'sell', type: 'Stop', stopPrice: 6700 }), intentOf('real')])
    store.setGroupState('g1', 'paused')
    store.setGroupState('g1', 'armed')
    store.writeIntents(causeOf(13, { side: 'sell', price: '6752.50', at: monday + day }), [dry('d', { side: 'sell', qty: 2 })])
    store.record([])
    // The first arming began anew: its buy at 6,700 stays open. A pause did not.
    expect(report()).toMatchObject({ total: { orders: 4, contracts: 6 }, open: [{ follower: follower(1), net: 1, runEnded: true }, { follower: follower(2), net: 1, runEnded: false }] })
    store.setGroupState('g1', 'off')
    expect(report().open.map(({ runEnded }) => runEnded)).toEqual([true, true])
    expect(report().days.map(({ day: of, lines }) => [of, lines.map((line) => [line.follower, line.bought, line.sold, line.gross, line.fees])])).toEqual([
      ['2026-01-06', [[follower(1), 0, 2, '25.00', '2.00']]],
      ['2026-01-05', [[follower(1), 3, 0, '0.00', '3.00'], [follower(2), 1, 0, '0.00', '0.95']]],
    ])
    // What a day before the asked ones opened is closed at its price.
    expect(report(monday + day).days.map(({ lines }) => lines.map(({ gross }) => gross))).toEqual([['25.00']])
    expect(reads.dryRun({ userId: 'u2', sinceMs: 0, fees: noFees }).total.orders).toBe(0)
    store.deleteUser(user.userId)
    expect(report().total.orders).toBe(0)
  })
})

describe('figures', () => {
  test('cover the requested days and sent copies, per follower', () => {
    const { store, reads } = openBoth()
    const times = Array.from({ length: 100 }, (_, index) => index + 1)
    for (const ms of times) {
      store.writeIntents(causeOf(ms, { at: monday + ms }), [intentOf(`a${String(ms)}`), intentOf(`b${String(ms)}`, { account: follower(2), dryRun: true })])
      store.record([{ clOrdId: `a${String(ms)}`, stage: 'filled', filled: 2, toWireMs: ms, ackMs: ms * 3, fillMs: ms * 5, slippage: { ticks: -1, money: -2_500, currency: ms === 1 ? 'EUR' : 'USD' } }])
    }
    const repair = store.writeIntents(causeOf(null, { kind: 'repair' }), [intentOf('r', { purpose: 'repair' }), intentOf('x', { account: follower(3) })])
    store.record([{ clOrdId: 'r', stage: 'filled', toWireMs: 9_000 }, { clOrdId: 'x', stage: 'rejected' }])
    store.notSent([{ cause: repair, account: follower(3), contract: 'MESM6', why: 'cap' }, { cause: repair, account: follower(3), contract: 'MNQM6', why: 'cap' }])
    // Another user's, and an earlier one.
    store.saveGroup({ userId: 'u2', id: 'g2', draft: draftOf(1) })
    store.writeIntents(causeOf(1, { groupId: 'g2' }), [intentOf('y')])
    store.writeIntents(causeOf(900, { at: monday - day }), [intentOf('z', { account: follower(4) })])
    const none = { toWire: null, toAck: null, toFill: null, slippage: [], notSent: 0, rejected: 0 }
    expect(reads.figures({ ...user, sinceMs: monday })).toEqual([
      {
        follower: follower(1), notSent: 0, rejected: 0,
        toWire: { count: 100, p50: 50, p95: 95, p99: 99 }, toAck: { count: 100, p50: 100, p95: 190, p99: 198 }, toFill: { count: 100, p50: 200, p95: 380, p99: 396 },
        slippage: [{ currency: 'EUR', copies: 1, contracts: 2, ticks: -1, money: '-0.25' }, { currency: 'USD', copies: 99, contracts: 198, ticks: -99, money: '-24.75' }],
      },
      { ...none, follower: follower(3), notSent: 2, rejected: 1 },
    ])
    expect(reads.figures({ ...user, groupId: 'g2', sinceMs: 0 })).toEqual([])
    expect(reads.figures({ ...user, sinceMs: monday + day })).toEqual([])
  })
})

describe('as CSV', () => {
  test('comes in chunks, oldest first, one line per copy, with no cell a formula', () => {
    const { store, reads } = openBoth()
    store.saveGroup({ ...user, id: 'g1', draft: draftOf(1, { name: '=1+1, "two"' }) })
    const events = Array.from({ length: 1_203 }, (_, index) => store.writeIntents(causeOf(index, { at: monday + index * minute }), index === 0 ? [] : [intentOf(`a${String(index)}`)]))
    store.record([{ clOrdId: 'a1', stage: 'rejected', why: '@SUM(A1)', toWireMs: 1.5 }, { clOrdId: 'a2', stage: 'filled', filled: 1, price: '6750.5', slippage: { ticks: 1, money: 12_505, currency: 'USD' } }])
    const pieces: string[] = []
    for (let after: number | null = null, going = true; going; going = after !== null) {
      const piece = reads.csv({ ...user, after })
      pieces.push(piece.text)
      after = piece.next
    }
    expect(pieces.length).toBe(3)
    const lines: Record<string, string>[] = parse(pieces.join(''), { columns: true, bom: true, record_delimiter: '\r\n' })
    expect(lines.map((line) => Number(line['Event']))).toEqual(events)
    expect(lines[0]).toMatchObject({ 'Time (ISO 8601)': '2026-01-05T15:00:00.000Z', Group: `'=1+1, "two"`, Kind: 'fill', Leader: leader, 'Leader quantity': '1', Follower: '', Quantity: '', Status: '' })
    expect(lines[1]).toMatchObject({ Follower: follower(1), Status: 'rejected', Reason: "'@SUM(A1)", 'Fill heard to order sent (ms)': '1.5', 'Sent to filled (ms)': '' })
    expect(lines[2]).toMatchObject({ Filled: '1', 'Average price': '6750.5', 'Slippage (ticks)': '1', Slippage: '1.2505', Currency: 'USD' })
    expect(reads.csv({ userId: 'u2', after: null }).text.split('\r\n').length).toBe(2)
  })
})

describe('the WAL', () => {
  test('is checkpointed once idle, and the next write starts a fresh one', () => {
    const { store, reads, folder } = openBoth()
    const first = store.writeCause(causeOf(0))
    const sizeOfLog = () => statSync(`${copierPaths(folder).file}-wal`).size
    for (let fill = 0; sizeOfLog() < 5 * 1024 * 1024; fill += 1) store.writeIntents(causeOf(fill), Array.from({ length: 50 }, (_, index) => intentOf(`${String(fill)}-${String(index)}`)))
    reads.tend()
    expect(sizeOfLog()).toBeGreaterThan(5_000_000)
    reads.tend()
    expect(sizeOfLog()).toBeGreaterThan(0)
    expect(sizeOfLog()).toBeLessThan(100_000)
    store.record([{ clOrdId: '0-0', stage: 'filled' }])
    expect(reads.ledger({ ...all, before: first + 1 }).rows[0]?.copies.find(({ clOrdId }) => clOrdId === '0-0')?.status).toBe('filled')
    expect(existsSync(copierPaths(folder).file)).toBe(true)
  })
})
