import { expect } from '@playwright/test'
import { test } from './app-test.ts'
import { fillEveryScreen, screensOutside, screensWithin, visit } from './every-screen.ts'
import { overlapping, sideways } from './overlaps.ts'
import { roomless } from './room-for-words.ts'

test.use({ begins: 'outside' })

// A window of 1440 × 900 at 200 %.
const magnified = { width: 720, height: 450 }

for (const [language, code] of [['English', 'en'], ['Malayalam', 'ml-IND']] as const) {
  test(`at 200 % in ${language} no screen scrolls sideways, and no control lies over another`, { tag: '@nightly' }, async ({ page }) => {
    test.slow()
    const found = new Map<string, string>()
    const look = async (path: string): Promise<void> => {
      for (const fault of [...(await sideways(page)), ...(await overlapping(page)), ...(await roomless(page))]) if (!found.has(fault)) found.set(fault, `${path}: ${fault}`)
    }
    await page.setViewportSize(magnified)
    await page.evaluate((lang) => { localStorage.setItem('lang', lang) }, code)
    for (const [at, path] of [...screensOutside, '/auth/forgot-password', '/auth/signup', '/auth/signin'].entries()) {
      await visit(page, path, at === 0)
      await look(path)
    }
    await fillEveryScreen(page)
    for (const [at, path] of screensWithin.entries()) {
      await visit(page, path, at === 0)
      await look(path)
    }
    await expect(page.locator('html')).toHaveAttribute('lang', code === 'en' ? 'en' : 'ml-IN')
    expect([...found.values()]).toEqual([])
  })
}
