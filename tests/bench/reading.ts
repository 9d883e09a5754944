import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../helpers/running-app.ts'
import { writeFillsFile } from './fills-file.ts'
import type { FillsRead } from './read-fills-child.ts'
import { median, rounded, scale, type BenchRow } from './row.ts'

const megabyte = 1_000_000
const sizes = { tenth: 20 * scale, half: 100 * scale, whole: 200 * scale }
const runs = 3
const limits = { ratio: 2, growth: 15, memory: 1.2 }
const script = fileURLToPath(new URL('./read-fills-child.ts', import.meta.url))

type Turns = { readonly rows: number; readonly ours: FillsRead; readonly library: FillsRead }

/**
 * A Fills file of 200 MB read to what its rows say, against csv-parse alone, which cuts it into cells: each in a process of its own,
 * in turns, medians. By how much the process grew at its peak is held against a file of half the size: below some 50 MB the
 * runtime is still making room, above them nothing may grow with the file.
 */
export const benchReading = async (): Promise<readonly BenchRow[]> => {
  const { path: folder, remove } = await temporaryFolder()
  try {
    const at = (size: keyof typeof sizes): Promise<Turns> => measure(join(folder, `${size}.csv`), sizes[size])
    const [tenth, half, whole] = [await at('tenth'), await at('half'), await at('whole')]
    const name = `reading a Fills file of ${String(sizes.whole)} MB`
    return [
      { name, ratio: whole.ours.ms / whole.library.ms, limit: limits.ratio, details: { fillbook: rounded(whole.ours.ms), library: rounded(whole.library.ms), fillbookCpu: rounded(whole.ours.cpuMs), libraryCpu: rounded(whole.library.cpuMs), rows: whole.rows, runs } },
      { name: `${name}, growth from ${String(sizes.tenth)} MB`, ratio: whole.ours.ms / tenth.ours.ms, limit: limits.growth, details: { few: rounded(tenth.ours.ms), many: rounded(whole.ours.ms) } },
      { name: `${name}, peak of memory against ${String(sizes.half)} MB`, ratio: whole.ours.grownMb / half.ours.grownMb, limit: limits.memory, details: { tenthMb: rounded(tenth.ours.grownMb), halfMb: rounded(half.ours.grownMb), wholeMb: rounded(whole.ours.grownMb), libraryMb: rounded(whole.library.grownMb) } },
    ]
  } finally {
    await remove()
  }
}

const measure = async (file: string, mb: number): Promise<Turns> => {
  const rows = writeFillsFile(file, mb * megabyte)
  const [ours, library]: [FillsRead[], FillsRead[]] = [[], []]
  for (let run = 0; run < runs; run += 1) {
    ours.push(await read('fillbook', file, rows))
    library.push(await read('library', file, rows))
  }
  return { rows, ours: middle(ours), library: middle(library) }
}

const middle = (turns: readonly FillsRead[]): FillsRead => {
  const of = (name: keyof FillsRead): number => median(turns.map((turn) => turn[name]))
  return { rows: of('rows'), ms: of('ms'), cpuMs: of('cpuMs'), grownMb: of('grownMb') }
}

const read = async (how: 'fillbook' | 'library', file: string, rows: number): Promise<FillsRead> => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, how, file])
  const result = JSON.parse(stdout) as FillsRead
  if (result.rows !== rows) throw new Error(`${String(result.rows)} of ${String(rows)} rows were read`)
  return result
}
