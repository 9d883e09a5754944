import { expect, type Locator, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { expectAccessible, goTo, signOut, signUp } from './app-test.ts'
import { connect, readApi, test } from './broker-test.ts'

test.use({ begins: 'outside' })

type Figures = { all: { count: number }; equity: unknown; bySymbol: unknown; recent: { userId: string }[] }

const figures = async (page: Page): Promise<Figures> => {
  const { all, equity, bySymbol, recent } = await readApi<Figures>(page, '/api/statistics?unit=trades')
  return { all, equity, bySymbol, recent: recent.map((trade) => ({ ...trade, userId: '' })) }
}
const open = async (page: Page): Promise<void> => {
  await goTo(page, '/dashboard/Settings?section=journal')
  await expect(page.getByRole('heading', { name: 'Whole journal' })).toBeVisible()
}
const importing = (page: Page): Locator => page.getByRole('region', { name: 'Import a journal' })
const drop = async (page: Page, file: { name: string; bytes: Buffer }): Promise<void> => {
  const data = await page.evaluateHandle(({ name, base64 }) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name))
    return transfer
  }, { name: file.name, base64: file.bytes.toString('base64') })
  const zone = page.getByRole('region', { name: 'Drop a journal file here' })
  await zone.dispatchEvent('dragover', { dataTransfer: data })
  await zone.dispatchEvent('drop', { dataTransfer: data })
}

test('a journal leaves as one file, and a new profile that brings it in has the same figures', { tag: '@nightly' }, async ({ page, broker }) => {
  broker.clock.set(broker.walk.at(-1)?.at ?? 0)
  await signUp(page)
  await connect(page)
  await expect.poll(async () => (await readApi<{ total: number }>(page, '/api/fill-pairs')).total).toBeGreaterThan(10)
  const before = await figures(page)
  expect(before.all.count).toBeGreaterThan(5)
  await open(page)
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export everything' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^fillbook-\d{4}-\d\d-\d\d\.fillbook$/)
  const bytes = readFileSync(await file.path())

  // Whoever signs in next comes back to where the last one left.
  await goTo(page, '/dashboard')
  await signOut(page)
  await signUp(page, 'otto@example.com')
  expect((await figures(page)).all.count).toBe(0)
  await open(page)
  await drop(page, { name: 'cut.fillbook', bytes: bytes.subarray(0, bytes.length - 400) })
  await expect(importing(page).getByRole('alert')).toHaveText('This file is incomplete, and nothing was imported. Copy or download it again.')
  await drop(page, { name: 'fillbook.fillbook', bytes })
  await expect(importing(page).getByRole('heading', { name: 'This file is intact. It holds:' })).toBeFocused()
  await expectAccessible(page)
  expect((await figures(page)).all.count).toBe(0)
  await importing(page).getByRole('button', { name: 'Import journal' }).click()
  await expect(importing(page).getByText('Journal imported.')).toBeVisible()
  await expectAccessible(page)
  expect(await figures(page)).toEqual(before)
  await goTo(page, '/dashboard')
  await expect(page.getByText('No trades yet')).toHaveCount(0)

  // Chosen instead of dropped, and given up before anything is done.
  await open(page)
  const chooser = page.waitForEvent('filechooser')
  await importing(page).getByRole('button', { name: 'Choose file' }).click()
  await (await chooser).setFiles({ name: 'again.fillbook', mimeType: 'application/octet-stream', buffer: bytes })
  await importing(page).getByRole('button', { name: 'Not now' }).click()
  await expect(importing(page).getByRole('button', { name: 'Choose file' })).toBeVisible()
  expect(await figures(page)).toEqual(before)
})
