import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ruleKind } from '#shared/api/rules.ts'
import { syncTrouble, type SyncReceipt, type SyncTrouble } from '#shared/api/sync.ts'
import { appId, endOfSync, noticeOfAlert, noticeOfCopierAlert, refusalOfSync } from './notices.ts'
import { createWords } from './words.ts'

const words = createWords('en')
const counts = { added: 0, changed: 0, removed: 0 }
const receipt = (more: Partial<SyncReceipt> = {}): SyncReceipt => ({
  runId: 'r', trigger: 'manual', startedAt: '2026-11-20T21:00:00Z', endedAt: '2026-11-20T21:00:02Z', outcome: 'complete', logins: 1, accounts: 3,
  fills: { received: 9, added: 9, changed: 0, unchanged: 0, refused: 0 }, batches: 1, pairs: counts, trades: counts, outbox: 0, refused: [], refusedTotal: 0, holdings: [], troubles: [],
  ...more,
})
const trouble = (code: SyncTrouble['code']): SyncTrouble => ({ loginId: 'l', loginName: 'ava.morgan', environment: null, code, detail: 'secret of the broker', retryAfterMs: null })

test.each([
  ['nothing new', {}, 'Trades are up to date', 'No new trades', null],
  ['one trade', { trades: { ...counts, added: 1 } }, 'Trades are up to date', '1 new trade', null],
  ['many trades', { trades: { ...counts, added: 1_204 } }, 'Trades are up to date', '1,204 new trades', null],
  ['a login that was left out', { outcome: 'partial', trades: { ...counts, added: 2 }, troubles: [trouble('captcha'), trouble('internal')] }, 'Partly synced', '2 new trades\nava.morgan: The broker wants proof that you are human.', '/dashboard/AutoSync'],
  ['rows that were left out', { outcome: 'partial', refusedTotal: 2 }, 'Partly synced', 'No new trades\n2 rejected rows', '/dashboard/AutoSync'],
  ['a brokerage that is away', { outcome: 'failed', troubles: [trouble('unreachable')] }, 'Sync failed', 'ava.morgan: The broker did not answer.', '/dashboard/AutoSync'],
  ['a journal that could not be used', { outcome: 'failed', logins: 0 }, 'Sync failed', 'Something went wrong inside Fillbook; its log has the cause.', '/dashboard/AutoSync'],
  ['nobody to ask', { logins: 0, accounts: 0 }, 'No account is connected yet', 'Connect your broker in AutoSync.', '/dashboard/AutoSync'],
] as const)('%s', (_what, more, title, body, route) => {
  expect(endOfSync(receipt(more as Partial<SyncReceipt>), words)).toEqual({ title, body, route })
})

test.each(['en', 'ml-IND'])('every failure has a text in %s', (language) => {
  const bodies = syncTrouble.shape.code.options.map((code) => endOfSync(receipt({ outcome: 'failed', troubles: [trouble(code)] }), createWords(language)).body)
  expect(bodies.filter((text) => text.includes('notice.') || !/^ava\.morgan: .{10}/.test(text))).toEqual([])
})

test('trouble of a login with a key names its platform and speaks of no consent', () => {
  const body = (code: SyncTrouble['code']) => endOfSync(receipt({ outcome: 'failed', troubles: [{ ...trouble(code), platform: 'TopstepX' }] }), words).body
  expect(body('permission-missing')).toBe('ava.morgan (TopstepX): The API key may not read its accounts. Check the API subscription there.')
  expect(body('unreachable')).toBe('ava.morgan (TopstepX): The broker did not answer.')
})

test('a run refused for lack of a plan opens the plans, any other shows its reason', () => {
  expect(refusalOfSync('plan-needed', words)).toBeNull()
  expect(refusalOfSync('cloud-unreachable', words)).toEqual({ title: 'The sync could not start', body: 'Your plan could not be checked. Check the internet connection and try again.', route: null })
  expect(refusalOfSync('internal', words)).toMatchObject({ title: 'The sync could not start' })
})

const alert = { accountName: 'APEX-7', rule: 'max-loss', level: 80, unit: 'money', left: '1214.61', currency: 'USD' } as const

test.each([
  ['money', {}, 'APEX-7: Drawdown limit', 'At least 80% used, $1,214.61 left.'],
  ['another currency', { currency: 'EUR', left: '7' }, 'APEX-7: Drawdown limit', 'At least 80% used, €7.00 left.'],
  ['one contract', { rule: 'contracts', unit: 'contracts', left: '1' }, 'APEX-7: Max contracts', 'At least 80% used, 1 contract left.'],
  ['tenths of one', { rule: 'contracts', unit: 'contracts', left: '1.5' }, 'APEX-7: Max contracts', 'At least 80% used, 1.5 contracts left.'],
  ['minutes', { rule: 'flat-by', unit: 'minutes', level: 95, left: '3' }, 'APEX-7: Time to be flat', 'At least 95% used, 3 minutes left.'],
  ['days', { rule: 'time-limit', unit: 'days', left: '6' }, 'APEX-7: Time limit', 'At least 80% used, 6 days left.'],
  ['nobody knows what', { left: null }, 'APEX-7: Drawdown limit', 'At least 80% used.'],
  ['the limit itself', { rule: 'daily-loss', level: 100, left: '-12.50' }, 'APEX-7: Daily loss limit', 'Limit reached.'],
] as const)('of %s', (_what, more, title, body) => {
  expect(noticeOfAlert({ ...alert, ...more }, words)).toEqual({ title, body, route: '/dashboard/PositionScanner' })
})

test('every rule has a name', () => {
  expect(ruleKind.options.map((rule) => noticeOfAlert({ ...alert, rule }, words).title).filter((title) => title.includes('notice.'))).toEqual([])
})

test.each([
  [{}, 'NGF-104 is unprotected', 'Its position has no stop at the broker. Fillbook keeps the position and retries: place a stop yourself, or close it.\nThe broker said: Price is out of range'],
  [{ unprotected: 'flatten', brokerText: null }, 'NGF-104 is unprotected', 'Its position has no stop at the broker. Fillbook closes it, following the settings of Morning.'],
  [{ trouble: 'guard', brokerText: null }, 'NGF-104 is locked', 'Your own trades there broke its limits in Morning. It only reduces until you unlock it.'],
  [{ trouble: 'decision', brokerText: null }, 'NGF-104 needs your decision', 'Fillbook sends nothing for its open positions in Morning until you decide.'],
] as const)('a notice of the copier says which follower, what it means for the money and what to do: %j', (more, title, body) => {
  const copierAlert = { trouble: 'unprotected', groupId: 'g', group: 'Morning', account: 'tradovate:demo:2', accountName: 'NGF-104', unprotected: 'keep', brokerText: 'Price is out of range' } as const
  expect(noticeOfCopierAlert({ ...copierAlert, ...more }, words)).toEqual({ title, body, route: '/dashboard/TradeCopier' })
})

test('the app id equals that of the packed program', () => {
  const packing = readFileSync(new URL('../../electron-builder.yml', import.meta.url), 'utf8')
  expect(/^appId: (.+)$/m.exec(packing)?.[1]).toBe(appId)
})
