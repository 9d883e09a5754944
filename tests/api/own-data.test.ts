import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { startApp, startSharedApp, type App } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { connect, startBroker } from '#tests/helpers/own-broker.ts'
import { uploadAll, importRequest } from '#tests/helpers/upload.ts'

const { dayNotes, setDayNote, commissions, setCommission, pointValues, setPointValue, defaultStops, setDefaultStops, setCopyOf } = ownDataRoutes
const [first, second] = ['tradovate:demo:700101', 'tradovate:demo:700103']

describe('without any account', () => {
  let app: App
  let people = 0
  beforeAll(async () => { app = await startSharedApp() })
  afterAll(() => app.stop())
  const newUser = async (): Promise<Browser> => {
    const browser = await app.newBrowser()
    people += 1
    await browser.signUp(`owner-${String(people)}@example.com`)
    return browser
  }

  test('notes and tags of days are saved field by field, listed by range, and pushed to open pages', async () => {
    const browser = await newUser()
    const events = await browser.events()
    expect(await browser.call(setDayNote, { body: { tradingDay: '2026-11-02', notes: 'chop' } })).toEqual({ success: true, day: { tradingDay: '2026-11-02', notes: 'chop', tags: [] } })
    await events.next('journal-changed')
    await browser.call(setDayNote, { body: { tradingDay: '2026-11-02', tags: ['fomc'] } })
    await browser.call(setDayNote, { body: { tradingDay: '2026-11-05', notes: 'trend' } })
    expect(await browser.call(dayNotes, { query: { to: '2026-11-04' } })).toEqual({ days: [{ tradingDay: '2026-11-02', notes: 'chop', tags: ['fomc'] }] })
    expect((await browser.call(dayNotes, { query: {} })).days).toHaveLength(2)
    // Two windows on one day: tags merge, and notes that changed since they were seen are left alone.
    expect(await browser.call(setDayNote, { body: { tradingDay: '2026-11-02', tags: ['a'], base: { tags: ['fomc'] } } })).toMatchObject({ day: { notes: 'chop', tags: ['a'] } })
    expect(await browser.call(setDayNote, { body: { tradingDay: '2026-11-02', notes: 'late', tags: ['b'], base: { notes: '', tags: [] } } })).toMatchObject({ day: { notes: 'chop', tags: ['a', 'b'] } })
    expect(await browser.call(setDayNote, { body: { tradingDay: '2026-11-02', notes: 'chop', tags: [], base: { notes: 'chop', tags: ['a', 'b'] } } })).toMatchObject({ day: { notes: 'chop', tags: [] } })
    expect(await browser.fail(setDayNote, { body: { tradingDay: '2026-02-30', notes: 'x' } })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: 'tradingDay' }] })
    expect(await browser.fail(setDayNote, { body: { tradingDay: '2026-11-02', tags: [''] } })).toMatchObject({ status: 400, fields: [{ path: 'tags.0' }] })
    expect(await browser.fail(dayNotes, { query: { from: 'monday' } })).toMatchObject({ status: 400, fields: [{ path: 'from' }] })
    // Another user's days stay unchanged.
    expect(await (await newUser()).call(dayNotes, { query: {} })).toEqual({ days: [] })
  })

  test('the point value of an unknown contract is asked once: its trades are recomputed, and later contracts of the product use it', async () => {
    const browser = await newUser()
    const { currentUser } = await browser.call(sessionRoutes.session)
    const userId = currentUser?.uid ?? ''
    const header = '_id,_orderId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Account,B/S,Quantity,Price,_tickSize,Contract,commission'
    const fill = (id: number, clock: string, side: 0 | 1, price: string, contract: string): string => `${String(id)},${String(id + 100)},2026-06-10 ${clock}.083Z,2026-06-10,${String(side)},1,${price},true,99,DEMO1,${side === 0 ? ' Buy' : ' Sell'},1,${price},0.25,${contract},0.5`
    const cash = ['Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract', 'DEMO1,1,06/10/2026 10:01:00,2026-06-10,-1.00,"49,999.00",Commission,USD,WWJM6', 'DEMO1,2,06/10/2026 10:01:00,2026-06-10,12.50,"50,011.50",Trade Paired,USD,WWJM6']
    const bring = async (name: string, lines: readonly string[]) => browser.call(importRoutes.addImport, { body: importRequest(await uploadAll(browser, { [name]: lines.join('\r\n') })) })
    const trades = async () => (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.map(({ symbol, grossPnl, currency, multiplierSource, warnings }) => [symbol, grossPnl, currency, multiplierSource, warnings.includes('unknown-contract')])
    const days = async () => (await browser.call(reconciliationRoutes.reconciliation, { query: {} })).days.map(({ state, reason }) => reason ?? state)
    await bring('Fills.csv', [header, fill(1, '14:00:00', 0, '6100.00', 'WWJM6'), fill(2, '14:01:00', 1, '6102.50', 'WWJM6')])
    await bring('Cash.csv', cash)
    await browser.call(recordRoutes.addTrade, { body: { userId, trade: { id: 'mine', symbol: 'WWJM6', qty: 2, entryPrice: 10, exitPrice: 11, entryTime: '2026-06-10T15:00:00Z', exitTime: '2026-06-10T15:05:00Z' } } })
    expect(await trades()).toEqual([['WWJM6', '2.50', 'USD', 'unknown', true], ['WWJM6', '2.00', 'USD', 'unknown', true]])
    expect(await days()).toContain('unknown-contract')
    expect(await browser.call(pointValues)).toEqual({ products: [{ product: 'WWJ', contracts: ['WWJM6'], pairs: 2, pointValue: null }] })

    expect(await browser.call(setPointValue, { body: { product: 'wwj', pointValue: { amount: '5', currency: 'usd' } } })).toEqual({ success: true, pairs: 1 })
    expect(await trades()).toEqual([['WWJM6', '12.50', 'USD', 'user', false], ['WWJM6', '10.00', 'USD', 'user', false]])
    expect(await days()).toContain('equal')
    expect(await browser.call(pointValues)).toMatchObject({ products: [{ product: 'WWJ', pairs: 2, pointValue: { amount: '5', currency: 'USD' } }] })
    const next = [header, fill(3, '14:00:00', 0, '6100.00', 'WWJU6'), fill(4, '14:01:00', 1, '6101.00', 'WWJU6')]
    const preview = await browser.call(importRoutes.previewImport, { body: importRequest(await uploadAll(browser, { 'Next.csv': next.join('\r\n') })) })
    expect(preview.outcome).toMatchObject({ money: [{ grossPnl: '5.00' }], warnings: [] })
    await bring('Next.csv', next)
    expect((await trades()).find(([symbol]) => symbol === 'WWJU6')).toEqual(['WWJU6', '5.00', 'USD', 'user', false])
    await browser.call(setPointValue, { body: { product: 'WWJ', pointValue: { amount: '12.5', currency: 'EUR' } } })
    expect((await trades()).find(([symbol]) => symbol === 'WWJU6')).toEqual(['WWJU6', '12.50', 'EUR', 'user', false])

    await browser.call(setPointValue, { body: { product: 'WWJ', pointValue: null } })
    expect((await trades()).map(([, , , source]) => source)).toEqual(['unknown', 'unknown', 'unknown'])
    for (const amount of ['0', '-1', 'x', '1e3', '']) expect(await browser.fail(setPointValue, { body: { product: 'WWJ', pointValue: { amount, currency: 'USD' } } })).toMatchObject({ status: 400, fields: expect.arrayContaining([expect.objectContaining({ path: 'pointValue.amount' })]) as object[] })
    expect(await browser.fail(setPointValue, { body: { product: 'WWJ', pointValue: { amount: '999999999999999', currency: 'USD' } } })).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(await browser.fail(setPointValue, { body: { product: 'WWJ', pointValue: { amount: '5', currency: '$' } } })).toMatchObject({ status: 400, fields: [{ path: 'pointValue.currency' }] })
  })

  test('stops of one request are all set, or none is', async () => {
    const browser = await newUser()
    await browser.call(setDefaultStops, { body: { stops: [{ product: 'mes', distance: '8', unit: 'ticks' }, { product: 'NQ', distance: '12.5', unit: 'points' }] } })
    const stops = [{ product: 'MES', distance: '8', unit: 'ticks' }, { product: 'NQ', distance: '12.5', unit: 'points' }]
    expect(await browser.call(defaultStops)).toEqual({ stops })
    for (const distance of ['0', '-4', '0.00', 'far', '']) {
      const body = { stops: [{ product: 'MES', distance: null, unit: 'ticks' }, { product: 'CL', distance, unit: 'points' }] }
      const { status, code, fields = [] } = await browser.fail(setDefaultStops, { body })
      expect([distance, status, code, [...new Set(fields.map(({ path }) => path))]]).toEqual([distance, 400, 'invalid-request', ['stops.1.distance']])
    }
    expect(await browser.fail(setDefaultStops, { body: { stops: [] } })).toMatchObject({ status: 400 })
    expect(await browser.call(defaultStops)).toEqual({ stops })
    await browser.call(setDefaultStops, { body: { stops: [{ product: 'MES', distance: null, unit: 'ticks' }] } })
    expect((await browser.call(defaultStops)).stops).toEqual([stops[1]])
  })

  test('a firm’s rate is listed next to the table; an invalid rate is refused', async () => {
    const browser = await newUser()
    const ofFirm = { scope: 'firm', firm: 'Tradeify' } as const
    expect(await browser.call(setCommission, { body: { of: ofFirm, product: ' mes ', perSide: '0.37' } })).toEqual({ success: true, pairs: 0 })
    const { own, table } = await browser.call(commissions)
    expect(own).toEqual([{ of: ofFirm, product: 'MES', perSide: '0.37', currency: 'USD' }])
    expect(table).toContainEqual({ product: 'MES', name: 'Micro E-mini S&P 500', perSide: '0.95', currency: 'USD' })
    const refused = (body: object) => browser.fail(setCommission, { body: { of: ofFirm, product: 'MES', perSide: '0.5', ...body } })
    expect(await refused({ perSide: '-0.5' })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: 'perSide' }] })
    expect(await refused({ perSide: '0.12345' })).toMatchObject({ status: 400, fields: [{ path: 'perSide', message: 'more than four places' }] })
    expect(await refused({ of: { scope: 'firm', firm: 'Nobody' } })).toMatchObject({ status: 400, fields: [{ path: 'of.firm' }] })
    expect(await refused({ of: { scope: 'account', accountId: first } })).toMatchObject({ status: 404, code: 'not-found' })
    expect(await refused({ product: 'A/B' })).toMatchObject({ status: 400, fields: [{ path: 'product' }] })
    await browser.call(setCommission, { body: { of: ofFirm, product: 'MES', perSide: null } })
    expect((await browser.call(commissions)).own).toEqual([])
  })

  test('without a sign-in nothing can be read or written', async () => {
    const stranger = await app.newBrowser()
    for (const route of [dayNotes, commissions, defaultStops]) expect(await stranger.fail(route)).toMatchObject({ status: 401 })
    expect(await stranger.fail(setDayNote, { body: { tradingDay: '2026-11-02', notes: 'x' } })).toMatchObject({ status: 401 })
  })
})

test('own rates and the firm of an account recompute its trades, open pages are notified, and copies are marked', async () => {
  const { env } = await startBroker()
  const { browser } = await startApp({ env })
  const { userId } = await browser.signUp()
  const events = await browser.events()
  await connect(browser, userId, 'ava.morgan')
  await events.next('sync-ended')
  const handed = { accountId: first, contractId: 77, contract: { symbol: 'MESM7' }, qty: 2, platform: 'Tradovate', timestamp: '2026-11-20T18:00:00Z' }
  await browser.call(recordRoutes.addFill, { body: { userId, fill: { ...handed, id: '9000000000001', action: 'buy', price: 6_000 } } })
  await browser.call(recordRoutes.addFill, { body: { userId, fill: { ...handed, id: '9000000000002', action: 'Sell', price: 6_001.25 } } })
  const trades = async () => (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades
  const ours = async () => (await trades()).find(({ symbol }) => symbol === 'MESM7')
  const others = async () => (await trades()).filter(({ feeSource }) => feeSource === 'broker')
  const [untouched, without] = [await others(), await ours()]
  expect(without).toMatchObject({ commission: '3.80', feeSource: 'table' })
  expect(untouched.length).toBeGreaterThan(5)

  expect((await browser.call(setCommission, { body: { of: { scope: 'firm', firm: 'Tradeify' }, product: 'MES', perSide: '0.5' } })).pairs).toBe(0)
  expect(await ours()).toEqual(without)
  const later = await browser.events()
  await browser.call(recordRoutes.addFinance, { body: { userId, finance: { id: first, type: 'Funded Account', balance: 0, firm: 'Tradeify' } } })
  await later.next('finances-changed')
  await later.next('journal-changed')
  expect(await ours()).toMatchObject({ commission: '2.00', netPnl: '10.50', feeSource: 'setting' })
  expect((await browser.call(setCommission, { body: { of: { scope: 'account', accountId: first }, product: 'MES', perSide: '0.25' } })).pairs).toBe(1)
  expect(await ours()).toMatchObject({ commission: '1.00', feeSource: 'setting' })
  expect((await browser.call(commissions)).own.map(({ of, perSide }) => [of.scope, perSide])).toEqual([['firm', '0.50'], ['account', '0.25']])
  await browser.call(setCommission, { body: { of: { scope: 'account', accountId: first }, product: 'MES', perSide: null } })
  await browser.call(recordRoutes.addFinance, { body: { userId, finance: { id: first, type: 'Funded Account', balance: 0, firm: 'Other' } } })
  expect(await ours()).toEqual(without)
  expect(await others()).toEqual(untouched)

  const shown = async () => (await browser.call(brokerageRoutes.connectedAccounts)).accounts.map(({ id, firm, copyOf }) => [id, firm, copyOf])
  await browser.call(setCopyOf, { body: { accountId: second, leaderId: first } })
  expect(await shown()).toEqual(expect.arrayContaining([[first, 'Other', null], [second, null, first]]))
  const refused = (accountId: string, leaderId: string) => browser.fail(setCopyOf, { body: { accountId, leaderId } })
  expect(await refused('tradovate:demo:1', first)).toMatchObject({ status: 404, code: 'not-found' })
  expect(await refused(first, 'tradovate:demo:1')).toMatchObject({ status: 400, fields: [{ path: 'leaderId', message: 'no connected account' }] })
  expect(await refused(first, second)).toMatchObject({ status: 400, fields: [{ path: 'leaderId', message: 'a copy itself' }] })
  expect(await refused(first, first)).toMatchObject({ status: 400, fields: [{ path: 'leaderId', message: 'a copy itself' }] })
  const third = (await shown()).map(([id]) => id).find((id) => id !== first && id !== second) ?? ''
  expect(await refused(first, third)).toMatchObject({ status: 400, fields: [{ path: 'accountId', message: 'the leader of another account' }] })
  expect(await refused(third, second)).toMatchObject({ status: 400, fields: [{ path: 'leaderId', message: 'a copy itself' }] })
  await browser.call(setCopyOf, { body: { accountId: second, leaderId: null } })
  expect(await shown()).toContainEqual([second, null, null])
})
