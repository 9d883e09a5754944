// @module-tag slow
import { expect, test } from 'vitest'
import type { Amount, Currency } from '#shared/money/money.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { statisticsOf } from '#tests/helpers/statistics.ts'
import { account, fill, minute, monday, openStore, other, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'

const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const row = { key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' } as const
const connect = (store: TestStore, reconnect: boolean, name = row.name as string) => store.write.saveAccounts({ ...user, at: monday, loginId: 'login', accounts: [{ ...row, name }], reconnect })
const pending = (store: TestStore) => store.writer.database.prepare('SELECT entity, entity_id FROM outbox ORDER BY seq').raw().all()
const dollars = (units: number) => units as Amount

test('a new account comes with its finance, dated today where the trader is', () => {
  const store = openStore()
  expect(store.read.finances(user)).toMatchObject([
    { id: account, type: 'Account', name: 'EVAL-101', balance: 0, date: '2026-01-05', platform: 'Tradovate', firm: null },
    { id: other, type: 'Account', name: 'Fünded-202' },
  ])
  expect(connect(store, false)).toEqual({ added: [], returned: [], skipped: [] })
})

test('a balance shows on account and finance, an older one does not, one in the own currency is preferred', () => {
  const store = openStore()
  const usd = (amount: number, time: number) => ({ account, amount: dollars(amount), currency: 'USD' as Currency, time })
  expect(store.write.saveBalances({ ...user, at: monday, balances: [{ ...usd(70_000, monday), currency: 'EUR' as Currency }, usd(504_005_000, monday)] })).toBe(1)
  expect(store.write.saveBalances({ ...user, at: monday, balances: [usd(1, monday - 1)] })).toBe(0)
  expect(store.write.saveBalances({ ...user, at: monday, balances: [usd(504_005_000, monday + 1)] })).toBe(0)
  // One of a clock that was far ahead does not stand for ever.
  expect(store.write.saveBalances({ ...user, at: monday, balances: [usd(9_000_000, monday + 400 * 86_400_000)] })).toBe(1)
  expect(store.write.saveBalances({ ...user, at: monday, balances: [usd(504_005_000, monday + 2)] })).toBe(1)
  expect(store.read.connectedAccounts(user)[0]).toMatchObject({ balance: '50400.50', currency: 'USD' })
  expect(store.read.finances(user)[0]).toMatchObject({ balance: 50_400.5, currency: 'USD' })
})

test('a removed account leaves every view, and its data returns when it is connected again', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(3, 'buy', 1, 6750), fill(4, 'sell', 1, 6752))
  store.write.updateTrade({ ...user, at: monday, id: `${account}/1/2`, updates: { notes: 'patient' } })
  store.write.removeTrade({ ...user, at: monday, id: `${account}/3/4` })
  store.write.addFinance({ ...user, at: monday, finance: { id: account, type: 'Funded Account', amount: 0, name: 'EVAL-101', balance: 0, platform: 'Tradovate', firm: 'Tradeify' } })
  const before = [store.read.pairPage(page), store.read.tradePage(page), store.read.finances(user), store.read.totals(user)]

  const waiting = pending(store).filter((row) => String(row) !== `account,${account}`)
  expect(store.write.removeAccount({ ...user, at: monday, account })).toEqual({ loginId: 'login', loginHasAccounts: true })
  expect(store.read.pairPage(page)).toEqual({ total: 0, rows: [] })
  expect(store.read.tradePage(page).total).toBe(0)
  expect(store.read.pairById({ ...user, id: `${account}/1/2` })).toBeNull()
  expect(new TextDecoder().decode(store.read.tradesJson(user))).toBe('{"success":true,"trades":[]}')
  expect(store.read.finances(user).map(({ id }) => id)).toEqual([other])
  expect(store.read.connectedAccounts(user).map(({ id }) => id)).toEqual([other])
  expect(store.read.brokerageAccounts({ ...user, fillsSince: 0 }).map(({ id }) => id)).toEqual([other])
  expect(store.read.totals(user)).toMatchObject({ accounts: 1, fills: 0, pairs: 0, trades: 0, money: [] })
  expect(statisticsOf(store, 'pairs')).toMatchObject({ all: { count: 0 }, recent: [], accounts: 1, trades: 0 })
  // Its tombstone hides all that belongs to it: nothing else is sent.
  expect(pending(store)).toEqual([...waiting, ['account', account]])

  // Sync alone brings nothing back.
  expect(connect(store, false)).toEqual({ added: [], returned: [], skipped: [account] })
  expect(await take(store, fill(5, 'buy', 1, 6750))).toMatchObject({ fills: { added: 0, skipped: 1 } })
  expect(store.read.accountsOfLogin({ ...user, loginId: 'login' })[0]).toMatchObject({ key: account, removedAt: monday })

  expect(connect(store, true)).toEqual({ added: [], returned: [account], skipped: [] })
  expect([store.read.pairPage(page), store.read.tradePage(page), store.read.finances(user), store.read.totals(user)]).toEqual(before)
  expect(store.read.pairById({ ...user, id: `${account}/1/2` })).toMatchObject({ notes: 'patient' })
  expect(store.read.finances(user)[0]).toMatchObject({ type: 'Funded Account', firm: 'Tradeify' })
  expect(pending(store)).toEqual([...waiting, ['account', account]])
})

test('a connection brings back what was removed until it, and nothing that was removed since', () => {
  const store = openStore()
  store.write.removeAccount({ ...user, at: monday, account })
  const found = (removedUntil: number) => store.write.saveAccounts({ ...user, at: monday + 2, loginId: 'login', accounts: [row], reconnect: true, removedUntil })
  expect(found(monday - 1)).toEqual({ added: [], returned: [], skipped: [account] })
  expect(found(monday)).toEqual({ added: [], returned: [account], skipped: [] })
})

test('the calls of the screens that remove trades or the finance of an account remove the account', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  expect(store.write.removeLogin({ ...user, loginId: 'login' })).toBe(false)
  store.write.removeTradesOfAccount({ ...user, at: monday, accountId: account })
  expect(store.write.removeFinance({ ...user, at: monday, id: account })).toBe(false)
  expect(store.write.removeFinance({ ...user, at: monday, id: other })).toBe(true)
  expect(store.write.removeAccount({ ...user, at: monday, account: other })).toEqual({ loginId: 'login', loginHasAccounts: false })
  expect(store.read.connectedAccounts(user)).toEqual([])
  expect(store.write.removeLogin({ ...user, loginId: 'login' })).toBe(true)
  expect(store.read.logins(user)).toEqual([])
  connect(store, true)
  expect(store.read.pairPage(page).total).toBe(1)
})

test('a labeled account keeps its label, and its balance comes only from the broker', () => {
  const store = openStore()
  store.write.saveBalances({ ...user, at: monday, balances: [{ account, amount: dollars(500_000_000), currency: 'USD' as Currency, time: monday }] })
  const asked = { id: account, type: 'Evaluation Account', amount: 0, name: 'whatever', balance: 1, platform: 'Tradovate', firm: 'Apex Trader Funding' } as const
  expect(store.write.addFinance({ ...user, at: monday, finance: asked })).toMatchObject({ type: 'Evaluation Account', firm: 'Apex Trader Funding', name: 'EVAL-101', balance: 50_000 })
  expect(store.write.addFinance({ ...user, at: monday, finance: { ...asked, type: 'Account', firm: null } })).toMatchObject({ type: 'Evaluation Account', firm: 'Apex Trader Funding' })
})

test('earnings and expenses are kept to the cent, updated by id and removed', () => {
  const store = openStore()
  const payout = { id: 'f1', type: 'earning', amount: 1234.56, name: 'Payout', balance: 0, platform: '', firm: null } as const
  store.write.addFinance({ ...user, at: monday, finance: payout })
  store.write.addFinance({ ...user, at: monday + minute, finance: { ...payout, amount: 0.1 + 0.2 } })
  expect(store.read.finances(user).filter(({ id }) => id === 'f1')).toMatchObject([{ amount: 0.3, date: '2026-01-05', currency: 'USD' }])
  expect(store.write.removeFinance({ ...user, at: monday, id: 'f1' })).toBe(true)
  expect(store.read.finances(user)).toHaveLength(2)
})

test('an account that is renamed at the broker shows its new name on old trades', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  connect(store, false, 'PA-101')
  expect(store.read.pairPage(page).rows).toMatchObject([{ account: 'PA-101' }])
  expect(store.read.finances(user)[0]).toMatchObject({ name: 'PA-101' })
})

test('another profile with the same account has its own journal', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  const second = { userId: 'u2' }
  store.write.createProfile({ id: 'u2', email: 'b@example.org', displayName: 'B', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'UTC', createdAt: monday })
  store.write.saveLogin({ ...second, at: monday, id: 'login-2', brokerUserId: '9001', name: 'demo.user', hosts: null })
  store.write.saveAccounts({ ...second, at: monday, loginId: 'login-2', accounts: [row], reconnect: true })
  await store.write.saveFills({ ...second, at: monday, fills: [fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6755)], specs: [] })
  store.write.removeAccount({ ...user, at: monday, account })
  expect(store.read.pairPage({ ...page, ...second }).rows).toMatchObject([{ userId: 'u2', grossPnl: '25.00' }])
  expect(rowsOf(store, 'fills')).toHaveLength(4)
})
