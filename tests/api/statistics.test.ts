import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { journalRoutes, logbookRoutes, recordRoutes } from '#shared/api/journal.ts'
import type { NewTrade } from '#shared/api/records.ts'
import { filterGiven, statisticsRoutes, tradesCsvPath } from '#shared/api/statistics.ts'
import { everyTrade, type TradeFilter } from '#shared/stats/filter.ts'
import { startSharedApp, type App } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'

let app: App
let people = 0
beforeAll(async () => { app = await startSharedApp() })
afterAll(() => app.stop())

type Person = { readonly browser: Browser; readonly userId: string }

const newUser = async (): Promise<Person> => {
  const browser = await app.newBrowser()
  people += 1
  return { browser, ...(await browser.signUp(`counter-${String(people)}@example.com`)) }
}

// In New York a Monday at 10:00, a Monday at 17:30 (closed at 18:30, of Tuesday's session) and a Wednesday at 3:00.
const trades: readonly NewTrade[] = [
  { id: 'early', symbol: 'MESZ6', account: 'Eval-Ü', accountId: 'eval', side: 'long', qty: 2, entryPrice: 5_000, exitPrice: 5_010, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z', commission: '4', tags: ['news'], stop: '4990', platform: 'Sierra' },
  { id: 'late', symbol: 'MNQZ6', account: 'Eval-Ü', accountId: 'eval', side: 'short', qty: 1, entryPrice: 20_000, exitPrice: 20_010, entryTime: '2026-11-02T22:30:00Z', exitTime: '2026-11-02T23:30:00Z', commission: '2', tags: ['A+', 'fomo'], platform: 'Sierra' },
  { id: 'london', symbol: 'MESH7', account: 'Depot', accountId: '', side: 'long', qty: 1, entryPrice: 5_000, exitPrice: 5_001, entryTime: '2026-11-04T08:00:00Z', exitTime: '2026-11-04T08:00:01Z', commission: '0', notes: '=HYPERLINK("http://x")', platform: 'Sierra' },
]

const withTrades = async (): Promise<Person> => {
  const person = await newUser()
  const { browser, userId } = person
  for (const trade of trades) await browser.call(recordRoutes.addTrade, { body: { userId, trade } })
  await browser.call(recordRoutes.addFinance, { body: { userId, finance: { id: 'eval', type: 'Evaluation Account', name: 'Eval-Ü', balance: 0, firm: 'Tradeify' } } })
  return person
}

const csvOf = async (browser: Browser, search: string) => {
  const answer = await browser.send(`${tradesCsvPath}${search}`)
  return { ...answer, rows: answer.status === 200 ? parse<Record<string, string>>(answer.body, { columns: true, bom: true }) : [] }
}

describe('a filter', () => {
  let ann: Person
  beforeAll(async () => { ann = await withTrades() })

  test.each<[Partial<TradeFilter>, readonly string[]]>([
    [{}, ['early', 'late', 'london']],
    [{ from: '2026-11-03' }, ['late', 'london']],
    [{ to: '2026-11-03' }, ['early', 'late']],
    [{ from: '2026-11-02', to: '2026-11-02' }, ['early']],
    [{ symbol: 'mes' }, ['early', 'london']],
    [{ account: 'AL-ü' }, ['early', 'late']],
    [{ symbols: ['mnq', 'MESH7'] }, ['late', 'london']],
    [{ accounts: ['eval'] }, ['early', 'late']],
    [{ accounts: ['Depot'] }, ['london']],
    [{ accounts: ['eval', 'Depot'], symbols: ['MES'] }, ['early', 'london']],
    [{ sides: ['short'] }, ['late']],
    [{ sides: ['short', 'long'] }, ['early', 'late', 'london']],
    [{ tags: ['A+', 'news'] }, ['early', 'late']],
    [{ tags: ['a+'] }, []],
    [{ leaderOnly: true }, ['early', 'late', 'london']],
    [{ weekdays: [1] }, ['early', 'late']],
    [{ weekdays: [2], hours: [7], zone: 'Asia/Tokyo' }, ['late']],
    [{ hours: [9, 2] }, ['early', 'london']],
    [{ hours: [17], timedBy: 'exit' }, ['late']],
    [{ hours: [0] }, []],
    [{ sessions: ['london', 'closed'] }, ['late', 'london']],
  ])('%j is the same for statistics, pairs, trades, CSV and tags given to all', async (conditions, expected) => {
    const query = filterGiven({ ...everyTrade, ...conditions })
    const { browser } = ann
    expect((await browser.call(statisticsRoutes.statistics, { query })).all.count).toBe(expected.length)
    for (const route of [journalRoutes.pairPage, journalRoutes.tradePage]) {
      const page = await browser.call(route, { query: { ...query, direction: 'asc' } })
      expect([page.total, page.rows.map(({ id }) => id)]).toEqual([expected.length, expected])
    }
    const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])))
    expect((await csvOf(browser, `?${search.toString()}`)).rows.map((row) => row['Fill pair id'])).toEqual(expected)
    for (const change of ['add', 'remove'] as const) {
      const { changed } = await browser.call(logbookRoutes.tagPairs, { body: { tag: 'all of them', change, of: { unit: 'trades', filter: query, except: [] } } })
      expect(changed.toSorted()).toEqual(expected.toSorted())
    }
  })
})

test('statistics state their unit, their time zone, and their accounts', async () => {
  const { browser } = await withTrades()
  const found = await browser.call(statisticsRoutes.statistics, { query: {} })
  expect(found).toMatchObject({
    unit: 'trades', zone: 'America/New_York', timedBy: 'entry', trades: 3, accounts: 0, warned: 0, firstDay: '2026-11-02', lastDay: '2026-11-04',
    all: { count: 3, wins: 2, losses: 1, r: { count: 1, sum: 0.96 }, money: [{ currency: 'USD', grossPnl: '85.00', commission: '6.00', netPnl: '79.00', expectancy: '26.33', largestWin: '100.00', largestLoss: '-20.00', profitFactor: 5.25 }] },
    equity: [{ currency: 'USD', points: [{ cumulative: '96.00' }, { tradingDay: '2026-11-03', netPnl: '-22.00', cumulative: '74.00' }, { cumulative: '79.00' }], deepest: { depth: '22.00', start: '2026-11-02', bottom: '2026-11-03', recovery: null }, deepestByTrade: { depth: '22.00', recovery: null } }],
    bySymbol: [{ key: 'MES', count: 2 }, { key: 'MNQ', count: 1 }],
    byAccount: [{ key: 'Depot', name: 'Depot', count: 1 }, { key: 'eval', name: 'Eval-Ü', count: 2 }],
    byFirm: [{ key: 'Tradeify', count: 2 }, { key: null, count: 1 }],
    recent: [{ id: 'london' }, { id: 'late' }, { id: 'early' }],
  })
  const keys = (groups: readonly { key: unknown }[]): unknown[] => groups.map(({ key }) => key)
  expect([keys(found.byHour), keys(found.byWeekday), keys(found.bySession)]).toEqual([[3, 10, 17], [1, 3], ['london', 'new-york', 'closed']])
  const elsewhere = await browser.call(statisticsRoutes.statistics, { query: { unit: 'pairs', zone: 'Asia/Kolkata', timedBy: 'exit', from: '2026-11-03' } })
  expect(elsewhere).toMatchObject({ unit: 'pairs', zone: 'Asia/Kolkata', timedBy: 'exit', trades: 3, all: { count: 2 }, byHour: [{ key: 5 }, { key: 13 }], byWeekday: [{ key: 2 }, { key: 3 }], recent: [{ id: 'london' }, { id: 'late' }] })
})

test('the options of a filter', async () => {
  const { browser } = await withTrades()
  expect(await browser.call(statisticsRoutes.filterChoices)).toEqual({
    accounts: [{ key: 'Depot', name: 'Depot', firm: null, copyOf: null }, { key: 'eval', name: 'Eval-Ü', firm: 'Tradeify', copyOf: null }],
    symbols: ['MES', 'MNQ'],
    tags: ['A+', 'fomo', 'news'],
  })
})

test('an empty journal has statistics without figures', async () => {
  const { browser } = await newUser()
  expect(await browser.call(statisticsRoutes.statistics, { query: {} })).toMatchObject({ all: { count: 0, winRate: null, money: [] }, equity: [], days: [], recent: [], accounts: 0, trades: 0, firstDay: null })
  expect(await browser.call(statisticsRoutes.filterChoices)).toEqual({ accounts: [], symbols: [], tags: [] })
  expect((await csvOf(browser, '')).body).toMatch(/^\ufeffTrading day,Account,.*\r\n$/)
})

test('CSV comes as a file, in the requested time zone, without formulas', async () => {
  const { browser } = await withTrades()
  const { status, headers, body, rows } = await csvOf(browser, '?from=2026-11-04&to=2026-11-30&zone=Asia/Kolkata')
  expect([status, headers['content-type'], headers['content-disposition']]).toEqual([200, 'text/csv; charset=utf-8', 'attachment; filename=fillbook-fill-pairs-from-2026-11-04-to-2026-11-30.csv'])
  expect(body.startsWith('\ufeff')).toBe(true)
  expect(rows).toMatchObject([{ 'Fill pair id': 'london', 'Entry time (Asia/Kolkata)': '2026-11-04 13:30:00', Notes: '\'=HYPERLINK("http://x")', 'Net P&L': '5.00' }])
  const all = await csvOf(browser, '')
  expect(all.headers['content-disposition']).toBe('attachment; filename=fillbook-fill-pairs.csv')
  expect(all.rows[0]).toMatchObject({ 'Entry time (America/New_York)': '2026-11-02 10:00:00', Risk: '100.00', 'R-multiple': '0.96', Tags: 'news' })
})

test('invalid values are refused by field', async () => {
  const { browser } = await newUser()
  const filters = [['from', '2026-02-29'], ['to', 'soon'], ['symbols', ''], ['accounts', '\0'], ['side', 'up'], ['tag', 'x'.repeat(301)], ['leader', 'yes'], ['symbol', 'x'.repeat(301)], ['account', '\0']] as const
  for (const [field, value] of filters) {
    for (const route of [statisticsRoutes.statistics, journalRoutes.pairPage, journalRoutes.tradePage]) expect(await browser.fail(route, { query: { [field]: value } })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: field }] })
    const { status, body } = await csvOf(browser, `?${new URLSearchParams({ [field]: value }).toString()}`)
    expect([status, JSON.parse(body)]).toMatchObject([400, { code: 'invalid-request', fields: [{ path: field }] }])
  }
  for (const [field, value] of [['unit', 'ticks'], ['zone', 'Mars/Olympus'], ['timedBy', 'mood']] as const) {
    expect(await browser.fail(statisticsRoutes.statistics, { query: { [field]: value } })).toMatchObject({ status: 400, fields: [{ path: field }] })
  }
  expect((await csvOf(browser, '?zone=Mars/Olympus')).status).toBe(400)
  expect((await csvOf(browser, '?from=2026-11-01&from=2026-11-02')).status).toBe(400)
})

test("another user's trades cannot be counted", async () => {
  const [ann, bob] = [await withTrades(), await newUser()]
  for (const query of [{}, { accounts: ['eval'] }, { tag: ['news'] }]) expect((await bob.browser.call(statisticsRoutes.statistics, { query })).all.count).toBe(0)
  expect(await bob.browser.call(statisticsRoutes.filterChoices)).toEqual({ accounts: [], symbols: [], tags: [] })
  expect((await csvOf(bob.browser, '?accounts=eval')).rows).toEqual([])
  expect(await bob.browser.fail(statisticsRoutes.statistics, { query: { userId: ann.userId } })).toMatchObject({ status: 403, code: 'not-this-user' })
  const stranger = await app.newBrowser()
  expect((await csvOf(stranger, '')).status).toBe(401)
  expect(await stranger.fail(statisticsRoutes.statistics, {})).toMatchObject({ status: 401 })
})
