import { expect, test } from 'vitest'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { startApp } from '#tests/helpers/app.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { uploadAll, importRequest } from '#tests/helpers/upload.ts'

const { reconciliation, reconciledDay } = reconciliationRoutes
const nothing = { days: 0, daysEqual: 0, daysDiffer: 0, daysUnchecked: 0, pairsChecked: 0, pairsEqual: 0 }

test('imported days are reconciled with the broker, can be opened, and disappear with their import', async () => {
  const { browser } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp()
  expect(await browser.call(reconciliation, { query: {} })).toEqual({ days: [], months: [], accounts: [], all: nothing })

  const { truth, fills, performance, balances } = threeFiles()
  const uploads = await uploadAll(browser, { 'Fills.csv': fills, 'Performance.csv': performance, 'Balances.csv': balances })
  const { imported } = await browser.call(importRoutes.addImport, { body: importRequest(uploads) })
  const traded = [...new Set(truth.pairs.map(({ bookedOn }) => bookedOn))].sort().reverse()
  const { days, all, months, accounts } = await browser.call(reconciliation, { query: {} })
  // The balance moved by a payout too, which no file of these names: its day cannot be called equal.
  const paidOut = truth.cash.find(({ type }) => type === 'Challenge Payout')?.bookedOn
  expect(days.map(({ tradingDay, state, reason, difference }) => [tradingDay, reason ?? state, difference])).toEqual(traded.map((day) => [day, day === paidOut ? 'unexplained-balance' : 'equal', '0.00']))
  expect(all).toEqual({ days: traded.length, daysEqual: traded.length - 1, daysDiffer: 0, daysUnchecked: 1, pairsChecked: truth.pairs.length, pairsEqual: truth.pairs.length })
  expect(accounts).toMatchObject([{ ...all, fileOnly: true }])
  expect(months.reduce((sum, { days: inMonth }) => sum + inMonth, 0)).toBe(traded.length)

  const [account, day] = [days[0]?.account ?? '', days[0]?.tradingDay ?? '']
  const proof = await browser.call(reconciledDay, { query: { account, day } })
  expect(proof.days).toEqual([days[0]])
  expect(proof.pairs).toHaveLength(truth.pairs.filter(({ bookedOn }) => bookedOn === day).length)
  expect((await browser.call(reconciliation, { query: { from: day, to: day, accounts: [account] } })).days).toEqual([days[0]])
  expect((await browser.call(reconciliation, { query: { accounts: ['nobody', account] } })).days).toEqual(days)
  expect((await browser.call(reconciliation, { query: { accounts: ['nobody'] } })).all).toEqual(nothing)

  const gone = (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.find(({ tradingDay }) => tradingDay === day)
  await browser.call(recordRoutes.removeTrade, { body: { userId, id: gone?.id ?? '' } })
  expect((await browser.call(reconciliation, { query: {} })).days.flatMap(({ tradingDay, state, removed }) => (state === 'equal' || tradingDay === paidOut ? [] : [[tradingDay, state, removed]]))).toEqual([[day, 'differs', 1]])

  await browser.call(importRoutes.undoImport, { body: { id: imported?.id ?? '' } })
  expect((await browser.call(reconciliation, { query: {} })).all).toEqual(nothing)
  expect((await browser.call(brokerageRoutes.connectedAccounts)).accounts).toEqual([])
})

test('an opened day names the fees of an opening in another session, by which its nets differ', { tags: 'long' }, async () => {
  const { browser } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  await browser.signUp()
  const fill = (id: number, day: string, side: number, price: string) => `${String(id)},${String(id + 100)},2026-06-${day} 14:00:00.083Z,2026-06-${day},${String(side)},1,${price},true,99,DEMO1,0.25,MESM6,0.5`
  const fills = ['_id,_orderId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Account,_tickSize,Contract,commission', fill(1, '10', 0, '6100.00'), fill(2, '11', 1, '6101.00')]
  const balances = ['Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL', '99,DEMO1,2026-06-10,"49,999.50",$(0.50)', '99,DEMO1,2026-06-11,"50,004.00",4.50']
  await browser.call(importRoutes.addImport, { body: importRequest(await uploadAll(browser, { 'Fills.csv': fills.join('\n'), 'Balances.csv': balances.join('\n') })) })
  const { days } = await browser.call(reconciliation, { query: {} })
  expect(days).toMatchObject([{ tradingDay: '2026-06-11', state: 'equal', difference: '0.00', openings: '-0.50', fillbook: { netPnl: '4.00' }, broker: { netPnl: '4.50' } }])
  const { cash } = await browser.call(reconciledDay, { query: { account: days[0]?.account ?? '', day: '2026-06-11' } })
  expect(cash).toMatchObject([{ terms: [{ of: 'openings', name: null, amount: '-0.50' }] }])
})

test('a day without data, an invalid date and another user are refused', async () => {
  const { browser } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  expect(await browser.fail(reconciliation, { query: {} })).toMatchObject({ status: 401, code: 'not-signed-in' })
  await browser.signUp()
  expect(await browser.fail(reconciledDay, { query: { account: 'nobody', day: '2026-01-05' } })).toMatchObject({ status: 404, code: 'not-found' })
  expect(await browser.fail(reconciledDay, { query: { account: 'nobody', day: '2026-02-30' } })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: 'day' }] })
  expect(await browser.fail(reconciliation, { query: { from: 'yesterday' } })).toMatchObject({ status: 400, fields: [{ path: 'from' }] })
})
