import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { readExport } from '#backend/imports/read-export.ts'
import { cleanEnv } from '../clean-env.ts'
import { sampleTables, sampleZone } from './samples.ts'
import { csvText } from './table.ts'

const root = new URL('../../..', import.meta.url).pathname
const megabyte = 1_048_576
const block = 65_536

/** The parts of an endless file. */
export const hugeShapes = ['fills', 'one-line', 'quotes', 'binary', 'bad-rows', 'line-ends', 'open-quote'] as const
export type HugeShape = (typeof hugeShapes)[number]

const measured = z.object({
  /** How the file ended; `mb` of it were asked for. */
  outcome: z.object({ ok: z.boolean(), problem: z.string().optional(), rows: z.number().optional(), refused: z.number().optional() }),
  takenMb: z.number(),
  peakHeapMb: z.number(),
  peakMb: z.number(),
  seconds: z.number(),
})

const repeated = (text: string): Buffer => Buffer.from(text.repeat(Math.ceil(block / text.length)))

const partsOf = (shape: HugeShape): { readonly start: string; readonly next: () => Uint8Array } => {
  const table = sampleTables(7, 200).get('fills') ?? { header: [], rows: [] }
  const text = csvText(table)
  const start = csvText({ ...table, rows: table.rows.slice(0, 2) })
  const always = (bytes: Uint8Array) => () => bytes
  const parts: Record<HugeShape, { readonly start: string; readonly next: () => Uint8Array }> = {
    fills: { start: '', next: always(Buffer.from(text.slice(text.indexOf('\n') + 1))) },
    'one-line': { start, next: always(repeated('4')) },
    quotes: { start, next: always(repeated('"')) },
    binary: { start: '', next: always(Buffer.from(Array.from({ length: block }, (_, index) => (index * 7919) % 251))) },
    'bad-rows': { start, next: always(repeated('1,2,3,4,5\r\n')) },
    'line-ends': { start: '', next: always(repeated('\r\n')) },
    'open-quote': { start: `${start}"`, next: always(repeated('1,2026-06-10 12:41:43.083Z,MNQM6\r\n')) },
  }
  const part = parts[shape]
  return shape === 'fills' ? { ...part, start: text.slice(0, text.indexOf('\n') + 1) } : part
}

/** Reads so many MB of a shape in this process, keeps nothing of it, and prints what that took as one line of JSON. */
const measureHuge = async (shape: HugeShape, mb: number): Promise<void> => {
  let [taken, peakHeap, peak] = [0, 0, 0]
  const watch = (): void => {
    const { heapUsed, external, arrayBuffers } = process.memoryUsage()
    peakHeap = Math.max(peakHeap, heapUsed)
    peak = Math.max(peak, heapUsed + external + arrayBuffers)
  }
  const { start, next } = partsOf(shape)
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(start)
    while (taken < mb * megabyte) {
      const part = next()
      taken += part.length
      watch()
      yield part
      // A disk is never faster than the event loop.
      await new Promise(setImmediate)
    }
  }
  const begun = performance.now()
  const result = await readExport(source(), sampleZone, watch)
  watch()
  const outcome = result.ok ? { ok: true, rows: result.value.rows, refused: result.value.refused } : { ok: false, problem: result.error.code }
  const report: z.infer<typeof measured> = { outcome, takenMb: taken / megabyte, peakHeapMb: peakHeap / megabyte, peakMb: peak / megabyte, seconds: (performance.now() - begun) / 1000 }
  process.stdout.write(`${JSON.stringify(report)}\n`)
}

/** The same in a process of its own that may keep 96 MB and dies where more is held. */
export const readHuge = async (shape: HugeShape, mb: number): Promise<z.infer<typeof measured>> => {
  const script = `import('#tests/helpers/exports/huge.ts').then((huge) => huge.${measureHuge.name}('${shape}', ${String(mb)}))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=96', '-e', script], { cwd: root, env: cleanEnv(), timeout: 600_000 })
  return measured.parse(JSON.parse(stdout))
}
