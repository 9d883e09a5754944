import { expect, type Page } from '@playwright/test'
import { goTo } from '#tests/e2e/app-test.ts'
import { goToConsent } from '#tests/e2e/broker-test.ts'
import type { Desktop } from '#tests/helpers/electron/desktop.ts'
import { appOrigin, clickTray, enterDemo, test, trayLabels, windowState } from './desktop-test.ts'

const closeWindow = (desktop: Desktop) => desktop.inMain(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.close() }, null)
const visible = async (desktop: Desktop) => (await windowState(desktop))?.visible
const stateOf = (page: Page): string => new URL(page.url()).searchParams.get('state') ?? ''
const titles = (desktop: Desktop) => desktop.recorded().flatMap((one) => (one.what === 'notice' ? [one.title] : []))

test('closing the window leaves the program in the tray, and says so once', { tag: '@nightly' }, async ({ start, dataDir }) => {
  const first = await start()
  await first.page()
  await expect.poll(() => visible(first)).toBe(true)
  await closeWindow(first)
  await expect.poll(() => visible(first)).toBe(false)
  await expect.poll(() => titles(first)).toEqual(['Fillbook keeps running in the tray'])
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

test('the window opens at its last position', { tag: '@nightly' }, async ({ start, dataDir }) => {
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

test('a second start activates the first and passes its link on; links can do only what is allowed', { tag: '@nightly' }, async ({ start, dataDir }) => {
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
    expect(second.output()).toContain('open already')
    await expect.poll(() => visible(first)).toBe(true)
  }
  await again()
  await expect(page).toHaveURL(`${origin}/#/dashboard`)

  // No foreign page can discard a half-typed form: neither address nor page change.
  await goTo(page, '/dashboard/TradeLogbook')
  await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
  await page.evaluate(() => { Object.assign(globalThis, { halfTyped: 'yes' }) })
  const unmoved = async (): Promise<void> => {
    await expect(page).toHaveURL(`${origin}/#/dashboard/TradeLogbook`)
    expect(await page.evaluate(() => (globalThis as { halfTyped?: string }).halfTyped)).toBe('yes')
  }
  const forged = 'fillbook://oauth/callback?code=stolen&state=forged'
  await again(forged)
  await unmoved()
  for (const hostile of [forged, 'fillbook://payment?payment=success&session_id=cs_1', 'fillbook://open/../../etc/passwd', 'fillbook://oauth/callback?code=c', 'fillbook://user@oauth/callback?code=c&state=s', 'fillbook://dashboard/Settings', 'FILLBOOK://open']) {
    await closeWindow(first)
    await expect.poll(() => visible(first)).toBe(false)
    // As the system hands over the words of a second start.
    await first.inMain(({ app }, link) => { app.emit('second-instance', {}, ['fillbook', link], '/', null) }, hostile)
    await expect.poll(() => visible(first)).toBe(true)
    await unmoved()
  }

  // The callback of a pending consent is passed on, once: here with a code that the brokerage never issued.
  await goToConsent(page)
  const back = `fillbook://oauth/callback?code=wrong&state=${stateOf(page)}`
  await again(back)
  await expect(page).toHaveURL(new RegExp(`^${origin}/#/dashboard/AutoSync`, 'i'))
  await expect(page.getByRole('status').or(page.getByRole('alert')).first()).toBeVisible()
  await goTo(page, '/dashboard/TradeLogbook')
  await page.evaluate(() => { Object.assign(globalThis, { halfTyped: 'yes' }) })
  await again(back)
  await unmoved()
})

test('a link that starts the program opens its page', { tag: '@nightly' }, async ({ start, dataDir }) => {
  const first = await start()
  const before = await first.page()
  await enterDemo(before)
  await goToConsent(before)
  const state = stateOf(before)
  await first.close()
  const second = await start({ dataDir, words: [`fillbook://oauth/callback?error=access_denied&state=${state}`] })
  const page = await second.page()
  // It came behind the way in, which a session needs, and is not forgotten over signing in.
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await expect(page).toHaveURL(/AutoSync/i)
})

test('started by the system it waits in the tray until its window is opened', { tag: '@nightly' }, async ({ start }) => {
  const desktop = await start({ words: ['--hidden'] })
  const windows = () => desktop.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, null)
  await appOrigin(desktop)
  await expect.poll(() => trayLabels(desktop)).toContain('Sign in to sync')
  expect(await windows()).toBe(0)
  // The system starting it once more wants no window either.
  await desktop.inMain(({ app }) => { app.emit('second-instance', {}, ['fillbook', '--hidden'], '/', null) }, null)
  expect(await windows()).toBe(0)
  await clickTray(desktop, 'Open Fillbook')
  await desktop.page()
  await expect.poll(() => visible(desktop)).toBe(true)
})

test('a first load overtaken by another is repeated, so that the window has its key', { tag: '@nightly' }, async ({ start }) => {
  const desktop = await start({ words: ['--hidden'] })
  await appOrigin(desktop)
  await expect.poll(() => trayLabels(desktop)).toContain('Sign in to sync')
  await desktop.inMain(({ app }) => {
    app.once('web-contents-created', (_, contents) => {
      const loadUrl = contents.loadURL.bind(contents)
      contents.loadURL = (address, options) => {
        contents.loadURL = loadUrl
        const first = loadUrl(address, options)
        loadUrl(new URL('/', address).href).catch(() => undefined)
        return first
      }
    })
  }, null)
  await clickTray(desktop, 'Open Fillbook')
  await expect.poll(() => visible(desktop)).toBe(true)
  await enterDemo(await desktop.page())
})

test('a window that is closed before its page is through stays closed', { tag: '@nightly' }, async ({ start }) => {
  const desktop = await start()
  await desktop.page()
  await expect.poll(() => visible(desktop)).toBe(true)
  await desktop.inMain(({ app, BrowserWindow }) => {
    app.once('browser-window-created', (_event, window) => {
      const contents = window.webContents
      const load = contents.loadURL.bind(contents)
      // As with a page whose last picture takes its time.
      const hidden = new Promise<void>((resolve) => { window.once('hide', () => { resolve() }) })
      contents.loadURL = (url) => load(url).then(() => hidden)
      window.once('show', () => { window.close() })
    })
    BrowserWindow.getAllWindows()[0]?.destroy()
  }, null)
  await clickTray(desktop, 'Open Fillbook')
  await expect.poll(() => titles(desktop)).toEqual(['Fillbook keeps running in the tray'])
  expect(await visible(desktop)).toBe(false)
  await clickTray(desktop, 'Open Fillbook')
  await expect.poll(() => visible(desktop)).toBe(true)
})
