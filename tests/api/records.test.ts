import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { startSharedApp } from '#tests/helpers/app.ts'
import type { App } from '#tests/helpers/app.ts'

let app: App
let people = 0
beforeAll(async () => { app = await startSharedApp() })
afterAll(() => app.stop())

const newUser = async (): Promise<{ browser: Browser; userId: string }> => {
  const browser = await app.newBrowser()
  people += 1
  return { browser, ...(await browser.signUp(`trader-${String(people)}@example.com`)) }
}
const long = { id: 'hand-1', symbol: 'MESZ6', qty: 2, entryPrice: 5_000, exitPrice: 5_010.25, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' }

describe('trades', () => {
  test('a manual one is computed, listed, changed and removed', async () => {
    const { browser, userId } = await newUser()
    const { trade } = await browser.call(recordRoutes.addTrade, { body: { userId, trade: long } })
    // 10.25 points × 2 × 5 dollars, less 2 × 2 × 0.95.
    expect(trade).toMatchObject({ id: 'hand-1', userId, side: 'long', grossPnl: '102.50', commission: '3.80', netPnl: '98.70', pnl: 98.7, currency: 'USD', date: '2026-11-02', tradingDay: '2026-11-02', origin: 'manual', screenshot: '', warnings: [] })
    expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toEqual([trade])

    const changed = await browser.call(recordRoutes.updateTrade, { body: { userId, id: 'hand-1', updates: { notes: 'chased it', tags: ['fomo'], exitPrice: 5_000.25 } } })
    expect(changed.trade).toMatchObject({ notes: 'chased it', tags: ['fomo'], exitPrice: 5_000.25 })
    expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toEqual([changed.trade])

    await browser.call(recordRoutes.removeTrade, { body: { userId, id: 'hand-1' } })
    expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toEqual([])
  })

  test('a failed call returns the text that the page shows', async () => {
    const { browser, userId } = await newUser()
    await browser.call(recordRoutes.addTrade, { body: { userId, trade: long } })
    expect(await browser.fail(recordRoutes.addTrade, { body: { userId, trade: { ...long, id: 'x', qty: 0 } } })).toMatchObject({ status: 400, success: false, error: 'Failed to save trade', code: 'invalid-request', fields: [{ path: 'trade.qty' }] })
    expect(await browser.fail(recordRoutes.addTrade, { body: { userId, trade: { ...long, id: 'x', entryTime: 'yesterday' } } })).toMatchObject({ fields: [{ path: 'trade.entryTime' }] })
    expect(await browser.fail(recordRoutes.updateTrade, { body: { userId, id: 'none', updates: { notes: 'x' } } })).toMatchObject({ status: 404, error: 'Failed to update trade', code: 'not-found' })
    expect(await browser.fail(recordRoutes.updateTrade, { body: { userId, id: 'hand-1', updates: { netPnl: '5.00' } } })).toMatchObject({ status: 400, error: 'Failed to update trade', code: 'invalid-request' })
    expect(await browser.fail(recordRoutes.removeTrade, { body: { userId, id: 'none' } })).toMatchObject({ status: 404, error: 'Failed to remove trade', code: 'not-found' })
    expect(await browser.fail(recordRoutes.removeTrade, { body: { userId } })).toMatchObject({ status: 400, error: 'Failed to remove trade' })
    expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.map(({ id, notes }) => [id, notes])).toEqual([['hand-1', '']])
  })

  test('repeating a save changes only the fields that it names', async () => {
    const { browser, userId } = await newUser()
    await browser.call(recordRoutes.addTrade, { body: { userId, trade: long } })
    await browser.call(recordRoutes.addTrade, { body: { userId, trade: { ...long, qty: 3 } } })
    expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.map(({ id, qty }) => [id, qty])).toEqual([['hand-1', 3]])
  })

  test('those of one account are removed together', async () => {
    const { browser, userId } = await newUser()
    for (const [id, accountId] of [['a1', 'a'], ['a2', 'a'], ['b1', 'b']]) await browser.call(recordRoutes.addTrade, { body: { userId, trade: { ...long, id: id ?? '', account: accountId ?? '', accountId: accountId ?? '' } } })
    await browser.call(recordRoutes.removeTrade, { body: { userId, accountId: 'a' } })
    expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.map(({ id }) => id)).toEqual(['b1'])
  })

  test("another user's can be neither read nor changed", async () => {
    const [ann, bob] = [await newUser(), await newUser()]
    await ann.browser.call(recordRoutes.addTrade, { body: { userId: ann.userId, trade: long } })
    expect(await bob.browser.fail(recordRoutes.updateTrade, { body: { userId: bob.userId, id: long.id, updates: { notes: 'mine' } } })).toMatchObject({ status: 404 })
    // The same id is free for another user.
    await bob.browser.call(recordRoutes.addTrade, { body: { userId: bob.userId, trade: { ...long, qty: 1 } } })
    expect((await ann.browser.call(recordRoutes.getTrades, { query: { userId: ann.userId } })).trades[0]).toMatchObject({ qty: 2, notes: '' })
    expect((await bob.browser.call(journalRoutes.pairPage, { query: {} })).rows.map(({ qty }) => qty)).toEqual([1])
  })
})

describe('finances', () => {
  test('are added, updated by their id, listed and removed', async () => {
    const { browser, userId } = await newUser()
    const add = (finance: Parameters<typeof browser.call<typeof recordRoutes.addFinance>>[1]) => browser.call(recordRoutes.addFinance, finance)
    const { finance } = await add({ body: { userId, finance: { id: 'f1', type: 'earning', amount: 250.5, name: 'Payout', balance: 'not a number', date: '2026-11-02' } } })
    expect(finance).toMatchObject({ id: 'f1', userId, type: 'earning', amount: 250.5, balance: 0, name: 'Payout', date: '2026-11-02', firm: null })
    await add({ body: { userId, finance: { id: 'f1', type: 'expense', amount: 99, name: 'Reset fee', balance: 10, firm: 'Tradeify' } } })
    expect((await add({ body: { userId, finance: { id: 'f2', type: 'earning', balance: 0, firm: '' } } })).finance.firm).toBeNull()
    await browser.call(recordRoutes.removeFinance, { body: { userId, id: 'f2' } })
    const { finances } = await browser.call(recordRoutes.getFinances, { query: { userId } })
    expect(finances).toMatchObject([{ id: 'f1', type: 'expense', amount: 99, balance: 10, firm: 'Tradeify' }])
    await browser.call(recordRoutes.removeFinance, { body: { userId, id: 'f1' } })
    expect((await browser.call(recordRoutes.getFinances, { query: { userId } })).finances).toEqual([])
  })

  test('a failed call returns the text that the page shows', async () => {
    const { browser, userId } = await newUser()
    expect(await browser.fail(recordRoutes.addFinance, { body: { userId, finance: { id: 'f', type: 'lottery', balance: 0 } } })).toMatchObject({ status: 400, error: 'Failed to save finance', code: 'invalid-request' })
    expect(await browser.fail(recordRoutes.removeFinance, { body: { userId, id: 'none' } })).toMatchObject({ status: 404, error: 'Failed to remove finance', code: 'not-found' })
  })
})

test('a fill of an account that is not connected is refused', async () => {
  const { browser, userId } = await newUser()
  const fill = { id: '1', accountId: 'tradovate:demo:1', contractId: 5, contractSymbol: 'MESZ6', action: 'buy', qty: 1, price: 5_000, timestamp: '2026-11-02T15:00:00Z', platform: 'Tradovate' } as const
  expect(await browser.fail(recordRoutes.addFill, { body: { userId, fill } })).toMatchObject({ status: 404, code: 'not-found' })
  expect(await browser.fail(recordRoutes.addFill, { body: { userId, fill: { ...fill, action: 'hold' } } })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: 'fill.action' }] })
})

describe('reads', () => {
  test('pages are filtered, sorted and limited', async () => {
    const { browser, userId } = await newUser()
    for (let hour = 10; hour < 15; hour += 1) {
      const trade = { ...long, id: `h${String(hour)}`, symbol: hour % 2 === 0 ? 'MESZ6' : 'MNQZ6', account: 'Eval 50K', entryTime: `2026-11-02T${String(hour)}:00:00Z`, exitTime: `2026-11-02T${String(hour)}:30:00Z` }
      await browser.call(recordRoutes.addTrade, { body: { userId, trade } })
    }
    const page = (query: Record<string, string>) => browser.call(journalRoutes.pairPage, { query: query as never })
    expect(await page({})).toMatchObject({ total: 5, rows: [{ id: 'h14' }, { id: 'h13' }, { id: 'h12' }, { id: 'h11' }, { id: 'h10' }] })
    expect(await page({ symbol: 'mes', direction: 'asc', limit: '2', offset: '1' })).toMatchObject({ total: 3, rows: [{ id: 'h12' }, { id: 'h14' }] })
    expect((await page({ account: 'eval' })).total).toBe(5)
    expect((await page({ symbol: 'ZZ' })).rows).toEqual([])
  })

  test('an invalid page window is refused by field', async () => {
    const { browser } = await newUser()
    for (const [field, value] of [['limit', '0'], ['limit', '501'], ['offset', '-1'], ['offset', 'x'], ['sort', 'password'], ['direction', 'up']] as const) {
      expect(await browser.fail(journalRoutes.pairPage, { query: { [field]: value } })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: field }] })
      expect(await browser.fail(journalRoutes.tradePage, { query: { [field]: value } })).toMatchObject({ status: 400, fields: [{ path: field }] })
    }
    expect(await browser.fail(journalRoutes.tradePairs, {})).toMatchObject({ status: 400, fields: [{ path: 'tradeId' }] })
  })

  test('an empty journal has no rows', async () => {
    const { browser } = await newUser()
    expect(await browser.call(brokerageRoutes.connectedAccounts)).toEqual({ accounts: [] })
    expect(await browser.call(journalRoutes.tradePage, { query: {} })).toEqual({ total: 0, rows: [] })
    expect(await browser.call(journalRoutes.tradePairs, { query: { tradeId: 'none' } })).toEqual({ rows: [] })
  })
})
