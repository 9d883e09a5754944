import { expect, type Page } from '@playwright/test'
import { localRoutes } from '#shared/api/contract.ts'
import { priceRoutes } from '#shared/api/prices.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { priceWriters } from '#tests/helpers/price-writers.ts'
import { walkedPrints } from '#tests/helpers/walked-prints.ts'
import { expectAccessible, goTo, read, send, signUp, test } from './app-test.ts'

test.use({ begins: 'outside' })

const clock = (hours: number, minutes: number, seconds = 0): number => Date.UTC(2026, 10, 24, hours, minutes, seconds)

/** Two trades by hand in one session, and a file of ticks that meets their fills. */
const tradesWithPrices = async (page: Page): Promise<{ readonly file: Buffer; readonly name: string }> => {
  const { currentUser } = sessionRoutes.session.answer.parse(await (await read(page, sessionRoutes.session.path)).json())
  const userId = currentUser?.uid ?? ''
  const add = async (id: string, side: 'long' | 'short', qty: number, from: number, to: number, prices: readonly [number, number], pnl: number, stop: string | null): Promise<void> => {
    const trade = { id, symbol: 'ESZ6', account: 'APEX-1', side, qty, entryPrice: prices[0], exitPrice: prices[1], entryTime: new Date(from).toISOString(), exitTime: new Date(to).toISOString(), date: '2026-11-24', pnl, commission: '0', platform: 'other', ...(stop === null ? {} : { stop }) }
    expect((await send(page, localRoutes.addTrade.path, { userId, trade })).ok()).toBe(true)
  }
  await add('worked', 'long', 2, clock(14, 30, 10), clock(14, 35, 20), [7000, 7004], 400, '6996')
  await add('before', 'short', 1, clock(14, 20), clock(14, 24, 30), [7001.5, 7003], -75, null)
  const at = (ms: number, price: number) => ({ at: ms * 1000, price: price / 0.25 })
  const prints = walkedPrints([at(clock(13, 0), 6990), at(clock(14, 20), 7001.5), at(clock(14, 24, 30), 7003), at(clock(14, 30, 10), 7000), at(clock(14, 31, 5), 6997), at(clock(14, 33), 7006.25), at(clock(14, 35, 20), 7004), at(clock(16, 0), 7011)], 400_000)
  return { name: 'ES 12-26.Last.txt', file: Buffer.from(priceWriters['ninjatrader-ticks'].write(prints)) }
}

const storePrices = async (page: Page, name: string, file: Buffer): Promise<void> => {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: file })
  // Trades entered by hand have no fills to check against.
  await page.getByRole('combobox', { name: 'Time format of ES 12-26.Last.txt' }).click()
  await page.getByRole('option', { name: /UTC/ }).first().click()
  await page.getByRole('button', { name: /^Store prices/ }).click()
  await expect(page.getByText(/ESZ6: [\d,]+ stored/)).toBeVisible()
}

test('a file of ticks gives a trade its chart, and a replay by keys ends at the gross P&L', { tag: '@long' }, async ({ page }) => {
  page.setDefaultTimeout(15_000)
  await signUp(page)
  const { name, file } = await tradesWithPrices(page)

  // Without prices the dialog says which it lacks, and where to load them.
  await goTo(page, '/dashboard/TradeLogbook?trade=worked')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('No prices of ESZ6 are stored for')).toBeVisible()
  await dialog.getByRole('link', { name: 'Import prices' }).first().click()
  await storePrices(page, name, file)

  await goTo(page, '/dashboard/TradeLogbook?trade=worked')
  const chart = dialog.getByRole('application', { name: 'Candles of ESZ6' })
  await expect(chart.locator('canvas').first()).toBeVisible()
  // Prices that are stored meanwhile come into the open chart.
  const asked = page.waitForResponse((response) => response.url().includes('/api/prices/candles'))
  expect((await send(page, localRoutes.setPriceLimit.path, { megabytes: 1000, days: null })).ok()).toBe(true)
  expect((await asked).ok()).toBe(true)
  await dialog.getByRole('button', { name: 'Attach picture' }).click()
  await expect(page.getByText('Picture attached to the trade', { exact: true })).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'First picture' }).locator('img')).toBeVisible()
  await expectAccessible(page, '[role=dialog]')

  await dialog.getByRole('link', { name: 'Replay' }).click()
  await expect(page).toHaveURL(/TradeChart\?trade=worked&replay=trade$/)
  await expect(page.getByText(/^[\d,]+ steps$/)).toBeVisible()
  const bar = page.getByRole('group', { name: 'Replay' })
  const figure = (label: string) => bar.locator('div:has(> div)').filter({ hasText: label }).last()
  // The keys work from where the page begins.
  await page.keyboard.press('n')
  await expect(figure('Position')).toHaveText('Position+2')
  await expect(figure('Open P&L, gross')).toHaveText('Open P&L, gross0.00')
  // The previous trade's P&L is in the day's.
  await expect(figure('Day P&L, gross')).toHaveText('Day P&L, gross−75.00')
  await page.keyboard.press('v')
  await page.keyboard.press('.')
  await page.keyboard.press('m')
  await page.keyboard.type('moved nothing here')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Added to the trade’s notes', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  for (let press = 0; press < 6; press += 1) await page.keyboard.press(']')
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await page.keyboard.press('End')
  await expect(figure('Position')).toHaveText('Position0')
  await expect(figure('Open P&L, gross')).toHaveText('Open P&L, gross+400.00')
  await expect(figure('Day P&L, gross')).toHaveText('Day P&L, gross+325.00')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await page.keyboard.press('p')
  await expect(figure('Open P&L, gross')).toHaveText('Open P&L, gross+400.00')
  await expectAccessible(page)

  // A slider, a list, and a group of buttons that have the focus keep their own keys only.
  const seek = bar.getByRole('slider')
  await seek.click({ position: { x: 2, y: 8 } })
  await expect(figure('Position')).toHaveText('Position0')
  await page.keyboard.press('n')
  await expect(figure('Position')).toHaveText('Position+2')
  await seek.focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await page.keyboard.press('Space')
  await bar.getByRole('combobox', { name: 'Speed' }).click()
  await page.getByRole('option', { name: '2×' }).click()
  await page.keyboard.press('n')
  await expect(figure('Position')).toHaveText('Position0')
  const trade = await seek.getAttribute('max')
  await bar.getByRole('radio', { name: 'Session' }).click()
  await expect(seek).not.toHaveAttribute('max', trade ?? '')
  await expect(page.getByText(/^[\d,]+ steps$/)).toBeVisible()
  // The session's last step.
  await page.keyboard.press('End')
  await expect(figure('Day P&L, gross')).toHaveText('Day P&L, gross+325.00')

  // Escape leads out of the replay, and then back to the trade.
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/TradeLogbook\?trade=worked$/)
  await expect(page.getByRole('dialog').getByLabel('Notes')).toHaveValue(/^\d\d:\d\d:\d\d moved nothing here$/)
})

test('tick candles show each print or so many together, take fills and drawings, and replay', { tag: '@nightly' }, async ({ page }) => {
  page.setDefaultTimeout(15_000)
  await signUp(page)
  const { name, file } = await tradesWithPrices(page)
  await goTo(page, '/dashboard/Import')
  await storePrices(page, name, file)
  await goTo(page, '/dashboard/TradeChart?trade=worked')
  const sizes = page.getByRole('radiogroup', { name: 'Candle size' })
  const chart = page.getByRole('application', { name: 'Candles of ESZ6' })
  await expect(chart.locator('canvas').first()).toBeVisible()
  await expect(sizes.getByRole('radio')).toHaveText(['1T', '100T', '500T', '1000T', '1s', '5s', '15s', '1m', '5m', '15m', '1h', '1D'])
  const candlesOf = async (choose: () => Promise<void>) => {
    const answer = page.waitForResponse((response) => /candles\?.*size=\d+t/.test(response.url()))
    await choose()
    return priceRoutes.candles.answer.parse(await (await answer).json()).candles
  }
  const ones = await candlesOf(() => page.keyboard.press('0'))
  await expect(sizes.getByRole('radio', { name: '1T', exact: true })).toBeChecked()
  expect(ones.at.every((at, index) => at > (ones.at[index - 1] ?? 0) && ones.high[index] === ones.low[index])).toBe(true)
  const hundreds = await candlesOf(() => page.keyboard.press('0'))
  await expect(sizes.getByRole('radio', { name: '100T' })).toBeChecked()
  // Around the same trade so many prints reach as far as the file.
  expect(hundreds.at.length).toBeLessThan(ones.at.length)
  const drawing = page.getByRole('group', { name: 'Drawings' }).getByRole('status')
  await page.keyboard.press('h')
  await expect(drawing).toHaveText(/^Horizontal line at /)
  await page.keyboard.press('Enter')
  await expect(drawing).toHaveText(/Arrow keys move it/)
  const before = await drawing.textContent()
  await page.keyboard.press('ArrowLeft')
  await expect(drawing).not.toHaveText(before ?? '')
  await chart.focus()
  await page.keyboard.press('r')
  await expect(page.getByText(/^[\d,]+ steps$/)).toBeVisible()
  const bar = page.getByRole('group', { name: 'Replay' })
  await page.keyboard.press('End')
  await expect(bar.locator('div:has(> div)').filter({ hasText: 'Open P&L, gross' }).last()).toHaveText('Open P&L, gross+400.00')
})

test('another size of candles leaves the old ones as they are until it is there, and no picture is taken meanwhile', { tag: '@nightly' }, async ({ page }) => {
  page.setDefaultTimeout(15_000)
  const broken: string[] = []
  page.on('pageerror', ({ message }) => void broken.push(message))
  await signUp(page)
  const { name, file } = await tradesWithPrices(page)
  await goTo(page, '/dashboard/TradeLogbook?trade=worked')
  await page.getByRole('dialog').getByRole('link', { name: 'Import prices' }).first().click()
  await storePrices(page, name, file)
  await goTo(page, '/dashboard/TradeChart?trade=worked')
  const picture = page.getByRole('button', { name: 'Attach picture' })
  await expect(picture).toBeEnabled()
  await page.getByRole('application', { name: 'Candles of ESZ6' }).focus()
  const held = Promise.withResolvers<undefined>()
  await page.route(/api\/prices\/candles/, async (route) => {
    await held.promise
    await route.continue()
  })
  for (const key of ['5', '1', '4']) {
    await page.keyboard.press(key)
    await expect(picture).toBeDisabled()
    await page.mouse.move(500, 300)
    await page.mouse.move(700, 320)
  }
  held.resolve(undefined)
  await expect(picture).toBeEnabled()
  expect(broken).toEqual([])
})

test('what is drawn in a chart by keys and mouse stays with the trade, and a replay hides what is later', { tag: '@nightly' }, async ({ page }) => {
  page.setDefaultTimeout(15_000)
  await signUp(page)
  const { name, file } = await tradesWithPrices(page)
  await goTo(page, '/dashboard/TradeLogbook?trade=worked')
  await page.getByRole('dialog').getByRole('link', { name: 'Import prices' }).first().click()
  await storePrices(page, name, file)

  await goTo(page, '/dashboard/TradeChart?trade=worked')
  const chart = page.getByRole('application', { name: 'Candles of ESZ6' })
  await expect(chart.locator('canvas').first()).toBeVisible()
  const tools = page.getByRole('group', { name: 'Drawings' })
  const kept = async (): Promise<number | undefined> => localRoutes.recordById.answer.parse(await (await read(page, `${localRoutes.recordById.path}?id=worked`)).json()).pair?.drawings?.length
  const status = tools.getByRole('status')
  await expect(tools.getByRole('button', { name: 'Horizontal line' })).toBeEnabled()
  await chart.focus()
  await page.keyboard.press('h')
  await expect(status).toHaveText(/^Horizontal line at /)
  const before = await status.textContent()
  await page.keyboard.press('ArrowUp')
  await expect(status).not.toHaveText(before ?? '')
  await page.keyboard.press('Enter')
  await page.keyboard.press('t')
  await page.keyboard.press('Enter')
  await expect(status).toHaveText(/^Second point at /)
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Enter')
  await page.keyboard.press('a')
  await page.keyboard.press('Enter')
  await tools.getByRole('textbox', { name: 'Text of the note' }).fill('too early')
  await page.keyboard.press('Enter')
  await expect(tools.getByText('3 drawings')).toBeVisible()
  // By mouse: a line where the chart is clicked, dragged down by its price.
  await tools.getByRole('button', { name: 'Horizontal line' }).click()
  const { x, y } = (await chart.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.click(x + 300, y + 60)
  await expect(tools.getByText('4 drawings')).toBeVisible()
  const set = await status.textContent()
  await page.mouse.move(x + 400, y + 60)
  await page.mouse.down()
  await page.mouse.move(x + 400, y + 120, { steps: 4 })
  await page.mouse.up()
  await expect(status).not.toHaveText(set ?? '')
  await expect(status).toHaveText(/^Horizontal line at /)
  await tools.getByText('4 drawings').click()
  const rows = tools.getByRole('table', { name: 'Drawings' }).locator('tbody tr')
  const drawn = await rows.allTextContents()
  expect(drawn).toHaveLength(4)
  await expectAccessible(page)
  await expect.poll(kept).toBe(4)

  await page.reload()
  await tools.getByText('4 drawings').click()
  await expect(rows).toHaveText(drawn)
  // Deleted and brought back.
  await chart.focus()
  await page.keyboard.press('d')
  await expect(status).toHaveText(/^Horizontal line at /)
  await page.keyboard.press('Delete')
  await expect(tools.getByText('3 drawings')).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(tools.getByText('4 drawings')).toBeVisible()
  await chart.focus()
  await page.keyboard.press('d')
  await page.keyboard.press('Delete')
  await expect(tools.getByText('3 drawings')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(tools.getByText('4 drawings')).toBeVisible()

  // Nothing was drawn before the replay begins.
  await page.keyboard.press('r')
  await expect(page.getByText(/^[\d,]+ steps$/)).toBeVisible()
  await expect(tools.getByText(/drawing/)).toHaveCount(0)
  await page.keyboard.press('a')
  await page.keyboard.press('Enter')
  await tools.getByRole('textbox', { name: 'Text of the note' }).fill('here it turned')
  await page.keyboard.press('Enter')
  await expect(tools.getByText('1 drawing', { exact: true })).toBeVisible()
  await chart.focus()
  await page.keyboard.press('End')
  await expect(tools.getByText('5 drawings')).toBeVisible()
  // What is drawn in a page that began with the chart is saved too.
  await expect.poll(kept).toBe(5)
})
