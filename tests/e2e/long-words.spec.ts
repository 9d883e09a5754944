import { expect, type Page } from '@playwright/test'
import { test } from './app-test.ts'
import { fillEveryScreen, screensOutside, screensWithin, visit } from './every-screen.ts'
import { buildLonger, longer, serveInstead } from './longer-words.ts'
import { roomless } from './room-for-words.ts'
import { temporaryFolder } from '#tests/helpers/running-app.ts'

test.use({ begins: 'outside' })

const sizes = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }]

/** What finds no room once the page has taken on its window's new size, which it does a moment later. */
const faultsThatStay = async (page: Page): Promise<readonly string[]> => {
  let faults: readonly string[] = []
  await expect.poll(async () => (faults = await roomless(page)).length, { timeout: 3_000 }).toBe(0).catch(() => undefined)
  return faults
}

test('every screen has room for words that are 40 % longer', { tag: '@nightly' }, async ({ page }) => {
  test.slow()
  const folder = await temporaryFolder()
  await buildLonger(folder.path)
  await serveInstead(page, folder.path)
  expect(longer('Sync {{count}} trades of $t(all)')).toBe('Syncsy {{count}} tradestra ofo $t(all)')

  const found = new Map<string, string>()
  const look = async (path: string): Promise<void> => {
    for (const size of sizes) {
      await page.setViewportSize(size)
      // What stands around every screen is told once.
      for (const fault of await faultsThatStay(page)) found.set(fault, `${path} at ${String(size.width)}: ${fault}`)
    }
  }
  for (const [at, path] of [...screensOutside, '/auth/signin', '/auth/signup', '/auth/forgot-password'].entries()) {
    await visit(page, path, at === 0)
    await look(path)
  }
  await fillEveryScreen(page)
  for (const [at, path] of screensWithin.entries()) {
    await visit(page, path, at === 0)
    if (at === 0) await expect(page.getByRole('heading', { level: 1, name: longer('Overview') })).toBeVisible()
    await look(path)
  }
  expect([...found.values()]).toEqual([])
  await folder.remove()
})
