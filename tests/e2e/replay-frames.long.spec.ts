import { expect } from '@playwright/test'
import { localRoutes } from '#shared/api/contract.ts'
import { uploadAnswer, uploadPath } from '#shared/api/imports.ts'
import { priceRoutes } from '#shared/api/prices.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { priceWriters } from '#tests/helpers/price-writers.ts'
import { walkedPrints } from '#tests/helpers/walked-prints.ts'
import { goTo, read, send, signUp, test } from './app-test.ts'
import { traceMainThread } from './scanner-trace.ts'

test.use({ begins: 'outside' })

const ticks = 1_000_000
const [opened, entered, left, closed] = [Date.UTC(2026, 10, 23, 23), Date.UTC(2026, 10, 24, 14, 30, 10), Date.UTC(2026, 10, 24, 14, 55, 20), Date.UTC(2026, 10, 24, 20, 45)]

test('with a million ticks loaded, no task of a replay works for more than 50 ms', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const { currentUser } = sessionRoutes.session.answer.parse(await (await read(page, sessionRoutes.session.path)).json())
  const trade = { id: 'long', symbol: 'ESZ6', account: 'APEX-1', side: 'long', qty: 2, entryPrice: 7000, exitPrice: 7004, entryTime: new Date(entered).toISOString(), exitTime: new Date(left).toISOString(), date: '2026-11-24', pnl: 400, commission: '0', platform: 'other', stop: '6996' }
  await send(page, localRoutes.addTrade.path, { userId: currentUser?.uid, trade })
  const at = (ms: number, price: number) => ({ at: ms * 1000, price: price / 0.25 })
  const prints = walkedPrints([at(opened, 6950), at(entered, 7000), at(left, 7004), at(closed, 7040)], ((closed - opened) * 1000) / ticks)
  const name = 'ES 12-26.Last.txt'
  const sent = await send(page, `${uploadPath}?name=${encodeURIComponent(name)}`, Buffer.from(priceWriters['ninjatrader-ticks'].write(prints)), { 'content-type': 'application/octet-stream' })
  const { upload } = uploadAnswer.parse(await sent.json())
  const stored = await send(page, priceRoutes.importPrices.path, { uploads: [{ ...upload, choice: { zone: 'UTC', label: 'start', scale: 0 } }], zone: 'UTC' })
  expect(priceRoutes.importPrices.answer.parse(await stored.json()).files[0]?.problem).toBeNull()

  await goTo(page, '/dashboard/TradeChart?trade=long&replay=session')
  const play = page.getByRole('button', { name: 'Play', exact: true })
  await expect(play).toBeEnabled()
  await page.getByRole('application').focus()
  /** What the main thread itself worked on in its longest tasks, in ms: other programs of a busy computer do not count. */
  const seen: Record<string, readonly number[]> = {}
  const during = async (what: string, act: () => Promise<void>): Promise<void> => {
    const { tasks } = await traceMainThread(page, act)
    seen[what] = tasks.slice(0, 5).map(({ cpuMs }) => Math.round(cpuMs))
  }
  for (let press = 0; press < 6; press += 1) await page.keyboard.press(']')
  // The first frames compile what they run.
  await during('beginning', async () => {
    await page.keyboard.press('Space')
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
    await page.keyboard.press('Space')
    await expect(play).toBeVisible()
  })
  await during('playing while it loads', async () => {
    await page.keyboard.press('Space')
    await expect(page.getByText(/^1,0\d\d,\d\d\d steps$|^999,\d\d\d steps$/)).toBeVisible({ timeout: 60_000 })
  })
  const moment = async (): Promise<number> => Number(await page.getByRole('slider', { name: 'Moment of the replay' }).inputValue())
  await during('playing 100 times as fast', async () => {
    const began = await moment()
    await expect.poll(moment, { timeout: 30_000 }).toBeGreaterThan(began + 600_000)
    await page.keyboard.press('Space')
  })
  await during('stepping', async () => {
    for (const key of ['n', 'v', '.', ',', 'b', 'p', 'End', 'Home', 'n', 'n']) await page.keyboard.press(key)
    for (let press = 0; press < 30; press += 1) await page.keyboard.press(press % 3 === 0 ? 'b' : 'v')
  })
  await during('choosing another size', async () => {
    for (const key of ['4', '3', '2', '1', '5']) await page.keyboard.press(key)
  })
  const { beginning: _, 'playing while it loads': loading = [], ...loaded } = seen
  // For the benchmark of prices, in ms.
  const pace = { loadingMs: Math.max(...loading), longestMs: Math.max(...Object.values(loaded).flat()) }
  test.info().annotations.push({ type: 'pace', description: JSON.stringify(pace) })
  expect(Object.values(loaded).flat().filter((worked) => worked > 50), JSON.stringify(loaded)).toEqual([])
  // A page that arrives is read at once.
  expect(pace.loadingMs).toBeLessThan(150)
})
