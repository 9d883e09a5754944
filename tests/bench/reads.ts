import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeReader, query, queryCells, type Reader } from '#backend/db/database.ts'
import { readsOf } from '#backend/journal/reads.ts'
import type { Unit } from '#shared/api/statistics.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { benchUser, openLargeJournals } from './large-journals.ts'
import { counted, rounded, scale, takingTurns, type BenchRow } from './row.ts'

const runs = 5
const growthLimit = 15
const userId = benchUser

/** A query of the journal, the hand-written SQL for it, and the number of rows of each answer. */
type Asking<Answer, Plain> = {
  readonly name: (size: string) => string
  readonly limit: number
  readonly asked: (reader: Reader) => Answer
  readonly plain: (reader: Reader) => Plain
  readonly found: readonly [asked: (answer: Answer) => number, plain: (answer: Plain) => number]
  /** What SQLite says of the same rows without giving one away; a figure, no yardstick. */
  readonly inSql?: (reader: Reader) => unknown
}
type Journal = { readonly size: string; readonly reader: Reader }

/**
 * What screens ask of large journals, from the file to the answer as the reading thread makes it: all trades at once, a page of
 * the filtered logbook, and the Overview's statistics; each against plain questions over the same file and the same indices,
 * and against itself with a tenth of the trades. Medians of turns.
 */
export const benchReads = async (): Promise<readonly BenchRow[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-bench-'))
  try {
    const readers = await openLargeJournals(folder)
    const [small, medium, large] = [10_000, 100_000, 1_000_000].map((size, index): Journal => ({ size: counted(size * scale), reader: readers[index] ?? readers[0] })) as [Journal, Journal, Journal]
    const rows = [
      ...rowsOf(getTrades, small, medium),
      ...(['pairs', 'trades'] as const).flatMap((unit) => [...rowsOf(logbookPages(unit), medium, large), ...rowsOf(statistics(unit), medium, large)]),
    ]
    for (const reader of readers) closeReader(reader)
    return rows
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const rowsOf = <Answer, Plain>({ name, limit, asked, plain, found: [inAnswer, inPlain], inSql }: Asking<Answer, Plain>, tenth: Journal, whole: Journal): readonly BenchRow[] => {
  const called = name(whole.size)
  const [found, byHandFound] = [inAnswer(asked(whole.reader)), inPlain(plain(whole.reader))]
  // A fast wrong answer is no measurement.
  if (found === 0 || found !== byHandFound) throw new Error(`${called}: ${String(found)} were found, and ${String(byHandFound)} by hand`)
  const [own, byHand, few, sums] = takingTurns(runs, () => asked(whole.reader), () => plain(whole.reader), () => asked(tenth.reader), () => inSql?.(whole.reader))
  return [
    { name: called, ratio: own / byHand, limit, details: { asked: rounded(own), plain: rounded(byHand), ...(inSql && { 'sums within SQLite': rounded(sums) }), found, runs } },
    { name: `${called}, growth from ${tenth.size}`, ratio: own / few, limit: growthLimit, details: { few: rounded(few), many: rounded(own) } },
  ]
}

const inView = 'row.user_id = @userId AND row.account_id NOT IN (SELECT key FROM accounts WHERE user_id = @userId AND removed_at IS NOT NULL)'
const notRemoved = 'NOT EXISTS (SELECT 1 FROM shown_notes AS edit WHERE edit.user_id = row.user_id AND edit.pair_id = row.id AND edit.removed_at IS NOT NULL)'
const from: Record<Unit, string> = { pairs: `FROM fill_pairs AS row WHERE ${inView} AND ${notRemoved}`, trades: `FROM counted_trades AS row WHERE ${inView}` }

const wholeTrades = `SELECT row.*, COALESCE(row.account, accounts.name, row.account_id) AS account_name, notes, tags, stop, screenshot, screenshot_headline, screenshot2, screenshot2_headline, drawings
  FROM fill_pairs AS row LEFT JOIN accounts ON accounts.user_id = row.user_id AND accounts.key = row.account_id LEFT JOIN shown_notes ON shown_notes.user_id = row.user_id AND shown_notes.pair_id = row.id
  WHERE row.user_id = @userId AND accounts.removed_at IS NULL AND shown_notes.removed_at IS NULL ORDER BY row.exit_time, row.id`

const getTrades: Asking<Uint8Array, string> = {
  name: (size) => `the answer to GET trades, ${size} of them, made without HTTP`,
  limit: 1.5,
  asked: (reader) => readsOf(reader).tradesJson({ userId }),
  plain: (reader) => JSON.stringify(query(reader, wholeTrades).all({ userId })),
  found: [(bytes) => (JSON.parse(new TextDecoder().decode(bytes)) as { trades: unknown[] }).trades.length, (text) => (JSON.parse(text) as unknown[]).length],
}

const months = Array.from({ length: 12 }, (_, month) => `2025-${String(month + 1).padStart(2, '0')}`)
const account = 'tradovate:demo:810101'
const rowsInPage = 100
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

const unitNames = { pairs: 'fill pairs', trades: 'trades' } as const satisfies Record<Unit, string>

const logbookPages = (unit: Unit): Asking<readonly number[], readonly number[]> => {
  const meeting = `${from[unit]} AND row.trading_day BETWEEN @first AND @last AND row.account_id = @account`
  return {
    name: (size) => `twelve pages of a logbook of ${size}, each of the ${unitNames[unit]} of one account and month`,
    limit: 2,
    asked: (reader) =>
      months.flatMap((month) => {
        const page = { userId, filter: { ...everyTrade, from: `${month}-01`, to: `${month}-31`, accounts: [account] }, sort: 'exitTime', direction: 'desc', limit: rowsInPage, offset: 0 } as const
        const { total, rows } = unit === 'pairs' ? readsOf(reader).pairPage(page) : readsOf(reader).tradePage(page)
        return [total, rows.length]
      }),
    plain: (reader) =>
      months.flatMap((month) => {
        const values = { userId, account, first: `${month}-01`, last: `${month}-31` }
        const total = query<{ count: number }>(reader, `SELECT count(*) AS count ${meeting}`).get(values)?.count ?? 0
        return [total, query(reader, `SELECT * ${meeting} ORDER BY row.exit_time DESC, row.id DESC LIMIT ${String(rowsInPage)}`).all(values).length]
      }),
    found: [sum, sum],
  }
}

const statistics = (unit: Unit): Asking<Uint8Array, number> => ({
  name: (size) => `statistics of ${size} ${unitNames[unit]}`,
  limit: 3,
  asked: (reader) => readsOf(reader).statisticsJson({ userId, unit, zone: null, timedBy: 'entry', filter: everyTrade }),
  // One pass over the cells that the figures are made of, which adds up the net and nothing else.
  plain: (reader) => {
    const rows = queryCells<unknown[]>(reader, `SELECT row.id, trading_day, entry_time, exit_time, symbol, row.account_id, side, currency, gross, commission, net ${from[unit]}`)
    let [found, net] = [0, 0]
    for (const cells of rows.iterate({ userId })) {
      found += 1
      net += Number(cells[10])
    }
    return Number.isFinite(net) ? found : 0
  },
  found: [(bytes) => (JSON.parse(new TextDecoder().decode(bytes)) as { trades: number }).trades, (count) => count],
  // The Overview's figures, as far as sums, counts and extremes give them.
  inSql: (reader) =>
    query(
      reader,
      `SELECT count(*), min(trading_day), max(trading_day), sum(side = 'long'), sum(exit_time - entry_time), max(exit_time - entry_time), sum(gross), sum(commission),
        sum(net), sum(net > 0), sum(net < 0), sum(max(net, 0)), sum(min(net, 0)), max(net), min(net) ${from[unit]}`,
    ).get({ userId }),
})
