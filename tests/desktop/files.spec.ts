import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { goTo } from '#tests/e2e/app-test.ts'
import { until } from '#tests/helpers/until.ts'
import { enterDemo, test } from './desktop-test.ts'

test('the journal file is offered in the downloads folder, and saved where the user chooses', { tag: '@long' }, async ({ start, dataDir }) => {
  const desktop = await start()
  const page = await desktop.page()
  await enterDemo(page)
  const chosen = join(dataDir, 'chosen.fillbook')
  // Behind the program's own listener, in place of the user at the dialog.
  await desktop.inMain(({ session }, path) => {
    session.defaultSession.on('will-download', (_event, item) => {
      Object.assign(globalThis, { offeredAt: item.getSaveDialogOptions().defaultPath })
      item.setSavePath(path)
      item.once('done', (_done, state) => { Object.assign(globalThis, { downloadEnded: state }) })
    })
  }, chosen)
  await goTo(page, '/dashboard/Settings?section=journal')
  await page.getByRole('link', { name: 'Export everything' }).click()
  expect(await until(() => desktop.inMain(() => (globalThis as { downloadEnded?: string }).downloadEnded ?? null, null), 'the end of the download')).toBe('completed')
  const [offered, downloads] = await desktop.inMain(({ app }) => [(globalThis as { offeredAt?: string }).offeredAt ?? '', app.getPath('downloads')] as const, null)
  expect(offered.startsWith(join(downloads, 'fillbook'))).toBe(true)
  expect(gunzipSync(readFileSync(chosen)).toString('utf8')).toContain('"fillbook')
  // The page did not navigate.
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
})

test('only files from the app can be saved', { tag: '@long' }, async ({ start }) => {
  const desktop = await start()
  const page = await desktop.page()
  await enterDemo(page)
  await desktop.inMain(({ session }) => {
    session.defaultSession.on('will-download', (event) => { Object.assign(globalThis, { downloadRefused: event.defaultPrevented }) })
  }, null)
  await page.evaluate(() => {
    const link = document.createElement('a')
    Object.assign(link, { href: 'data:application/octet-stream,planted', download: 'planted.exe' })
    link.click()
  })
  expect(await until(() => desktop.inMain(() => (globalThis as { downloadRefused?: boolean }).downloadRefused ?? null, null), 'the download')).toBe(true)
})
