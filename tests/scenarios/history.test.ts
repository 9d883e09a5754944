import { expect, test } from 'vitest'
import { feePerContract } from '#backend/demo/products.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { deriveTrades } from '#shared/imports/derive-trades.ts'
import { reconcile } from '#shared/reconcile/reconcile.ts'
import { lastWholeDay } from '#shared/sync/history-windows.ts'
import { ava, openHistoryJournal, type HistoryJournal } from '#tests/helpers/history.ts'

const since = '2026-01-05'

/** What the stand-in's own books say of an account up to the last whole day, in 1/10,000. */
const truthOf = async ({ broker }: HistoryJournal, accountId: number) => {
  const { books, executions } = await broker.archive()
  const until = lastWholeDay(broker.clock.now())
  const pairs = books.pairs.filter((pair) => pair.accountId === accountId && pair.session <= until)
  const fills = executions.filter((fill) => fill.accountId === accountId && fill.session <= until)
  const days = Map.groupBy(pairs, ({ session }) => session)
  return {
    fills: fills.length,
    pairs: pairs.length,
    days: [...days].map(([day, own]) => [day, own.reduce((sum, { gross, qty, buy }) => sum + gross - 2 * qty * feePerContract(buy.contract.product), 0)] as const).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  }
}

const accountsOf = ({ broker }: HistoryJournal) => broker.logins.find(({ name }) => name === ava)?.accounts ?? []

/** What the journal makes of an account: its pairs held against the broker's, and its days. */
const figuresOf = async ({ journal, userId, broker }: HistoryJournal, accountId: number) => {
  const account = `tradovate:demo:${String(accountId)}` as AccountKey
  const facts = await journal.read.brokerFacts({ userId, account })
  const { pairs } = deriveTrades(facts, 'America/New_York')
  const { closed, days, ...counts } = reconcile({ ...facts, accounts: new Map(), warnings: [] }, pairs)
  const until = lastWholeDay(broker.clock.now())
  return {
    ...counts,
    differing: days.filter(({ state, tradingDay }) => state !== 'equal' && tradingDay <= until).map(({ tradingDay, state, reason, difference }) => ({ tradingDay, state, reason, difference })),
    fills: facts.fills.filter(({ tradeDate }) => tradeDate !== null && tradeDate <= until).length,
    pairs: closed.filter(({ tradingDay }) => tradingDay <= until).length,
    days: days.filter(({ tradingDay }) => tradingDay <= until).map(({ tradingDay, fillbook }) => [tradingDay, Number(fillbook.net)] as const),
  }
}

const asTold = ({ asked }: HistoryJournal): string[] => asked.map(({ name, account, from, to }) => `${name} ${account} ${from} ${to}`)

test('half a year comes whole, and every pair and day equals the broker to the cent', async () => {
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
    expect(found.daysEqual).toBe(found.daysChecked)
    pairsOfAll += truth.pairs
  }
  expect(pairsOfAll).toBeGreaterThan(3_000)

  // The journal itself: what was synced stands once, and the rest of the past beside it.
  const { brought } = await it.standing()
  const after = await it.journal.read.totals({ userId: it.userId })
  expect(after.fills).toBe(synced.fills + brought.fills)
  const { executions } = await it.broker.archive()
  const mine = new Set(accountsOf(it).map(({ id }) => id))
  expect(after.fills).toBe(executions.filter(({ accountId, session, bustedAt }) => mine.has(accountId) && (session <= lastWholeDay(it.broker.clock.now()) || bustedAt === null)).length)
})

test('a program that died goes on with what is missing, and asks for nothing twice that it kept', async () => {
  // Four windows of four reports are one import; then comes the first window of the next account.
  const dead = 4 * 4 + 4
  const gone = Promise.withResolvers<undefined>()
  let restarted = false
  const it = await openHistoryJournal({
    // The first program is gone: it hears no answer any more.
    beforeReport: (_, count) => {
      if (count < dead || restarted) return
      gone.resolve(undefined)
      return new Promise<void>(() => undefined)
    },
  })
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await gone.promise
  expect((await it.journal.read.imports({ userId: it.userId })).map(({ files }) => files.length)).toEqual([4 * 4])

  restarted = true
  const next = it.restarted()
  await next.resume()
  await next.settled()
  expect((await it.journal.read.history({ userId: it.userId })).wishes).toMatchObject([{ state: 'done' }])
  const told = asTold(it)
  expect(told.filter((report, at) => told.indexOf(report) < at)).toEqual(told.slice(dead - 4, dead))
  expect(told.length).toBeGreaterThan(dead + 20)
  const [first] = accountsOf(it)
  expect((await figuresOf(it, first?.id ?? 0)).days).toEqual((await truthOf(it, first?.id ?? 0)).days)
  // The journal was put together anew once for each account, and not for each of its windows; the two oldest have no trades.
  const { windows } = await it.journal.read.history({ userId: it.userId })
  expect(windows.length).toBe(6 * accountsOf(it).length)
  expect((await it.journal.read.imports({ userId: it.userId })).length).toBe(accountsOf(it).length)

  // A second wish asks for nothing that is there; an earlier beginning only for what is missing.
  const before = it.asked.length
  await next.start(it.userId, { loginId: it.loginId, since })
  await next.settled()
  expect(it.asked.length).toBe(before)
  await next.start(it.userId, { loginId: it.loginId, since: '2025-12-29' })
  await next.settled()
  expect(it.asked.slice(before).every(({ from, to }) => from >= '2025-12-29' && to < since)).toBe(true)
  expect(it.asked.length).toBe(before + 4 * accountsOf(it).length)
})

test('what the user stops stays stopped, keeps what came, and goes on when it is wanted again', async () => {
  const it = await openHistoryJournal({ beforeReport: async (_, count) => void (count === 5 && (await it.history.stop(it.userId, it.loginId))) })
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'stopped', progress: null })
  expect((await it.standing()).brought.fills).toBeGreaterThan(0)
  expect((await it.journal.read.imports({ userId: it.userId })).length).toBe(1)
  await it.history.afterSync(it.userId)
  await it.history.settled()
  expect(it.asked.length).toBe(6)
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done' })
  // Only the window that was cut short is asked for again.
  const told = asTold(it)
  expect(told.length - new Set(told).size).toBe(2)
})

test('a service that gives this login nothing is no error, and is not asked window after window', async () => {
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

test('where the fills are refused the orders tell them', async () => {
  const it = await openHistoryJournal()
  it.broker.faults.set([{ kind: 'report-refused', name: 'Fills' }])
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-10-01' })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done', notGiven: [] })
  expect(new Set(it.asked.map(({ name }) => name))).toEqual(new Set(['Fills', 'Orders', 'Performance', 'Cash History', 'Account Balance History']))
  const [first] = accountsOf(it)
  const [truth, found] = [await truthOf(it, first?.id ?? 0), await figuresOf(it, first?.id ?? 0)]
  expect(found.days).toEqual(truth.days.filter(([day]) => day >= '2026-10-01'))
  expect(found.pairsChecked).toBeGreaterThan(300)
})

test('windows that are too long become shorter, and nothing is missing between them', async () => {
  const it = await openHistoryJournal()
  it.broker.faults.set([{ kind: 'report-days', days: 10 }])
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-08-03' })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done' })
  const [first] = accountsOf(it)
  expect((await figuresOf(it, first?.id ?? 0)).days).toEqual((await truthOf(it, first?.id ?? 0)).days.filter(([day]) => day >= '2026-08-03'))
})

test('an account that got another name stays one account', async () => {
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

test('a broker in trouble is no refusal: it is asked again after the next sync', async () => {
  const it = await openHistoryJournal()
  it.broker.faults.set([{ kind: 'server-error', status: 503, path: 'requestReport' }])
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-10-01' })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'waiting', trouble: 'unreachable' })
  it.broker.faults.clear()
  await it.history.afterSync(it.userId)
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done' })
})

test.each([['what a failed export leaves behind', 'undefined'], ['a page', '<html><body>Sign in</body></html>'], ['a page of one long line', `<html>${'x'.repeat(4_000_000)}`]])('%s instead of a report is passing trouble, and no window without trades', async (_, page) => {
  let isWell = false
  const it = await openHistoryJournal({ instead: (text) => (isWell ? text : page) })
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-10-01' })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'waiting', trouble: 'unreadable-answer', brought: { fills: 0 } })
  expect((await it.journal.read.history({ userId: it.userId })).windows).toEqual([])
  isWell = true
  await it.history.afterSync(it.userId)
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done' })
  const [first] = accountsOf(it)
  expect((await figuresOf(it, first?.id ?? 0)).days).toEqual((await truthOf(it, first?.id ?? 0)).days.filter(([day]) => day >= '2026-10-01'))
})

test('a report of a form that nobody knows is no reason to leave the others', async () => {
  const it = await openHistoryJournal({ instead: (text, { name }) => (name === 'Fills' || name === 'Account Balance History' ? 'Some,New,Columns\r\n1,2,3\r\n' : text) })
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-10-01' })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done', notGiven: [] })
  const [first] = accountsOf(it)
  expect((await figuresOf(it, first?.id ?? 0)).days).toEqual((await truthOf(it, first?.id ?? 0)).days.filter(([day]) => day >= '2026-10-01'))
})

test('what was undone is not brought back by itself, but on the wish of the user', async () => {
  const it = await openHistoryJournal()
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-10-01' })
  await it.history.settled()
  const all = await it.standing()
  const [first] = await it.journal.read.imports({ userId: it.userId })
  await it.journal.write.undoImport({ userId: it.userId, importId: first?.id ?? '', at: it.broker.clock.now() })
  expect((await it.standing()).brought.fills).toBeLessThan(all.brought.fills)
  const before = it.asked.length
  // What another login is to bring again is its own affair.
  await it.journal.write.forgetUndoneHistory({ userId: it.userId, loginId: 'another' })
  expect((await it.journal.read.history({ userId: it.userId })).windows.filter(({ stands }) => !stands).length).toBe(1)
  await it.history.afterSync(it.userId)
  await it.history.settled()
  expect(it.asked.length).toBe(before)
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-10-01' })
  await it.history.settled()
  expect(it.asked.length).toBe(before + 4)
  expect((await it.standing()).brought).toEqual(all.brought)
})

test('a session that was missed is fetched after the next sync, and its gap is closed', async () => {
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
