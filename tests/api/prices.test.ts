import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { localRoutes } from '#shared/api/contract.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { priceRoutes } from '#shared/api/prices.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import type { Ticks } from '#shared/money/price.ts'
import { startApp } from '#tests/helpers/app.ts'
import { barsOf, second, tickSize } from '#tests/helpers/price-tapes.ts'
import { priceWriters } from '#tests/helpers/price-writers.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { until } from '#tests/helpers/until.ts'
import { uploadAll, importRequest } from '#tests/helpers/upload.ts'

const { previewPrices, importPrices, prices, removePrices, removeAllPrices, setPriceLimit } = priceRoutes
const minute = 60 * second
const app = () => startApp({ env: { FILLBOOK_DEMO: 'off' } })
/** The fills of one contract as its tape, and the files of both. */
const tapeOfFills = () => {
  const { world, fills } = threeFiles()
  const own = [...Map.groupBy(world.fills.filter(({ busted, product }) => !busted && product.tickSize === tickSize), ({ product }) => product)].sort(([, one], [, other]) => other.length - one.length)[0]
  if (own === undefined) throw new Error('No fills')
  const [{ contract, root, month }, of] = own
  const prints = of.toSorted((one, other) => one.time - other.time).map(({ time, ticks, qty }) => ({ at: time * 1000, price: ticks as Ticks, size: qty }))
  return { contract, fills, bars: barsOf(prints, minute), name: `${root} ${month[1]}.Last.txt`, moments: new Set(prints.map(({ at, price }) => `${String(at)} ${String(price)}`)).size }
}
const { write } = priceWriters['ninjatrader-minutes']
const isoAt = (us: number): string => new Date(us / 1000).toISOString()

test("prices are recognized on upload, matched to the journal's fills, stored, listed, and removed", async () => {
  const { browser, dataDir } = await app()
  await browser.signUp()
  const { contract, fills, bars, name, moments } = tapeOfFills()
  const [sent, exported] = await uploadAll(browser, { [name]: write(bars, { zone: 'America/Chicago', label: 'start' }), 'Fills.csv': fills })
  if (sent === undefined || exported === undefined) throw new Error('Not sent')
  expect([sent, exported]).toMatchObject([{ name, prices: true }, { name: 'Fills.csv', prices: false }])
  await browser.call(importRoutes.addImport, { body: importRequest([exported]) })

  const request = { uploads: [sent], zone: 'Europe/Berlin' }
  const [found] = (await browser.call(previewPrices, { body: request })).files
  const [from, to] = [isoAt(bars[0]?.at ?? 0), isoAt((bars.at(-1)?.at ?? 0) + minute)]
  const choice = { zone: 'America/Chicago', label: 'start', scale: 0, inside: moments, of: moments }
  expect(found).toEqual({
    name, format: 'ninjatrader-minutes', grain: minute, problem: null, needsContract: false, rows: bars.length, bad: [], choice, choices: [choice],
    contracts: [{ contract, from, to, entries: bars.length, known: false }],
  })
  expect(await browser.call(prices)).toEqual({ series: [], bytes: 0, limit: { megabytes: 2000, days: null } })
  expect(existsSync(join(dataDir, 'prices'))).toBe(false)

  expect(await browser.call(importPrices, { body: request })).toEqual({ success: true, files: [{ name, problem: null, contracts: [{ contract, added: bars.length, known: 0 }], bad: [], freed: [] }] })
  const stored = await browser.call(prices)
  expect(stored).toEqual({ series: [{ contract, source: 'ninjatrader-minutes', grain: minute, from, to, entries: bars.length, bytes: stored.bytes }], bytes: stored.bytes, limit: { megabytes: 2000, days: null } })
  // The upload is gone with its import.
  await expect(browser.call(previewPrices, { body: request })).rejects.toThrow('not-found')

  // Of trades of several fill pairs, the position as it was: they end at their own gross P&L, and no pair alone does.
  const scaled = (await browser.call(localRoutes.tradePage, { query: { limit: 500 } })).rows.filter(({ symbol, pairs }) => symbol === contract && pairs > 1)
  expect(scaled.length).toBeGreaterThan(1)
  for (const { id, grossPnl } of scaled) {
    const { excursions } = await browser.call(priceRoutes.excursions, { query: { id } })
    expect(excursions?.result).toBe(grossPnl)
    expect(Number(excursions?.mfe.amount.least)).toBeGreaterThanOrEqual(Number(grossPnl))
    expect(Number(excursions?.mae.amount.least)).toBeGreaterThanOrEqual(-Number(grossPnl))
  }

  const chosen = (await uploadAll(browser, { [name]: write(bars, { label: 'end' }) })).map((one) => ({ ...one, choice: { zone: 'UTC', label: 'end' as const, scale: 0 } }))
  expect((await browser.call(importPrices, { body: { uploads: chosen, zone: 'UTC' } })).files[0]?.contracts).toEqual([{ contract, added: 0, known: bars.length }])
  expect(await browser.call(prices)).toEqual(stored)

  expect(await browser.call(setPriceLimit, { body: { megabytes: 50, days: 20_000 } })).toEqual({ success: true, freed: 0 })
  await browser.call(removePrices, { body: { contract, source: 'ninjatrader-minutes', grain: minute } })
  expect(await browser.call(prices)).toEqual({ series: [], bytes: 0, limit: { megabytes: 50, days: 20_000 } })
})

test('prices belong to one user, are in no backup or journal file, and are deleted with their user', { tags: 'long' }, async () => {
  const { browser, dataDir, newBrowser } = await app()
  const { userId } = await browser.signUp()
  const { bars, name, contract } = tapeOfFills()
  const [sent] = await uploadAll(browser, { [name]: write(bars, { label: 'end' }) })
  if (sent === undefined) throw new Error('Not sent')
  const uploads = [{ ...sent, choice: { zone: 'UTC', label: 'end' as const, scale: 0 } }]
  await browser.call(importPrices, { body: { uploads, zone: 'UTC' } })
  const bob = await newBrowser()
  const bobs = await bob.signUp('bob@example.com')
  expect((await bob.call(prices)).series).toEqual([])
  await bob.call(removePrices, { body: { contract, source: 'ninjatrader-minutes', grain: minute } })
  expect((await browser.call(prices)).series).toHaveLength(1)
  await browser.call(localRoutes.makeBackup)
  expect(readdirSync(join(dataDir, 'backups')).filter((file) => !file.startsWith('journal'))).toEqual([])
  expect(readdirSync(join(dataDir, 'prices')).filter((file) => file.endsWith('.db')).sort()).toEqual([`${userId}.db`, `${bobs.userId}.db`].sort())

  // A damaged file of prices costs prices, and nothing else.
  writeFileSync(join(dataDir, 'prices', `${bobs.userId}.db`), 'x'.repeat(8192))
  await expect(bob.call(prices)).rejects.toThrow('prices-damaged')
  expect((await bob.call(importRoutes.imports)).imports).toEqual([])
  await bob.call(removeAllPrices)
  expect((await bob.call(prices)).series).toEqual([])

  await browser.call(sessionRoutes.deleteAccount, { body: { password: 'correct horse' } })
  expect(readdirSync(join(dataDir, 'prices'))).toEqual([])
})

test('a trade has its excursions from the stored prices, or says that there are none', async () => {
  const { browser } = await app()
  const { userId } = await browser.signUp()
  const day = Date.UTC(2026, 10, 24)
  const clock = (hours: number, minutes: number, seconds: number): number => day + ((hours * 60 + minutes) * 60 + seconds) * 1000
  const [entered, left] = [clock(14, 30, 10), clock(14, 35, 20)]
  const trade = { id: 'worked', symbol: 'ESZ6', account: 'A', side: 'long', qty: 2, entryPrice: 7000, exitPrice: 7004, entryTime: new Date(entered).toISOString(), exitTime: new Date(left).toISOString(), date: '2026-11-24', pnl: 400, commission: '0', stop: '6996', platform: 'other' } as const
  await browser.call(localRoutes.addTrade, { body: { userId, trade } })
  expect(await browser.call(priceRoutes.excursions, { query: { id: 'worked' } })).toEqual({ excursions: null, stated: null })
  expect(await browser.call(priceRoutes.excursions, { query: { id: 'nobodys' } })).toEqual({ excursions: null, stated: null })

  // The trade of the worked example: 2.50 points against it, 6.25 for it.
  const at = (ms: number, price: number) => ({ at: ms * 1000, price: (price / 0.25) as Ticks, size: 1 })
  const prints = [at(clock(14, 26, 0), 7100), at(entered, 7000), at(clock(14, 31, 0), 6997.5), at(clock(14, 33, 0), 7006.25), at(left, 7004), at(clock(14, 40, 0), 6900)]
  const [sent] = await uploadAll(browser, { 'ES 12-26.Last.txt': priceWriters['ninjatrader-ticks'].write(prints) })
  if (sent === undefined) throw new Error('Not sent')
  expect((await browser.call(importPrices, { body: { uploads: [{ ...sent, choice: { zone: 'UTC', label: 'start', scale: 0 } }], zone: 'UTC' } })).files[0]).toMatchObject({ problem: null })
  const both = (least: string, most = least) => ({ least, most })
  expect((await browser.call(priceRoutes.excursions, { query: { id: 'worked' } })).excursions).toMatchObject({
    currency: 'USD', result: '400.00', drawdown: both('225.00'), capture: both('0.6400'), entry: both('0.7142', '0.7143'), exit: both('0.7428', '0.7429'), total: both('0.4571', '0.4572'),
    mfe: { amount: both('625.00'), ticks: both('25.0000'), r: both('1.5625') },
    mae: { amount: both('250.00'), ticks: both('10.0000'), r: both('0.6250') },
    toMfe: { from: 169_000, to: 171_000 },
    toMae: { from: 49_000, to: 51_000 },
  })

  // Lists have them a moment later, sort by them, and filter by certain values; unknown ones come last.
  const others = [{ ...trade, id: 'unpriced', symbol: 'NQZ6', entryPrice: 20_000, exitPrice: 20_001 }, { ...trade, id: 'short', side: 'short', pnl: -400, stop: null } as const]
  for (const each of others) await browser.call(localRoutes.addTrade, { body: { userId, trade: each } })
  const list = async (query: object = {}) => (await browser.call(localRoutes.tradePage, { query: { sort: 'mae', ...query } })).rows
  const rows = await until(async () => ((await list()).filter(({ excursions }) => excursions !== undefined).length === 2 ? list() : null), 'excursions')
  expect(rows.map(({ id, excursions }) => [id, excursions?.mae, excursions?.mfe])).toEqual([['short', both('625.00'), both('250.00')], ['worked', both('250.00'), both('625.00')], ['unpriced', undefined, undefined]])
  expect([rows[1]?.excursions?.entryEfficiency, rows[1]?.excursions?.exitEfficiency]).toEqual([both('0.7142', '0.7143'), both('0.7428', '0.7429')])
  const ids = async (query: object) => (await list(query)).map(({ id }) => id)
  expect(await ids({ direction: 'asc' })).toEqual(['worked', 'short', 'unpriced'])
  expect([await ids({ sort: 'exitEfficiency' }), await ids({ sort: 'entryEfficiency', direction: 'asc' })]).toEqual([['worked', 'short', 'unpriced'], ['short', 'worked', 'unpriced']])
  expect([await ids({ priced: 'only' }), await ids({ 'mae-from': '250.01' }), await ids({ 'mae-to': '250' }), await ids({ 'mfe-from': '625.01' })]).toEqual([['short', 'worked'], ['short'], ['worked'], []])
  // The address has percent. What lies between 74.28 and 74.29 meets neither an end in between nor one at the other bound.
  expect(await Promise.all(['74.28', '74.2801', '74.29'].map((percent) => ids({ 'exitEfficiency-from': percent })))).toEqual([['worked'], [], []])
  expect(await Promise.all(['28.58', '28.57'].map((percent) => ids({ 'entryEfficiency-to': percent })))).toEqual([['short'], []])
  expect((await browser.call(localRoutes.statistics, { query: { 'mfe-from': '300' } })).all.count).toBe(1)
  expect(await browser.call(localRoutes.filterChoices)).toMatchObject({ priced: true })
  expect((await browser.call(localRoutes.pairPage, { query: { sort: 'mfe', priced: 'only' } })).rows.map(({ id, excursions }) => [id, excursions?.mfe.least])).toEqual([['worked', '625.00'], ['short', '250.00']])
  const cells = ['MFE (least)', 'MFE (most)', 'MAE (least)', 'Entry efficiency (most)', 'Exit efficiency (least)']
  for (const [query, idColumn] of [['', 'Fill pair id'], ['?unit=trades', 'Trade id']] as const) {
    const csv = parse((await browser.send(`/api/trades.csv${query}`)).body, { columns: true, bom: true }) as Record<string, string>[]
    expect(csv.map((row) => [row[idColumn], ...cells.map((name) => row[name])]).sort()).toEqual([['short', '250.00', '250.00', '625.00', '0.2858', '0.2571'], ['unpriced', '', '', '', '', ''], ['worked', '625.00', '625.00', '250.00', '0.7143', '0.7428']])
  }

  // The short trade is the long one upside down: it captured of the range what the other left.
  const { all, bySymbol } = await browser.call(localRoutes.statistics, { query: {} })
  expect(all.exitEfficiency).toEqual({ count: 2, least: 0.49995, most: 0.50005 })
  expect(bySymbol.map(({ key, exitEfficiency }) => [key, exitEfficiency?.count])).toEqual([['ES', 2], ['NQ', undefined]])
  const { points, total } = await browser.call(localRoutes.excursionPoints, { query: {} })
  expect([points.map(({ id, result, mae }) => [id, result, mae.least]), total]).toEqual([[['worked', '400.00', '250.00'], ['short', '-400.00', '625.00']], 2])

  // They go with their prices.
  await browser.call(removeAllPrices)
  expect((await list()).every(({ excursions }) => excursions === undefined)).toBe(true)
  expect([await ids({ priced: 'only' }), (await browser.call(localRoutes.filterChoices)).priced]).toEqual([[], undefined])
})

test("a trade's chart shows its fills, the account's other fills, and candles as fine as its prices", async () => {
  const { browser } = await app()
  const { userId } = await browser.signUp()
  const clock = (hours: number, minutes: number, seconds = 0): number => Date.UTC(2026, 10, 24, hours, minutes, seconds)
  const add = (id: string, symbol: string, from: number, to: number, prices: readonly [number, number], account = 'A') =>
    browser.call(localRoutes.addTrade, { body: { userId, trade: { id, symbol, account, side: 'long', qty: 2, entryPrice: prices[0], exitPrice: prices[1], entryTime: new Date(from).toISOString(), exitTime: new Date(to).toISOString(), date: '2026-11-24', pnl: (prices[1] - prices[0]) * 40, commission: '0', platform: 'other' } } })
  await add('mine', 'ESZ6', clock(14, 30, 10), clock(14, 35, 20), [7000, 7004])
  await add('before', 'ESZ6', clock(14, 10), clock(14, 12), [7001, 7000])
  await add('elsewhere', 'ESZ6', clock(14, 10), clock(14, 12), [7001, 7000], 'B')
  await add('other product', 'NQZ6', clock(14, 20), clock(14, 40), [25_000, 25_001])
  await add('the day before', 'ESZ6', clock(14, 10) - 86_400_000, clock(14, 12) - 86_400_000, [7001, 7000])

  const minutes = barsOf([[14, 30, 6999], [14, 31, 6997.5], [14, 33, 7006.25]].map(([hour = 0, minute = 0, price = 0]) => ({ at: clock(hour, minute) * 1000, price: (price / 0.25) as Ticks, size: 1 })), 60 * second)
  const [sent] = await uploadAll(browser, { 'ES 12-26.Last.txt': write(minutes, { label: 'end' }) })
  if (sent === undefined) throw new Error('Not sent')
  await browser.call(importPrices, { body: { uploads: [{ ...sent, choice: { zone: 'UTC', label: 'end', scale: 0 } }], zone: 'UTC' } })

  const { chart } = await browser.call(priceRoutes.tradeChart, { query: { id: 'mine' } })
  const ticks = (price: number): number => price / 0.25
  expect(chart).toEqual({
    contract: 'ESZ6', tickSize: '0.25', tickValue: { num: 125_000, den: 1 }, currency: 'USD', tradingDay: '2026-11-24',
    session: { from: clock(-1, 0), to: clock(22, 0) },
    fills: [{ at: clock(14, 30, 10), qty: 2, price: ticks(7000) }, { at: clock(14, 35, 20), qty: -2, price: ticks(7004) }],
    others: [{ at: clock(14, 10), qty: 2, price: ticks(7001) }, { at: clock(14, 12), qty: -2, price: ticks(7000) }],
    closed: [{ at: clock(14, 40), gross: 40 * 10_000 }],
    orders: [],
    known: [{ from: clock(14, 30), to: clock(14, 34), grain: minute }],
    prints: 0,
  })
  expect(await browser.call(priceRoutes.tradeChart, { query: { id: 'nobodys' } })).toEqual({ chart: null })

  const asked = { id: 'mine', from: clock(14, 0), to: clock(15, 0) }
  expect((await browser.call(priceRoutes.candles, { query: { ...asked, size: 300 } })).candles).toEqual({ at: [clock(14, 30) / 1000], open: [ticks(6999)], high: [ticks(7006.25)], low: [ticks(6997.5)], close: [ticks(7006.25)] })
  // The minute without a price is a gap.
  expect((await browser.call(priceRoutes.candles, { query: { ...asked, size: 60 } })).candles.at).toEqual([clock(14, 30), clock(14, 31), clock(14, 33)].map((at) => at / 1000))
  for (const size of [1, '1t'] as const) await expect(browser.call(priceRoutes.candles, { query: { ...asked, size } })).rejects.toThrow('prices-too-coarse')
  await expect(browser.call(priceRoutes.candles, { query: { ...asked, to: asked.from + 5 * 86_400_001, size: '1000t' } })).rejects.toThrow('invalid-request')
  await expect(browser.call(priceRoutes.candles, { query: { ...asked, to: asked.from + 20_001_000, size: 1 } })).rejects.toThrow('invalid-request')
  await expect(browser.call(priceRoutes.candles, { query: { ...asked, id: 'nobodys', size: 60 } })).rejects.toThrow('not-found')
  expect((await browser.call(priceRoutes.steps, { query: { id: 'mine', from: asked.from * 1000, to: asked.to } })).steps).toEqual({
    at: [clock(14, 31) * 1000, minute, 2 * minute], close: [ticks(6999), -6, 35], bars: { open: [0, 0, 0], high: [0, 0, 0], low: [0, 0, 0] }, next: null,
  })
})
