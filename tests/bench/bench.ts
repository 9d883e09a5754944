import { benchLedger } from './copier-ledger.ts'
import { benchCopier } from './copier.ts'
import { benchEngine } from './engine.ts'
import { benchFindings } from './findings.ts'
import { benchMirror } from './mirror.ts'
import type { BenchRow } from './row.ts'
import { benchRules } from './rules.ts'
import { benchScanner } from './scanner.ts'
import { benchStatistics } from './statistics.ts'
import { benchSync } from './sync.ts'

const benches: readonly (() => readonly BenchRow[] | Promise<readonly BenchRow[]>)[] = [benchEngine, benchSync, benchMirror, benchStatistics, benchRules, benchFindings, benchLedger, benchCopier, benchScanner]

const rows: BenchRow[] = []
for (const bench of benches) rows.push(...(await bench()))

const missed = rows.filter(({ ratio, limit }) => !(ratio <= limit))

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ ok: missed.length === 0, rows }, null, 2))
} else {
  for (const { name, ratio, limit, details } of rows) {
    const figures = Object.entries(details).map(([key, value]) => `${key} ${String(value)}`)
    const verdict = ratio <= limit ? '' : '  MISSED'
    console.log(`${ratio.toFixed(2).padStart(6)} of ${String(limit).padEnd(4)} ${name} (${figures.join(', ')})${verdict}`)
  }
}

// The PostgreSQL server's own hook at the end of the process would make this a 0.
process.stdout.write('', () => process.exit(missed.length === 0 ? 0 : 1))
