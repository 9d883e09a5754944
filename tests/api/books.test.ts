import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { booksCsvPath } from '#shared/api/books.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { startSharedApp, type App } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'

let app: App
let people = 0
beforeAll(async () => { app = await startSharedApp() })
afterAll(() => app.stop())

const newUser = async () => {
  const browser = await app.newBrowser()
  people += 1
  const { userId } = await browser.signUp(`books-${String(people)}@example.com`)
  const add = async (finance: object) => (await browser.call(recordRoutes.addFinance, { body: { userId, finance: { ...reset, ...finance } } })).finance
  const refused = async (finance: object) => browser.fail(recordRoutes.addFinance, { body: { userId, finance: { ...reset, ...finance } as typeof reset } })
  return { browser, userId, add, refused }
}
const reset = { id: 'f', type: 'expense' as const, amount: 80.5, name: 'Reset', balance: 0, date: '2026-02-13', firm: 'Tradeify' as const }
const csv = async (browser: Browser, query = ''): Promise<Record<string, string>[]> => parse((await browser.send(`${booksCsvPath}${query}`)).body, { columns: true, bom: true })

describe('entries', () => {
  test('keep their category, account and note, and callers that omit these fields leave them unchanged', async () => {
    const { browser, userId, add } = await newUser()
    const fields = { category: 'reset', account: 'tradovate:demo:1', note: 'again', currency: 'EUR' }
    expect(await add({ ...fields, currency: 'eur' })).toMatchObject(fields)
    expect(await add({ amount: 90 })).toMatchObject({ ...fields, amount: 90 })
    expect(await add({ account: '', note: '', category: 'data', currency: 'USD' })).toMatchObject({ account: null, note: '', category: 'data', currency: 'USD' })
    expect(await add({ id: 'plain' })).toMatchObject({ account: null, note: '', category: 'other', currency: 'USD' })
    expect((await browser.call(recordRoutes.getFinances, { query: { userId } })).finances).toHaveLength(2)
  })

  test("can be added again under their id after removal, and default to today's date", async () => {
    const { browser, userId, add } = await newUser()
    const before = await add({ category: 'reset', note: 'n' })
    await browser.call(recordRoutes.removeFinance, { body: { userId, id: 'f' } })
    expect(await add({ category: 'reset', note: 'n' })).toEqual(before)
    expect((await add({ id: 'g', date: undefined })).date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect((await add({ id: 'h', date: '2027-12-31' })).date).toBe('2027-12-31')
  })

  test('with invalid values are refused by field, and nothing is saved', async () => {
    const { browser, userId, refused } = await newUser()
    const bad: readonly (readonly [field: string, given: object])[] = [
      ['category', { category: 'payout' }],
      ['category', { category: 'evaluation', type: 'earning' }],
      ['category', { category: 'lottery' }],
      ['category', { category: 'reset', type: 'Account' }],
      ['amount', { amount: -0.01 }],
      ['amount', { amount: 1e11 }],
      ['balance', { balance: 1e11 }],
      ['balance', { balance: '-1e12' }],
      ['amount', { amount: '12' }],
      ['date', { date: '2026-02-30' }],
      ['currency', { currency: 'EURO' }],
      ['currency', { currency: '' }],
      ['note', { note: 'x'.repeat(2_001) }],
      ['firm', { firm: 'Nobody' }],
      ['id', { id: '' }],
    ]
    for (const [field, given] of bad) expect(await refused(given), JSON.stringify(given)).toMatchObject({ status: 400, success: false, error: 'Failed to save finance', code: 'invalid-request', fields: [{ path: `finance.${field}` }] })
    expect((await browser.call(recordRoutes.getFinances, { query: { userId } })).finances).toEqual([])
  })

  test('of another user can be neither read nor removed', async () => {
    const [ann, bob] = [await newUser(), await newUser()]
    await ann.add({})
    expect(await bob.browser.fail(recordRoutes.removeFinance, { body: { userId: bob.userId, id: 'f' } })).toMatchObject({ status: 404, error: 'Failed to remove finance' })
    expect(await csv(bob.browser)).toEqual([])
    expect(await csv(ann.browser)).toHaveLength(1)
  })
})

describe('the CSV', () => {
  test('holds the entries of a filter, newest first, with account names and no formula', async () => {
    const { browser, add } = await newUser()
    await add({ id: 'acc', type: 'Funded Account', amount: 0, name: 'PA-1' })
    await add({ id: '1', category: 'reset', account: 'tradovate:demo:404', name: '=1+1', date: '2026-01-31' })
    await add({ id: '2', type: 'earning', category: 'payout', amount: 1_500.1, firm: '', name: 'Payout', note: 'two\nlines' })
    await add({ id: '3', category: 'data', account: 'acc', name: 'Feed', date: '2025-12-31' })
    const rows = await csv(browser)
    expect(rows.map((row) => [row['Entry id'], row['Description'], row['Net'], row['Firm'], row['Account'], row['Account id'], row['Note']])).toEqual([
      ['2', 'Payout', '1500.10', '', '', '', 'two\nlines'],
      ['1', "'=1+1", '-80.50', 'Tradeify', '', 'tradovate:demo:404', ''],
      ['3', 'Feed', '-80.50', 'Tradeify', 'PA-1', 'acc', ''],
    ])
    expect(await csv(browser, '?from=2026-02-01')).toMatchObject([{ 'Entry id': '2' }])
    expect(await csv(browser, '?firm=Tradeify&firm=none&from=2026-01-01&to=2026-02-01')).toMatchObject([{ 'Entry id': '1' }])
    expect(await csv(browser, '?kind=earning/payout')).toMatchObject([{ 'Entry id': '2' }])
    expect(await csv(browser, '?account=tradovate:demo:404')).toMatchObject([{ 'Entry id': '1' }])
    const answer = await browser.send(`${booksCsvPath}?from=2026-02-01`)
    expect([answer.headers['content-disposition'], answer.headers['content-type']]).toEqual(['attachment; filename=fillbook-books-from-2026-02-01.csv', 'text/csv; charset=utf-8'])
  })

  test('is refused for an invalid filter, and to anyone who is not signed in', async () => {
    const { browser } = await newUser()
    for (const query of ['?from=yesterday', '?firm=Nobody', '?kind=expense/payout', '?account=']) expect((await browser.send(`${booksCsvPath}${query}`)).status).toBe(400)
    expect((await (await app.newBrowser()).send(booksCsvPath)).status).toBe(401)
  })
})
