import { randomUUID } from 'node:crypto'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import type { AccountNamed, Reading } from '#shared/imports/reading.ts'
import { readExport, type ExportSummary, type FileProblem, type RefusedRow } from '../imports/read-export.ts'
import type { KeptImport, Settled } from '../store/import-calls.ts'
import type { JournalCalls } from '../store/journal.ts'

/** A file to import: its name as the user knows it, and its bytes, from the start at each call. */
export type ImportFile = { readonly name: string; readonly open: () => AsyncIterable<Uint8Array> }

/** How files are read: the IANA zone of their local times, and whose the rows are that name no account. */
export type ImportWishes = { readonly zone: string; readonly account: string | null }

/** What became of one file: what it is and how many rows it has, or why it was refused whole. */
export type FileRead = {
  readonly name: string
  readonly outcome: Result<ExportSummary, FileProblem>
  /** The first of the rows that were refused. */
  readonly refused: readonly RefusedRow[]
}

/** An account that files name, and the account of the journal that it is; null for one that the import makes. */
export type AccountSeen = AccountNamed & { readonly rows: number; readonly is: { readonly key: AccountKey; readonly name: string; readonly removed: boolean } | null }

/** What an import would do. */
export type ImportPreview = {
  readonly files: readonly FileRead[]
  readonly accounts: readonly AccountSeen[]
  /** Rows that name no account. */
  readonly unnamed: number
}

/** What an import did. */
export type Imported = { readonly id: string; readonly files: readonly FileRead[]; readonly settled: Settled }

/** Exported files, and what of them is in a journal. */
export type Imports = {
  /** Reads the files and writes nothing. */
  readonly preview: (userId: string, files: readonly ImportFile[], wishes: ImportWishes) => Promise<ImportPreview>
  /** Imports the files that can be read; where none can, nothing is written and each tells why. */
  readonly add: (userId: string, files: readonly ImportFile[], wishes: ImportWishes) => Promise<Result<Imported, readonly FileRead[]>>
  /** Takes back what an import brought. */
  readonly undo: (userId: string, importId: string) => Promise<Result<Settled, 'not-found'>>
  /** The newest first. */
  readonly list: (userId: string) => Promise<KeptImport[]>
}

// A page shows no more, and a file may have a million.
const refusedShown = 500

type Take = (readings: readonly Reading[]) => Promise<void>

const readFile = async ({ name, open }: ImportFile, zone: string, take: Take): Promise<FileRead> => {
  const refused: RefusedRow[] = []
  const outcome = await readExport(open(), zone, async (batch) => {
    refused.push(...batch.refused.slice(0, refusedShown - refused.length))
    if (batch.readings.length > 0) await take(batch.readings)
  })
  return { name, outcome, refused }
}

/** Imports over a journal; `now` is UTC ms. */
export const createImports = ({ journal: { read, write }, now }: { readonly journal: JournalCalls; readonly now: () => number }): Imports => {
  const preview: Imports['preview'] = async (userId, files, { zone }) => {
    const seen = new Map<string, AccountNamed & { rows: number }>()
    const filesRead: FileRead[] = []
    for (const file of files) filesRead.push(await readFile(file, zone, (readings) => Promise.resolve(countAccounts(seen, readings))))
    const named = [...seen.values()].filter(({ id, name }) => id !== null || name !== null)
    const accounts = await Promise.all(named.map(async ({ id, name, rows }) => ({ id, name, rows, is: await read.accountNamed({ userId, id, name }) })))
    return { files: filesRead, accounts, unnamed: [...seen.values()].reduce((sum, { id, name, rows }) => sum + (id === null && name === null ? rows : 0), 0) }
  }

  const add: Imports['add'] = async (userId, files, { zone, account }) => {
    const importId = randomUUID()
    const of = { userId, importId }
    await write.beginImport({ ...of, at: now(), zone, account })
    try {
      const filesRead: FileRead[] = []
      for (const [place, file] of files.entries()) {
        const fileRead = await readFile(file, zone, (readings) => write.addReadings({ ...of, place, readings }))
        filesRead.push(fileRead)
        const { outcome, name } = fileRead
        if (outcome.ok) await write.addImportFile({ ...of, place, name, ...countsOf(outcome.value) })
        else await write.dropImportFile({ ...of, place })
      }
      if (!filesRead.some(({ outcome }) => outcome.ok)) {
        await write.dropImport(of)
        return err(filesRead)
      }
      return ok({ id: importId, files: filesRead, settled: await write.finishImport({ ...of, at: now() }) })
    } catch (error) {
      // What was read so far counts for nothing, but takes room.
      await write.dropImport(of).catch(() => undefined)
      throw error
    }
  }

  return {
    preview,
    add,
    undo: (userId, importId) => write.undoImport({ userId, importId, at: now() }),
    list: (userId) => read.imports({ userId }),
  }
}

const countsOf = ({ kind, rows, accepted, refused }: ExportSummary): { kind: ExportKind; rows: number; accepted: number; refused: number } => ({ kind, rows, accepted, refused })

const countAccounts = (seen: Map<string, AccountNamed & { rows: number }>, readings: readonly Reading[]): void => {
  for (const { account: { id, name } } of readings) {
    const key = JSON.stringify([name, id])
    const known = seen.get(key)
    if (known === undefined) seen.set(key, { id, name, rows: 1 })
    else known.rows += 1
  }
}
