import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { closeReader, openReader, queryCells, type Reader } from '#backend/store/database.ts'
import { openJournal } from '#backend/store/open-journal.ts'
import { readsOf } from '#backend/store/reads.ts'
import type { Unit } from '#shared/api/statistics.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { makeLargeJournal } from '../helpers/large-journal.ts'
import { median, rounded, type BenchRow } from './row.ts'

const sizes = [11_500, 115_000] as const
const runs = 5
const ratioLimit = 9
const growthLimit = 15
const userId = 'bench'
const migrationsFolder = fileURLToPath(new URL('../../migrations/sqlite/', import.meta.url))
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

type Measured = { readonly trades: number; readonly asked: number; readonly plain: number }

/**
 * The statistics of about 100,000 trades, from the file to the answer's bytes as the reading thread
 * makes them. Against a plain look at the same cells of every trade, adding up what they came to; and what ten times the
 * trades cost. Medians.
 */
export const benchStatistics = async (): Promise<readonly BenchRow[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-bench-'))
  try {
    const rows: BenchRow[] = []
    const [small, large] = [await openLarge(join(folder, 'small'), sizes[0]), await openLarge(join(folder, 'large'), sizes[1])]
    for (const unit of ['pairs', 'trips'] as const) {
      const [few, many] = [measure(small, unit), measure(large, unit)]
      const name = `statistics of ${many.trades.toLocaleString('en-US')} ${unit}`
      rows.push({ name, ratio: many.asked / many.plain, limit: ratioLimit, details: { statistics: rounded(many.asked), plain: rounded(many.plain), runs } })
      rows.push({ name: `${name}, growth from ${few.trades.toLocaleString('en-US')}`, ratio: many.asked / few.asked, limit: growthLimit, details: { few: rounded(few.asked), many: rounded(many.asked) } })
    }
    closeReader(small)
    closeReader(large)
    return rows
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const openLarge = async (folder: string, trades: number): Promise<Reader> => {
  const file = join(folder, 'journal.db')
  const journal = await openJournal({ file, migrationsFolder, backupFolder: join(folder, 'backups'), log: quiet })
  await journal.write.createProfile({ id: userId, email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: Date.now() })
  await journal.close()
  await makeLargeJournal({ file, picturesFolder: join(folder, 'pictures'), userId }, trades)
  return openReader(file)
}

const measure = (reader: Reader, unit: Unit): Measured => {
  const { statisticsJson } = readsOf(reader)
  const ask = () => statisticsJson({ userId, unit, zone: null, timedBy: 'entry', filter: everyTrade })
  const [asked, plain]: [number[], number[]] = [[], []]
  // The first round warms up both.
  for (let run = 0; run <= runs; run += 1) {
    globalThis.gc?.()
    const [one, other] = [timed(ask), timed(() => addUp(reader, unit))]
    if (run === 0) continue
    asked.push(one)
    plain.push(other)
  }
  const { trades } = JSON.parse(new TextDecoder().decode(ask())) as { trades: number }
  return { trades, asked: median(asked), plain: median(plain) }
}

type Cells = [date: string, day: string, entry: number, exit: number, symbol: string, account: string, side: string, gross: number, commission: number, net: number]

const addUp = (reader: Reader, unit: Unit): number => {
  const table = unit === 'pairs' ? 'trades' : 'counted_trips'
  let sum = 0
  for (const cells of queryCells<Cells>(reader, `SELECT date, trading_day, entry_time, exit_time, symbol, account_id, side, gross, commission, net FROM ${table} WHERE user_id = ?`).iterate(userId)) sum += cells[9]
  return sum
}

const timed = (work: () => unknown): number => {
  const from = performance.now()
  work()
  return performance.now() - from
}
