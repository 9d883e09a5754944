import { assemble } from '#shared/imports/assemble.ts'
import { assembleFiles } from '#shared/imports/assemble-files.ts'
import type { Assembly } from '#shared/imports/assembly.ts'
import { deriveTrades } from '#shared/imports/derive-trades.ts'
import type { Reading } from '#shared/imports/reading.ts'
import type { FillPair } from '#shared/pnl/fill-pair.ts'
import type { Trade } from '#shared/pnl/trade.ts'
import { bytesOf, type ExportFile } from './exports.ts'
import { readBytes } from './read.ts'

/** The program's result for files: the assembly, and the fill pairs and trades that the engine computes. */
export type Imported = { readonly assembly: Assembly; readonly pairs: readonly FillPair[]; readonly trades: readonly Trade[] }

type Written = Pick<ExportFile, 'name' | 'table' | 'style'>

const readFile = async (file: Written, zone: string) => {
  const read = await readBytes(bytesOf(file), zone, undefined, { dates: { order: 'mdy', ofThisFile: true }, latest: null })
  if (!read.ok) throw new Error(`${file.name} was refused: ${read.problem.code}`)
  if (read.refused[0] !== undefined) throw new Error(`${file.name} has a row refused: ${JSON.stringify(read.refused[0])}`)
  return read
}

/** All that these files say; fails where a row or a file is refused. */
export const readFiles = async (files: readonly Written[], zone: string): Promise<readonly Reading[]> => {
  const readings: Reading[] = []
  for (const file of files) for (const reading of (await readFile(file, zone)).readings) readings.push(reading)
  return readings
}

/** Puts readings together and derives. */
export const deriveAll = (readings: readonly Reading[], zone: string, account: string | null): Imported => {
  const assembly = assemble(readings, { account })
  return { assembly, ...deriveTrades(assembly, zone) }
}

/** Reads files and derives. */
export const importFiles = async (files: readonly ExportFile[], zone: string, account: string | null = null): Promise<Imported> => {
  const read = []
  for (const file of files) {
    const { kind, readings } = await readFile(file, zone)
    read.push({ name: file.name, kind, zone, accountGiven: account, readings })
  }
  const { assembly } = assembleFiles(read)
  return { assembly, ...deriveTrades(assembly, zone) }
}
