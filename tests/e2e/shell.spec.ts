import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'

test.use({ begins: 'outside' })

test('paths match without regard to case, and an unknown one is replaced by the not-found screen, which leads back and home', { tag: '@nightly' }, async ({ page, context }) => {
  await signUp(page)
  await goTo(page, '/DASHBOARD/tradelogbook')
  await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'TradeLogbook' })).toHaveAttribute('aria-current', 'page')
  await goTo(page, '/dashboard/Nowhere')
  await expect(page).toHaveURL(/#\/404$/)
  await expect(page.getByRole('heading', { name: '404' })).toBeVisible()
  await expect(page.getByText("Page doesn't exist", { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
  await goTo(page, '/nowhere')
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL(/#\/$/)
  await expect(page.getByRole('main').getByRole('link', { name: 'Open the journal' })).toBeVisible()

  // Where there is no page before, back leads in too.
  const first = await context.newPage()
  await first.goto(`${new URL(page.url()).origin}/#/nowhere`)
  await first.getByRole('button', { name: 'Go back' }).click()
  await expect(first.getByRole('heading', { name: 'Overview' })).toBeVisible()
})

test('a chosen theme holds over a reload and is there at the first paint', { tag: '@nightly' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await signUp(page)
  await expect(page.locator('html')).not.toHaveClass(/dark/)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveClass(/dark/)
  expect(await page.evaluate(() => localStorage.getItem('vite-ui-theme'))).toBe('dark')

  // With the program of the page held back, only the first script has run.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload()
  await expect(page.locator('html')).toHaveClass(/dark/)
  await page.unroute('**/assets/*.js')

  await page.reload()
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitemradio', { name: 'System' }).click()
  await expect(page.locator('html')).not.toHaveClass(/dark/)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveClass(/dark/)
})

test('a chosen language is saved, marks the document, and speaks', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitemradio', { name: 'മലയാളം' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ml-IN')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ml-IN')
  await expect(page).toHaveTitle(/^അവലോകനം .*Fillbook$/)
  await expect(page.getByRole('heading', { name: 'അവലോകനം' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('ml-IND')
})

test('the sidebar is minimised, remembered so, and keeps its names for those who cannot see', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await expect(page.getByRole('button', { name: 'Minimize sidebar', expanded: true })).toBeVisible()
  await page.getByRole('button', { name: 'Minimize sidebar' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible()
  await page.getByRole('link', { name: 'AutoSync' }).click()
  await expect(page.getByRole('heading', { name: 'AutoSync', exact: true })).toBeVisible()
  await expectAccessible(page)
})

test('the frame around the pages stays as it is while pages change', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const frame = await page.getByRole('complementary').elementHandle()
  for (const name of ['TradeLogbook', 'Import', 'Overview']) {
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  }
  expect(await frame?.evaluate((sidebar) => sidebar.isConnected)).toBe(true)
})

test('the place of the journal and the keeping of its tokens are said', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await page.getByRole('button', { name: 'This computer only' }).click()
  await expect(page.getByText('In an encrypted file')).toBeVisible()
  await expectAccessible(page)
})

test('a page that breaks says so with the error and the way back', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await page.route('**/assets/auto-sync-page-*.js', (route) => route.abort())
  await page.reload()
  await page.getByRole('link', { name: 'AutoSync' }).click()
  await expect(page.getByRole('heading', { name: 'Ooops, something went wrong :(' })).toBeVisible()
  const [message, stack] = [page.getByRole('paragraph'), page.locator('pre')]
  await expect(message).toHaveText(/^Failed to fetch dynamically imported module: http/)
  await expect(stack).toHaveText(/^TypeError: Failed to fetch dynamically imported module/)
  expect(await page.getByRole('main').boundingBox()).toMatchObject({ x: 0, y: 0, width: 1440 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()

  // Where the screen that says so breaks too, the router's own is left, and a step back still leads on.
  await page.unrouteAll()
  const breaksTwice = "const broken = new Error('once'); Object.defineProperty(broken, 'message', { get() { throw new Error('and once more') } }); throw broken"
  await page.route('**/assets/auto-sync-page-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: breaksTwice }))
  await page.reload()
  await page.getByRole('link', { name: 'AutoSync' }).click()
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'and once more' })).toBeVisible()
  await expect(page.getByText('developer')).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
})

test('nothing on the page breaks its policy or calls another place', async ({ page, app }) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== app.origin) complaints.push(request.url())
  })
  await goTo(page, '/auth/signin')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await signUp(page)
  for (const path of ['/dashboard/TradeLogbook', '/dashboard/AutoSync', '/404']) await goTo(page, path)
  await expect(page.getByRole('heading', { name: '404' })).toBeVisible()
  expect(complaints).toEqual([])
})

const holdBack = async (page: Page, url: string): Promise<() => void> => {
  let letGo = (): void => undefined
  const held = new Promise<void>((done) => (letGo = done))
  await page.route(url, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}

test('the spinner replaces the user, and the loading image a page, until they load', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const bringUser = await holdBack(page, '**/api/session')
  const bringPage = await holdBack(page, '**/assets/auto-sync-page-*.js')
  const loading = page.getByRole('status').filter({ hasText: 'Loading' })
  const moving = (): Promise<number> => page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length)
  await page.reload()
  await expect(loading).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  expect(await moving()).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(moving).toBe(0)
  await expect(loading).toBeVisible()
  bringUser()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await expect(loading).toHaveCount(0)

  await page.getByRole('link', { name: 'AutoSync' }).click()
  await expect(loading.getByText('Fillbook')).toBeVisible()
  await expect(page.getByRole('navigation')).toBeVisible()
  await expect.poll(moving).toBe(0)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect.poll(moving).toBeGreaterThan(0)
  bringPage()
  await expect(page.getByRole('heading', { name: 'AutoSync', exact: true })).toBeVisible()
  await expect(loading).toHaveCount(0)
})

/** Makes a profile at the screen that shows its recovery code, whose copying says so in a toast. */
const toCopy = async (page: Page): Promise<{ readonly copy: () => Promise<void>; readonly toast: Locator }> => {
  await goTo(page, '/auth/signup')
  await page.getByLabel('Email').fill('nina@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Create profile' }).click()
  await expect(page.getByTestId('recovery-code')).toBeVisible()
  return { copy: () => page.getByRole('button', { name: 'Copy' }).click(), toast: page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem') }
}

test('a toast can be reached by F8, stays while it has the focus, and goes after five seconds', { tag: '@nightly' }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  const { copy, toast } = await toCopy(page)
  // What shows toasts comes with the first one.
  await copy()
  await expect(toast).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(toast).toHaveCount(0)
  await page.clock.pauseAt(Date.now() + 60_000)
  await copy()
  await expect(toast).toHaveText(/^Recovery code copied/)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await page.getByTestId('recovery-code').innerText())
  await page.clock.runFor(4_900)
  await expect(toast).toHaveCount(1)
  await page.clock.runFor(100)
  await expect(toast).toHaveCount(0)

  await copy()
  await expect(toast).toHaveCount(1)
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('list')).toBeFocused()
  await page.clock.runFor(6_000)
  await expect(toast).toHaveCount(1)
  await page.getByRole('button', { name: 'I saved it' }).focus()
  await page.clock.runFor(5_000)
  await expect(toast).toHaveCount(0)
})

test('at most one toast shows; Escape, its button and a swipe of 50 px to the right close it', { tag: '@nightly' }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { copy, toast } = await toCopy(page)
  await copy()
  const before = await toast.elementHandle()
  await copy()
  await expect.poll(() => before?.evaluate((one) => one.isConnected)).toBe(false)
  await expect(toast).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(toast).toHaveCount(0)
  await copy()
  await toast.getByRole('button', { name: 'Close' }).click()
  await expect(toast).toHaveCount(0)

  await copy()
  const box = await toast.boundingBox()
  if (box === null) throw new Error('The toast shows')
  const swipe = async (pixels: number): Promise<void> => {
    const [x, y] = [box.x + 20, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + pixels, y, { steps: 8 })
    await page.mouse.up()
  }
  await swipe(-80)
  await swipe(45)
  await expect(toast).toHaveCount(1)
  await expect.poll(async () => (await toast.boundingBox())?.x).toBe(box.x)
  await swipe(55)
  await expect(toast).toHaveCount(0)
})
