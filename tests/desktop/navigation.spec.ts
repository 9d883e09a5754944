import { expect, type Page } from '@playwright/test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Desktop } from '#tests/helpers/electron/desktop.ts'
import { temporaryFolder } from '#tests/helpers/running-app.ts'
import { appOrigin, test as base, windowState } from './desktop-test.ts'
import { consentAt, startPlace, type Place } from './places.ts'

/** One desktop with the test's own brokerage, and an unrelated site. */
type World = { readonly desktop: Desktop; readonly broker: Place; readonly stranger: Place }

const test = base.extend<object, { worldOfPlaces: World }>({
  worldOfPlaces: [
    async ({ starterFor }, use) => {
      const [broker, stranger, folder] = await Promise.all([startPlace(), startPlace(), temporaryFolder()])
      const { start, end } = starterFor(folder.path)
      const desktop = await start({ env: consentAt(broker) })
      // The first page keeps the key of its browser; one that is led away before has none.
      await expect((await desktop.page()).getByRole('heading', { name: 'Sign in' })).toBeVisible()
      await use({ desktop, broker, stranger })
      await end()
      await Promise.all([broker.close(), stranger.close(), folder.remove()])
    },
    { scope: 'worker' },
  ],
})

const navigations = {
  link: (page: Page, address: string) => clickOn(page, address, '', []),
  'link for a new window': (page: Page, address: string) => clickOn(page, address, '_blank', []),
  'middle click': (page: Page, address: string) => clickOn(page, address, '', ['middle']),
  location: (page: Page, address: string) => page.evaluate((to) => { setTimeout(() => { location.href = to }) }, address),
  'window.open': (page: Page, address: string) => page.evaluate((to) => { setTimeout(() => open(to)) }, address),
  form: (page: Page, address: string) =>
    page.evaluate((to) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: to })
      document.body.append(form)
      form.submit()
      form.remove()
    }, address),
}
type Navigation = keyof typeof navigations
// All go through the same door: the short run knocks once, the nightly run by every navigation.
const tagOf = (by: Navigation): { tag?: string } => (by === 'link' ? {} : { tag: '@nightly' })

const clickOn = async (page: Page, address: string, target: string, [button]: ('middle')[]): Promise<void> => {
  await page.evaluate(([to, opens]) => {
    document.getElementById('link')?.remove()
    const link = Object.assign(document.createElement('a'), { id: 'link', href: to, target: opens, textContent: 'link' })
    link.style.cssText = 'position:fixed;top:0;left:0;z-index:2147483647;padding:20px;background:white'
    document.body.append(link)
  }, [address, target] as const)
  const link = page.locator('#link')
  if (button === undefined) return page.evaluate(() => { setTimeout(() => document.getElementById('link')?.click()) })
  // Clicked as a person does, without waiting for where it leads.
  const box = await link.boundingBox()
  if (box === null) throw new Error('There is no link')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { button })
}

const opened = (desktop: Desktop): readonly string[] => desktop.recorded().flatMap((one) => (one.what === 'open-external' ? [one.url] : []))

let fences = 0
/** Leads somewhere that is surely opened elsewhere, after all that was led to before. */
const fence = async ({ desktop, stranger }: World, page: Page): Promise<void> => {
  fences += 1
  const address = `${stranger.origin}/fence-${String(fences)}`
  await page.evaluate((to) => { open(to) }, address)
  await expect.poll(() => opened(desktop)).toContain(address)
}

const goHome = async (world: World): Promise<Page> => {
  const page = await world.desktop.page()
  await page.goto(`${await appOrigin(world.desktop)}/`)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  return page
}

const goToBroker = async (world: World): Promise<Page> => {
  const page = await goHome(world)
  await navigations.location(page, `${world.broker.origin}/consent`)
  await expect(page.getByRole('heading', { name: 'Elsewhere /consent' })).toBeVisible()
  return page
}

/** The page's own policy lets no form leave for another origin: it does not even ask. */
const formsStay = (by: Navigation, address: string, origin: string): boolean => by === 'form' && !address.startsWith(origin)

for (const by of Object.keys(navigations) as Navigation[]) {
  test(`from the app by ${by}`, tagOf(by), async ({ worldOfPlaces: world }) => {
    const { desktop, broker, stranger } = world
    const origin = await appOrigin(desktop)
    const go = navigations[by]
    let page = await goHome(world)

    // Nowhere, whatever leads there.
    const hostile = ['mailto:somebody@example.com', 'fillbook://open', 'file:///etc/hostname', 'http://example.invalid/', `http://user:word@localhost:${new URL(stranger.origin).port}/named`, 'javascript:document.title="taken"', 'data:text/html,taken', 'ms-settings:about']
    for (const address of hostile) await go(page, address)
    await fence(world, page)
    expect(opened(desktop).filter((address) => !address.includes('/fence-')).filter((address) => hostile.includes(address))).toEqual([])
    expect((await windowState(desktop))?.url.startsWith(`${origin}/`)).toBe(true)
    expect(await page.title()).not.toBe('taken')
    expect(stranger.asked).toEqual([])

    // The system's browser.
    const abroad = [`${stranger.origin}/by-${by.replaceAll(' ', '-')}`, `https://example.com/by-${by.replaceAll(' ', '-')}`]
    for (const address of abroad) {
      await go(page, address)
      await fence(world, page)
      if (formsStay(by, address, origin)) expect(opened(desktop)).not.toContain(address)
      else await expect.poll(() => opened(desktop)).toContain(address)
    }
    expect(stranger.asked).toEqual([])
    expect(desktop.pages()).toHaveLength(1)

    // Inside: the app itself, and the brokerage's consent.
    if (by !== 'form') {
      await go(page, `${origin}/#/auth/signup`)
      await expect(page.getByRole('heading', { name: /Create/ }).first()).toBeVisible()
      page = await goHome(world)
      await go(page, `${broker.origin}/consent?by=${encodeURIComponent(by)}`)
      await expect(page.getByRole('heading', { name: 'Elsewhere /consent' })).toBeVisible()
      expect(await page.evaluate(() => 'fillbookDesktop' in globalThis)).toBe(false)
    }
    expect(desktop.pages()).toHaveLength(1)
  })

  test(`from the brokerage's page by ${by}`, tagOf(by), async ({ worldOfPlaces: world }) => {
    const { desktop, broker, stranger } = world
    const page = await goToBroker(world)
    const before = opened(desktop).length
    const strangerBefore = stranger.asked.length
    for (const address of [`${stranger.origin}/from-broker`, 'https://example.com/from-broker', 'mailto:somebody@example.com', 'fillbook://open']) await navigations[by](page, address)
    // What leads inside comes after all that.
    await navigations[by](page, `${broker.origin}/next`)
    await expect(page.getByRole('heading', { name: 'Elsewhere /next' })).toBeVisible()
    expect(opened(desktop)).toHaveLength(before)
    expect(stranger.asked).toHaveLength(strangerBefore)
    expect(desktop.pages()).toHaveLength(1)
  })
}

test("redirects follow the same rules, and the brokerage's callback reaches the app", { tag: '@long' }, async ({ worldOfPlaces: world }) => {
  const { desktop, broker, stranger } = world
  const page = await goToBroker(world)
  const before = opened(desktop).length
  // Each time another page, since one that is there already would be seen before the next has come.
  for (const [address, next] of [[`${stranger.origin}/redirected`, '/still-here'], ['https://example.com/redirected', '/here-again']] as const) {
    await navigations.location(page, `${broker.origin}/to?${encodeURIComponent(address)}`)
    await expect.poll(() => broker.asked).toContain(`/to?${encodeURIComponent(address)}`)
    await navigations.location(page, `${broker.origin}${next}`)
    await expect(page.getByRole('heading', { name: `Elsewhere ${next}` })).toBeVisible()
  }
  expect(opened(desktop)).toHaveLength(before)
  expect(stranger.asked.filter((path) => path.includes('redirected'))).toEqual([])
  await navigations.location(page, `${broker.origin}/to?${encodeURIComponent(`${await appOrigin(desktop)}/oauth/callback?code=c&state=unknown`)}`)
  await expect(page).toHaveURL(new RegExp(`^${await appOrigin(desktop)}/#`))
})

test("the brokerage's page and its frames have no access to the desktop, and the title names its host", async ({ worldOfPlaces: world }) => {
  const { desktop, broker, stranger } = world
  const page = await goHome(world)
  expect(await page.evaluate(() => 'fillbookDesktop' in globalThis)).toBe(true)
  await navigations.location(page, `${broker.origin}/frame?${encodeURIComponent(`${stranger.origin}/framed`)}`)
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Elsewhere /framed' })).toBeVisible()
  for (const frame of page.frames()) {
    expect(await frame.evaluate(() => ['fillbookDesktop', 'require', 'process', 'ipcRenderer'].filter((name) => name in globalThis))).toEqual([])
  }
  await expect.poll(async () => (await windowState(desktop))?.title).toContain(new URL(broker.origin).host)
  // Back in the menu leads home.
  await desktop.inMain(({ Menu }) => {
    const all = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? []
    all.find(({ label }) => label === 'Back')?.click()
  }, null)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect.poll(async () => (await windowState(desktop))?.title).not.toContain('localhost')
})

test("a brokerage's page gets the app into no frame and no file onto the disk", async ({ worldOfPlaces: world }) => {
  const { desktop, broker, stranger } = world
  const origin = await appOrigin(desktop)
  const page = await goToBroker(world)
  const logs = join(dirname(await desktop.inMain(({ app }) => app.getPath('userData'), null)), 'logs')
  const refusals = (): number => readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8').split('download was refused').length - 1).reduce((sum, count) => sum + count, 0)

  await navigations.location(page, `${broker.origin}/frame?${encodeURIComponent(`${origin}/`)}`)
  await expect(page.getByRole('heading', { name: 'Elsewhere /frame' })).toBeVisible()
  await expect.poll(() => page.frames().length).toBe(2)
  await page.waitForLoadState()
  expect(await Promise.all(page.frames().map((frame) => frame.evaluate(() => [location.origin, 'fillbookDesktop' in globalThis])))).toEqual([[broker.origin, false], ['null', false]])

  // What it made itself, and what belongs to the app.
  const before = refusals()
  await page.evaluate(() => { Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob(['x'])), download: '../../evil.exe' }).click() })
  await expect.poll(refusals).toBe(before + 1)
  await page.evaluate(() => { Object.assign(document.createElement('a'), { href: 'data:application/octet-stream,x', download: 'evil.exe' }).click() })
  await expect.poll(refusals).toBe(before + 2)

  // A redirect that leads out before it leads in ends where it leaves.
  const asked = stranger.asked.length
  await navigations.location(page, `${broker.origin}/to?${encodeURIComponent(`${stranger.origin}/to?${encodeURIComponent(`${origin}/oauth/callback?code=c&state=s`)}`)}`)
  await navigations.location(page, `${broker.origin}/behind-it`)
  await expect(page.getByRole('heading', { name: 'Elsewhere /behind-it' })).toBeVisible()
  expect(stranger.asked).toHaveLength(asked)
})

test("a brokerage's page cannot keep the window from returning to the app", { tag: '@long' }, async ({ worldOfPlaces: world }) => {
  const page = await goToBroker(world)
  // Left to the desktop, which shows no such question.
  page.on('dialog', () => undefined)
  await page.evaluate(() => { addEventListener('beforeunload', (event) => { event.preventDefault() }) })
  // A page may ask only after a user gesture.
  await page.mouse.click(5, 5)
  await world.desktop.inMain(({ Menu }) => {
    const all = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? []
    all.find(({ label }) => label === 'Back')?.click()
  }, null)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test("the app's page holds no frame of another origin", async ({ worldOfPlaces: world }) => {
  const { stranger } = world
  const page = await goHome(world)
  await page.evaluate((address) => { document.body.append(Object.assign(document.createElement('iframe'), { src: address })) }, `${stranger.origin}/in-app`)
  await fence(world, page)
  expect(stranger.asked.filter((path) => path === '/in-app')).toEqual([])
})

test('a page is denied every device permission', async ({ worldOfPlaces: world }) => {
  for (const go of [goHome, goToBroker]) {
    const page = await go(world)
    const states = await page.evaluate(async () => Object.fromEntries(await Promise.all(['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'].map(async (name) => [name, (await navigator.permissions.query({ name: name as 'geolocation' })).state]))))
    expect(states).toEqual({ geolocation: 'denied', notifications: 'denied', camera: 'denied', microphone: 'denied', 'clipboard-read': 'denied', midi: 'denied' })
  }
})
