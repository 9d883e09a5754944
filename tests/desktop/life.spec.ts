import { expect } from '@playwright/test'
import type { Desktop } from '#tests/helpers/electron/desktop.ts'
import { appOrigin, clickTray, enterDemo, test, windowState } from './desktop-test.ts'

const closeWindow = (desktop: Desktop) => desktop.inMain(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.close() }, null)
const visible = async (desktop: Desktop) => (await windowState(desktop))?.visible
const titles = (desktop: Desktop) => desktop.recorded().flatMap((one) => (one.what === 'notice' ? [one.title] : []))

test('closing the window leaves the program in the tray, and tells so once', async ({ start, dataDir }) => {
  const first = await start()
  await first.page()
  await expect.poll(() => visible(first)).toBe(true)
  await closeWindow(first)
  await expect.poll(() => visible(first)).toBe(false)
  await expect.poll(() => titles(first)).toEqual(['Fillbook goes on in the tray'])
  await clickTray(first, 'Open Fillbook')
  await expect.poll(() => visible(first)).toBe(true)
  await closeWindow(first)
  await expect.poll(() => visible(first)).toBe(false)
  await clickTray(first, 'Quit Fillbook')
  expect(await first.gone).toBe(0)
  expect(titles(first)).toHaveLength(1)

  const second = await start({ dataDir })
  await second.page()
  await expect.poll(() => visible(second)).toBe(true)
  await closeWindow(second)
  await expect.poll(() => visible(second)).toBe(false)
  await clickTray(second, 'Open Fillbook')
  await expect.poll(() => visible(second)).toBe(true)
  expect(titles(second)).toEqual([])
  // Who does not want that quits by closing.
  const page = await second.page()
  await page.waitForFunction(() => 'fillbookDesktop' in globalThis)
  await page.evaluate(() => (globalThis as unknown as { fillbookDesktop: { shell: { change: (changes: object) => Promise<unknown> } } }).fillbookDesktop.shell.change({ staysInTray: false }))
  await closeWindow(second)
  expect(await second.gone).toBe(0)
})

test('the window opens where it was', async ({ start, dataDir }) => {
  const place = { x: 130, y: 90, width: 1_120, height: 720 }
  const first = await start()
  await first.page()
  await first.inMain(({ BrowserWindow }, bounds) => { BrowserWindow.getAllWindows()[0]?.setBounds(bounds) }, place)
  await first.close()
  const second = await start({ dataDir })
  await second.page()
  await expect.poll(() => windowState(second)).toMatchObject({ visible: true, bounds: place, maximised: false })
  await second.inMain(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.maximize() }, null)
  await second.close()
  const third = await start({ dataDir })
  await third.page()
  await expect.poll(() => windowState(third)).toMatchObject({ visible: true, bounds: place, maximised: true })
})

test('a second start brings the first forward and hands its link over; links do no more than they may', async ({ start, dataDir }) => {
  const first = await start()
  const page = await first.page()
  const origin = await appOrigin(first)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await enterDemo(page)

  const again = async (...words: string[]): Promise<void> => {
    await closeWindow(first)
    await expect.poll(() => visible(first)).toBe(false)
    const second = await start({ dataDir, words })
    expect(await second.gone).toBe(0)
    expect(second.said()).toContain('open already')
    await expect.poll(() => visible(first)).toBe(true)
  }
  await again()
  await expect(page).toHaveURL(`${origin}/#/dashboard`)

  await again('fillbook://payment?payment=cancelled')
  await expect(page.getByRole('heading', { name: 'Manage Subscription', exact: true })).toBeVisible()

  // A state that nobody began ends as it would coming from a browser.
  await again('fillbook://oauth/callback?code=stolen&state=forged&extra=1')
  await expect(page).toHaveURL(new RegExp(`^${origin}/#/dashboard/AutoSync`, 'i'))
  await expect(page.getByRole('dialog').or(page.getByRole('status')).or(page.getByRole('alert')).first()).toBeVisible()

  await page.goto(`${origin}/#/dashboard/TradeLogbook`)
  await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
  for (const hostile of ['fillbook://payment?payment=success&payment=cancelled', 'fillbook://payment?payment=paid', 'fillbook://payment?session_id=<script>', 'fillbook://open/../../etc/passwd', 'fillbook://oauth/callback?code=c', `fillbook://user@payment?payment=success`, 'fillbook://dashboard/Settings', 'FILLBOOK://open']) {
    await closeWindow(first)
    await expect.poll(() => visible(first)).toBe(false)
    // As the system hands over the words of a second start.
    await first.inMain(({ app }, link) => { app.emit('second-instance', {}, ['fillbook', link], '/', null) }, hostile)
    await expect.poll(() => visible(first)).toBe(true)
    await expect(page).toHaveURL(`${origin}/#/dashboard/TradeLogbook`)
  }
})
