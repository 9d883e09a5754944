import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRoutes } from '#shared/api/journal.ts'
import { largestPicture, picturePath } from '#shared/api/pictures.ts'
import { problem } from '#shared/api/problems.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { startApp } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { journalRows } from '#tests/helpers/journal-rows.ts'
import { sendUpload } from '#tests/helpers/upload.ts'

const head = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const png = (text: string): Buffer => Buffer.concat([head, Buffer.from(text)])
const nameOf = (picture: Buffer): string => `${createHash('sha256').update(picture).digest('hex')}.png`

const send = (browser: Browser, body: Buffer | string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${browser.origin}${picturePath}`, { method: 'POST', body: typeof body === 'string' ? body : new Uint8Array(body), headers: { ...browser.own(), 'content-type': 'image/png', ...headers } })
const get = (browser: Browser, name: string, given: { method?: string; headers?: Record<string, string> } = {}): Promise<Response> =>
  fetch(`${browser.origin}${picturePath}?name=${encodeURIComponent(name)}`, { ...given, headers: { ...browser.own(), ...given.headers } })
const codeOf = async (answer: Response) => [answer.status, problem.parse(await answer.json()).code]

test('a file in place of the pictures or imports folder is reported, and work continues once it is removed', { tags: 'long' }, async () => {
  const { browser, dataDir } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  await browser.signUp()
  const ways = { pictures: () => send(browser, png('one')), imports: () => sendUpload(browser, 'Fills.csv', 'x') }
  for (const [folder, sent] of Object.entries(ways)) {
    rmSync(join(dataDir, folder), { recursive: true, force: true })
    writeFileSync(join(dataDir, folder), '')
    expect(await codeOf(await sent())).toEqual([507, 'data-folder-unwritable'])
    rmSync(join(dataDir, folder))
    expect((await sent()).status).toBe(200)
  }
  rmSync(join(dataDir, 'pictures'), { recursive: true })
  writeFileSync(join(dataDir, 'pictures'), '')
  expect(await codeOf(await get(browser, nameOf(png('one'))))).toEqual([507, 'data-folder-unwritable'])
})

test('a picture is stored as its user’s file, is mirrored, and is returned unchanged', async () => {
  const { browser, dataDir, stop } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp()
  const picture = png('one')
  const sent = async (): Promise<unknown> => (await send(browser, picture)).json()
  expect([await sent(), await sent()]).toEqual([{ success: true, name: nameOf(picture) }, { success: true, name: nameOf(picture) }])
  expect(readdirSync(join(dataDir, 'pictures', userId))).toEqual([nameOf(picture)])
  expect(readFileSync(join(dataDir, 'pictures', userId, nameOf(picture)))).toEqual(picture)

  const answer = await get(browser, nameOf(picture))
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(picture)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect((await get(browser, nameOf(picture), { method: 'HEAD' })).status).toBe(200)
  await stop()
  expect(journalRows(join(dataDir, 'journal.db'))['outbox']).toContainEqual({ entity: 'picture', entity_id: nameOf(picture) })

  const again = await startApp({ dataDir })
  await again.browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  expect((await get(again.browser, nameOf(picture))).status).toBe(200)
})

test('a file that is no picture or too large is refused and stored nowhere, whatever type it claims', { tags: 'long' }, async () => {
  const { browser, dataDir } = await startApp()
  await browser.signUp()
  const strange = ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', '<!doctype html><script>alert(1)</script>', '', '{}']
  for (const body of strange) expect([body, ...(await codeOf(await send(browser, body)))]).toEqual([body, 400, 'picture-unreadable'])
  expect(await codeOf(await send(browser, png('x'), { 'content-encoding': 'gzip' }))).toEqual([400, 'picture-unreadable'])
  expect(await codeOf(await send(browser, Buffer.concat([head, Buffer.alloc(largestPicture)])))).toEqual([413, 'picture-too-large'])
  expect(readdirSync(dataDir)).not.toContain('pictures')
  expect((await send(browser, Buffer.concat([head, Buffer.alloc(largestPicture - head.length)]), { 'content-type': 'text/plain' })).status).toBe(200)
})

test('only its user can read or upload a picture, and no page of another origin', async () => {
  const { browser, newBrowser } = await startApp()
  const stranger = await newBrowser()
  const name = nameOf(png('mine'))
  expect(await codeOf(await send(stranger, png('x')))).toEqual([401, 'not-signed-in'])
  await browser.signUp()
  await send(browser, png('mine'))
  expect(await codeOf(await get(stranger, name))).toEqual([401, 'not-signed-in'])
  await stranger.signUp('bob@example.com')
  expect(await codeOf(await get(stranger, name))).toEqual([404, 'not-found'])
  expect(await codeOf(await fetch(`${browser.origin}${picturePath}?name=${name}`))).toEqual([401, 'no-session'])
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    expect(await codeOf(await get(browser, name, { headers }))).toEqual([403, 'strange-origin'])
    expect(await codeOf(await send(browser, png('y'), headers))).toEqual([403, 'strange-origin'])
  }
})

test('an invalid name is refused', async () => {
  const { browser } = await startApp()
  await browser.signUp()
  for (const name of ['../journal.db', '', '..', `${'a'.repeat(64)}.svg`, 'notes.txt']) expect([name, ...(await codeOf(await get(browser, name)))]).toEqual([name, 400, 'invalid-request'])
  expect(await codeOf(await fetch(`${browser.origin}${picturePath}`, { headers: browser.own() }))).toEqual([400, 'invalid-request'])
  expect(await codeOf(await get(browser, `${'a'.repeat(64)}.png`))).toEqual([404, 'not-found'])
})

test('a trade may name a picture that is not uploaded yet, and a removed one is not found', { tags: 'long' }, async () => {
  const { browser, dataDir } = await startApp()
  const { userId } = await browser.signUp()
  const times = { entryTime: '2026-02-13T14:12:00Z', exitTime: '2026-02-13T14:41:07Z' }
  const { trade } = await browser.call(recordRoutes.addTrade, { body: { userId, trade: { id: 't-1', symbol: 'MESH6', account: '', accountId: '', qty: 1, entryPrice: 6052.25, exitPrice: 6054.75, ...times, platform: '', screenshot: nameOf(png('elsewhere')) } } })
  expect(trade.screenshot).toBe(nameOf(png('elsewhere')))
  const updated = await browser.call(recordRoutes.updateTrade, { body: { userId, id: 't-1', updates: { screenshot2: nameOf(png('here')), screenshot2Headline: 'Entry' } } })
  expect(updated.trade).toMatchObject({ screenshot2: nameOf(png('here')), screenshot2Headline: 'Entry' })
  expect((await send(browser, png('here'))).status).toBe(200)
  expect((await get(browser, nameOf(png('here')))).status).toBe(200)
  rmSync(join(dataDir, 'pictures'), { recursive: true })
  expect(await codeOf(await get(browser, nameOf(png('here'))))).toEqual([404, 'not-found'])
})
