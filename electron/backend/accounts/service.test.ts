import { expect, test } from 'vitest'
import type { SyncReceipt, SyncTrouble } from '#shared/api/sync.ts'
import { noCounts, receiptOf } from '#shared/sync/receipt.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { StoredAccount } from '../db/rows.ts'
import { createAccounts } from './service.ts'

const noon = Date.parse('2026-07-15T17:00:00Z')
const minute = 60_000
const iso = (time: number): string => new Date(time).toISOString()

const account = (environment: 'demo' | 'live', changes: Partial<StoredAccount> = {}): StoredAccount => ({
  id: `tradovate:${environment}:1`, name: environment, environment, loginId: 'l', loginName: 'n', balance: '0', currency: 'USD', balanceAt: null, firm: null, copyOf: null, fills: 0,
  lastGoodAt: iso(noon), watchedSince: iso(noon - minute), loginStatus: 'ok', ...changes,
})
const trouble = (code: SyncTrouble['code'], changes: Partial<SyncTrouble> = {}): SyncTrouble => ({ loginId: 'l', loginName: 'n', environment: 'demo', code, detail: null, retryAfterMs: null, ...changes })
const receipt = (endedAt: number, troubles: SyncTrouble[] = []): SyncReceipt =>
  receiptOf({ runId: iso(endedAt), trigger: 'schedule', startedAt: iso(endedAt), endedAt: iso(endedAt), logins: 1, accounts: 1, counts: noCounts, refused: [], holdings: [], troubles, finishedParts: 0 })

/** States of accounts where these receipts are kept, newest first; a run follows at every full five minutes, where there is a schedule. */
const states = async (given: { accounts: StoredAccount[]; receipts: SyncReceipt[]; scheduled?: boolean; tokens?: boolean }) => {
  const read = { connectedAccounts: () => Promise.resolve(given.accounts), receipts: () => Promise.resolve(given.receipts) }
  const accounts = createAccounts({
    // Of the journal no more than this is asked.
    journal: { read, write: {} } as unknown as JournalCalls,
    runs: { covers: () => false },
    schedule: { nextAt: (_, notBefore = noon) => Promise.resolve(given.scheduled === false ? null : Math.ceil(notBefore / (5 * minute)) * 5 * minute) },
    keeper: { open: () => Promise.resolve(given.tokens === false ? { kind: 'no-tokens' } : { kind: 'no-brokerage' }) },
    now: () => noon,
  })
  return (await accounts.connected('u')).map(({ environment, sync }) => [environment, sync.state, sync.nextTryAt])
}

test('the next try is the first run of the schedule after the pause that the broker asked for', async () => {
  const at = noon + minute
  expect(await states({ accounts: [account('demo')], receipts: [receipt(at, [trouble('rate-limited', { retryAfterMs: 31 * minute })])] })).toEqual([['demo', 'waiting', iso(noon + 35 * minute)]])
  expect(await states({ accounts: [account('demo')], receipts: [receipt(at, [trouble('unreachable')])] })).toEqual([['demo', 'waiting', iso(noon)]])
  expect(await states({ accounts: [account('demo')], scheduled: false, receipts: [receipt(at, [trouble('penalty', { retryAfterMs: minute })])] })).toEqual([['demo', 'waiting', iso(noon + 2 * minute)]])
  // A journal may have kept a wait without end.
  expect(await states({ accounts: [account('demo')], scheduled: false, receipts: [receipt(at, [trouble('rate-limited', { retryAfterMs: 1e18 })])] })).toEqual([['demo', 'waiting', iso(noon + 61 * minute)]])
  expect(await states({ accounts: [account('demo')], scheduled: false, receipts: [receipt(at, [trouble('unreachable')])] })).toEqual([['demo', 'waiting', null]])
})

test('trouble concerns only its own login and environment, and both environments if it names none', async () => {
  const both = [account('demo'), account('live')]
  const after = (trouble: SyncTrouble) => states({ accounts: both, receipts: [receipt(noon + minute, [trouble])] })
  const waiting = iso(noon)
  expect(await after(trouble('captcha'))).toEqual([['demo', 'waiting', waiting], ['live', 'good', null]])
  expect(await after(trouble('unreachable', { environment: null }))).toEqual([['demo', 'waiting', waiting], ['live', 'waiting', waiting]])
  expect(await after(trouble('unreachable', { loginId: 'm', environment: null }))).toEqual([['demo', 'good', null], ['live', 'good', null]])
})

test("trouble that only the user can fix shows no retry time, and another login's first sync hides none", async () => {
  const demo = [account('demo')]
  expect(await states({ accounts: demo, receipts: [receipt(noon + minute, [trouble('permission-missing')])] })).toEqual([['demo', 'good', null]])
  expect(await states({ accounts: demo, receipts: [receipt(noon + 2 * minute), receipt(noon + minute, [trouble('unreachable')])] })).toEqual([['demo', 'waiting', iso(noon)]])
})

test('a login without tokens needs a new consent, but not where the brokerage itself is not set up', async () => {
  expect(await states({ accounts: [account('demo')], receipts: [], tokens: false })).toEqual([['demo', 'login-needed', null]])
  expect(await states({ accounts: [account('demo')], receipts: [] })).toEqual([['demo', 'good', null]])
})
