import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { recordRoutes } from '#shared/api/journal.ts'
import { backupRoutes } from '#shared/api/backups.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { journalFilePath, journalFileRoutes, largestJournalFile, receivedJournal } from '#shared/api/journal-file.ts'
import { picturePath } from '#shared/api/pictures.ts'
import { problem } from '#shared/api/problems.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { journalFileVersion } from '#shared/mirror/journal-file.ts'
import { startApp } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { uploadAll, importRequest } from '#tests/helpers/upload.ts'

const { importJournal, dropJournalFile } = journalFileRoutes
const get = (browser: Browser, headers: Record<string, string> = {}): Promise<Response> => fetch(`${browser.origin}${journalFilePath}`, { headers: { ...browser.own(), ...headers } })
const send = (browser: Browser, body: Uint8Array, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${browser.origin}${journalFilePath}`, { method: 'POST', body: new Uint8Array(body), headers: { ...browser.own(), 'content-type': 'application/octet-stream', ...headers } })
const codeOf = async (answer: Response) => [answer.status, problem.parse(await answer.json()).code]
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('a picture')])

const enter = async (browser: Browser, userId: string, screenshot = ''): Promise<void> => {
  const times = { entryTime: '2026-02-13T14:12:00Z', exitTime: '2026-02-13T14:41:07Z' }
  await browser.call(recordRoutes.addTrade, { body: { userId, trade: { id: 't-1', symbol: 'MESH6', account: '', accountId: '', qty: 1, entryPrice: 6052.25, exitPrice: 6054.75, ...times, platform: '', notes: 'by hand', screenshot } } })
}

test('a journal file counts the accounts that it would show, without labels and without accounts of undone imports', { tags: 'long' }, async () => {
  const one = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await one.browser.signUp()
  const three = threeFiles(12, 2)
  const holds = async () => receivedJournal.parse(await (await send(one.browser, new Uint8Array(await (await get(one.browser)).arrayBuffer()))).json()).holds
  const { imported } = await one.browser.call(importRoutes.addImport, { body: importRequest(await uploadAll(one.browser, { 'Fills.csv': three.fills })) })
  const [account] = (await one.browser.call(brokerageRoutes.connectedAccounts)).accounts
  await one.browser.call(recordRoutes.addFinance, { body: { userId, finance: { id: account?.id ?? '', type: 'Funded Account', balance: 0, firm: 'Tradeify' } } })
  await one.browser.call(recordRoutes.addFinance, { body: { userId, finance: { type: 'expense', amount: 90, name: 'Reset' } } })
  expect(await holds()).toMatchObject({ accounts: 1, imports: 1, finances: 1 })
  await one.browser.call(importRoutes.undoImport, { body: { id: imported?.id ?? '' } })
  expect(await holds()).toMatchObject({ accounts: 0, imports: 0, finances: 1 })
})

test("a user's journal exports as one file, and another user's program imports it once they agree", async () => {
  const one = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await one.browser.signUp()
  const sent = await fetch(`${one.browser.origin}${picturePath}`, { method: 'POST', body: new Uint8Array(png), headers: { ...one.browser.own(), 'content-type': 'image/png' } })
  const { name } = (await sent.json()) as { name: string }
  await enter(one.browser, userId, name)
  const answer = await get(one.browser)
  expect(Object.fromEntries(answer.headers)).toMatchObject({ 'content-disposition': expect.stringMatching(/^attachment; filename="?fillbook-\d{4}-\d\d-\d\d\.fillbook"?$/), 'content-type': 'application/octet-stream', 'cache-control': 'no-store' })
  const whole = new Uint8Array(await answer.arrayBuffer())

  const other = await startApp({ env: { FILLBOOK_DEMO: 'off', FILLBOOK_TIMEZONE: 'Asia/Tokyo' } })
  const { userId: otherId } = await other.browser.signUp('bob@example.com')
  const events = await other.browser.events()
  const received = receivedJournal.parse(await (await send(other.browser, whole)).json())
  expect(received.holds).toMatchObject({ entered: 1, pictures: 1, accounts: 0 })
  expect((await other.browser.call(recordRoutes.getTrades, { query: { userId: otherId } })).trades).toEqual([])
  expect(await other.browser.call(importJournal, { body: { id: received.id } })).toMatchObject({ before: { pairs: 0 }, after: { pairs: 1 } })
  // What the file takes away can be had again.
  expect((await other.browser.call(backupRoutes.backups)).backups.map(({ kind }) => kind)).toEqual(['before-restore'])
  expect((await events.next('journal-file-progress')).progress.phase).toBe('checking')
  await events.next('journal-changed')
  events.close()
  const { trades } = await other.browser.call(recordRoutes.getTrades, { query: { userId: otherId } })
  expect(trades).toMatchObject([{ id: 't-1', userId: otherId, notes: 'by hand', netPnl: expect.stringMatching(/^\d/), screenshot: name }])
  const picture = await fetch(`${other.browser.origin}${picturePath}?name=${name}`, { headers: other.browser.own() })
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(png)
  expect((await other.browser.fail(importJournal, { body: { id: received.id } })).code).toBe('not-found')
  expect(existsSync(join(other.dataDir, 'journal-files', otherId))).toBe(false)
})

test('only its user can export or import a journal; other files are refused', { tags: 'long' }, async () => {
  const { browser, newBrowser, dataDir } = await startApp()
  const stranger = await newBrowser()
  expect(await codeOf(await get(stranger))).toEqual([401, 'not-signed-in'])
  expect(await codeOf(await send(stranger, png))).toEqual([401, 'not-signed-in'])
  expect((await stranger.fail(importJournal, { body: { id: crypto.randomUUID() } })).code).toBe('not-signed-in')
  const { userId } = await browser.signUp()
  await enter(browser, userId)
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    expect(await codeOf(await get(browser, headers))).toEqual([403, 'strange-origin'])
    expect(await codeOf(await send(browser, png, headers))).toEqual([403, 'strange-origin'])
  }
  expect(await codeOf(await send(browser, png))).toEqual([400, 'journal-file-foreign'])
  const head = (version: number): Uint8Array => gzipSync(`${JSON.stringify({ fillbook: 'journal', version, at: '2026-01-05T15:00:00.000Z', timeZone: 'UTC' })}\n`)
  expect(await codeOf(await send(browser, head(journalFileVersion + 1)))).toEqual([400, 'journal-file-newer'])
  expect(await codeOf(await send(browser, head(1)))).toEqual([400, 'journal-file-cut'])
  expect(largestJournalFile).toBeGreaterThan(10_000_000)

  const whole = new Uint8Array(await (await get(browser)).arrayBuffer())
  // Who signs out leaves no copy of the journal behind.
  await send(browser, whole)
  expect(readdirSync(join(dataDir, 'journal-files', userId))).toHaveLength(1)
  await browser.call(sessionRoutes.signOut)
  expect(existsSync(join(dataDir, 'journal-files', userId))).toBe(false)
  await browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  await stranger.signUp('bob@example.com')
  const { id } = receivedJournal.parse(await (await send(browser, whole)).json())
  expect((await stranger.fail(importJournal, { body: { id } })).code).toBe('not-found')
  await browser.call(dropJournalFile, { body: { id } })
  expect((await browser.fail(importJournal, { body: { id } })).code).toBe('not-found')
})

test('a file whose figures cannot be added up exactly is refused with that reason, not with an internal error', { tags: 'long' }, async () => {
  const { browser } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp()
  await enter(browser, userId)
  const whole = gunzipSync(new Uint8Array(await (await get(browser)).arrayBuffer())).toString('utf8').trimEnd().split('\n').slice(0, -1)
  const fill = (id: number, side: string, price: number) =>
    JSON.stringify({ entity: 'fill', id: `file:A/${String(id)}`, content: { account: 'file:A', contract: 'MESH6', time: 1_770_000_000_000 + id, side, qty: 1_000_000, price, tickSize: '0.25', fee: null, active: true, source: 'fills-file', orderId: null, contractId: null, tradeDate: null, otherFees: null } })
  const text = `${[...whole, fill(1, 'buy', 0), fill(2, 'sell', 900_000_000_000_000)].join('\n')}\n`
  const file = gzipSync(`${text}${JSON.stringify({ end: { lines: whole.length + 2, sha256: createHash('sha256').update(text).digest('hex') } })}\n`)
  const { id } = receivedJournal.parse(await (await send(browser, file)).json())
  expect(await browser.fail(importJournal, { body: { id } })).toMatchObject({ status: 400, code: 'figures-too-large' })
})
