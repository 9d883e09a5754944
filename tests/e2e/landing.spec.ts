import { plans } from '#shared/plans/plan.ts'
import { expect, type Page } from '@playwright/test'
import { expectAccessible, goTo, signOut, signUp, test } from './app-test.ts'
import { allow, goToConsent, labelAll } from './broker-test.ts'

test.use({ begins: 'outside' })

const promise = 'P&L that matches your broker’s to the cent, and proves it'
const onLanding = (page: Page) => page.getByRole('heading', { level: 1, name: promise })
const sideways = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('a first start shows what Fillbook is, and leads by the demo to the first trade', { tag: '@long' }, async ({ page, app }) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(app.origin)
  await expect(onLanding(page)).toBeVisible()
  await expect(page).toHaveTitle('Trading journal for futures and prop-firm traders · Fillbook')
  for (const { eurosPerMonth } of Object.values(plans)) await expect(page.getByText(`€${String(eurosPerMonth)}`, { exact: true })).toBeVisible()

  // The first picture is there, in the theme; the others have their place and wait.
  const first = page.getByRole('img', { name: /^Overview/ })
  await expect(first).toHaveAttribute('src', /overview-dark/)
  await expect.poll(() => first.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBeGreaterThan(1_000)
  expect(asked.filter((url) => url.includes('ai-report'))).toEqual([])
  const proof = page.getByRole('img', { name: /^Reconciliation/ })
  await expect(proof).toHaveAttribute('loading', 'lazy')
  const before = await proof.boundingBox()
  await proof.scrollIntoViewIfNeeded()
  await expect.poll(() => proof.evaluate((picture: HTMLImageElement) => picture.complete && picture.naturalWidth > 0)).toBe(true)
  expect(await proof.boundingBox()).toMatchObject({ width: before?.width, height: before?.height })
  await page.getByRole('tab', { name: 'TradeCopier' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('img', { name: /^PositionScanner/ })).toBeVisible()
  await expectAccessible(page)

  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  await expect(page.locator('html')).not.toHaveClass(/dark/)
  await expect(first).toHaveAttribute('src', /overview-light/)
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: 'മലയാളം' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ml-IN')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/തുല്യമായ P&L/)
  for (const width of [360, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await sideways(page), String(width)).toBe(0)
  }
  await page.evaluate(() => { localStorage.setItem('lang', 'en') })
  await page.reload()
  await page.setViewportSize({ width: 360, height: 800 })
  await expect(onLanding(page)).toBeVisible()
  expect(await sideways(page)).toBe(0)
  expect(complaints).toEqual([])
  expect(asked.filter((url) => new URL(url).origin !== app.origin)).toEqual([])

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await goToConsent(page)
  await allow(page)
  await labelAll(page)
  await goTo(page, '/dashboard/TradeLogbook')
  await expect(page.locator('[data-line="0"]')).toBeVisible()
})

test('who was here before meets no advertisement: the bare address leads to the journal, or to signing in', { tag: '@nightly' }, async ({ page, app }) => {
  await signUp(page)
  await page.goto(`${app.origin}/favicon.svg`)
  await page.goto(app.origin)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()

  await goTo(page, '/')
  await expect(onLanding(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try it with the demo brokerage' })).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Open the journal' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()

  await signOut(page)
  await page.goto(`${app.origin}/favicon.svg`)
  await page.goto(app.origin)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('link', { name: 'About Fillbook' }).click()
  await expect(onLanding(page)).toBeVisible()
  await page.getByRole('link', { name: 'Create a profile' }).click()
  await expect(page.getByRole('heading', { name: 'Create a profile' })).toBeVisible()
  await goTo(page, '/')
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('where the demo is not offered, a profile is the first step', { tag: '@nightly' }, async ({ page, app }) => {
  await page.route('**/api/session', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...((await answer.json()) as object), demoOffered: false } })
  })
  await page.goto(app.origin)
  await expect(page.getByRole('main').getByRole('link', { name: 'Create a profile' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try it with the demo brokerage' })).toHaveCount(0)
})
