import { expect, test } from 'vitest'
import { lastWholeDay } from '#shared/sync/history-windows.ts'
import { openHistoryJournal } from '#tests/helpers/history.ts'
import { accountsOf, figuresOf, truthOf } from '#tests/helpers/history-truth.ts'

const since = '2026-01-05'

test('a service that gives this login nothing is no error, and is not asked for every window', { tags: ['long', 'nightly'] }, async () => {
  const it = await openHistoryJournal()
  it.broker.faults.set([{ kind: 'permission-missing', path: 'requestReport' }])
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'refused', trouble: null, notGiven: accountsOf(it).map(({ name }) => name) })
  expect(it.asked.length).toBe(5 * accountsOf(it).length)
  expect(await it.journal.read.logins({ userId: it.userId })).toMatchObject([{ status: 'ok' }])
  expect(await it.journal.read.imports({ userId: it.userId })).toEqual([])

  // It may be given later.
  it.broker.faults.clear()
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done' })
})

test('a broker outage is no refusal: the report is requested again after the next sync', { tags: ['long', 'nightly'] }, async () => {
  const it = await openHistoryJournal()
  it.broker.faults.set([{ kind: 'server-error', status: 503, path: 'requestReport' }])
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-10-01' })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'waiting', trouble: 'unreachable' })
  it.broker.faults.clear()
  await it.history.afterSync(it.userId)
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done', wholeThrough: lastWholeDay(it.broker.clock.now()) })
  // An undone part is missing.
  const [part] = await it.journal.read.imports({ userId: it.userId })
  await it.journal.write.undoImport({ userId: it.userId, importId: part?.id ?? '', at: it.broker.clock.now() })
  expect(await it.standing()).toMatchObject({ state: 'done', wholeThrough: null })
})

test.each([['what a failed export leaves behind', 'undefined'], ['a page', '<html><body>Sign in</body></html>'], ['a page of one long line', `<html>${'x'.repeat(4_000_000)}`]])('%s instead of a report is a temporary failure, not a window without trades', { tags: ['long', 'nightly'] }, async (_, page) => {
  let isWell = false
  const it = await openHistoryJournal({ instead: (text) => (isWell ? text : page) })
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-10-01' })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'waiting', trouble: 'unreadable-answer', imported: { fills: 0 } })
  expect((await it.journal.read.history({ userId: it.userId })).windows).toEqual([])
  isWell = true
  await it.history.afterSync(it.userId)
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done' })
  const [first] = accountsOf(it)
  expect((await figuresOf(it, first?.id ?? 0)).days).toEqual((await truthOf(it, first?.id ?? 0)).days.filter(([day]) => day >= '2026-10-01'))
})

test('a report in an unknown form does not stop the others', { tags: ['long', 'nightly'] }, async () => {
  const it = await openHistoryJournal({ instead: (text, { name }) => (name === 'Fills' || name === 'Account Balance History' ? 'Some,New,Columns\r\n1,2,3\r\n' : text) })
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-10-01' })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done', notGiven: [] })
  const [first] = accountsOf(it)
  expect((await figuresOf(it, first?.id ?? 0)).days).toEqual((await truthOf(it, first?.id ?? 0)).days.filter(([day]) => day >= '2026-10-01'))
})

test('a missed session is fetched after the next sync, and its gap is closed', { tags: ['long', 'nightly'] }, async () => {
  // It is connected at the end of Wednesday, and sleeps through Thursday.
  const it = await openHistoryJournal({ options: { now: Date.UTC(2026, 10, 18, 21, 55) } })
  const [wednesday, thursday, friday] = it.broker.walk.slice(-4)
  if (wednesday === undefined || thursday === undefined || friday === undefined) throw new Error('The walk is too short')
  const syncAt = async (at: number): Promise<void> => {
    it.broker.clock.set(at)
    it.timing.pass(at - it.timing.now())
    await it.sync()
  }
  await syncAt(wednesday.at)
  await syncAt(friday.at)
  const gapsNow = () => it.journal.read.syncGaps({ userId: it.userId, at: it.broker.clock.now() })
  const missed = await gapsNow()
  expect(new Set(missed.map(({ tradingDay }) => tradingDay))).toEqual(new Set([thursday.session]))

  await it.history.afterSync(it.userId)
  await it.history.settled()
  expect(await gapsNow()).toEqual([])
  // Who did not take the offer is asked as before.
  expect(await it.standing()).toMatchObject({ state: 'offered' })
  const [first] = accountsOf(it)
  const truth = await truthOf(it, first?.id ?? 0)
  expect((await figuresOf(it, first?.id ?? 0)).days).toContainEqual(truth.days.find(([day]) => day === thursday.session))
})
