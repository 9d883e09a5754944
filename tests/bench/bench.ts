import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { benchCloud } from './cloud.ts'
import { benchLedger } from './copier-ledger.ts'
import { benchCopier } from './copier.ts'
import { benchEngine } from './engine.ts'
import { benchFindings } from './findings.ts'
import { benchImport } from './import.ts'
import { benchLogbook } from './logbook.ts'
import { benchMirror } from './mirror.ts'
import { writePerformance } from './performance.ts'
import { benchPrices } from './prices.ts'
import { benchReading } from './reading.ts'
import { benchReads } from './reads.ts'
import { meets, quick, rowsIn, type BenchRow } from './row.ts'
import { benchRules } from './rules.ts'
import { benchScanner } from './scanner.ts'
import { benchStart } from './start.ts'
import { benchSync } from './sync.ts'

type Bench = () => readonly BenchRow[] | Promise<readonly BenchRow[]>

const benches: Readonly<Record<string, Bench>> = {
  engine: benchEngine,
  sync: benchSync,
  reads: benchReads,
  reading: benchReading,
  import: benchImport,
  prices: benchPrices,
  memory: async () => (await import('./memory.ts')).benchMemory(),
  start: benchStart,
  logbook: benchLogbook,
  mirror: benchMirror,
  cloud: benchCloud,
  rules: benchRules,
  findings: benchFindings,
  ledger: benchLedger,
  copier: benchCopier,
  scanner: benchScanner,
}

const usage = `usage: npm run bench [-- [--only NAME] [--quick] [--json] [--write]]
NAME is one of ${Object.keys(benches).join(', ')}`

const readArguments = (): { readonly only: string | null; readonly json: boolean; readonly write: boolean } => {
  try {
    const boolean = { type: 'boolean', default: false } as const
    const { only = null, json, write } = parseArgs({ options: { only: { type: 'string' }, quick: boolean, json: boolean, write: boolean } }).values
    if (only !== null && !Object.hasOwn(benches, only)) throw new Error(`There is no benchmark ${only}`)
    if (write && quick) throw new Error('What is written is measured at full size')
    return { only, json, write }
  } catch (error) {
    console.error(`${error instanceof Error ? `${error.message}\n` : ''}${usage}`)
    process.exit(2)
  }
}

const { only, json, write } = readArguments()

/** The rows of a benchmark, or where it breaks one without a figure: the others are not lost with it. */
const measured = async (name: string, rowsOf: () => readonly BenchRow[] | Promise<readonly BenchRow[]>): Promise<readonly BenchRow[]> => {
  try {
    return await rowsOf()
  } catch (error) {
    console.error(error)
    return [{ name, ratio: NaN, limit: NaN, details: {} }]
  }
}

/** The rows of a benchmark in a process of its own: none pays for the memory of those before it. */
const apart = async (name: string): Promise<readonly BenchRow[]> => {
  const child = spawn(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), '--only', name, '--json', ...(quick ? ['--quick'] : [])], { stdio: ['ignore', 'pipe', 'inherit'] })
  return rowsIn(await text(child.stdout))
}

const lineOf = (row: BenchRow): string => {
  if (Number.isNaN(row.ratio)) return `not measured: ${row.name}`
  const figures = Object.entries(row.details).map(([key, value]) => `${key} ${String(value)}`)
  const ratio = row.ratio.toFixed(2).padStart(6)
  return quick ? `${ratio} ${row.name} (${figures.join(', ')})` : `${ratio} of ${String(row.limit).padEnd(4)} ${row.name} (${figures.join(', ')})${meets(row) ? '' : '  MISSED'}`
}

const rows: BenchRow[] = []
const measurements = new Map<string, readonly BenchRow[]>()
for (const [name, bench] of Object.entries(benches)) {
  if (only !== null && only !== name) continue
  const began = performance.now()
  const its = await measured(name, only === null ? () => apart(name) : bench)
  rows.push(...its)
  measurements.set(name, its)
  if (!json) for (const row of its) console.log(lineOf(row))
  if (only === null || !json) console.error(`${name} took ${String(Math.round((performance.now() - began) / 1_000))} s`)
}

// Limits are those of the full size: a first look misses one only where nothing was measured.
const missed = rows.filter((row) => (quick ? Number.isNaN(row.ratio) : !meets(row)))
if (json) console.log(JSON.stringify({ ok: missed.length === 0, quick, rows }, null, 2))
if (write) writePerformance(Object.keys(benches), measurements)

// The PostgreSQL server's own hook at the end of the process would make this a 0.
process.stdout.write('', () => process.exit(missed.length === 0 ? 0 : 1))
