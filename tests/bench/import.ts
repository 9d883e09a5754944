import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readExport } from '#backend/imports/read-export.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { temporaryFolder } from '../helpers/running-app.ts'
import { writeFillsFile } from './fills-file.ts'
import { insertRaw, readWritten } from './raw-inserts.ts'
import { median, rounded, scale, type BenchRow } from './row.ts'

const megabyte = 1_000_000
const sizes = { tenth: 20 * scale, whole: 200 * scale }
const mostRuns = 3
/** A pair of the full size takes more than a minute: none begins after so many milliseconds of a size. */
const beginsWithinMs = 180_000
const ratioLimit = 3
const growthLimit = 15
const userId = 'bench'
const zone = 'America/New_York'
const migrationsFolder = fileURLToPath(new URL('../../migrations/sqlite/', import.meta.url))
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

type Round = { readonly stored: number; readonly raw: number; readonly fills: number; readonly rows: number }

/**
 * A Fills file of 200 MB deduplicated, matched and stored, from its readings to the end of the import, in an empty journal
 * and through its writing thread; against plain inserts of all the rows that this wrote: the same schema, indices, settings
 * and transactions. The two take turns, as many as three times; medians. The rounds of a tenth come first and warm up both.
 */
export const benchImport = async (): Promise<readonly BenchRow[]> => {
  const [tenth, whole] = [await measureAll(sizes.tenth), await measureAll(sizes.whole)]
  const name = `storing a Fills file of ${String(sizes.whole)} MB`
  return [
    rowOf(`storing a Fills file of ${String(sizes.tenth)} MB`, tenth),
    rowOf(name, whole),
    { name: `${name}, growth from ${String(sizes.tenth)} MB`, ratio: whole.stored / tenth.stored, limit: growthLimit, details: { few: rounded(tenth.stored), many: rounded(whole.stored) } },
  ]
}

const rowOf = (name: string, { stored, raw, fills, rows, runs }: Round & { readonly runs: number }): BenchRow => ({ name, ratio: stored / raw, limit: ratioLimit, details: { stored: rounded(stored), raw: rounded(raw), fills, rows, runs } })

const measureAll = async (mb: number): Promise<Round & { readonly runs: number }> => {
  const began = performance.now()
  const rounds: Round[] = []
  while (rounds.length < mostRuns && performance.now() - began < beginsWithinMs) rounds.push(await measure(mb * megabyte))
  const of = (name: keyof Round): number => median(rounds.map((round) => round[name]))
  return { stored: of('stored'), raw: of('raw'), fills: of('fills'), rows: of('rows'), runs: rounds.length }
}

const measure = async (bytes: number): Promise<Round> => {
  const { path: folder, remove } = await temporaryFolder()
  try {
    // Nothing holds the readings while the plain inserts are measured: their heap would be the larger for it.
    const { stored, fills } = await store(folder, await readingsOf(folder, bytes))
    globalThis.gc?.()
    const raw = insertRaw(readWritten(join(folder, 'journal.db'), userId), folder, migrationsFolder)
    return { stored, fills, raw: raw.ms, rows: raw.rows }
  } finally {
    await remove()
  }
}

const readingsOf = async (folder: string, bytes: number): Promise<readonly (readonly Reading[])[]> => {
  const file = join(folder, 'Fills.csv')
  writeFillsFile(file, bytes)
  const batches: (readonly Reading[])[] = []
  const summary = await readExport(createReadStream(file), zone, ({ readings }) => void batches.push(readings))
  if (!summary.ok || summary.value.refused > 0) throw new Error('Not every row was read')
  return batches
}

const store = async (folder: string, batches: readonly (readonly Reading[])[]): Promise<{ stored: number; fills: number }> => {
  const { write, close } = await openJournal({ file: join(folder, 'journal.db'), migrationsFolder, backupFolder: join(folder, 'backups'), log: quiet })
  await write.createProfile({ id: userId, email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone: zone, createdAt: Date.now() })
  const of = { userId, importId: 'bench' }
  const fills = batches.reduce((sum, { length }) => sum + length, 0)
  globalThis.gc?.()
  const from = performance.now()
  await write.beginImport({ ...of, at: Date.now(), zone, account: null })
  for (const readings of batches) await write.addReadings({ ...of, place: 0, readings })
  await write.addImportFile({ ...of, place: 0, name: 'Fills.csv', kind: 'fills', rows: fills, accepted: fills, refused: 0 })
  const settled = await write.finishImport({ ...of, at: Date.now() })
  const stored = performance.now() - from
  await close()
  if (settled.fills.added !== fills) throw new Error(`${String(settled.fills.added)} of ${String(fills)} fills were added`)
  return { stored, fills }
}
