import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createUploads } from '#backend/imports/uploads.ts'
import { createEvents } from '#backend/events.ts'
import { createImportService } from '#backend/imports/service.ts'
import { isPriceFile } from '#backend/prices/service.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import type { Pushed } from '#shared/api/sync.ts'
import { testFolder } from '#tests/helpers/app.ts'
import { migrationsFolder, userId } from './import-order.ts'

const at = Date.UTC(2026, 0, 5)
const minute = 60_000
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const header = '_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission'

/** A Fills report of so many rows over five days, more than are written in one group. */
const fillsFile = (rows: number): string => {
  const lines = Array.from({ length: rows }, (_, index) => {
    const [id, day] = [index + 1, index % 5]
    const time = new Date(at + day * 24 * 60 * minute + id * 1_000).toISOString().replace('T', ' ')
    const [action, side] = id % 2 === 0 ? ['0', ' Buy'] : ['1', ' Sell']
    return `${String(id)},${String(id)},1,${time},${time.slice(0, 10)},${action},1,6000.25,true,9,${String(id)},${String(id)},,,PA-7,${side},1,6000.25,-2,0,0.25,MESH6,MES,Micro,0.62`
  })
  return [header, ...lines, ''].join('\n')
}

async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < text.length; from += 65_536) yield await Promise.resolve(Buffer.from(text.slice(from, from + 65_536)))
}

const openDesk = async ({ hook, largest }: { hook?: string; largest?: number } = {}) => {
  const folder = testFolder()
  const clock = { now: at }
  const now = (): number => clock.now
  const journal = await openJournal({ file: join(folder, 'journal.db'), migrationsFolder, backupFolder: join(folder, 'backups'), log: silent, hook })
  onTestFinished(journal.close)
  await journal.write.ensureProfile({ id: userId, email: 'a@example.org', displayName: 'A', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: at })
  const uploads = await createUploads({ folder: join(folder, 'imports'), now, ...(largest === undefined ? {} : { largest }) })
  const events = createEvents()
  const received: Pushed[] = []
  events.listen({ userId, sessionId: 's', receive: (event) => void received.push(event) })
  const desk = createImportService({ journal, uploads, isPriceFile, events, now })
  const send = async (text: string) => {
    const kept = await desk.saveUpload(userId, 'Fills.csv', inPieces(text))
    if (!kept.ok) throw new Error(kept.error.code)
    return kept.value
  }
  const state = async () => ({ trades: (await journal.read.totals({ userId })).pairs, accounts: await journal.read.connectedAccounts({ userId }), imports: (await desk.list(userId)).imports })
  return { clock, folder: join(folder, 'imports', userId), journal, uploads, desk, received, send, state }
}

const importRequest = (upload: { id: string; name: string }) => ({ work: randomUUID(), uploads: [upload], zone: 'UTC', account: null })

test('a disk that fails during an import leaves nothing of it behind except the file to retry', { tags: ['long', 'nightly'] }, async () => {
  const { desk, received, send, state, folder } = await openDesk({ hook: new URL('import-fault.ts', import.meta.url).href })
  const before = await state()
  const upload = await send(fillsFile(12_000))
  await expect(desk.add(userId, importRequest(upload))).rejects.toThrow('The disk is gone')
  expect(await state()).toEqual(before)
  expect(received.some(({ type }) => type === 'journal-changed')).toBe(false)
  // The page that waits for its end is notified.
  expect(received.at(-1)).toMatchObject({ type: 'import-progress', ended: true })
  expect(readdirSync(folder)).toEqual([upload.id])
  const again = await desk.add(userId, importRequest(upload))
  expect(again.ok && again.value.imported?.settled.fills.added).toBe(12_000)
  expect((await state()).trades).toBe(6_000)
  expect(existsSync(folder)).toBe(false)
})

test('files that a page drops as it closes are still imported by a running import, and deleted at its end', { tags: ['long', 'nightly'] }, async () => {
  const { desk, received, send, state, folder } = await openDesk()
  const [first, second, other] = [await send(fillsFile(20_000)), await send(fillsFile(24_000)), await send('a')]
  const ended = desk.add(userId, { ...importRequest(first), uploads: [first, second] })
  await expect.poll(() => received.length, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0)
  await desk.dropUploads(userId, [first.id, second.id, other.id])
  const done = await ended
  expect(done.ok && done.value.imported?.settled.fills.added).toBe(24_000)
  expect((await state()).imports.map(({ files }) => files.map(({ accepted }) => accepted))).toEqual([[20_000, 24_000]])
  expect(existsSync(folder)).toBe(false)
})

test('an import that is matched and saved can no longer be canceled, and shows as running until it is complete', { tags: 'long' }, async () => {
  const { desk, received, send } = await openDesk()
  const work = importRequest(await send(fillsFile(4_000)))
  const ended = desk.add(userId, work)
  await expect.poll(() => received.some((event) => event.type === 'import-progress' && event.progress.step === 'matching'), { timeout: 60_000, interval: 1 }).toBe(true)
  expect((await desk.list(userId)).running).toMatchObject({ work: work.work, of: 'import', step: 'matching' })
  expect(desk.cancel(userId, work.work)).toBe(false)
  expect((await ended).ok).toBe(true)
  expect((await desk.list(userId)).running).toBeNull()
  const progress = received.flatMap((event) => (event.type === 'import-progress' ? [event.progress.overall] : []))
  expect(progress).toEqual(progress.toSorted((one, other) => one - other))
})

test("no user can cancel another's import", { tags: ['long', 'nightly'] }, async () => {
  const { desk, received, send } = await openDesk()
  const work = importRequest(await send(fillsFile(20_000)))
  const ended = desk.preview(userId, work)
  await expect.poll(() => received.length, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0)
  expect(desk.cancel('somebody-else', work.work)).toBe(false)
  expect((await ended).ok).toBe(true)
})

describe('uploaded files', () => {
  test('are deleted an hour after they were last used', async () => {
    const { clock, uploads, send, folder } = await openDesk()
    const [first, second] = [await send('a'), await send('b')]
    clock.now += 50 * minute
    expect(uploads.find(userId, second.id)).not.toBeNull()
    clock.now += 20 * minute
    await uploads.sweep(clock.now - 60 * minute)
    expect([uploads.find(userId, first.id), uploads.find(userId, second.id)?.id]).toEqual([null, second.id])
    expect(readdirSync(folder)).toEqual([second.id])
  })

  test('leave nothing behind if they are too large or interrupted', async () => {
    const { desk, folder } = await openDesk({ largest: 100_000 })
    expect(await desk.saveUpload(userId, 'large.csv', inPieces('x'.repeat(100_001)))).toMatchObject({ ok: false, error: { code: 'upload-too-large' } })
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('x'))
      throw new Error('The line is cut')
    }
    await expect(desk.saveUpload(userId, 'half.csv', broken())).rejects.toThrow('The line is cut')
    expect(existsSync(folder)).toBe(false)
  })

  test('are deleted with the session of their user, which ends work on them', { tags: 'long' }, async () => {
    const { desk, received, send, folder, state } = await openDesk()
    const before = await state()
    const ended = desk.add(userId, importRequest(await send(fillsFile(40_000))))
    await expect.poll(() => received.length, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0)
    await desk.leave(userId)
    expect(await ended).toMatchObject({ ok: false, error: { code: 'import-cancelled' } })
    expect(existsSync(folder)).toBe(false)
    expect(await state()).toEqual(before)
  })
})
