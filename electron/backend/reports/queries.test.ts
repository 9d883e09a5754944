// @module-tag slow
import { describe, expect, test } from 'vitest'
import type { Narrative } from '#shared/api/reports.ts'
import type { RuleSet } from '#shared/api/rules.ts'
import { noRules } from '#shared/rules/terms.ts'
import { account, addProfile, day, fill, monday, openStore, other, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'
import { breachDaysOf } from '../rules/breach-days.ts'
import { computeReport } from './compute-report.ts'

const week = { kind: 'week', from: '2026-01-05', to: '2026-01-09' } as const
const round = (id: number, entry: number, exit: number, { days = 0, of = account, qty = 1 } = {}) => {
  const more = { feeText: '0.45', account: of, tradeDate: `2026-01-0${String(5 + days)}` }
  const at = monday + days * day
  return [fill(id, 'buy', qty, entry, { ...more, time: at + id * 1_000 }), fill(id + 1, 'sell', qty, exit, { ...more, time: at + (id + 1) * 1_000 })]
}

/** Monday two trades of one account and one of the other, Tuesday one. */
const traded = async (): Promise<TestStore> => {
  const store = openStore()
  await take(store, ...round(1, 6750, 6751), ...round(3, 6751, 6742), ...round(5, 6742, 6744, { of: other }), ...round(7, 6744, 6745, { days: 1, qty: 3 }))
  return store
}
const computed = (store: TestStore, more: Partial<Parameters<typeof computeReport>[1]> = {}) => computeReport(store.writer, { ...user, period: week, accounts: [], ...more })
const keep = (store: TestStore, id = 'r1', at = monday) => {
  store.write.addReport({ ...user, ...computed(store), id, at, by: 'user', period: week, accounts: [] })
}
const narrative: Narrative = { state: 'writing', model: 'm', startedAt: '2026-01-05T15:00:00.000Z', endedAt: null, draft: 'Half', passages: [], proved: 0, unproved: 0, asked: 1, tokens: null, cost: null, withNotes: false, failure: null, before: null }

describe('a computed report', () => {
  test('covers the trades of its days and accounts, in the profile’s zone', async () => {
    const store = await traded()
    expect(computed(store)).toMatchObject({ trades: 4, zone: 'America/New_York', names: [{ account, pseudonym: 'Account A', name: 'EVAL-101' }, { account: other, pseudonym: 'Account B' }] })
    expect(computed(store, { accounts: [other] })).toMatchObject({ trades: 1, names: [{ account: other, pseudonym: 'Account A' }] })
    expect(computed(store, { period: { ...week, from: '2026-01-06' } })).toMatchObject({ trades: 1 })
    expect(computed(store, { accounts: ['nobody'] })).toMatchObject({ trades: 0, net: [], findings: [], facts: [] })
    expect(computed(store, { userId: 'u1' })).toEqual(computed(store))
    const { days = [], net, trades } = computed(store)
    expect([days.map(({ day }) => day), days.reduce((sum, one) => sum + one.trades, 0), days.reduce((sum, one) => sum + Math.round(Number(one.net) * 10_000), 0)]).toEqual([['2026-01-05', '2026-01-06'], trades, Math.round(Number(net[0]?.amount) * 10_000)])
  })

  test('says how many account days of its period and accounts are reconciled, without those of copies', async () => {
    const store = await traded()
    const countsOf = (more: Parameters<typeof computed>[1] = {}) => computed(store, more).reconciled
    expect(countsOf()).toEqual({ days: 3, daysEqual: 0, daysDiffer: 0, daysUnchecked: 3 })
    expect(countsOf({ accounts: [other] })?.days).toBe(1)
    expect(countsOf({ period: { ...week, from: '2026-01-06' } })?.days).toBe(1)
    store.write.setCopyOf({ ...user, at: monday, account: other, leader: account })
    expect(countsOf()?.days).toBe(2)
    keep(store)
    expect(store.read.report({ ...user, id: 'r1' })?.reconciled).toEqual(countsOf())
  })

  test('leaves out removed trades and removed accounts', async () => {
    const store = await traded()
    store.write.removeTrade({ ...user, at: monday, id: `${account}/1/2` })
    expect(computed(store).trades).toBe(3)
    store.write.removeAccount({ ...user, at: monday, account: other })
    expect(computed(store).trades).toBe(2)
  })

  test('counts copies if their account is requested, but not for all accounts', async () => {
    const store = await traded()
    store.write.setCopyOf({ ...user, at: monday, account: other, leader: account })
    expect([computed(store).trades, computed(store, { accounts: [other] }).trades]).toEqual([3, 1])
    store.write.markCopied({ ...user, orders: [{ account, orderId: '1' }] })
    expect([computed(store).trades, computed(store, { accounts: [account] }).trades]).toEqual([2, 3])
  })

  test('knows the days on which an account broke its rules: the day of a final breach, and each day over a daily limit', async () => {
    const store = await traded()
    const set: RuleSet = { ...noRules('USD'), startingBalance: '50000', maxLoss: { amount: '30', trail: 'static', locksAt: null, withOpen: false } }
    const broken = (more: Partial<RuleSet> = {}, period: typeof week | { kind: 'free'; from: string; to: string } = week) => {
      store.write.setRules({ ...user, at: monday, account, set: { ...set, ...more }, presetId: null, since: null })
      return [...breachDaysOf(store.writer, 'u1', [account, other], period)].map(([of, days]) => [of, [...days]])
    }
    // Monday lost 41.80, and stays lost on Tuesday.
    expect(broken()).toEqual([[account, ['2026-01-05']]])
    expect(broken({}, { kind: 'free', from: '2026-01-06', to: '2026-01-09' })).toEqual([[account, []]])
    expect(broken({ maxLoss: null })).toEqual([[account, []]])
    expect(broken({ maxLoss: null, contracts: { all: 2, micros: 'whole', byProduct: [], scaling: [] } })).toEqual([[account, ['2026-01-06']]])
  })
})

describe('a stored report', () => {
  test('equals the computed one, is listed newest first, and leaves nothing behind when removed', async () => {
    const store = await traded()
    keep(store)
    keep(store, 'r2', monday + 1)
    const { tradeIds, members, ...rest } = computed(store)
    expect(store.read.report({ ...user, id: 'r1' })).toEqual({ ...rest, id: 'r1', createdAt: '2026-01-05T15:00:00.000Z', by: 'user', period: week, accounts: [], narrative: null })
    expect([tradeIds.length > 20, members.length]).toEqual([true, rest.findings.length + rest.facts.length])
    expect(store.read.reports(user).map(({ id }) => id)).toEqual(['r2', 'r1'])
    expect([store.read.report({ userId: 'another', id: 'r1' }), store.read.reports({ userId: 'another' })]).toEqual([null, []])
    addProfile(store, 'another')
    expect([store.write.removeReport({ userId: 'another', id: 'r1' }), store.write.removeReport({ ...user, id: 'r1' }), store.write.removeReport({ ...user, id: 'r1' })]).toEqual([false, true, false])
    await store.write.deleteUser(user)
    for (const table of ['reports', 'report_members', 'report_settings']) expect([table, rowsOf(store, table)]).toEqual([table, []])
  })

  test('pages through the trades behind a fact, newest first, and counts those that are gone', async () => {
    const store = await traded()
    keep(store)
    const behind = (more: object = {}) => store.read.readReportTrades({ ...user, id: 'r1', of: 'f1', offset: 0, limit: 2, ...more })
    expect(behind()).toMatchObject({ total: 4, gone: 0, trades: [{ id: `${account}/7`, qty: 3 }, { id: `${other}/5` }] })
    expect(behind({ offset: 2 })?.trades.map(({ id }) => id)).toEqual([`${account}/3`, `${account}/1`])
    store.write.removeAccount({ ...user, at: monday, account: other })
    expect(behind({ limit: 10 })).toMatchObject({ total: 3, gone: 1 })
    expect([behind({ of: 'f99' }), behind({ id: 'r9' }), behind({ userId: 'another' })]).toEqual([null, null, null])
  })

  test('has the notes of its trades and days, newest first, within both limits', async () => {
    const store = await traded()
    store.write.updateTrade({ ...user, at: monday, id: `${account}/1/2`, updates: { notes: ' early ' } })
    store.write.updateTrade({ ...user, at: monday, id: `${account}/7/8`, updates: { notes: 'late' } })
    store.write.setDayNote({ ...user, at: monday, tradingDay: '2026-01-05', notes: 'Monday' })
    store.write.setDayNote({ ...user, at: monday, tradingDay: '2026-01-12', notes: 'beyond' })
    keep(store)
    const notes = (most = 10, characters = 1_000) => store.read.reportNotes({ ...user, id: 'r1', most, characters }).map(({ about, tradingDay, symbol, text }) => [about, tradingDay, symbol === null ? null : symbol.slice(0, 3), text])
    expect(notes()).toEqual([['trade', '2026-01-06', 'MES', 'late'], ['day', '2026-01-05', null, 'Monday'], ['trade', '2026-01-05', 'MES', 'early']])
    expect([notes(2).length, notes(10, 10).length, notes(10, 3).length]).toEqual([2, 2, 0])
    expect(store.read.reportNotes({ ...user, id: 'r9', most: 10, characters: 10 })).toEqual([])
  })

  test('stores its narrative unchanged: references, and figures that an earlier model wrote itself', async () => {
    const store = await traded()
    keep(store)
    const passages: Narrative['passages'] = [
      { kind: 'heading', segments: [{ heading: 'overview' }] },
      { kind: 'paragraph', segments: [{ text: 'See ', check: 'plain', fact: null }, { says: { fact: 'f1', figures: ['net'] }, check: 'proved' }, { says: { compare: 'f1', with: 'f2', figure: 'net' }, check: 'unproved' }] },
      { kind: 'item', segments: [{ text: 'You made $5', check: 'proved', fact: 'f1' }, { text: ' and $9', check: 'unproved', fact: null }] },
    ]
    store.write.saveNarrative({ ...user, id: 'r1', narrative: { ...narrative, passages, before: { model: 'm', writtenAt: narrative.startedAt, passages, proved: 2, unproved: 2 } } })
    const kept = store.read.report({ ...user, id: 'r1' })?.narrative
    expect([kept?.passages, kept?.before?.passages]).toEqual([passages, passages])
  })

  test('stores its narrative, and marks an unfinished one failed at the start', async () => {
    const store = await traded()
    keep(store)
    expect(store.write.saveNarrative({ ...user, id: 'r9', narrative })).toBe(false)
    expect(store.write.saveNarrative({ ...user, id: 'r1', narrative })).toBe(true)
    expect([store.read.report({ ...user, id: 'r1' })?.narrative, store.read.reports(user)[0]?.narrative]).toEqual([narrative, 'writing'])
    expect([store.write.failUnfinishedNarratives({ at: monday }), store.write.failUnfinishedNarratives({ at: monday })]).toEqual([1, 0])
    expect(store.read.report({ ...user, id: 'r1' })?.narrative).toEqual({ ...narrative, state: 'failed', failure: 'program-ended', draft: '', endedAt: '2026-01-05T15:00:00.000Z' })
    store.writer.database.exec("UPDATE reports SET narrative = json_remove(narrative, '$.before')")
    expect(store.read.report({ ...user, id: 'r1' })?.narrative?.before).toBeNull()
  })
})

test('storing a scheduled report marks its period done in one transaction; a requested report does not', async () => {
  const store = await traded()
  const done = { day: null, week: null, month: null }
  store.write.setReportSchedule({ ...user, schedule: { day: false, week: true, month: false, narrative: true }, done })
  keep(store)
  expect(store.read.reportSettings(user).done).toEqual(done)
  store.write.addReport({ ...user, ...computed(store), id: 'r2', at: monday, by: 'schedule', period: week, accounts: [] })
  expect(store.read.reportSettings(user)).toMatchObject({ schedule: { week: true }, done: { ...done, week: '2026-01-09' } })
})

test('saving the endpoint keeps the schedule, and the other way round', () => {
  const store = openStore()
  const never = { day: false, week: false, month: false, narrative: false }
  const done = { day: null, week: null, month: null }
  const model = { baseUrl: 'https://models.example.com/v1', model: 'm', prices: null }
  expect(store.read.reportSettings(user)).toEqual({ model: null, schedule: never, done })
  store.write.setReportModel({ ...user, model })
  expect([store.read.reportSettings(user), store.read.scheduledUsers()]).toEqual([{ model, schedule: never, done }, []])
  store.write.setReportSchedule({ ...user, schedule: { ...never, week: true }, done: { ...done, week: '2026-01-02' } })
  expect([store.read.reportSettings(user), store.read.scheduledUsers()]).toEqual([{ model, schedule: { ...never, week: true }, done: { ...done, week: '2026-01-02' } }, ['u1']])
  store.write.setReportModel({ ...user, model: null })
  expect(store.read.reportSettings(user)).toMatchObject({ model: null, schedule: { week: true } })
  store.write.setReportSchedule({ ...user, schedule: { ...never, narrative: true }, done })
  expect(store.read.scheduledUsers()).toEqual([])
})

test('private words come from accounts, logins and people', async () => {
  const store = await traded()
  const words = store.read.privateWords(user)
  expect(words).toEqual(expect.arrayContaining([{ word: account, account, trader: false }, { word: 'EVAL-101', account, trader: false }, { word: '700101', account, trader: false }]))
  expect(store.read.privateWords({ userId: 'another' })).toEqual([])
  store.writer.database.exec(`UPDATE profiles SET email = 'jane@example.org', display_name = 'Jane van Doe', firebase_uid = 'fb-uid', firebase_user = '{"displayName":"Jay"}'`)
  expect(store.read.privateWords(user)).toEqual(expect.arrayContaining(['jane@example.org', 'Jane van Doe', 'Jay'].map((word) => ({ word, account: null, trader: true }))))
})
