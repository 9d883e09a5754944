import { benchCloud } from './cloud.ts'
import { benchLedger } from './copier-ledger.ts'
import { benchCopier } from './copier.ts'
import { benchEngine } from './engine.ts'
import { benchFindings } from './findings.ts'
import { benchImport } from './import.ts'
import { benchLogbook } from './logbook.ts'
import { benchMirror } from './mirror.ts'
import { writePerformance } from './performance.ts'
import { benchReading } from './reading.ts'
import { benchReads } from './reads.ts'
import { meets, type BenchRow } from './row.ts'
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

const given = (flag: string): boolean => process.argv.includes(flag)
const only = given('--only') ? (process.argv[process.argv.indexOf('--only') + 1] ?? '') : null
if (only !== null && benches[only] === undefined) throw new Error(`There are: ${Object.keys(benches).join(', ')}`)
if (given('--write') && (only !== null || given('--quick'))) throw new Error('What is written is one whole run')

const rows: BenchRow[] = []
for (const [name, bench] of Object.entries(benches)) if (only === null || only === name) rows.push(...(await bench()))

const missed = rows.filter((row) => !meets(row))

if (given('--json')) {
  console.log(JSON.stringify({ ok: missed.length === 0, rows }, null, 2))
} else {
  for (const row of rows) {
    const figures = Object.entries(row.details).map(([key, value]) => `${key} ${String(value)}`)
    console.log(`${row.ratio.toFixed(2).padStart(6)} of ${String(row.limit).padEnd(4)} ${row.name} (${figures.join(', ')})${meets(row) ? '' : '  MISSED'}`)
  }
}
if (given('--write')) writePerformance(rows)

// The PostgreSQL server's own hook at the end of the process would make this a 0.
process.stdout.write('', () => process.exit(missed.length === 0 ? 0 : 1))
