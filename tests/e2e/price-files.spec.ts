import { expect, type Page } from '@playwright/test'
import { priceRoutes } from '#shared/api/prices.ts'
import { priceWriters } from '#tests/helpers/price-writers.ts'
import { temporaryFolder } from '#tests/helpers/running-app.ts'
import { fillUp, mountSmallDisk } from '#tests/helpers/small-disk.ts'
import { walkedPrints } from '#tests/helpers/walked-prints.ts'
import { expectAccessible, goTo, read, signUp, test } from './app-test.ts'
import { importFiles } from './import-files.ts'

test.use({ begins: 'outside' })

const minute = (minutes: number): number => Date.UTC(2026, 10, 24, 15, minutes)
const fillPrices = [7000, 7002, 7004, 7006, 7008, 7010]
const head = '_id,_orderId,_timestamp,_tradeDate,_action,_qty,_price,_active,Account,B/S,Quantity,Price,_tickSize,Contract,commission'
const fillRow = (price: number, index: number): string => {
  const [id, side] = [String(900 + index), index % 2]
  return `${id},1${id},2026-11-24 15:${String(10 + index)}:00.000Z,2026-11-24,${String(side)},1,${price.toFixed(2)},true,EVAL-1,${side === 0 ? ' Buy' : ' Sell'},1,${price.toFixed(2)},0.25,ESZ6,0.50`
}
const fills = new TextEncoder().encode([head, ...fillPrices.map(fillRow)].join('\r\n'))

const written = (points: readonly (readonly number[])[], step: number): Buffer =>
  Buffer.from(priceWriters['ninjatrader-ticks'].write(walkedPrints(points.map(([at = 0, price = 0]) => ({ at: minute(at) * 1000, price: price / 0.25 })), step)))
/** Ticks that meet the fills. */
const ticks = written([[0, 6990], ...fillPrices.map((price, index) => [10 + index, price]), [30, 7020]], 400_000)
/** Ticks of another product, of so many hours that they hold the time of the fills in every zone. */
const otherTicks = written([[-600, 25_000], [480, 25_010]], 2_000_000)
const choose = (page: Page, name: string, buffer: Buffer): Promise<void> => page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer })
const stored = async (page: Page) => priceRoutes.prices.answer.parse(await (await read(page, priceRoutes.prices.path)).json()).series.map(({ contract, entries, from, to }) => ({ contract, entries, from, to }))

test('a price file of a wrong, an unnamed, or a continuous contract says what to do, and what is stored stays', { tag: '@nightly' }, async ({ page }) => {
  page.setDefaultTimeout(15_000)
  await signUp(page)
  await importFiles(page, [['Fills.csv', fills]])
  await goTo(page, '/dashboard/Import')
  const store = page.getByRole('button', { name: 'Store prices' })
  await choose(page, 'ES 12-26.Last.txt', ticks)
  await expect(page.getByText('6 of 6 fills inside')).toBeVisible()
  await store.click()
  await expect(page.getByText(/ESZ6: [\d,]+ stored/)).toBeVisible()
  const before = await stored(page)
  expect(before).toHaveLength(1)

  await choose(page, 'ESZ6 of another product.txt', otherTicks)
  await expect(page.getByText('Only 0 of 6 fills lie inside these prices. The prices belong to another contract, or are adjusted. Export unadjusted prices of this contract.')).toBeVisible()
  await choose(page, 'ES ##-##.Last.txt', ticks)
  await expect(page.getByText('This is a continuous contract. Its rolls change prices, so your fills would not fit. Export a single delivery month.')).toBeVisible()
  await choose(page, 'my ticks.txt', ticks)
  await expect(page.getByRole('textbox', { name: 'Contract of my ticks.txt' })).toHaveAccessibleDescription('With its delivery month, such as MNQZ6.')
  await expect(store).toBeDisabled()
  await expectAccessible(page)
  expect(await stored(page)).toEqual(before)
})

const smallDisk = test.extend({
  dataDir: async ({}, use, info) => {
    const folder = await temporaryFolder()
    const unmount = mountSmallDisk(folder.path, 'size=128m,mode=700')
    info.skip(unmount === null, 'No small disk can be mounted here')
    await use(folder.path)
    unmount?.()
    await folder.remove()
  },
})

smallDisk('a disk that is full while prices are being stored says so, and the same file is stored once there is room', { tag: '@nightly' }, async ({ page, dataDir }) => {
  page.setDefaultTimeout(15_000)
  await signUp(page)
  await importFiles(page, [['Fills.csv', fills]])
  await goTo(page, '/dashboard/Import')
  await choose(page, 'ES 12-26.Last.txt', ticks)
  await expect(page.getByText('6 of 6 fills inside')).toBeVisible()
  const free = fillUp(dataDir)
  const store = page.getByRole('button', { name: 'Store prices' })
  await store.click()
  await expect(page.getByText('The disk of this computer is full, and nothing was saved. Free up space and try again.')).toBeVisible()
  free()
  expect(await stored(page)).toEqual([])
  await store.click()
  await expect(page.getByText(/ESZ6: [\d,]+ stored/)).toBeVisible()
  expect(await stored(page)).toHaveLength(1)
})
