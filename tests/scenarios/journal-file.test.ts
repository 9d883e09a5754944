// @module-tag long
import { createHash } from 'node:crypto'
import { everyTrade } from '#shared/stats/filter.ts'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { journalFileVersion } from '#shared/mirror/journal-file.ts'
import { compareJournals } from '#tests/helpers/journal-differences.ts'
import { makeRichJournal, openWhole, type WholeJournal } from '#tests/helpers/rich-journal.ts'
import { monday, temporaryFolder } from '#tests/helpers/store.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let folder: string
/** The journal's file of the rich journal, as it leaves. */
let whole: Buffer
let holds: object

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fillbook-journal-file-'))
  await makeRichJournal(folder, 1_500)
  const rich = await openWhole(folder)
  const { name, bytes } = await rich.files.write(rich.userId)
  expect(name).toBe('fillbook-2026-01-05.fillbook')
  whole = await buffer(bytes)
  const { fills, pairs } = await rich.journal.read.totals({ userId: rich.userId })
  holds = { pairs, fills }
  await rich.close()
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const open = async (options: Parameters<typeof openWhole>[1] = {}, place = temporaryFolder()): Promise<WholeJournal> => {
  const opened = await openWhole(place, { timeZone: 'Asia/Tokyo', ...options })
  onTestFinished(opened.close)
  return opened
}
const receive = ({ files, userId }: WholeJournal, bytes: Uint8Array) => files.receive(userId, (async function* () {
  for (let at = 0; at < bytes.length; at += 50_000) yield await Promise.resolve(bytes.subarray(at, at + 50_000))
})())
const bring = async (into: WholeJournal, bytes: Uint8Array = whole) => {
  const received = await receive(into, bytes)
  if (!received.ok) throw new Error(received.error.code)
  const imported = await into.files.importFile(into.userId, received.value.id)
  if (!imported.ok) throw new Error(imported.error.code)
  return imported.value
}
/** What differs from the rich journal, but for what waits for the cloud. */
const differences = (file: string): readonly string[] => compareJournals(join(folder, 'journal.db'), file).differences.filter((one) => !one.startsWith('outbox'))

test('importing a journal file into an empty journal gives the same rows, and repeating it changes nothing', async () => {
  const into = await open({ userId: 'somebody-else' })
  const received = await receive(into, whole)
  expect(received).toMatchObject({ ok: true, value: { at: '2026-01-05T15:00:00.000Z', timeZone: 'Europe/Berlin', holds: { imports: 2, accounts: 7, pictures: 40 } } })
  expect((await into.journal.read.mirror({ userId: into.userId })).empty).toBe(true)
  const imported = received.ok ? await into.files.importFile(into.userId, received.value.id) : null
  expect(imported).toMatchObject({ ok: true, value: { before: { pairs: 0, fills: 0 }, after: holds } })
  expect(into.events.map((event) => (event.type === 'journal-file-progress' ? `${event.progress.phase} ${event.progress.share.toFixed(0)}` : event.type))).toEqual(
    expect.arrayContaining(['checking 0', 'checking 1', 'importing 0', 'importing 1', 'settling 0', 'journal-changed', 'finances-changed']),
  )
  expect(readdirSync(join(into.file, '..', 'pictures', into.userId)).sort()).toEqual(readdirSync(join(folder, 'pictures', 'u1')).sort())

  const again = await bring(into)
  expect(again).toMatchObject({ before: holds, after: holds })
  const third = await open()
  await bring(third, await buffer((await into.files.write(into.userId)).bytes))
  await into.close()
  await third.close()
  const { rows } = compareJournals(join(folder, 'journal.db'), into.file)
  for (const table of ['fills', 'base_fills', 'fill_pairs', 'pair_edits', 'import_readings', 'imports', 'imported_specs', 'pictures', 'finances', 'day_notes', 'default_stops', 'commission_rates', 'account_rules']) expect([table, rows[table]]).toEqual([table, expect.toSatisfy((count: number) => count > 0)])
  expect(differences(into.file)).toEqual([])
  expect(differences(third.file)).toEqual([])
})

test('undoing an import removes its rows, also in a restored journal', async () => {
  const [one, other] = [await open({}, copyOfRich()), await open()]
  await bring(other)
  for (const { journal, userId, close } of [one, other]) {
    for (const importId of ['first', 'second']) expect(await journal.write.undoImport({ userId, at: monday + 9, importId })).toMatchObject({ ok: true })
    expect(await journal.write.undoImport({ userId, at: monday + 9, importId: 'undone' })).toMatchObject({ ok: true, value: { fills: { removed: 0 } } })
    expect((await journal.read.imports({ userId })).filter(({ undoneAt }) => undoneAt === null)).toEqual([])
    await close()
  }
  expect(compareJournals(one.file, other.file).differences.filter((row) => !/^(outbox|accounts|finances|pair_edits)/.test(row))).toEqual([])
})

const copyOfRich = (): string => {
  const place = temporaryFolder()
  const source = join(folder, 'journal.db')
  // Its program has ended: one file is all of it.
  copyFileSync(source, join(place, 'journal.db'))
  return place
}

test('if the journal changed meanwhile, the later change of each field wins, and nothing is lost', async () => {
  const into = await open({}, copyOfRich())
  const { journal: { read, write }, userId } = into
  const { rows } = await read.pairPage({ userId, filter: everyTrade, offset: 0, limit: 3, sort: 'exitTime', direction: 'desc' })
  const [first, second] = rows
  if (first === undefined || second === undefined) throw new Error('No trades')
  const later = monday * 2
  await write.updateTrade({ userId, at: later, id: first.id, updates: { notes: 'said later' } })
  await write.removeTrade({ userId, at: later, id: second.id })
  await write.addFinance({ userId, at: later, finance: { id: 'finance-1', type: 'expense', amount: 7, balance: 0, name: 'later', platform: 'other', firm: null } })
  await bring(into)
  expect(await read.pairById({ userId, id: first.id })).toMatchObject({ notes: 'said later' })
  expect(await read.pairById({ userId, id: second.id })).toBeNull()
  expect(await read.finances({ userId })).toContainEqual(expect.objectContaining({ id: 'finance-1', amount: 7 }))

  // And the other way round: an older journal gets the later changes.
  const since = await buffer((await into.files.write(userId)).bytes)
  const before = await open({}, copyOfRich())
  await bring(before, since)
  await into.close()
  await before.close()
  expect(compareJournals(into.file, before.file).differences.filter((row) => !row.startsWith('outbox'))).toEqual([])
})


describe('an incomplete file is refused, and nothing changes', () => {
  let into: WholeJournal
  let place: string
  let untouched: number
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'fillbook-journal-file-'))
    into = await openWhole(place)
    untouched = (await into.journal.read.mirror({ userId: into.userId })).waiting
  })
  afterAll(async () => {
    await into.close()
    rmSync(place, { recursive: true, force: true })
  })
  const stays = async (): Promise<void> => {
    expect(await into.journal.read.mirror({ userId: into.userId })).toMatchObject({ empty: true, waiting: untouched })
    expect(existsSync(join(place, 'journal-files', into.userId))).toBe(false)
    expect(readdirSync(place)).not.toContain('pictures')
  }
  const codeOf = async (bytes: Uint8Array): Promise<string> => {
    const received = await receive(into, bytes)
    return received.ok ? 'taken' : received.error.code
  }
  const lines = (): string[] => gunzipSync(whole).toString('utf8').trimEnd().split('\n')
  /** Lines with a last one that is right for them. */
  const sealed = (all: readonly string[]): Buffer => {
    const text = `${all.join('\n')}\n`
    return gzipSync(`${text}${JSON.stringify({ end: { lines: all.length, sha256: createHash('sha256').update(text).digest('hex') } })}\n`)
  }

  it('cut anywhere', async () => {
    const step = 64 * 1024
    const cuts = [1, 5, 20, 1_000, ...Array.from({ length: Math.floor(whole.length / step) }, (_, index) => (index + 1) * step), whole.length - 9, whole.length - 1].filter((at) => at < whole.length)
    for (const at of cuts) expect([at, await codeOf(whole.subarray(0, at))]).toEqual([at, expect.toSatisfy((code) => code === 'journal-file-cut' || (at <= 1_000 && code === 'journal-file-foreign'))])
    const text = gunzipSync(whole)
    for (let at = step; at < text.length; at += 16 * step) expect([at, await codeOf(gzipSync(text.subarray(0, at)))]).toEqual([at, expect.stringMatching(/^journal-file-(cut|broken)$/)])
    expect(await codeOf(gzipSync(text.subarray(0, text.lastIndexOf('\n', text.length - 2) + 1)))).toBe('journal-file-cut')
    await stays()
  })

  const saysTheSame = (other: Buffer): boolean => {
    try {
      return gunzipSync(other).equals(gunzipSync(whole))
    } catch {
      return false
    }
  }

  const seesFlips = async (packed: number, plain: number): Promise<void> => {
    for (let at = 10; at < whole.length; at += Math.floor(whole.length / packed)) {
      const flipped = Buffer.from(whole)
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at)
      // A few bits, as those that fill up the last byte of a block, say nothing.
      expect([at, await codeOf(flipped)]).toEqual([at, saysTheSame(flipped) ? 'taken' : expect.stringMatching(/^journal-file-/)])
    }
    const text = gunzipSync(whole)
    for (let at = 30; at < text.length - 150; at += Math.floor(text.length / plain)) {
      const flipped = Buffer.from(text)
      flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at)
      expect([at, await codeOf(gzipSync(flipped))]).toEqual([at, expect.stringMatching(/^journal-file-/)])
    }
    await into.files.receive(into.userId, Readable.from([Buffer.alloc(1)]))
    await stays()
  }

  it('with one bit flipped', () => seesFlips(15, 6))
  it('with one bit flipped, wherever it is', { tags: ['long', 'nightly'] }, () => seesFlips(60, 25))

  it('of a newer program, of another one, or with lines that a journal cannot hold', async () => {
    const [head = '', ...rest] = lines().slice(0, -1)
    expect(await codeOf(sealed([head, ...rest]))).toBe('taken')
    await into.files.receive(into.userId, Readable.from([Buffer.alloc(1)]))
    const newer = JSON.stringify({ ...(JSON.parse(head) as object), version: journalFileVersion + 1 })
    expect(await codeOf(sealed([newer, '{"entity":"dream","id":"1","content":{}}']))).toBe('journal-file-newer')
    for (const foreign of [Buffer.from('not gzip'), gzipSync('hello\n'), gzipSync(''), Buffer.alloc(0), gzipSync('{"a":1}\n'), gzipSync(Buffer.alloc(40_000_000, 'x'))]) expect(await codeOf(foreign)).toBe('journal-file-foreign')
    const fill = rest.find((line) => line.startsWith('{"entity":"fill"')) ?? ''
    const [reading = '', trade = '', spec = '', imported = ''] = ['{"readings"', '{"entity":"trade"', '{"entity":"spec"', '{"import"'].map((begin) => rest.find((line) => line.startsWith(begin)))
    const bad = [
      'null', '{}', '{"entity":"dream","id":"1","content":{}}', '{"entity":"fill","id":"a/1","content":null}', fill.replace('"side":"', '"side":"x'),
      fill.replace('"id":"', '"id":"x'), fill.replace(/"time":\d+/, '"time":9007199254740991'), fill.replace(/"qty":\d+/, '"qty":0.5'), reading.replace('"fillId"', '"more":1,"fillId"'),
      // A journal that held one of these could not be read any more.
      trade.replace(/"exitTime":\d+/, '"exitTime":9007199254740991'), trade.replace(/"tickSize":"[^"]+"/, '"tickSize":"0"'), spec.replace(/"tickSize":"[^"]+"/, '"tickSize":"-0.25"'),
      trade.replace(/"currency":"[A-Z]+"/, '"currency":"$$$$$$"'), imported.replace(/"at":\d+/, '"at":9007199254740991'), reading.replace(/"tickSize":"[^"]+"/, '"tickSize":"0.00"'),
      // Nor could sums of these be kept, and of these names no call could change everyTrade.
      ...['fee', 'qty', 'price'].map((figure) => fill.replace(new RegExp(`"${figure}":-?\\d+`), `"${figure}":9007199254740991`)), trade.replace(/"id":"[^"]+"/, `"id":"${'x'.repeat(301)}"`),
      trade.replace(/"tickSize":"[^"]+"/, '"tickSize":"999999999999999"'), '{"entity":"stop","id":"Etc/GMT","content":{"distance":"4","unit":"ticks","stamp":"000000000000000-00000-00000000"}}',
      `{"picture":{"name":"${'a'.repeat(64)}.png","base64":"iVBORw0KGgo="}}`,
    ]
    for (const line of bad) expect([line.slice(0, 80), await codeOf(sealed([head, ...rest.slice(0, 5), line]))]).toEqual([line.slice(0, 80), 'journal-file-broken'])
    await stays()
  })

  it('too large, or deleted meanwhile', async () => {
    const small = await open({ largest: 10_000 })
    expect(await receive(small, whole)).toEqual({ ok: false, error: { code: 'journal-file-too-large' } })
    const received = await receive(into, whole)
    const id = received.ok ? received.value.id : ''
    expect(await into.files.importFile('somebody', id)).toEqual({ ok: false, error: { code: 'not-found' } })
    await into.files.drop(into.userId, id)
    expect(await into.files.importFile(into.userId, id)).toEqual({ ok: false, error: { code: 'not-found' } })
    await stays()
  })
})

test('a file holds no secret, and reads as lines of JSON', () => {
  const text = gunzipSync(whole).toString('utf8')
  for (const line of text.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow()
  expect(text).not.toMatch(/password|recovery|access_token|refresh|session/i)
  expect(readFileSync(join(folder, 'journal.db')).length).toBeGreaterThan(whole.length)
})
