import { expect } from '@playwright/test'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'

test.use({ begins: 'outside' })

const pages = [
  ['/terms', 'Terms of use', 'Copying trades and closing positions'],
  ['/policy', 'Privacy', 'The cloud'],
] as const

test('terms and privacy are open to everybody, also to a browser without the key, and can be read by their contents', { tag: '@nightly' }, async ({ browser, app }) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== app.origin) elsewhere.push(request.url())
  })
  for (const [path, title, part] of pages) {
    await page.goto(`${app.origin}/#${path}`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page).toHaveTitle(`${title} · Fillbook`)
    const contents = page.getByRole('navigation', { name: 'Contents' })
    expect(await contents.getByRole('link').allInnerTexts()).toEqual(await page.getByRole('main').locator('section h2').allInnerTexts())
    await expectAccessible(page)
    await contents.getByRole('link', { name: part }).press('Enter')
    await expect(page.getByRole('region', { name: part })).toBeFocused()
    await expect(page.getByRole('region', { name: part })).toBeInViewport()
    await expect(contents.getByRole('link', { name: part })).toHaveAttribute('aria-current', 'location')
  }
  await page.getByRole('navigation', { name: 'About and legal' }).getByRole('link', { name: 'Licenses' }).click()
  await expect(page).toHaveTitle('Licenses · Fillbook')
  await expect(page.getByRole('heading', { level: 2, name: /^\d{3} packages$/ })).toBeVisible()
  const react = page.getByRole('listitem').filter({ hasText: /^react \d/ })
  await react.locator('summary').press('Enter')
  await expect(react.getByText('Copyright (c) Meta Platforms, Inc. and affiliates.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('navigation', { name: 'About and legal' }).getByRole('link', { name: 'Terms' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of use' })).toBeInViewport()
  await page.setViewportSize({ width: 360, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  expect(elsewhere).toEqual([])
  await context.close()
})

test('they are at hand where one signs up and in the settings', { tag: '@nightly' }, async ({ page }) => {
  for (const path of ['/auth/signup', '/dashboard/Settings']) {
    if (path !== '/auth/signup') await signUp(page)
    await goTo(page, path)
    const links = page.getByRole('navigation', { name: 'About and legal' })
    await expect(links.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '#/terms')
    await links.getByRole('link', { name: 'Privacy' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Open the journal' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
})
