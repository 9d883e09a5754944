import { expect, type Page } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import { goTo, signOut, signUp, test } from './app-test.ts'

const folder = fileURLToPath(new URL('../../screenshots/', import.meta.url))
const sizes = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }]

/** Takes one screen in every size and theme. */
const picture = async (page: Page, name: string): Promise<void> => {
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /\bdark\b/ : /^(?!.*\bdark\b)/)
      await page.screenshot({ path: `${folder}${name}-${String(size.width)}-${colorScheme}.png`, animations: 'disabled' })
    }
  }
}

const dashboard = [['/dashboard', 'Overview', 'overview'], ['/dashboard/TradeLogbook', 'TradeLogbook', 'trade-logbook'], ['/dashboard/AutoSync', 'AutoSync', 'auto-sync']] as const

test('identity and shell, with an empty journal', async ({ page }) => {
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await picture(page, 'sign-in-first')
  await signUp(page)
  for (const [path, heading, name] of dashboard) {
    await goTo(page, path)
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await picture(page, `${name}-empty`)
  }
  await page.getByRole('button', { name: 'This computer only' }).click()
  await picture(page, 'place')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await picture(page, 'account-menu')
  await page.keyboard.press('Escape')
  await signOut(page)
  for (const [path, heading, name] of [['/auth/signin', 'Sign in', 'sign-in'], ['/auth/signup', 'Create a profile', 'sign-up'], ['/auth/forgot-password', 'Set a new password', 'forgot-password'], ['/404', '404', 'not-found']] as const) {
    await goTo(page, path)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await picture(page, name)
  }
})

test('the dashboard of the demo, with its trades', async ({ page }) => {
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await page.getByRole('link', { name: 'AutoSync' }).click()
  await page.getByRole('button', { name: 'Add Account' }).first().click()
  await picture(page, 'connect')
  await page.getByRole('button', { name: '+ Add Account here' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await picture(page, 'auto-sync-running')
  await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 60_000 })
  for (const [path, heading, name] of dashboard) {
    await goTo(page, path)
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    await picture(page, name)
  }
})
