import { readExport, type ExportSummary, type FileHints, type FileProblem, type RefusedRow } from '#backend/imports/read-export.ts'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import type { Reading, RefusedReading } from '#shared/imports/reading.ts'

/** What the readers make of one file. */
export type ReadFile =
  | { readonly ok: true; readonly summary: ExportSummary; readonly kind: ExportKind; readonly readings: readonly Reading[]; readonly missing: readonly RefusedReading[]; readonly refused: readonly RefusedRow[] }
  | { readonly ok: false; readonly problem: FileProblem }

/** Bytes as they come from a disk: in pieces of this size. */
export const inPieces = async function* (bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

/** Reads one file to its end. */
const readFrom = async (source: AsyncIterable<Uint8Array>, zone: string, about?: FileHints): Promise<ReadFile> => {
  const readings: Reading[] = []
  const missing: RefusedReading[] = []
  const refused: RefusedRow[] = []
  const result = await readExport(source, zone, (batch) => {
    readings.push(...batch.readings)
    missing.push(...batch.missing)
    refused.push(...batch.refused)
  }, about)
  return result.ok ? { ok: true, summary: result.value, kind: result.value.kind, readings, missing, refused } : { ok: false, problem: result.error }
}

/** Reads bytes to their end. */
export const readBytes = (bytes: Uint8Array, zone: string, pieceSize?: number, about?: FileHints): Promise<ReadFile> => readFrom(inPieces(bytes, pieceSize), zone, about)
