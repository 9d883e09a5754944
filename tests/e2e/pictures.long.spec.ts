import { startApp } from '#tests/helpers/running-app.ts'
import { expect, type Locator, type Page } from '@playwright/test'
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessible, goTo, password, signUp, test } from './app-test.ts'
import { postApi, readApi } from './broker-test.ts'

test.use({ begins: 'outside' })

type Pictures = Record<'screenshot' | 'screenshotHeadline' | 'screenshot2' | 'screenshot2Headline', string>

const pictureName = /^[0-9a-f]{64}\.png$/
const place = (page: Page, which: 'First' | 'Second'): Locator => page.getByRole('group', { name: `${which} picture` })
const row = (page: Page): Locator => page.locator('[data-line="0"]')
const saved = async (page: Page): Promise<Pictures | undefined> => (await readApi<{ rows: Pictures[] }>(page, '/api/fill-pairs')).rows[0]
const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Done' }).click()
const shown = (picture: Locator): Promise<number> => picture.locator('img').evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : 0))

/** A picture like a chart, drawn in the browser: PNG bytes as base64. */
const drawn = (page: Page, seed: number): Promise<string> =>
  page.evaluate((shift) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 960, height: 540 })
    const pen = canvas.getContext('2d')
    if (pen === null) throw new Error('No canvas')
    pen.fillStyle = '#131722'
    pen.fillRect(0, 0, 960, 540)
    for (let bar = 0; bar < 60; bar += 1) {
      const middle = 270 + 120 * Math.sin((bar + shift) / 9) + 30 * Math.cos((bar * 7 + shift) % 11)
      pen.fillStyle = Math.sin(bar * 1.7 + shift) > 0 ? '#26a69a' : '#ef5350'
      pen.fillRect(bar * 16 + 4, middle - 25, 9, 50)
      pen.fillRect(bar * 16 + 8, middle - 45, 1, 90)
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  }, seed)
const fileOf = async (page: Page, seed: number) => ({ name: 'chart.png', mimeType: 'image/png', buffer: Buffer.from(await drawn(page, seed), 'base64') })

/** Puts a picture on the clipboard, with text beside it where some is given. */
const copy = async (page: Page, seed: number, text?: string): Promise<void> => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const base64 = await drawn(page, seed)
  await page.evaluate(
    async ([picture, words]) => {
      const bytes = Uint8Array.from(atob(picture ?? ''), (letter) => letter.charCodeAt(0))
      const parts: Record<string, Blob> = { 'image/png': new Blob([bytes], { type: 'image/png' }) }
      if (words !== undefined) parts['text/plain'] = new Blob([words], { type: 'text/plain' })
      await navigator.clipboard.write([new ClipboardItem(parts)])
    },
    [base64, text],
  )
}

const choose = async (page: Page, which: 'First' | 'Second', file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> => {
  const chooser = page.waitForEvent('filechooser')
  await place(page, which).getByRole('button', { name: /^(Choose|Replace): / }).press('Enter')
  await (await chooser).setFiles(file)
}

/** Signs up and opens a trade that was entered by hand. */
const openTrade = async (page: Page): Promise<void> => {
  await signUp(page)
  await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json', 'x-fillbook-key': localStorage.getItem('fillbook-key') ?? '' }
    const { currentUser } = (await (await fetch('/api/session', { headers })).json()) as { currentUser: { uid: string } }
    const trade = { id: crypto.randomUUID(), symbol: 'MESH6', account: 'Notebook', accountId: '', side: 'long', qty: 3, entryPrice: 6052.25, exitPrice: 6054.75, entryTime: '2026-02-13T19:12:00Z', exitTime: '2026-02-13T19:41:07Z', platform: '' }
    const answer = await fetch('/api/firestore-add-trade', { method: 'POST', headers, body: JSON.stringify({ userId: currentUser.uid, trade }) })
    if (!answer.ok) throw new Error(await answer.text())
  })
  await goTo(page, '/dashboard/TradeLogbook')
  // A list that reloads between press and release of the mouse moves the row away from under it.
  await expect(async () => {
    await row(page).click({ timeout: 5_000 })
    await expect(page.getByRole('dialog', { name: 'MESH6, Long' })).toBeVisible({ timeout: 5_000 })
  }).toPass()
}

test('a picture is pasted, another chosen; both come into sight, are saved with their headlines, and open large, one after the other', { tag: '@nightly' }, async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await openTrade(page)
  await copy(page, 1)
  await page.keyboard.press('ControlOrMeta+V')
  await expect.poll(() => shown(place(page, 'First'))).toBe(960)
  await expect(place(page, 'First').locator('img')).toBeInViewport({ ratio: 1 })
  await choose(page, 'Second', await fileOf(page, 2))
  await expect.poll(() => shown(place(page, 'Second'))).toBe(960)
  await page.getByLabel('Headline of the first picture').fill('Entry at the open')
  await expectAccessible(page)

  const open = page.getByRole('button', { name: 'Enlarge: First picture' })
  await open.press('Enter')
  const large = page.getByRole('dialog', { name: 'Entry at the open' })
  const drawnAt = (picture: Locator): Promise<number> => picture.evaluate((image: HTMLImageElement) => Math.round(image.getBoundingClientRect().width))
  const picture = large.getByRole('img', { name: 'Entry at the open' })
  await expect(picture).toBeVisible()
  await expectAccessible(page)
  // In real size by Enter, and back.
  const fitting = await drawnAt(picture)
  await page.keyboard.press('Enter')
  await expect.poll(() => drawnAt(picture)).toBe(960)
  await page.keyboard.press('Enter')
  await expect.poll(() => drawnAt(picture)).toBe(fitting)
  await page.keyboard.press('ArrowRight')
  const second = page.getByRole('dialog', { name: 'Second picture' })
  await expect(second.getByRole('status')).toHaveText('Picture 2 of 2')
  await page.keyboard.press('ArrowRight')
  await expect(large.getByRole('status')).toHaveText('Picture 1 of 2')
  await page.keyboard.press('Escape')
  await expect(large).toBeHidden()
  await expect(open).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Changes saved', { exact: true })).toBeVisible()
  await expect.poll(() => saved(page)).toMatchObject({ screenshot: pictureName, screenshotHeadline: 'Entry at the open', screenshot2: pictureName })
  await row(page).click()
  for (const which of ['First', 'Second'] as const) await expect.poll(() => shown(place(page, which))).toBe(960)
})

test('a picture survives a restart', { tag: '@nightly' }, async ({ page, app, dataDir }) => {
  await openTrade(page)
  await choose(page, 'First', await fileOf(page, 1))
  await expect.poll(() => shown(place(page, 'First'))).toBe(960)
  await save(page)
  await expect.poll(() => saved(page)).toMatchObject({ screenshot: pictureName })
  await page.goto('about:blank')
  await app.stop()
  const again = await startApp({ dataDir })
  try {
    await page.goto(again.launchUrl)
    await page.getByLabel('Email').fill('nina@example.com')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
    await goTo(page, '/dashboard/TradeLogbook')
    await row(page).click()
    await expect.poll(() => shown(place(page, 'First'))).toBe(960)
  } finally {
    await again.stop()
  }
})

test('with both places taken a third picture is refused in words; one that is removed is out of the trade and makes room', { tag: '@nightly' }, async ({ page }) => {
  await openTrade(page)
  await copy(page, 1)
  await page.keyboard.press('ControlOrMeta+V')
  await page.keyboard.press('ControlOrMeta+V')
  await expect.poll(() => shown(place(page, 'Second'))).toBe(960)
  await page.keyboard.press('ControlOrMeta+V')
  await expect(page.getByRole('alert')).toHaveText('A trade holds two pictures. Remove or replace one first.')

  await page.getByRole('button', { name: 'Remove: First picture' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Choose: First picture' })).toBeFocused()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await save(page)
  await expect.poll(() => saved(page)).toMatchObject({ screenshot: '', screenshot2: pictureName })

  await row(page).click()
  await expect(page.getByRole('button', { name: 'Choose: First picture' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+V')
  await expect.poll(() => shown(place(page, 'First'))).toBe(960)
  await expect.poll(() => saved(page)).toMatchObject({ screenshot: pictureName })
})

test('no SVG and no file over 10 MB becomes a picture; the words say why, and nothing is sent in vain', { tag: '@nightly' }, async ({ page, dataDir }) => {
  await openTrade(page)
  const alert = place(page, 'First').getByRole('alert')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  await choose(page, 'First', { name: 'chart.png', mimeType: 'image/png', buffer: Buffer.from(svg) })
  await expect(alert).toHaveText('This file is not a supported picture. Use a PNG, JPEG, GIF or WebP.')

  const sent: string[] = []
  page.on('request', (request) => { if (request.url().includes('/api/pictures')) sent.push(request.method()) })
  const tooLarge = Buffer.concat([Buffer.from(await drawn(page, 1), 'base64'), Buffer.alloc(10_000_000)])
  await choose(page, 'First', { name: 'huge.png', mimeType: 'image/png', buffer: tooLarge })
  await expect(alert).toHaveText('This picture is too large. Use one of at most 10 MB.')
  expect(sent).toEqual([])
  expect(existsSync(join(dataDir, 'pictures'))).toBe(false)

  await choose(page, 'First', await fileOf(page, 3))
  await expect(alert).toHaveCount(0)
  await expect.poll(() => shown(place(page, 'First'))).toBe(960)
  await save(page)
  await expect.poll(() => saved(page)).toMatchObject({ screenshot: pictureName, screenshot2: '' })
})

test('a drop lands in the place that it hits, a drop beside it does not lead away from the page, and text stays text', { tag: '@nightly' }, async ({ page }) => {
  await openTrade(page)
  const picture = await drawn(page, 4)
  const drop = async (target: Locator): Promise<void> => {
    const data = await page.evaluateHandle((base64) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], 'chart.png', { type: 'image/png' }))
      return transfer
    }, picture)
    await target.dispatchEvent('dragover', { dataTransfer: data })
    await target.dispatchEvent('drop', { dataTransfer: data })
  }
  await drop(place(page, 'Second'))
  await expect.poll(() => shown(place(page, 'Second'))).toBe(960)
  await expect(place(page, 'First').locator('img')).toHaveCount(0)
  await drop(page.getByLabel('Notes'))
  await expect.poll(() => shown(place(page, 'First'))).toBe(960)

  await page.getByRole('button', { name: 'Remove: First picture' }).click()
  await copy(page, 5, 'words from a document')
  await page.getByLabel('Notes').focus()
  await page.keyboard.press('ControlOrMeta+V')
  await expect(page.getByLabel('Notes')).toHaveValue('words from a document')
  await expect(place(page, 'First').locator('img')).toHaveCount(0)
})

test('a trade is added with its picture, and saving waits for one that is on its way', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await goTo(page, '/dashboard/TradeLogbook')
  await page.getByRole('button', { name: 'Add trade' }).first().click()
  for (const [label, text] of Object.entries({ Contract: 'MESH6', 'Entry price': '6052.25', 'Exit price': '6054.75' })) await page.getByLabel(label, { exact: true }).fill(text)

  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/api/pictures', async (route) => {
    await held
    await route.continue()
  })
  await copy(page, 6)
  await page.keyboard.press('ControlOrMeta+V')
  const add = page.getByRole('dialog').getByRole('button', { name: 'Add trade' })
  await expect(add).toBeDisabled()
  letGo()
  await expect(add).toBeEnabled()
  await add.click()
  await expect.poll(() => saved(page)).toMatchObject({ screenshot: pictureName })
})

test('a picture that is not on this computer yet is said to be, and shows as soon as it is there', { tag: '@nightly' }, async ({ page, dataDir }) => {
  await openTrade(page)
  await page.getByRole('button', { name: 'Done' }).click()
  const [here, later] = [await fileOf(page, 7), await fileOf(page, 8)]
  const nameOf = ({ buffer }: { buffer: Buffer }): string => `${createHash('sha256').update(buffer).digest('hex')}.png`
  const { rows } = await readApi<{ rows: { id: string; userId: string }[] }>(page, '/api/fill-pairs')
  const { id = '', userId = '' } = rows[0] ?? {}
  const update = (updates: Partial<Pictures>): Promise<void> =>
    postApi(page, '/api/firestore-update-trade', { userId, id, updates })
  await update({ screenshot: nameOf(here), screenshot2: nameOf(later) })
  await expect.poll(() => saved(page)).toMatchObject({ screenshot: nameOf(here) })
  await page.reload()
  await row(page).click()
  await expect(place(page, 'First')).toContainText('Not on this computer yet')
  await expect(place(page, 'Second')).toContainText('Not on this computer yet')

  await choose(page, 'First', here)
  await expect.poll(() => shown(place(page, 'First'))).toBe(960)
  // As the mirror does it: the file first, then word of it.
  writeFileSync(join(dataDir, 'pictures', userId, nameOf(later)), later.buffer)
  await update({ screenshot2Headline: 'From the other computer' })
  await expect.poll(() => shown(place(page, 'Second'))).toBe(960)
})
