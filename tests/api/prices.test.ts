import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
import { uploadAll, wishesOf } from '#tests/helpers/upload.ts'

const { previewPrices, importPrices, prices, removePrices, removeAllPrices, setPriceLimit } = priceRoutes
const minute = 60 * second
const app = () => startApp({ env: { FILLBOOK_DEMO: 'off' } })
/** The fills of one contract as its tape, and the files that tell of both. */
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

test('prices are recognized as they are sent, read by the fills of the journal, stored, listed, and removed', async () => {
  const { browser, dataDir } = await app()
  await browser.signUp()
  const { contract, fills, bars, name, moments } = tapeOfFills()
  const [sent, exported] = await uploadAll(browser, { [name]: write(bars, { zone: 'America/Chicago', label: 'start' }), 'Fills.csv': fills })
  if (sent === undefined || exported === undefined) throw new Error('Not sent')
  expect([sent, exported]).toMatchObject([{ name, prices: true }, { name: 'Fills.csv', prices: false }])
  await browser.call(importRoutes.addImport, { body: wishesOf([exported]) })

  const wishes = { uploads: [sent], zone: 'Europe/Berlin' }
  const [found] = (await browser.call(previewPrices, { body: wishes })).files
  const [from, to] = [isoAt(bars[0]?.at ?? 0), isoAt((bars.at(-1)?.at ?? 0) + minute)]
  const choice = { zone: 'America/Chicago', label: 'start', scale: 0, inside: moments, of: moments }
  expect(found).toEqual({
    ...{ name, format: 'ninjatrader-minutes', grain: minute, problem: null, needsContract: false, rows: bars.length, bad: [], choice, choices: [choice] },
    contracts: [{ contract, from, to, entries: bars.length, known: false }],
  })
  expect(await browser.call(prices)).toEqual({ series: [], bytes: 0, limit: { megabytes: 2000, days: null } })
  expect(existsSync(join(dataDir, 'prices'))).toBe(false)

  expect(await browser.call(importPrices, { body: wishes })).toEqual({ success: true, files: [{ name, problem: null, contracts: [{ contract, added: bars.length, known: 0 }], bad: [], freed: [] }] })
  const stored = await browser.call(prices)
  expect(stored).toEqual({ series: [{ contract, source: 'ninjatrader-minutes', grain: minute, from, to, entries: bars.length, bytes: stored.bytes }], bytes: stored.bytes, limit: { megabytes: 2000, days: null } })
  // The upload is gone with its import.
  await expect(browser.call(previewPrices, { body: wishes })).rejects.toThrow('not-found')

  const chosen = (await uploadAll(browser, { [name]: write(bars, { label: 'end' }) })).map((one) => ({ ...one, choice: { zone: 'UTC', label: 'end' as const, scale: 0 } }))
  expect((await browser.call(importPrices, { body: { uploads: chosen, zone: 'UTC' } })).files[0]?.contracts).toEqual([{ contract, added: 0, known: bars.length }])
  expect(await browser.call(prices)).toEqual(stored)

  expect(await browser.call(setPriceLimit, { body: { megabytes: 50, days: 20_000 } })).toEqual({ success: true, freed: 0 })
  await browser.call(removePrices, { body: { contract, source: 'ninjatrader-minutes', grain: minute } })
  expect(await browser.call(prices)).toEqual({ series: [], bytes: 0, limit: { megabytes: 50, days: 20_000 } })
})

test('prices are of one user alone, lie in no backup and no journal file, and go with their user', async () => {
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
