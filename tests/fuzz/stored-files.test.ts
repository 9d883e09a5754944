import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, onTestFinished } from 'vitest'
import { openCopierNotes } from '#backend/copier/copier-notes.ts'
import { readJournalLines } from '#backend/journal-file/journal-lines.ts'
import { secretFile } from '#backend/secrets/secret-file.ts'
import { createTokenStore } from '#backend/secrets/token-store.ts'
import type { Secrets } from '#backend/secrets/secrets.ts'
import { readSettings } from '#backend/settings.ts'
import { settingNames } from '#backend/settings-schema.ts'
import { readSettings as readCloudSettings } from '#cloud/settings.ts'
import { cloudSettings } from '#cloud/settings-schema.ts'
import { pictureName, pictureNameOf, pictureTypeOf } from '#shared/mirror/picture.ts'
import { makeRichJournal, openWhole } from '#tests/helpers/rich-journal.ts'
import { openShellStore } from '../../electron/desktop/shell-state.ts'
import { holdAll } from './hold-all.ts'
import { hostileText, hostileValue } from './hostile.ts'

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-fuzz-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A journal as one file, unpacked: its lines. */
let lines: readonly string[]
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-fuzz-'))
  await makeRichJournal(folder, 8)
  const { files, userId, close } = await openWhole(folder)
  const parts: Buffer[] = []
  for await (const part of (await files.write(userId)).bytes) parts.push(part as Buffer)
  await close()
  rmSync(folder, { recursive: true, force: true })
  lines = gunzipSync(Buffer.concat(parts)).toString('utf8').trimEnd().split('\n')
})

const problems = ['journal-file-foreign', 'journal-file-newer', 'journal-file-broken', 'journal-file-cut', 'journal-file-too-large']
const readBytes = async (bytes: Uint8Array): Promise<string> => {
  async function* source(): AsyncGenerator<Uint8Array> {
    await Promise.resolve()
    yield bytes
  }
  const read = await readJournalLines(source(), () => undefined)
  return read.ok ? 'whole' : read.error
}
const damage = fc.tuple(fc.constantFrom('flip', 'cut', 'line', 'swap', 'double', 'drop', 'plain'), fc.nat(), fc.nat(), hostileValue)
const damaged = ([how, one, other, value]: readonly [string, number, number, unknown]): Buffer => {
  const at = one % lines.length
  const changed = [...lines]
  if (how === 'line') changed[at] = JSON.stringify(value) ?? ''
  if (how === 'swap') [changed[at], changed[other % lines.length]] = [changed[other % lines.length] ?? '', changed[at] ?? '']
  if (how === 'double') changed.splice(at, 0, changed[at] ?? '')
  if (how === 'drop') changed.splice(at, 1)
  const text = Buffer.from(`${changed.join('\n')}\n`)
  if (how === 'plain') return text
  const bytes = gzipSync(text)
  if (how === 'flip') bytes[one % bytes.length] = other % 256
  return how === 'cut' ? bytes.subarray(0, one % bytes.length) : bytes
}

const kept = (text: string | null): Secrets => ({ kind: 'file', get: () => Promise.resolve(text), set: () => Promise.resolve(), remove: () => Promise.resolve() })
const record = { access: 'a', refresh: 'r', accessExpiresAt: 1, obtainedAt: 1 }
const recordLike = fc.oneof(hostileText, hostileValue.map((value) => JSON.stringify(value) ?? ''), fc.tuple(fc.constantFrom(...Object.keys(record)), hostileValue).map(([name, value]) => JSON.stringify({ ...record, [name]: value })))

const marked = 'value-that-nobody-repeats'
const someSettings = (names: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...names.filter((name) => name !== 'FILLBOOK_SETTINGS_FILE')), { maxLength: 6 }).chain((some) => fc.record(Object.fromEntries(some.map((name) => [name, hostileText.map((text) => `${text}${marked}`)])) as Record<string, fc.Arbitrary<string>>))

const shellLike = fc.oneof(hostileText, hostileValue.map((value) => JSON.stringify(value) ?? ''), fc.record({ theme: hostileValue, language: hostileValue, staysInTray: hostileValue, window: fc.oneof(hostileValue, fc.record({ x: hostileValue, y: hostileValue, width: hostileValue, height: hostileValue, maximised: hostileValue })) }, { requiredKeys: [] }).map((value) => JSON.stringify(value)))

const notesLike = fc.oneof(hostileText, hostileValue.map((value) => JSON.stringify(value) ?? ''), fc.record({ id: fc.oneof(hostileValue, fc.constant('an-id-of-sixteen-or-more')), consents: fc.oneof(hostileValue, fc.dictionary(fc.oneof(hostileText, fc.constant('ann')), fc.oneof(hostileValue, fc.constant('2026-11-22T15:00:00.000Z')), { maxKeys: 3 })) }, { requiredKeys: [] }).map((value) => JSON.stringify(value)))

const starts = [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], [0xff, 0xd8, 0xff], [...Buffer.from('RIFF1234WEBP')], [...Buffer.from('GIF89a')], [...Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">')], [...Buffer.from('<!doctype html>')], []]

describe('any content of a file', () => {
  holdAll({
    "a journal's file is whole, or refused for a reason that is known": (numRuns) =>
      fc.assert(
        fc.asyncProperty(damage, async (how) => {
          const outcome = await readBytes(damaged(how))
          if (outcome !== 'whole') expect(problems).toContain(outcome)
          // Digest and count are of all lines: only what puts a line where it was is still whole.
          else if (how[0] !== 'flip') expect(gunzipSync(damaged(how)).toString('utf8').trimEnd().split('\n')).toEqual(lines)
        }),
        { numRuns: Math.min(numRuns, 1_000) },
      ),
    'bytes that are no such file are refused': (numRuns) => fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, packed) => void expect(problems).toContain(await readBytes(packed ? gzipSync(bytes) : bytes))), { numRuns }),
    'stored tokens are valid, missing, or unreadable': (numRuns) =>
      fc.assert(
        fc.asyncProperty(recordLike, async (text) => {
          const found = await createTokenStore(kept(text)).get('login')
          expect(['found', 'unreadable']).toContain(found.kind)
        }),
        { numRuns },
      ),
    'a damaged secrets file is set aside and reported, and yields no secret': async (numRuns) => {
      const folder = newFolder()
      const whole = secretFile(folder, () => expect.fail('It is not damaged'))
      await whole.set('tokens:one', 'kept')
      const [key, sealed] = ['secrets.key', 'secrets.enc'].map((name) => readFileSync(join(folder, name))) as [Buffer, Buffer]
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), fc.constantFrom('flip', 'cut', 'key', 'rubbish'), async (at, change, how) => {
          const bytes = how === 'cut' ? sealed.subarray(0, at % sealed.length) : how === 'rubbish' ? Buffer.from([at % 256, change]) : Buffer.from(sealed)
          if (how === 'flip') bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ change
          writeFileSync(join(folder, 'secrets.enc'), bytes)
          writeFileSync(join(folder, 'secrets.key'), how === 'key' ? key.subarray(0, at % key.length) : key)
          const reported: string[] = []
          expect(await secretFile(folder, (path) => reported.push(path)).get('tokens:one')).toBeNull()
          expect(reported.length).toBeGreaterThan(0)
          for (const path of reported) rmSync(path, { force: true })
        }),
        { numRuns: Math.min(numRuns, 500) },
      )
    },
    'a refused setting is named, never with its value': (numRuns) =>
      fc.assert(
        fc.property(someSettings(settingNames), someSettings(Object.keys(cloudSettings.shape)), (env, cloudEnv) => {
          for (const read of [readSettings({ env, dataDir: tmpdir() }), readCloudSettings(cloudEnv)]) if (!read.ok) expect(JSON.stringify(read.error)).not.toContain(marked)
        }),
        { numRuns },
      ),
    "the desktop's state is read, or starts with the defaults": (numRuns) => {
      const file = join(newFolder(), 'shell.json')
      fc.assert(
        fc.property(shellLike, (text) => {
          writeFileSync(file, text)
          const { theme, window } = openShellStore(file, quiet).read()
          expect(['dark', 'light', 'system']).toContain(theme)
          if (window !== null) expect(Object.values(window).every((value) => typeof value === 'boolean' || Number.isSafeInteger(value))).toBe(true)
        }),
        { numRuns: Math.min(numRuns, 1_500) },
      )
    },
    "the copier's state of this computer is read, or starts anew; a consent has its time, and is kept": async (numRuns) => {
      const file = join(newFolder(), 'copier.json')
      await fc.assert(
        fc.asyncProperty(notesLike, async (text) => {
          writeFileSync(file, text)
          const notes = await openCopierNotes(file)
          expect(notes.machine).toMatch(/^[0-9a-f]{64}$/)
          const before = notes.consentedAt('ann')
          const at = await notes.consent('ann', 1)
          expect([at, Number.isNaN(Date.parse(at))]).toEqual([before ?? '1970-01-01T00:00:00.001Z', false])
          const again = await openCopierNotes(file)
          expect([again.machine, again.consentedAt('ann'), again.consentedAt('bob')]).toEqual([notes.machine, at, notes.consentedAt('bob')])
          await again.forget('ann')
          expect((await openCopierNotes(file)).consentedAt('ann')).toBeNull()
        }),
        { numRuns: Math.min(numRuns, 500) },
      )
    },
    "a picture's kind, one of four, follows from its bytes alone, and its name is no path": (numRuns) =>
      fc.assert(
        fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 40 }), hostileText, (start, rest, name) => {
          const type = pictureTypeOf(Uint8Array.from([...start, ...rest]))
          if (type !== null) expect(pictureName.safeParse(pictureNameOf(type, 'a'.repeat(64))).success).toBe(true)
          if ([4, 5].includes(starts.indexOf(start))) expect(type).toBeNull()
          if (pictureName.safeParse(name).success) expect(name).toMatch(/^[0-9a-f]{64}\.[a-z]{3,4}$/)
        }),
        { numRuns },
      ),
  })
})
