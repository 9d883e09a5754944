import { expect, test } from 'vitest'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { startApp } from '#tests/helpers/app.ts'
import { plainBytes } from '#tests/helpers/exports/three-files.ts'
import { ordersTable, performanceTable, type Hand } from '#tests/helpers/exports/tradovate-files.ts'
import { truthOf } from '#tests/helpers/exports/truth.ts'
import { dollarProducts } from '#tests/helpers/exports/products.ts'
import { drawWorld } from '#tests/helpers/exports/world.ts'
import { uploadAll, importRequest } from '#tests/helpers/upload.ts'

const { previewImport, addImport } = importRoutes
const zone = 'America/New_York'
const hand: Hand = { zone, money: 'dollars', year2026: true }
const app = () => startApp({ env: { FILLBOOK_DEMO: 'off' } })

const [gc] = dollarProducts
const draw = (seed: number, accounts = 1) => {
  const world = drawWorld(seed, { accounts, sessions: 3, allFlat: true, temper: 'calm', products: gc === undefined ? [] : [gc] })
  return { world, truth: truthOf(world) }
}
const cents = (all: readonly { readonly cents: bigint }[]): number => Number(all.reduce((sum, one) => sum + one.cents, 0n))
const gross = (trades: readonly { readonly grossPnl: string }[]): number => trades.reduce((sum, { grossPnl }) => sum + Math.round(Number(grossPnl) * 100), 0)

test('Orders and Performance of one account count once, named or not, in one import or two, even if one was exported an hour off', { tags: ['long', 'nightly'] }, async () => {
  const { world, truth } = draw(21)
  const account = world.accounts[0]?.name ?? ''
  const orders = plainBytes(ordersTable(world.orders, hand))
  for (const [zoneOfPairs, named] of [[zone, null], [zone, account], ['America/Chicago', null], ['America/Chicago', account]] as const) {
    const performance = plainBytes(performanceTable(truth.pairs, { ...hand, zone: zoneOfPairs }))
    const { browser, stop } = await app()
    const { userId } = await browser.signUp()
    const [first, second] = await uploadAll(browser, { 'Orders.csv': orders, 'Performance.csv': performance })
    if (first === undefined || second === undefined) throw new Error('Not sent')
    const preview = await browser.call(previewImport, { body: importRequest([first, { ...second, account: named }]) })
    expect(preview.unnamed.files).toMatchObject([{ place: 1, by: named === null ? 'rows' : 'user' }])
    expect(preview.outcome).toMatchObject({ pairs: { added: truth.pairs.length }, checks: { pairsChecked: truth.pairs.length, pairsEqual: truth.pairs.length } })
    const shifts = preview.outcome?.warnings.flatMap((warning) => (warning.code === 'zone-mismatch' ? [warning.shift] : []))
    // Fill pairs are trusted over orders: the orders are reported as off.
    expect(shifts).toEqual(zoneOfPairs === zone ? [] : [{ files: ['Orders.csv'], minutes: expect.any(Number) as number, fits: expect.any(String) as string }])
    for (const one of [second, first]) await browser.call(addImport, { body: importRequest([one === second ? { ...second, account: named } : first]) })
    const { trades } = await browser.call(recordRoutes.getTrades, { query: { userId } })
    expect([trades.length, gross(trades)]).toEqual([truth.pairs.length, cents(truth.pairs)])
    expect((await browser.call(brokerageRoutes.connectedAccounts)).accounts.map(({ name }) => name)).toEqual([account])
    await stop()
  }
})

test('Performance files of three accounts are asked about one by one, and kept apart without an answer', async () => {
  const { world, truth } = draw(22, 3)
  const { browser } = await app()
  const { userId } = await browser.signUp()
  const files = Object.fromEntries(world.accounts.map((account, index) => [`p${String(index)}.csv`, plainBytes(performanceTable(truth.pairs.filter((pair) => pair.account === account), hand))]))
  const uploads = await uploadAll(browser, files)
  const { unnamed, outcome } = await browser.call(previewImport, { body: importRequest(uploads) })
  expect(unnamed.files.map(({ place, by, left }) => [place, by, left > 0])).toEqual([[0, 'nothing', true], [1, 'nothing', true], [2, 'nothing', true]])
  expect(outcome?.checks).toEqual(expect.objectContaining({ pairsChecked: truth.pairs.length, pairsEqual: truth.pairs.length }))
  expect(outcome?.warnings).toContainEqual({ code: 'accounts-apart', files: ['p0.csv', 'p1.csv', 'p2.csv'] })
  const mixed = await browser.call(previewImport, { body: importRequest(uploads, zone, 'One') })
  expect(mixed.outcome?.warnings).toContainEqual({ code: 'accounts-mixed', account: 'One', files: ['p0.csv', 'p1.csv', 'p2.csv'] })

  await browser.call(addImport, { body: importRequest(uploads.map((upload, index) => ({ ...upload, account: world.accounts[index]?.name ?? null }))) })
  const { trades } = await browser.call(recordRoutes.getTrades, { query: { userId } })
  expect([trades.length, gross(trades)]).toEqual([truth.pairs.length, cents(truth.pairs)])
  expect(new Set(trades.map(({ account }) => account))).toEqual(new Set(world.accounts.map(({ name }) => name)))
})

test('a second file without an account is asked about, and neither takes nor renames the account of the first, whichever is older', { tags: 'long' }, async () => {
  const { truth } = draw(23)
  const days = [...new Set(truth.pairs.map(({ bookedOn }) => bookedOn))].sort()
  const performanceOf = (wanted: (day: string) => boolean) => plainBytes(performanceTable(truth.pairs.filter(({ bookedOn }) => wanted(bookedOn)), hand))
  const [early, late] = [performanceOf((day) => day === days[0]), performanceOf((day) => day !== days[0])]
  for (const [first, second] of [[late, early], [early, late]] as const) {
    const { browser, stop } = await app()
    const { userId } = await browser.signUp()
    const add = async (name: string, content: Uint8Array, account: string | null = null) => browser.call(addImport, { body: importRequest((await uploadAll(browser, { [name]: content })).map((upload) => ({ ...upload, account }))) })
    const tradesBy = async () => [...Map.groupBy((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades, ({ account }) => account)].map(([name, trades]) => [name, trades.length]).sort()
    await add('first.csv', first)
    const before = await tradesBy()
    expect(before).toEqual([['unnamed', expect.any(Number)]])
    expect(await add('second.csv', second)).toMatchObject({ imported: null, open: [0], files: [{ problem: null }] })
    expect(await tradesBy()).toEqual(before)
    // The same file again belongs to the account with its fills.
    const again = await uploadAll(browser, { 'again.csv': first })
    expect((await browser.call(previewImport, { body: importRequest(again) })).unnamed.files).toMatchObject([{ by: 'ids', left: 0, placed: [{ name: 'unnamed' }] }])
    expect(await add('again.csv', first)).toMatchObject({ open: [] })
    expect((await add('second.csv', second, 'PA-8')).imported).not.toBeNull()
    expect(await tradesBy()).toEqual([['PA-8', expect.any(Number)], ...before])
    await stop()
  }
})

test('files of several accounts in one call are asked about, and none of them is saved', async () => {
  const { world, truth } = draw(22, 3)
  const { browser } = await app()
  const { userId } = await browser.signUp()
  const files = Object.fromEntries(world.accounts.map((account, index) => [`p${String(index)}.csv`, plainBytes(performanceTable(truth.pairs.filter((pair) => pair.account === account), hand))]))
  expect(await browser.call(addImport, { body: importRequest(await uploadAll(browser, files)) })).toMatchObject({ imported: null, open: [0, 1, 2] })
  expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toEqual([])
  expect((await browser.call(importRoutes.imports)).imports).toEqual([])
})
