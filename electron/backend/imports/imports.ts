import { randomUUID } from 'node:crypto'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { ImportPreviewAnswer, MappedRow } from '#shared/api/imports.ts'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import type { FormatHints } from '#shared/imports/file-format.ts'
import { columnFacts, type ColumnFacts } from '#shared/imports/guess-format.ts'
import type { ImportFormat } from '#shared/imports/mapped-format.ts'
import { latestRow } from '#shared/imports/latest-row.ts'
import type { AccountNamed, Reading } from '#shared/imports/reading.ts'
import { exactMoney, type Amount } from '#shared/money/money.ts'
import { formatPrice, type Ticks } from '#shared/money/price.ts'
import { readExport, type ExportSummary, type FileProblem, type RefusedRow, readText } from './read-export.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { PreviewedFile } from './rows.ts'
import type { Settled } from '../db/rows.ts'
import { createFileRows } from './rows-of-text.ts'

/** A file to import: its name as the user knows it, and its bytes, from the start at each call. */
export type ImportFile = {
  readonly name: string
  readonly open: () => AsyncIterable<Uint8Array>
  /** The account of its rows that name none, if chosen for this file alone. */
  readonly account?: string | null
  /** The order of its dates, if the user chose one. */
  readonly dates?: FormatHints['dates']
  /** A format that it may have, beside those that the user saved. */
  readonly formats?: readonly ImportFormat[]
}

/** How files are read. */
export type ImportOptions = {
  /** The IANA zone of their local times. */
  readonly zone: string
  /** The account of rows that name none, for files without a choice of their own. */
  readonly account: string | null
  /** The import's id; a new one if missing. */
  readonly id?: string
}

/** What became of one file: what it is and how many rows it has, or why it was refused whole. */
export type FileRead = {
  readonly name: string
  readonly outcome: Result<ExportSummary, FileProblem>
  /** The first of the rows that were refused. */
  readonly refused: readonly RefusedRow[]
}

/** What an import would do. */
export type ImportPreview = Pick<ImportPreviewAnswer, 'accounts' | 'unnamed' | 'outcome' | 'without'> & { readonly files: readonly FileRead[] }

/** What an import did. */
export type Imported = { readonly id: string; readonly files: readonly FileRead[]; readonly settled: Settled }

/** Why nothing was imported: no file can be read, or the account of the files at the places `open` is unknown and several are possible. */
export type NotImported = { readonly files: readonly FileRead[]; readonly open: readonly number[] }

/** Progress and cancellation of reading files. */
export type Watch = {
  /** Cancels with its reason, as long as nothing is written. */
  readonly signal?: AbortSignal
  /** Called for every chunk of a file that was read, with its bytes. */
  readonly onBytes?: (bytes: number) => void
  /** Called once all files are read; from here on an import can't be canceled. */
  readonly onRead?: () => void
}

// A page shows no more, and a file may have a million.
const refusedShown = 500
// What a preview holds of files; more is counted only.
const mostBytesHeld = 96 * 1024 * 1024

type SaveReadings = (readings: readonly Reading[]) => Promise<void>

/** In which zone local times are read, and when (UTC ms). */
type InZone = { readonly zone: string; readonly now: number; readonly formats: readonly ImportFormat[] }

const readFile = async ({ name, open, dates = null, formats: own = [] }: ImportFile, { zone, now, formats }: InZone, { signal, onBytes }: Watch, take: SaveReadings): Promise<FileRead> => {
  const refused: RefusedRow[] = []
  const outcome = await readExport(watched(open(), onBytes), zone, async (batch) => {
    // Here, since a source that fails only makes a file unreadable.
    signal?.throwIfAborted()
    refused.push(...batch.refused.slice(0, refusedShown - refused.length))
    if (batch.readings.length > 0 || batch.missing.length > 0) await take([...batch.readings, ...batch.missing])
  }, { dates, latest: latestRow(name, now), formats: [...own, ...formats] })
  signal?.throwIfAborted()
  return { name, outcome, refused }
}

async function* watched(source: AsyncIterable<Uint8Array>, onBytes: Watch['onBytes']): AsyncGenerator<Uint8Array> {
  for await (const part of source) {
    onBytes?.(part.length)
    yield part
  }
}

/** Imports exported files into a journal. */
export type Imports = ReturnType<typeof createImports>

/** Imports files into a journal; `now` is UTC ms. */
export const createImports = ({ journal: { read, write }, now }: { readonly journal: JournalCalls; readonly now: () => number }) => {
  const preview = async (userId: string, files: readonly ImportFile[], { zone, account }: ImportOptions, watch: Watch = {}): Promise<ImportPreview> => {
    const encoder = new TextEncoder()
    const formats = await read.importFormats({ userId })
    let bytes = 0
    const [filesRead, previewed] = [[] as FileRead[], [] as PreviewedFile[]]
    for (const [place, file] of files.entries()) {
      const before = bytes
      const seen = new Map<string, AccountNamed & { rows: number }>()
      const parts: Uint8Array[] = []
      const fileRead = await readFile(file, { zone, now: now(), formats }, watch, (readings) => {
        countAccounts(seen, readings)
        const part = bytes > mostBytesHeld ? null : encoder.encode(JSON.stringify(readings))
        bytes += part?.length ?? 0
        if (part !== null) parts.push(part)
        return Promise.resolve()
      })
      filesRead.push(fileRead)
      const { name, outcome } = fileRead
      if (outcome.ok) previewed.push({ place, name, kind: outcome.value.kind, zone, accountGiven: file.account ?? account, seen: [...seen.values()], readings: parts })
      // What was read of it before it was refused counts for nothing.
      else bytes = before
    }
    watch.onRead?.()
    const isTooMuch = bytes > mostBytesHeld
    const found = await read.previewImport({ userId, files: isTooMuch ? previewed.map((file) => ({ ...file, readings: [] })) : previewed, isTooMuch })
    watch.signal?.throwIfAborted()
    return { files: filesRead, ...found }
  }

  const add = async (userId: string, files: readonly ImportFile[], { zone, account, id: importId = randomUUID() }: ImportOptions, watch: Watch = {}): Promise<Result<Imported, NotImported>> => {
    const of = { userId, importId }
    const formats = await read.importFormats({ userId })
    await write.beginImport({ ...of, at: now(), zone, account })
    try {
      const filesRead: FileRead[] = []
      for (const [place, file] of files.entries()) {
        const fileRead = await readFile(file, { zone, now: now(), formats }, watch, (readings) => write.addReadings({ ...of, place, readings }))
        filesRead.push(fileRead)
        const { outcome, name } = fileRead
        if (outcome.ok) await write.addImportFile({ ...of, place, name, account: file.account ?? null, ...countsOf(outcome.value) })
        else await write.deleteImportFile({ ...of, place })
      }
      const open = await read.openFiles(of)
      if (open.length > 0 || !filesRead.some(({ outcome }) => outcome.ok)) {
        await write.deleteUnfinishedImport(of)
        return err({ files: filesRead, open })
      }
      watch.signal?.throwIfAborted()
      watch.onRead?.()
      return ok({ id: importId, files: filesRead, settled: await write.finishImport({ ...of, at: now() }) })
    } catch (error) {
      // What was read so far counts for nothing, but takes room.
      await write.deleteUnfinishedImport(of).catch(() => undefined)
      throw error
    }
  }

  return {
    /** Reads the files and writes nothing. */
    preview,
    /** Imports the readable files. Writes nothing if no file is readable, or if the user must say whose account a file is of. */
    add,
  }
}

const countsOf = ({ kind, rows, accepted, refused }: ExportSummary): { kind: ExportKind; rows: number; accepted: number; refused: number } => ({ kind, rows, accepted, refused })

const countAccounts = (seen: Map<string, AccountNamed & { rows: number }>, readings: readonly Reading[]): void => {
  for (const { says, account: { id, name } } of readings) {
    if (says === 'refused') continue
    const key = JSON.stringify([name, id])
    getOrInsert(seen, key, () => ({ id, name, rows: 0 })).rows += 1
  }
}

// As many as a format may have.
const mostColumns = 200

/** What the columns of any file of rows hold, read to its end; refused if it has fewer than two columns to map. */
export const inspectFile = async (source: AsyncIterable<Uint8Array>): Promise<Result<readonly ColumnFacts[], FileProblem>> => {
  const rows = createFileRows()
  let facts: ReturnType<typeof columnFacts> | null = null
  const problem = await readText(source, (text, last): Promise<FileProblem | null> => {
    for (const row of rows.read(text, last)) {
      if ('broken' in row) continue
      if (facts !== null) facts.note(row.cells)
      else if (row.cells.length < 2 || row.cells.length > mostColumns) return Promise.resolve({ code: 'unknown-kind' })
      else facts = columnFacts(row.cells)
    }
    return Promise.resolve(null)
  })
  if (problem !== null) return err(problem)
  const found = facts as ReturnType<typeof columnFacts> | null
  return found === null ? err({ code: 'empty' }) : ok(found.facts())
}

// As many a trial of a format shows.
const [mostRows, mostRefused, mostSymbols] = [8, 50, 200]

/** What a format makes of a file: its outcome, the first of its rows, and the symbols whose contracts are not known. */
type Tried = { readonly read: FileRead; readonly rows: readonly MappedRow[]; readonly symbols: readonly string[] }

/** Reads a file by a format, and keeps nothing of it. */
export const tryFormat = async ({ name, open }: { readonly name: string; readonly open: () => AsyncIterable<Uint8Array> }, format: ImportFormat, zone: string, hints: FormatHints): Promise<Tried> => {
  const [rows, refused, symbols] = [[] as MappedRow[], [] as RefusedRow[], new Set<string>()]
  const outcome = await readExport(open(), zone, (batch) => {
    for (const reading of batch.readings.slice(0, Math.max(0, mostRows - rows.length))) rows.push(...shownRow(reading))
    refused.push(...batch.refused.slice(0, mostRefused - refused.length))
    for (const { problem } of batch.refused) if (problem.code === 'unknown-symbol' && symbols.size < mostSymbols) symbols.add(problem.value)
  }, { ...hints, formats: [format] })
  return { read: { name, outcome, refused }, rows: outcome.ok ? rows : [], symbols: [...symbols] }
}

const moneyOf = (amount: Amount | null | undefined): string | null => (amount === null || amount === undefined ? null : exactMoney(amount))

const shownRow = (reading: Reading): readonly MappedRow[] => {
  if (reading.says !== 'fill' && reading.says !== 'pair') return []
  const { line = 0, account: { name }, contract, qty, tickSize, tradeDate } = reading
  const legOf = ({ time, price }: { readonly time: number; readonly price: Ticks }) => ({ time: new Date(time).toISOString(), price: formatPrice(price, tickSize, 'trimmed') })
  const common = { line, account: name, contract, quantity: qty, tradingDay: tradeDate }
  if (reading.says === 'fill') return [{ ...common, side: reading.side, ...legOf(reading), exit: null, grossPnl: null, fees: moneyOf(reading.fee) }]
  const [entry, exit] = reading.closing === 'buy' ? [reading.sell, reading.buy] : [reading.buy, reading.sell]
  return [{ ...common, side: reading.closing === 'buy' ? 'sell' : 'buy', ...legOf(entry), exit: legOf(exit), grossPnl: moneyOf(reading.pnl), fees: moneyOf(reading.fees) }]
}
