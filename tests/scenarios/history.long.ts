/**
 * @module-tag long
 * @module-tag nightly
 */

import { expect, test } from 'vitest'
import { lastWholeDay } from '#shared/sync/history-windows.ts'
import { ava, openHistoryJournal } from '#tests/helpers/history.ts'
import { accountsOf, askedReports, figuresOf, truthOf } from '#tests/helpers/history-truth.ts'

const since = '2026-01-05'

test('a stopped history stays stopped, keeps what arrived, and continues when it is started again', async () => {
  const it = await openHistoryJournal({ beforeReport: async (_, count) => void (count === 5 && (await it.history.stop(it.userId, it.loginId))) })
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'stopped', progress: null })
  expect((await it.standing()).imported.fills).toBeGreaterThan(0)
  expect((await it.journal.read.imports({ userId: it.userId })).length).toBe(1)
  await it.history.afterSync(it.userId)
  await it.history.settled()
  expect(it.asked.length).toBe(6)
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done' })
  // Only the window that was cut short is asked for again.
  const reports = askedReports(it)
  expect(reports.length - new Set(reports).size).toBe(2)
})

test('windows that are too long are split, and nothing is missing between them', async () => {
  const it = await openHistoryJournal()
  it.broker.faults.set([{ kind: 'report-days', days: 10 }])
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-08-03' })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done' })
  const [first] = accountsOf(it)
  expect((await figuresOf(it, first?.id ?? 0)).days).toEqual((await truthOf(it, first?.id ?? 0)).days.filter(([day]) => day >= '2026-08-03'))
})

test('a token that dies midway is renewed; a login that ends waits for the next consent and goes on', async () => {
  const it = await openHistoryJournal({
    beforeReport: (_, count) => {
      if (count === 3) it.broker.sessions.killAccess(ava)
      if (count === 9) it.broker.sessions.revoke(ava)
    },
  })
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'waiting', trouble: 'login-needed' })
  // The two windows before are kept.
  expect((await it.journal.read.history({ userId: it.userId })).windows.length).toBe(2)
  expect(await it.connect(ava)).toBe(it.loginId)
  await it.history.afterSync(it.userId)
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done', trouble: null })
  const [first] = accountsOf(it)
  expect((await figuresOf(it, first?.id ?? 0)).days).toEqual((await truthOf(it, first?.id ?? 0)).days)
})

test('a program that died continues with what is missing, and requests nothing twice that it saved', async () => {
  // Six windows of four reports for each of the two new accounts, of which one has trades; of the third four have, and are one import.
  const dead = 2 * 6 * 4 + 4 * 4 + 4
  const gone = Promise.withResolvers<undefined>()
  let restarted = false
  const it = await openHistoryJournal({
    // The first program is gone: it gets no answer any more.
    beforeReport: (_, count) => {
      if (count < dead || restarted) return
      gone.resolve(undefined)
      return new Promise<void>(() => undefined)
    },
  })
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await gone.promise
  expect((await it.journal.read.imports({ userId: it.userId })).map(({ files }) => files.length).toSorted((one, other) => one - other)).toEqual([4, 4, 4 * 4])

  restarted = true
  const next = it.restarted()
  await next.resume()
  await next.settled()
  expect((await it.journal.read.history({ userId: it.userId })).requests).toMatchObject([{ state: 'done' }])
  const reports = askedReports(it)
  expect(reports.filter((report, at) => reports.indexOf(report) < at)).toEqual(reports.slice(dead - 4, dead))
  expect(reports.length).toBe(6 * 4 * 3 + 4)
  const [first] = accountsOf(it)
  expect((await figuresOf(it, first?.id ?? 0)).days).toEqual((await truthOf(it, first?.id ?? 0)).days)
  // The journal was recomputed once per account, not per window; the two oldest have no trades.
  const { windows } = await it.journal.read.history({ userId: it.userId })
  expect(windows.length).toBe(6 * accountsOf(it).length)
  expect((await it.journal.read.imports({ userId: it.userId })).length).toBe(accountsOf(it).length)

  // A second request fetches nothing that is there; an earlier start date only what is missing.
  const before = it.asked.length
  await next.start(it.userId, { loginId: it.loginId, since })
  await next.settled()
  expect(it.asked.length).toBe(before)
  await next.start(it.userId, { loginId: it.loginId, since: '2025-12-29' })
  await next.settled()
  expect(it.asked.slice(before).every(({ from, to }) => from >= '2025-12-29' && to < since)).toBe(true)
  expect(it.asked.length).toBe(before + 4 * accountsOf(it).length)
})

test('without the fills report the fills come from the orders', async () => {
  const it = await openHistoryJournal()
  it.broker.faults.set([{ kind: 'report-refused', name: 'Fills' }])
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-10-01' })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done', notGiven: [] })
  expect(new Set(it.asked.map(({ name }) => name))).toEqual(new Set(['Fills', 'Orders', 'Performance', 'Cash History', 'Account Balance History']))
  // The funded account, which traded before the others began.
  const id = accountsOf(it).at(-1)?.id ?? 0
  const [truth, found] = [await truthOf(it, id), await figuresOf(it, id)]
  expect(found.days).toEqual(truth.days.filter(([day]) => day >= '2026-10-01'))
  expect(found.pairsChecked).toBeGreaterThan(300)
})

test('a renamed account stays one account', async () => {
  const it = await openHistoryJournal()
  await it.sync()
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-09-01' })
  await it.history.settled()
  const [renamed] = accountsOf(it)
  it.broker.rename(renamed?.id ?? 0, 'PASSED-104233')
  await it.sync()
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-06-01' })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done', notGiven: [] })
  const found = await figuresOf(it, renamed?.id ?? 0)
  expect(found.days).toEqual((await truthOf(it, renamed?.id ?? 0)).days.filter(([day]) => day >= '2026-06-01'))
  expect(found.differing).toEqual([])
  const { accounts, byTradingDay } = await it.journal.read.totals({ userId: it.userId })
  expect(accounts).toBe(accountsOf(it).length)
  expect(new Set(byTradingDay.map(({ account }) => account))).toEqual(new Set(['PASSED-104233', ...accountsOf(it).slice(1).map(({ name }) => name)]))
})

test('undone history is not fetched again automatically, only when the user asks', async () => {
  const it = await openHistoryJournal()
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-10-01' })
  await it.history.settled()
  const all = await it.standing()
  const [first] = await it.journal.read.imports({ userId: it.userId })
  await it.journal.write.undoImport({ userId: it.userId, importId: first?.id ?? '', at: it.broker.clock.now() })
  expect((await it.standing()).imported.fills).toBeLessThan(all.imported.fills)
  const before = it.asked.length
  // What another login is to bring again is its own affair.
  await it.journal.write.deleteUndoneHistory({ userId: it.userId, loginId: 'another' })
  expect((await it.journal.read.history({ userId: it.userId })).windows.filter(({ isKept }) => !isKept).length).toBe(1)
  await it.history.afterSync(it.userId)
  await it.history.settled()
  expect(it.asked.length).toBe(before)
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-10-01' })
  await it.history.settled()
  expect(it.asked.length).toBe(before + 4)
  expect((await it.standing()).imported).toEqual(all.imported)
})

test('half a year arrives complete, and every fill pair and day reconciles with the broker to the cent', async () => {
  const it = await openHistoryJournal()
  await it.sync()
  const synced = await it.journal.read.totals({ userId: it.userId })
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await it.history.settled()

  expect(await it.standing()).toMatchObject({ state: 'done', trouble: null, notGiven: [] })
  let pairsOfAll = 0
  for (const { id } of accountsOf(it)) {
    const [truth, found] = [await truthOf(it, id), await figuresOf(it, id)]
    expect(found.fills).toBe(truth.fills)
    expect(found.pairs).toBe(truth.pairs)
    expect(found.days).toEqual(truth.days)
    expect(found.differing).toEqual([])
    expect(found.pairsChecked).toBeGreaterThan(truth.pairs - 1)
    expect(found.pairsEqual).toBe(found.pairsChecked)
    expect(found.daysDiffer).toBe(0)
    pairsOfAll += truth.pairs
  }
  expect(pairsOfAll).toBeGreaterThan(1_500)

  // The journal itself: synced trades are there once, with the rest of the past.
  const { imported } = await it.standing()
  const after = await it.journal.read.totals({ userId: it.userId })
  expect(after.fills).toBe(synced.fills + imported.fills)
  const { executions } = await it.broker.archive()
  const mine = new Set(accountsOf(it).map(({ id }) => id))
  expect(after.fills).toBe(executions.filter(({ accountId, session, bustedAt }) => mine.has(accountId) && (session <= lastWholeDay(it.broker.clock.now()) || bustedAt === null)).length)
})
