import { expect, test } from 'vitest'
import type { SyncReceipt } from '#shared/api/sync.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { noCounts, receiptOf, type RunFacts } from '#shared/sync/receipt.ts'
import { account, day, minute, monday, openStore, other, rowsOf, user, type TestStore } from '#tests/helpers/store.ts'

// January: Chicago is six hours behind UTC, so `monday` is 09:00 there.
const hour = 60 * minute
const iso = (time: number): string => new Date(time).toISOString()
const receiptAt = (time: number, changes: Partial<RunFacts> = {}): SyncReceipt =>
  receiptOf({ runId: `run-${String(time)}`, trigger: 'schedule', startedAt: iso(time), endedAt: iso(time + minute), logins: 1, accounts: 2, counts: noCounts, refused: [], holdings: [], troubles: [], finishedParts: 1, ...changes })
const trouble = (code: SyncReceipt['troubles'][number]['code']) => ({ loginId: 'login', loginName: 'n', environment: 'demo' as const, code, detail: null, retryAfterMs: null })

const readAt = (store: TestStore, time: number, ...accounts: AccountKey[]): void => {
  store.write.saveReceipt({ ...user, receipt: receiptAt(time), read: accounts.map((key) => ({ account: key, at: time, whole: true, settled: false })) })
}
const gapsAt = (store: TestStore, at: number): string[][] => store.read.syncGaps({ ...user, at }).map(({ accountId, tradingDay, from, to }) => [accountId, tradingDay, from, to])

test("each run's reads are stored by session and account, and a session not read to its end is named", () => {
  const store = openStore()
  readAt(store, monday + 2 * hour, account, other)
  readAt(store, monday + hour, account)
  readAt(store, monday + 7 * hour, other)
  expect(gapsAt(store, monday + 8 * hour - 1)).toEqual([])
  expect(gapsAt(store, monday + 8 * hour)).toEqual([[account, '2026-01-05', '2026-01-05T17:00:00.000Z', '2026-01-05T22:00:00.000Z']])
  expect(store.read.syncGaps({ ...user, at: monday + day + 8 * hour }).map(({ accountName, tradingDay }) => [accountName, tradingDay])).toEqual([
    ['EVAL-101', '2026-01-06'], ['Fünded-202', '2026-01-06'], ['EVAL-101', '2026-01-05'],
  ])
})

test('an account whose session changed during the read counts as synced, but neither session as read to its end', () => {
  const store = openStore()
  store.write.saveReceipt({ ...user, receipt: receiptAt(monday), read: [{ account, at: null, whole: true, settled: false }] })
  expect(rowsOf(store, 'session_reads')).toEqual([])
  expect(store.read.connectedAccounts(user).map(({ lastGoodAt }) => lastGoodAt)).toEqual([iso(monday + minute), null])
})

test('a gap that the user closed stays closed, whatever is read or closed again', () => {
  const store = openStore()
  const close = () => store.write.closeGap({ ...user, at: monday, account, tradingDay: '2026-01-05' })
  readAt(store, monday + 6 * hour, other)
  readAt(store, monday + 7 * hour, other)
  readAt(store, monday + hour, account)
  expect(gapsAt(store, monday + 8 * hour)).toHaveLength(1)
  close()
  close()
  readAt(store, monday + 2 * hour, account)
  expect(gapsAt(store, monday + 8 * hour)).toEqual([])
  expect(rowsOf(store, 'session_reads')).toHaveLength(2)
})

test('a removed account has no gaps, and a reconnected one only later ones', () => {
  const store = openStore()
  const row = { key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' } as const
  const connect = (at: number) => store.write.saveAccounts({ ...user, at, loginId: 'login', accounts: [row], reconnect: true })
  const missed = (at: number) => gapsAt(store, at).filter(([key]) => key === account).map(([, tradingDay, from]) => [tradingDay, from])

  connect(monday + hour)
  expect(missed(monday + day)).toEqual([['2026-01-05', iso(monday)]])
  store.write.removeAccount({ ...user, at: monday + day, account })
  expect(missed(monday + 2 * day)).toEqual([])
  expect(store.read.accountsOfLogin({ ...user, loginId: 'login' }).map(({ key, removedAt }) => [key, removedAt === null])).toContainEqual([account, false])
  connect(monday + 2 * day)
  expect(store.read.connectedAccounts(user)[0]).toMatchObject({ id: account, watchedSince: iso(monday + 2 * day) })
  expect(missed(monday + 3 * day)).toEqual([['2026-01-07', iso(monday + 2 * day)]])
})

test('an account from elsewhere has no gaps', () => {
  const store = openStore()
  store.writer.database.prepare('UPDATE accounts SET watched_since = NULL').run()
  expect(gapsAt(store, monday + 5 * day)).toEqual([])
  expect(store.read.connectedAccounts(user).map(({ watchedSince }) => watchedSince)).toEqual([null, null])
})

test('an account shows its login’s state, also when the login is gone', () => {
  const store = openStore()
  const seen = () => store.read.connectedAccounts(user).map(({ loginName, loginStatus }) => [loginName, loginStatus])
  expect(seen()).toEqual([['demo.user', 'ok'], ['demo.user', 'ok']])
  store.write.saveLoginStatus({ ...user, at: monday, loginId: 'login', status: 'expired', lastError: 'no' })
  expect(seen()).toEqual([['demo.user', 'expired'], ['demo.user', 'expired']])
  store.writer.database.prepare('DELETE FROM logins').run()
  expect(seen()).toEqual([['demo.user', null], ['demo.user', null]])
})

test('the last good run is the last that fetched all it could; the first sync of a new login is no run of all', () => {
  const store = openStore()
  const save = (receipt: SyncReceipt): void => store.write.saveReceipt({ ...user, receipt, read: [] })
  expect([store.read.lastGoodSyncAt(user), store.read.lastRuns({ ...user, until: monday + 9 * hour })]).toEqual([null, { attempt: null, good: null }])
  save(receiptAt(monday, { refused: [{ entity: 'fill', id: '7', account: null, reason: 'no-order' }] }))
  save(receiptAt(monday + hour, { troubles: [trouble('login-needed')] }))
  save(receiptAt(monday + 2 * hour, { troubles: [trouble('unreachable')] }))
  save(receiptAt(monday + 3 * hour, { troubles: [trouble('login-needed')], finishedParts: 0 }))
  expect(store.read.lastGoodSyncAt(user)).toBe(monday + hour + minute)
  expect(store.read.lastRuns({ ...user, until: monday + 9 * hour })).toEqual({ attempt: monday + 3 * hour, good: monday + hour })
  expect(store.read.lastRuns({ ...user, until: monday + 2 * hour })).toEqual({ attempt: monday + 2 * hour, good: monday + hour })
  save(receiptAt(monday + 4 * hour, { trigger: 'connect' }))
  expect(store.read.lastGoodSyncAt(user)).toBe(monday + 4 * hour + minute)
  expect(store.read.lastRuns({ ...user, until: monday + 9 * hour })).toEqual({ attempt: monday + 3 * hour, good: monday + hour })
})

test('a receipt of an earlier version counts the rows that it names', () => {
  const store = openStore()
  const { refusedTotal, ...earlier } = receiptAt(monday, { refused: [{ entity: 'fill', id: '7', account: null, reason: 'no-order' }] })
  expect(refusedTotal).toBe(1)
  store.write.saveReceipt({ ...user, receipt: earlier as SyncReceipt, read: [] })
  expect(store.read.receipts({ ...user, limit: 1 })[0]?.refusedTotal).toBe(1)
})
