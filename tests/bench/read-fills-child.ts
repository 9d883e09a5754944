import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import { readExport } from '#backend/imports/read-export.ts'

/** What one reading of a Fills file took, by the clock and of the processors, and by how much the process grew at its peak. */
export type FillsRead = { readonly rows: number; readonly ms: number; readonly cpuMs: number; readonly grownMb: number }

const bytesInMb = 1_000_000
let peak = 0

/** The system's own figure begins with that of the process that started this one. */
const look = (): void => {
  peak = Math.max(peak, process.memoryUsage.rss())
}

const byFillbook = async (file: string): Promise<number> => {
  let read = 0
  const summary = await readExport(createReadStream(file), 'America/New_York', ({ readings }) => {
    read += readings.length
    look()
  })
  if (!summary.ok || summary.value.refused > 0) throw new Error('Not every row was read')
  return read
}

const byLibrary = async (file: string): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const rows = createReadStream(file).pipe(parse())
  // The header is no row.
  let read = -1
  let turns = 0
  rows.on('readable', () => {
    while (rows.read() !== null) read += 1
    // To ask the system costs more than a row.
    if ((turns += 1) % 1_000 === 0) look()
  })
  rows.on('end', () => {
    resolve(undefined)
  })
  rows.on('error', reject)
  await promise
  return read
}

const [, , how, file = ''] = process.argv
const before = process.memoryUsage.rss()
const used = process.cpuUsage()
const from = performance.now()
const rows = await (how === 'library' ? byLibrary : byFillbook)(file)
const ms = performance.now() - from
const { user, system } = process.cpuUsage(used)
const result: FillsRead = { rows, ms, cpuMs: (user + system) / 1_000, grownMb: (peak - before) / bytesInMb }
process.stdout.write(JSON.stringify(result))
