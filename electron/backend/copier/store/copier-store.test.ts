// @module-tag slow
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { StoreFault } from '#backend/db/fault.ts'
import { causeOf, copierPaths, draftOf, follower, intentOf, silent } from '#tests/helpers/copier-samples.ts'
import { openCopier, openWithGroup } from '#tests/helpers/copier-store.ts'
import { minute, monday, temporaryFolder, user } from '#tests/helpers/store.ts'
import { readyCopierFile } from './copier-store.ts'
import type { SavedStance } from './rows.ts'

const faultOf = (work: () => unknown): StoreFault & { file?: string } => {
  try {
    work()
  } catch (error) {
    return error as StoreFault & { file?: string }
  }
  throw new Error('Nothing was thrown')
}

describe('groups', () => {
  test('persist with their state over a restart', () => {
    const folder = temporaryFolder()
    const store = openWithGroup(folder)
    store.setGroupState('g1', 'armed')
    store.saveGroup({ ...user, id: 'g1', draft: draftOf(1, { name: 'Funded' }) })
    store.saveGroup({ userId: 'u2', id: 'g2', draft: draftOf(3) })
    store.close()
    expect(openCopier(folder).groups()).toEqual([
      { ...draftOf(1, { name: 'Funded' }), id: 'g1', ...user, state: 'armed' },
      { ...draftOf(3), id: 'g2', userId: 'u2', state: 'off' },
    ])
  })

  test('of another user are not overwritten, and removing one removes its followers’ state', () => {
    const store = openWithGroup()
    store.record([], { followers: [{ groupId: 'g1', account: follower(1), lock: 'rejects', rejects: 3, day: '2026-01-05', needsDecisionNext: false, closing: false }] })
    store.record([], { stances: [{ groupId: 'g1', account: follower(1), contract: 'MESM6', held: 1, yours: 0, base: 0, apart: 0, why: null, needsDecision: false, taken: { time: 0, id: 0 } }], leaders: [{ groupId: 'g1', contract: 'MESM6', net: 1, taken: { time: 5, id: 1 } }] })
    expect(faultOf(() => store.saveGroup({ userId: 'u2', id: 'g1', draft: draftOf(1) })).code).toBe('not-found')
    store.removeGroup('g1')
    expect([store.groups(), store.followers('g1'), store.stances('g1'), store.leaders('g1')]).toEqual([[], [], [], []])
    expect(faultOf(() => store.setGroupState('g1', 'armed')).code).toBe('not-found')
    store.saveGroup({ ...user, id: 'g1', draft: draftOf(1) })
    expect(store.groups()).toEqual([{ ...draftOf(1), id: 'g1', ...user, state: 'off' }])
  })

  test('of a leaving user are deleted with their ledger to the last byte, removed ones too, and nobody else’s', () => {
    const folder = temporaryFolder()
    const store = openWithGroup(folder)
    store.saveGroup({ ...user, id: 'gone', draft: draftOf(1) })
    store.saveGroup({ userId: 'u2', id: 'g2', draft: draftOf(1) })
    for (const groupId of ['g1', 'gone', 'g2']) {
      store.record([], { followers: [{ groupId, account: follower(1), lock: null, rejects: 0, day: '2026-01-05', needsDecisionNext: false, closing: false }] })
      const event = store.writeIntents(causeOf(1, { groupId }), [intentOf(`fb-${groupId}`, { groupId })])
      store.notSent([{ cause: event, account: follower(2), contract: 'MESM6', why: 'paused' }])
    }
    store.removeGroup('gone')
    store.deleteUser(user.userId)
    const filesWith = (text: string) => readdirSync(folder).filter((name) => readFileSync(path.join(folder, name)).includes(text))
    expect([filesWith('fb-g1'), filesWith('fb-gone'), filesWith('fb-g2')]).toEqual([[], [], ['copier.db']])
    expect(store.groups().map(({ id }) => id)).toEqual(['g2'])
    expect(store.followers('g1')).toEqual([])
    expect(store.ordersOf(follower(1), 0).map(({ clOrdId }) => clOrdId)).toEqual(['fb-g2'])

    // Another user's armed group is not delayed: the next start rewrites the file.
    store.saveGroup({ ...user, id: 'late', draft: draftOf(1, { name: 'leaves late' }) })
    store.setGroupState('g2', 'armed')
    store.deleteUser(user.userId)
    expect(readdirSync(folder)).toContain('copier.db.vacuum')
    store.close()
    openCopier(folder)
    expect([filesWith('leaves late'), filesWith('fb-g2'), readdirSync(folder).includes('copier.db.vacuum')]).toEqual([[], ['copier.db'], false])
  })

  test('followers and stances are saved; an empty stance is dropped unless it has a last counted fill', () => {
    const store = openWithGroup()
    const locked = { groupId: 'g1', account: follower(1), lock: 'daily-loss', rejects: 1, day: '2026-01-05', needsDecisionNext: true, closing: true } as const
    store.record([], { followers: [{ ...locked, lock: null }] })
    store.record([], { followers: [locked] })
    const stance = { groupId: 'g1', account: follower(1), contract: 'MESM6', held: -2, yours: 1, base: 0, apart: 0, why: null, needsDecision: false, taken: { time: 1_700_000_000_000, id: 5_000_000_001 } } as const
    const flat = { ...stance, held: 0, yours: 0 } as const
    const none = { ...flat, taken: { time: 0, id: 0 } } as const
    const known = { groupId: 'g1', contract: 'MESM6', net: 3, taken: { time: 1_700_000_000_000, id: 7 } }
    const keep = (...stances: readonly SavedStance[]): void => store.record([], { stances, leaders: [known] })
    keep(stance, { ...none, contract: 'MNQM6', apart: 1, why: 'by-hand' }, { ...none, contract: 'M2KM6', needsDecision: true })
    expect(store.followers('g1')).toEqual([locked])
    expect(store.stances('g1').map(({ contract }) => contract)).toEqual(['M2KM6', 'MESM6', 'MNQM6'])
    expect(store.stances('g1')[1]).toEqual(stance)
    keep(none, { ...none, contract: 'M2KM6' })
    expect([store.stances('g1'), store.leaders('g1')]).toEqual([[{ ...none, contract: 'MNQM6', apart: 1, why: 'by-hand' }], [known]])
    keep(flat)
    expect(store.stances('g1')[0]).toEqual(flat)
  })

  test('order fills and stances are saved together or not at all', () => {
    const store = openWithGroup()
    store.writeIntents(causeOf(1), [intentOf('fb-1')])
    const stance = { groupId: 'nobody', account: follower(1), contract: 'MESM6', held: 1, yours: 0, base: 0, apart: 0, why: null, needsDecision: false, taken: { time: 0, id: 0 } } as const
    expect(() => store.record([{ clOrdId: 'fb-1', stage: 'filled', filled: 1 }], { stances: [stance], leaders: [] })).toThrow()
    expect([store.stances('g1'), store.openOrders().map(({ filled }) => filled)]).toEqual([[], [0]])
  })
})

describe('orders', () => {
  test('of a dry run sum to its simulated position since it was armed', () => {
    const store = openWithGroup()
    const trade = (fill: number, side: 'buy' | 'sell', qty: number, more: Parameters<typeof intentOf>[1] = {}): number => store.writeIntents(causeOf(fill), [intentOf(`fb-${String(fill)}`, { side, qty, dryRun: true, ...more })])
    trade(1, 'buy', 5)
    store.setGroupState('g1', 'armed')
    expect(store.simulated('g1')).toEqual([])
    trade(2, 'buy', 3)
    trade(3, 'sell', 1)
    trade(4, 'sell', 2, { purpose: 'exit', type: 'Stop', stopPrice: 6700 })
    trade(5, 'buy', 4, { dryRun: false })
    trade(6, 'sell', 1, { contract: 'MNQM6', account: follower(2) })
    store.setGroupState('g1', 'paused')
    store.setGroupState('g1', 'armed')
    expect(store.simulated('g1')).toEqual([
      { account: follower(1), contract: 'MESM6', net: 2 },
      { account: follower(2), contract: 'MNQM6', net: -1 },
    ])
    store.setGroupState('g1', 'off')
    store.setGroupState('g1', 'armed')
    expect(store.simulated('g1')).toEqual([])
  })

  test('that count for a leader’s order are read however old they are, until they do not', () => {
    const store = openWithGroup()
    store.writeIntents(causeOf(11), [intentOf('fb-g1-1'), intentOf('fb-g1-2')])
    store.record([{ clOrdId: 'fb-g1-1', stage: 'filled', filled: 1, counts: true }, { clOrdId: 'fb-g1-2', stage: 'filled', filled: 1 }])
    const counting = () => store.ordersOf(follower(1), Number.MAX_SAFE_INTEGER).map(({ clOrdId, counts }) => [clOrdId, counts])
    expect(counting()).toEqual([['fb-g1-1', true]])
    store.record([{ clOrdId: 'fb-g1-1', counts: false }])
    expect(counting()).toEqual([])
  })

  test('of a leader that may last are kept with their fills until they are over, and go with their leader or group', () => {
    const folder = temporaryFolder()
    const store = openWithGroup(folder)
    const { leader } = draftOf(2)
    const filled = (orderId: number, id: number, active = true) => ({ groupId: 'g1', account: leader, orderId, id, qty: 2, active, time: monday })
    store.record([], { fills: [filled(4_400_000_001, 1), filled(4_400_000_001, 2), filled(4_400_000_002, 3)] })
    store.record([], { fills: [filled(4_400_000_001, 2, false)] })
    store.close()
    const next = openCopier(folder)
    expect(next.leaderFills('g1')).toEqual([filled(4_400_000_001, 1), filled(4_400_000_001, 2, false), filled(4_400_000_002, 3)])
    next.record([], { over: [{ groupId: 'g1', account: leader, orderId: 4_400_000_001 }] })
    expect(next.leaderFills('g1').map(({ id }) => id)).toEqual([3])
    next.saveGroup({ ...user, id: 'g1', draft: draftOf(2, { leader: 'tradovate:demo:700199' }) })
    expect(next.leaderFills('g1')).toEqual([])
    next.record([], { fills: [filled(4_400_000_003, 4)] })
    next.removeGroup('g1')
    expect(next.leaderFills('g1')).toEqual([])
  })

  test('are stored with their event before they are sent, and survive a restart', () => {
    const folder = temporaryFolder()
    const store = openWithGroup(folder)
    const exit = intentOf('fb-g1-2', { account: follower(2), side: 'sell', purpose: 'exit', type: 'StopLimit', price: 6740.25, stopPrice: 6741, leaderOrderId: 4_400_000_001 })
    const event = store.writeIntents(causeOf(11), [intentOf('fb-g1-1'), exit])
    const kept = [intentOf('fb-g1-1'), exit].map((intent) => ({ ...intent, cause: event, stage: 'written', orderId: null, filled: 0, why: null, counts: false }))
    store.close()
    expect(openCopier(folder).openOrders()).toEqual(kept)
  })

  test('never share an id, in one batch, while unexpanded, or later; a rejected batch stores nothing', () => {
    const store = openWithGroup()
    store.writeIntents(causeOf(11), [intentOf('a')])
    expect(faultOf(() => store.writeIntents(causeOf(12), [intentOf('b'), intentOf('a')])).message).toContain('twice: a')
    expect(faultOf(() => store.writeIntents(causeOf(12), [intentOf('b'), intentOf('b')])).message).toContain('twice: b')
    store.record([{ clOrdId: 'a', stage: 'filled', filled: 1 }])
    expect(faultOf(() => store.writeIntents(causeOf(12), [intentOf('b'), intentOf('a')])).message).toContain('twice: a')
    expect(store.openOrders()).toEqual([])
  })

  test('never share an id with an unexpanded one of a crashed program', () => {
    const folder = temporaryFolder()
    const store = openWithGroup(folder)
    store.writeIntents(causeOf(11), [intentOf('a')])
    store.close()
    const again = openCopier(folder)
    expect(faultOf(() => again.writeIntents(causeOf(12), [intentOf('a')])).message).toContain('twice: a')
    expect(again.openOrders().map(({ clOrdId }) => clOrdId)).toEqual(['a'])
  })

  test('are open until they end; omitted fields stay unchanged', () => {
    const store = openWithGroup()
    const event = store.writeIntents(causeOf(11), [intentOf('a', { qty: 3 }), intentOf('b', { account: follower(2) })])
    expect(store.writeIntents(event, [intentOf('c', { purpose: 'repair', writtenAt: monday + minute })])).toBe(event)
    store.record([{ clOrdId: 'a', stage: 'sent' }, { clOrdId: 'b', stage: 'unknown' }])
    store.record([{ clOrdId: 'a', orderId: 5_000_000_001, filled: 2 }])
    expect(store.openOrders().map(({ clOrdId, stage, orderId, filled }) => [clOrdId, stage, orderId, filled])).toEqual([['a', 'sent', 5_000_000_001, 2], ['b', 'unknown', null, 0], ['c', 'written', null, 0]])
    store.record([{ clOrdId: 'a', stage: 'cancelled' }, { clOrdId: 'b', stage: 'never-arrived' }])
    expect(store.openOrders().map(({ clOrdId }) => clOrdId)).toEqual(['c'])
    expect(store.ordersOf(follower(1), monday + minute).map(({ clOrdId }) => clOrdId)).toEqual(['c'])
    expect(store.ordersOf(follower(1), monday).map(({ clOrdId, stage }) => [clOrdId, stage])).toEqual([['a', 'cancelled'], ['c', 'written']])
    expect(store.ordersOf(follower(1), monday + 2 * minute).map(({ clOrdId }) => clOrdId)).toEqual(['c'])
  })

  test('of a dry run are never open', () => {
    const store = openWithGroup()
    store.writeIntents(causeOf(11), [intentOf('a', { dryRun: true })])
    expect(store.openOrders()).toEqual([])
    expect(store.ordersOf(follower(1), 0)).toMatchObject([{ clOrdId: 'a', stage: 'dry-run', dryRun: true }])
  })

  test('news of an unknown order is logged, and the rest is saved', () => {
    const warned: unknown[] = []
    const store = openWithGroup(undefined, { ...silent, warn: (fields) => warned.push(fields) })
    store.writeIntents(causeOf(11), [intentOf('a')])
    store.record([{ clOrdId: 'x', stage: 'filled' }, { clOrdId: 'a', stage: 'filled' }])
    expect(warned).toEqual([{ clOrdId: 'x' }])
    expect(store.openOrders()).toEqual([])
  })
})

describe('events', () => {
  test("a leader's fill is one event of its group however often it arrives", () => {
    const store = openWithGroup()
    store.saveGroup({ ...user, id: 'g2', draft: draftOf(1) })
    const first = store.writeCause(causeOf(11))
    expect(store.writeIntents(causeOf(11, { at: monday + minute }), [intentOf('a')])).toBe(first)
    const others = [store.writeCause(causeOf(11, { groupId: 'g2' })), store.writeCause(causeOf(null, { kind: 'repair' })), store.writeCause(causeOf(null, { kind: 'repair' })), store.writeCause(causeOf(12, { at: monday + minute }))]
    expect(new Set([first, ...others]).size).toBe(5)
  })
})

test('event ids are never reused, even after a power cut lost the last ones', () => {
  const folder = temporaryFolder()
  const write = (at: number) => {
    const store = openCopier(folder)
    const ids = [11, 12, 13].map((fill) => store.writeCause(causeOf(fill + at, { at })))
    store.close()
    return ids
  }
  openWithGroup(folder).close()
  const before = write(monday)
  const cut = new SqliteDatabase(copierPaths(folder).file)
  cut.exec('DELETE FROM events')
  cut.close()
  const after = write(monday + 4_000)
  expect(Math.min(...after)).toBeGreaterThan(Math.max(...before))
  // Nor after the clock was set back.
  expect(Math.min(...write(monday - minute))).toBeGreaterThan(Math.max(...after))
})

describe('a file that cannot be used', () => {
  test('is left unchanged and named, whether not a database, damaged, or newer', () => {
    const folder = temporaryFolder()
    const { file } = copierPaths(folder)
    writeFileSync(file, 'not a database at all, but long enough to be taken for one of them')
    expect(faultOf(() => openCopier(folder))).toMatchObject({ code: 'damaged-database', file })
    expect(readFileSync(file, 'utf8')).toContain('not a database')

    const newer = temporaryFolder()
    const database = new SqliteDatabase(copierPaths(newer).file)
    database.pragma('user_version = 99')
    database.close()
    expect(faultOf(() => openCopier(newer))).toMatchObject({ code: 'newer-database', file: copierPaths(newer).file })
  })

  test('is never treated as one without open orders', () => {
    const folder = temporaryFolder()
    const { file } = copierPaths(folder)
    const store = openWithGroup(folder)
    store.writeIntents(causeOf(11), [intentOf('a')])
    store.openOrders()
    store.close()
    const database = new SqliteDatabase(file)
    const page = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'open_orders'").pluck().get() as number
    const size = database.pragma('page_size', { simple: true }) as number
    database.close()
    readyCopierFile({ ...copierPaths(folder), log: silent })
    writeFileSync(file, readFileSync(file).fill(0x5a, (page - 1) * size, page * size))
    expect(faultOf(() => readyCopierFile({ ...copierPaths(folder), log: silent }))).toMatchObject({ code: 'damaged-database', file })
  })

  test.each(['gone', 'empty'])('is not recreated if it is %s while a backup or its WAL holds groups', (how) => {
    const folder = temporaryFolder()
    const place = copierPaths(folder)
    openWithGroup(folder).close()
    const lose = (): void => {
      if (how === 'gone') rmSync(place.file)
      else writeFileSync(place.file, '')
    }
    mkdirSync(place.backupFolder, { recursive: true })
    const backup = path.join(place.backupFolder, 'copier-2026-01-05T15-00-00Z.db')
    copyFileSync(place.file, backup)
    lose()
    const fault = () => faultOf(() => readyCopierFile({ ...place, log: silent }))
    expect(fault()).toMatchObject({ code: 'lost-journal', file: place.file })
    expect(fault()).toMatchObject({ code: 'lost-journal' })
    rmSync(backup)
    writeFileSync(`${place.file}-wal`, 'what was written last')
    expect(fault()).toMatchObject({ code: 'lost-journal', message: 'log-alone' })
    rmSync(`${place.file}-wal`)
    expect(readyCopierFile({ ...place, log: silent })).toBe(false)
  })

  test('is never treated as one without armed groups', () => {
    const folder = temporaryFolder()
    const store = openWithGroup(folder)
    store.setGroupState('g1', 'armed')
    store.close()
    readyCopierFile({ ...copierPaths(folder), log: silent })
    const { file } = copierPaths(folder)
    expect(existsSync(`${file}-wal`)).toBe(false)
    const bytes = readFileSync(file)
    // All but the first pages, which hold the schema.
    writeFileSync(file, bytes.fill(0x5a, 8192))
    expect(faultOf(() => readyCopierFile({ ...copierPaths(folder), log: silent }))).toMatchObject({ code: 'damaged-database', file })
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })
})
