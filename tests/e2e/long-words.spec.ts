import { expect } from '@playwright/test'
import { test } from './app-test.ts'
import { fillEveryScreen, screensOutside, screensWithin, visit } from './every-screen.ts'
import { buildLonger, longer, serveInstead } from './longer-words.ts'
import { roomlessForGood } from './room-for-words.ts'
import { temporaryFolder } from '#tests/helpers/running-app.ts'

test.use({ begins: 'outside' })

const sizes = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }]

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
      // The frame around every screen is reported once.
      for (const fault of await roomlessForGood(page)) found.set(fault, `${path} at ${String(size.width)}: ${fault}`)
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
