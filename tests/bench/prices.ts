import { execFile } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { atomically } from '#backend/db/database.ts'
import { excursionChanges, saveExcursions, type ExcursionChanges } from '#backend/prices/save-excursions.ts'
import { tryExits, type TriedTrade } from '#backend/prices/try-exits.ts'
import { zero, type Currency } from '#shared/money/money.ts'
import type { ExitRule } from '#shared/prices/exit-rule.ts'
import type { TradeOfFilter, TradeCursor, TradeWithFills } from '#backend/prices/trades-to-price.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { TradeFill } from '#shared/prices/excursions.ts'
import { readingPrices, writingPrices, type PricePaths } from '#backend/prices/store/price-file.ts'
import { storedSeries } from '#backend/prices/queries.ts'
import { readTape } from '#backend/prices/read-tape.ts'
import { writeTape } from '#backend/prices/write-tape.ts'
import { contract, pricesMigrations, second, tickSize, tuesday } from '../helpers/price-tapes.ts'
import { temporaryFolder } from '../helpers/running-app.ts'
import { paceOf } from './long-spec.ts'
import type { FillsRead } from './read-fills-child.ts'
import { counted, median, rounded, scale, takingTurns, type BenchRow } from './row.ts'

const runs = 3
const questions = 200
const megabyte = 1_000_000
const limits = { scan: 0.05, growth: 3, import: 2, memory: 1.2, linear: 1.5, unchanged: 0.5 }
const script = fileURLToPath(new URL('./read-prices-child.ts', import.meta.url))

/** A walk of prices, the same in every run. */
const walk = (count: number, step: number, take: (at: number, price: number, size: number) => void): void => {
  let [at, price, seed] = [tuesday, 100_000, 1]
  for (let index = 0; index < count; index += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    at += seed % step
    price += ((seed >>> 8) % 5) - 2
    take(at, price, 1 + ((seed >>> 16) % 9))
  }
}

/**
 * Lowest and highest price between two moments of ten million ticks, against a scan of the prices in memory, and against a tenth of
 * them; the excursions of 100,000 trades, against a tenth of them and against a look that finds nothing changed; other exits of 10,000 trades, against a tenth of them; the room of ticks and of bars; an import of 100 MB of ticks against csv-parse alone, which cuts it into cells; and the longest work of the main thread in a replay of a million ticks, as the long test traces it, against 50 ms.
 */
export const benchPrices = async (): Promise<readonly BenchRow[]> => {
  const { path: folder, remove } = await temporaryFolder()
  try {
    return [...questionRows(folder), ...excursionRows(folder), ...whatIfRows(folder), ...roomRows(folder), ...(await importRows(folder)), ...(await replayRows())]
  } finally {
    await remove()
  }
}

const kept = (folder: string, name: string, grain: number, write: (add: ReturnType<typeof writeTape>['add']) => void): PricePaths => {
  const place = { file: join(folder, `${name}.db`), migrationsFolder: pricesMigrations }
  writingPrices(place, (writer) =>
    atomically(writer, () => {
      const tape = writeTape(writer, { contract, tickSize, source: 'ninjatrader-ticks', grain, at: 0 })
      write(tape.add)
      return tape.end()
    }),
  )
  return place
}

const questionRows = (folder: string): readonly BenchRow[] => {
  const count = 10_000_000 * scale
  const [times, prices] = [new Float64Array(count), new Int32Array(count)]
  let filled = 0
  walk(count, 100_000, (at, price) => {
    times[filled] = at
    prices[filled] = price
    filled += 1
  })
  const ticks = (name: string, most: number): PricePaths =>
    kept(folder, name, 0, (add) => {
      for (let index = 0; index < most; index += 1) add(times[index] ?? 0, 0, prices[index] ?? 0, prices[index] ?? 0, prices[index] ?? 0, 1)
    })
  const [few, many] = [ticks('few', count / 10), ticks('many', count)]
  /** Spans from a fifth to four fifths, none of which begins or ends with a chunk. */
  const spanOf = (question: number, most: number) => {
    const [from, to] = [Math.floor(most * 0.2) + question * 131, Math.floor(most * 0.8) + question * 173]
    return { from, to, span: { from: times[from] ?? 0, to: times[to] ?? 0 } }
  }
  const asking = (place: PricePaths, most: number) => (): unknown =>
    readingPrices(place, null, (reader) => {
      const tape = readTape(reader, contract, tickSize)
      for (let question = 0; question < questions; question += 1) tape.extremes(spanOf(question, most).span)
      return null
    })
  const scanning = (): unknown => {
    let sum = 0
    for (let question = 0; question < 3; question += 1) {
      const { from, to } = spanOf(question, count)
      let [low, high] = [Infinity, -Infinity]
      for (let index = from; index < to; index += 1) {
        const price = prices[index] ?? 0
        if (price < low) low = price
        if (price > high) high = price
      }
      sum += high - low
    }
    return sum
  }
  const [small, large, scan] = takingTurns(runs, asking(few, count / 10), asking(many, count), scanning)
  const [each, eachScan] = [large / questions, scan / 3]
  const name = `lowest and highest price in ${counted(count)} ticks`
  return [
    { name: `${name}, against a scan in memory`, ratio: each / eachScan, limit: limits.scan, details: { fillbook: rounded(each), scan: rounded(eachScan), questions, runs } },
    { name: `${name}, growth from ${counted(count / 10)}`, ratio: large / small, limit: limits.growth, details: { few: rounded(small / questions), many: rounded(each) } },
  ]
}

/** A walk of prices, and where it is kept. */
type Walked = { readonly place: PricePaths; readonly times: Float64Array; readonly prices: Int32Array }

const walked = (folder: string, name: string): Walked => {
  const count = 2_000_000 * scale
  const [times, prices] = [new Float64Array(count), new Int32Array(count)]
  let filled = 0
  const place = kept(folder, name, 0, (add) => walk(count, 100_000, (at, price, size) => {
    times[filled] = at
    prices[filled] = price
    filled += 1
    add(at, price, price, price, price, size)
  }))
  return { place, times, prices }
}

/** Trades of one to nineteen minutes at prices of the walk, some of them at every moment of it, in the order of their ends. */
const someTrades = (count: number, { times, prices }: Walked): readonly TradeWithFills[] => {
  let seed = 7
  const next = (most: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return (seed >>> 4) % most
  }
  const printsInMinute = 1_200
  return Array.from({ length: count }, (_, index): TradeWithFills => {
    const entered = next(times.length - 20 * printsInMinute)
    const [left, side] = [entered + printsInMinute + next(18 * printsInMinute), index % 2 === 0 ? 1 : -1]
    const fill = (print: number, qty: number): TradeFill => ({ time: Math.floor((times[print] ?? 0) / 1000), qty: side * qty, price: (prices[print] ?? 0) as Ticks })
    const fills = [fill(entered, 2), fill((entered + left) >> 1, -1), fill(left, -1)]
    return { id: `trade ${String(index)}`, ended: fills.at(-1)?.time ?? 0, contract, tickSize, tickValue: { num: 5_000, den: 1 }, fills, parts: [] }
  }).sort((one, other) => one.ended - other.ended || (one.id < other.id ? -1 : 1))
}

const tradesInPart = 2_000

const excursionRows = (folder: string): readonly BenchRow[] => {
  const tape = walked(folder, 'excursions')
  const { place } = tape
  const [few, many] = [someTrades(10_000 * scale, tape), someTrades(100_000 * scale, tape)]
  const forget = (): void => writingPrices(place, (writer) => void writer.database.exec('DELETE FROM excursions'))
  /** As the thread does it, a part at a time; gives how many were computed. */
  const compute = (trades: readonly TradeWithFills[]): number => {
    let [computed, after]: [number, TradeCursor | null] = [0, null]
    for (let from = 0; from < trades.length; from += tradesInPart) {
      const part = trades.slice(from, from + tradesInPart)
      const last = from + tradesInPart < trades.length ? part.at(-1) : undefined
      const next = last === undefined ? null : { ended: last.ended, id: last.id }
      const changes = readingPrices<ExcursionChanges>(place, { put: [], gone: [] }, (reader) => excursionChanges(reader, part, { after, next }))
      if (changes.put.length + changes.gone.length > 0) writingPrices(place, (writer) => { saveExcursions(writer, changes) })
      computed += changes.put.length
      after = next
    }
    return computed
  }
  const anew = (trades: readonly TradeWithFills[]) => (): void => {
    forget()
    if (compute(trades) !== trades.length) throw new Error('Not every trade has excursions')
  }
  const again = (): void => {
    if (compute(many) !== 0) throw new Error('What did not change was computed')
  }
  const [small, large, same] = takingTurns(1, anew(few), anew(many), again)
  const name = `excursions of ${counted(many.length)} trades`
  return [
    { name: `${name}, each against each of ${counted(few.length)}`, ratio: large / 10 / small, limit: limits.linear, details: { few: rounded(small), many: rounded(large), each: rounded(large / many.length) } },
    { name: `${name} that did not change, against computing them`, ratio: same / large, limit: limits.unchanged, details: { same: rounded(same), anew: rounded(large) } },
  ]
}

const whatIfRows = (folder: string): readonly BenchRow[] => {
  const tape = walked(folder, 'what-if')
  const { place } = tape
  const toTry = (count: number): readonly TradeOfFilter[] => someTrades(count, tape).map((priced) => ({ tradingDay: '2026-10-06', currency: 'USD' as Currency, net: zero, costs: zero, risk: null, tags: [], priced }))
  const ticks = (value: number) => ({ in: 'ticks', value }) as const
  const rule: ExitRule = { stop: ticks(400), target: ticks(600), trail: null, breakEven: null, minutes: null, first: null }
  const rules: readonly ExitRule[] = [rule, { ...rule, trail: ticks(300) }, { ...rule, first: { at: ticks(200), percent: 50 }, breakEven: ticks(250) }, { ...rule, minutes: 10 }]
  const trying = (trades: readonly TradeOfFilter[]) => (): void => {
    const found = readingPrices<readonly TriedTrade[]>(place, [], (reader) => tryExits(reader, trades, { rules, terms: { slippage: 1, horizon: { until: 'exit' }, insideBars: 'any-price' }, fee: null }))
    if (found.some((each) => each === 'added-later' || each.would.includes(null))) throw new Error('Not every trade was tried')
  }
  const [few, many] = [toTry(1_000 * scale), toTry(10_000 * scale)]
  const [small, large] = takingTurns(1, trying(few), trying(many))
  return [{ name: `what-if of ${counted(many.length)} trades by ${String(rules.length)} rules, each against each of ${counted(few.length)}`, ratio: large / 10 / small, limit: limits.linear, details: { few: rounded(small), many: rounded(large), each: rounded(large / many.length) } }]
}

const roomRows = (folder: string): readonly BenchRow[] => {
  const mbOf = (place: PricePaths): number => readingPrices(place, 0, (reader) => storedSeries(reader).reduce((sum, { bytes }) => sum + bytes, 0)) / megabyte
  // The busiest seconds have no gap; 23 hours are a session.
  const [ticks, seconds] = [1_000_000 * scale, 23 * 3600 * scale]
  const tickMb = mbOf(kept(folder, 'ticks', 0, (add) => walk(ticks, 160_000, (at, price, size) => void add(at, price, price, price, price, size))))
  let bar = 0
  const barMb = mbOf(
    kept(folder, 'bars', second, (add) =>
      walk(seconds, 2, (_, price, size) => {
        add(tuesday + bar * second, price, price + size, price - (size % 4), price + (size % 3), size * 37)
        bar += 1
      }),
    ),
  )
  return [
    { name: `room of ${counted(ticks)} ticks, against 8 MB for a million`, ratio: tickMb / (8 * scale), limit: 1, details: { mb: rounded(tickMb) } },
    { name: `room of ${counted(seconds)} bars of a second, against 1 MB a day`, ratio: barMb / scale, limit: 1, details: { mb: rounded(barMb) } },
  ]
}

const importRows = async (folder: string): Promise<readonly BenchRow[]> => {
  const sizes = { whole: 100 * scale, double: 200 * scale }
  const [whole, double] = [await turnsOf(join(folder, 'whole.txt'), sizes.whole), await turnsOf(join(folder, 'double.txt'), sizes.double)]
  const name = `storing ${String(sizes.whole)} MB of ticks`
  return [
    { name, ratio: whole.ours.ms / whole.library.ms, limit: limits.import, details: { fillbook: rounded(whole.ours.ms), library: rounded(whole.library.ms), fillbookCpu: rounded(whole.ours.cpuMs), libraryCpu: rounded(whole.library.cpuMs), rows: whole.ours.rows, runs } },
    // The heap's own steps are over by 100 MB.
    { name: `${name}, peak of memory of ${String(sizes.double)} MB against it`, ratio: double.ours.grownMb / whole.ours.grownMb, limit: limits.memory, details: { wholeMb: rounded(whole.ours.grownMb), doubleMb: rounded(double.ours.grownMb), libraryMb: rounded(whole.library.grownMb) } },
  ]
}

const replayRows = async (): Promise<readonly BenchRow[]> => {
  const { longestMs, loadingMs } = await paceOf('replay-frames', z.object({ longestMs: z.number(), loadingMs: z.number() }))
  return [{ name: 'a replay with 1,000,000 ticks loaded, longest frame against 50 ms', ratio: longestMs / 50, limit: 1, details: { longest: longestMs, 'longest while it loads': loadingMs } }]
}

const turnsOf = async (file: string, mb: number): Promise<{ readonly ours: FillsRead; readonly library: FillsRead }> => {
  const rows = writeTicks(file, mb * megabyte)
  const [ours, library]: [FillsRead[], FillsRead[]] = [[], []]
  for (let run = 0; run < runs; run += 1) {
    for (const end of ['.db', '.db-wal', '.db-shm']) rmSync(`${file}${end}`, { force: true })
    ours.push(await read('fillbook', file, rows))
    library.push(await read('library', file, rows))
  }
  return { ours: middle(ours), library: middle(library) }
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

const two = (value: number, length = 2): string => String(value).padStart(length, '0')

/** Writes NinjaTrader's text of ticks, as many rows as fill so many bytes; gives their number. */
const writeTicks = (path: string, bytes: number): number => {
  const file = openSync(path, 'w')
  const lineBytes = 59
  let [text, rows] = ['', 0]
  walk(Math.floor(bytes / lineBytes), 60_000, (at, ticks, size) => {
    const date = new Date(at / 1000)
    const price = (ticks / 4).toFixed(2)
    text += `${String(date.getUTCFullYear())}${two(date.getUTCMonth() + 1)}${two(date.getUTCDate())} ${two(date.getUTCHours())}${two(date.getUTCMinutes())}${two(date.getUTCSeconds())} ${two(at % second, 6)}0;${price};${price};${price};${String(size)}\n`
    rows += 1
    if (text.length < megabyte) return
    writeSync(file, text)
    text = ''
  })
  writeSync(file, text)
  closeSync(file)
  return rows
}
