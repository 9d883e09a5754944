import { existsSync } from 'node:fs'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { atomically, type Reader } from '../db/database.ts'
import { withJournal, type JournalPorts } from '../journal/journal.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'
import { variantsOf, type TriedResult } from '#shared/prices/what-if-figures.ts'
import type { BarSource, PriceSource } from '#shared/prices/formats/format.ts'
import { bestExit, excursionsOf, extremeTimes } from '#shared/prices/excursions.ts'
import { candlesOf, isFineEnough, isTickSize, mostCandles, type Candle, type CandleSize } from '#shared/prices/candles.ts'
import { fillTolerance } from '#shared/prices/fill-moments.ts'
import { latestExits } from '#shared/prices/latest-exits.ts'
import { stepsOf, type StepPage } from '#shared/prices/steps.ts'
import { countPrints, tickCandles } from '#shared/prices/tick-candles.ts'
import { covers, type Coverage, type Span } from '#shared/prices/tape.ts'
import { threadBody } from '../threads/thread-body.ts'
import type { BarList } from '../brokers/bars.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { PriceFeed } from '#shared/prices/feeds.ts'
import type { ContractFacts } from './fill-prices.ts'
import { excursionChanges, hasExcursions, saveExcursions, pricedContracts } from './save-excursions.ts'
import { addSpending, beginFetch, endFetch, feedChoices, fetchUnderWay, retryRoomFull, hasFeeds, recordAnswer, recordFailure, recordRefusal, setFeed, wantedSessions, type FeedChoice, type WantedSession } from './feed-queries.ts'
import type { NeededPrices } from './needed-prices.ts'
import { readingPrices, writingPrices, type PricePaths } from './store/price-file.ts'
import type { UntimedTrade } from './priced-trade.ts'
import { importPriceFile, previewPriceFile, inspectPriceFile, type PriceFile } from './price-imports.ts'
import { readTape } from './read-tape.ts'
import { freeRoom, isNearlyFull, priceBytes, priceLimits, removeSeries, setPriceLimits, storedSeries, usualLimits, type PriceLimits, type StoredSeries } from './queries.ts'
import type { TradeOfFilter, TradeCursor } from './trades-to-price.ts'
import { recordTries, tryExits, type ExitsToTry, type TriedTrade } from './try-exits.ts'
import { saveBars, saveVendorFile } from './save-fetched.ts'
import { writeTape } from './write-tape.ts'

/** Files of prices, each with what the journal knows of its contract. `now` is UTC ms. */
export type PriceWork = { readonly paths: PricePaths; readonly files: readonly { readonly file: PriceFile; readonly facts: ContractFacts | null }[]; readonly zone: string; readonly now: number }

/** Prints of a contract from a source that is no file, in the order of time: UTC µs, whole ticks, contracts. `key` is root and delivery. */
export type FetchedPrints = { readonly key: string; readonly tickSize: string; readonly at: Float64Array; readonly price: Int32Array; readonly size: Int32Array }

type Refresh = { readonly paths: PricePaths; readonly userId: string; readonly journal: JournalPorts; readonly after: TradeCursor | null; readonly forMs: number }

/** How many trades changed, and the cursor of the next part; null at the end. */
export type Refreshed = { readonly changed: number; readonly next: TradeCursor | null }

type WhatIfWork = { readonly paths: PricePaths; readonly userId: string; readonly journal: JournalPorts; readonly filter: TradeFilter; readonly exits: ExitsToTry; readonly variantsTried: number }
type WhatIfFound = ReturnType<typeof variantsOf> & { readonly currency: Currency | null; readonly trades: number; readonly leftOut: { readonly addedLater: number; readonly otherCurrency: number } }

/** The thread's calls. */
export type PriceCalls = typeof calls

/** What the chart of a trade depends on of the stored prices. */
export type ChartPrices = { readonly known: readonly Coverage[]; readonly prints: number | null }

/** The requested prices of a contract. */
type PricesInput = { readonly paths: PricePaths; readonly contract: string; readonly tickSize: string; readonly span: Span }

const none = 'no-rows'
// So few that the journal's other reads need not wait long.
const tradesInPart = 2_000
const dayMs = 86_400_000
const minuteUs = 60_000_000
// Half a megabyte of JSON: it is copied between two threads.
const stepsInPage = 50_000
// Some 200 ms to count.
const mostPrints = 2_000_000
/** Tick candles beside the requested ones, on either side. */
const candlesBeside = 1500
const noSteps: StepPage = { grain: 'prints', steps: [], next: null }

/** Reads the state of feeds, also while a file is being stored; the reader is null if nothing is stored. Migrates a file from before feeds first. */
const readingFeeds = <T>(paths: PricePaths, work: (reader: Reader | null) => T): T => {
  const isOld = readingPrices(paths, false, (reader) => !hasFeeds(reader))
  if (isOld) writingPrices(paths, () => undefined)
  return readingPrices<{ readonly value: T } | null>(paths, null, (reader) => ({ value: work(reader) }))?.value ?? work(null)
}

const calls = {
  preview: ({ paths, files, zone, now }: PriceWork) => {
    const look = (reader: Reader | null) => files.map(({ file, facts }) => previewPriceFile(file, inspectPriceFile(file, now) ?? none, facts, { zone, reader }))
    return readingPrices(paths, undefined, look) ?? look(null)
  },
  add: ({ paths, files, zone, now }: PriceWork) => writingPrices(paths, (writer) => files.map(({ file, facts }) => importPriceFile(writer, file, inspectPriceFile(file, now) ?? none, facts, { zone, now }))),
  /** Saves fetched prints, each list whole or not at all, and frees what is beyond the limits. */
  put: ({ paths, source, lists, now }: { readonly paths: PricePaths; readonly source: PriceSource; readonly lists: readonly FetchedPrints[]; readonly now: number }) =>
    writingPrices(paths, (writer) =>
      atomically(writer, () => {
        const kept = new Set<number>()
        for (const own of Map.groupBy(lists, ({ key, tickSize }) => `${key} ${tickSize}`).values()) {
          const [first] = own
          if (first === undefined) continue
          const tape = writeTape(writer, { contract: first.key, tickSize: first.tickSize, source, grain: 0, at: now })
          for (const { at, price, size } of own) at.forEach((moment, index) => void tape.add(moment, price[index] ?? 0, price[index] ?? 0, price[index] ?? 0, price[index] ?? 0, size[index] ?? 0))
          for (const part of tape.end().parts) kept.add(part)
        }
        freeRoom(writer, now, kept)
      }),
    ),
  /** What is needed and not stored as prints yet, without what the limits would free again. */
  missing: ({ paths, needed, now }: { readonly paths: PricePaths; readonly needed: readonly NeededPrices[]; readonly now: number }): readonly NeededPrices[] =>
    readingPrices(paths, needed, (reader) => {
      const { days } = priceLimits(reader)
      if (isNearlyFull(reader)) return []
      const oldest = days === null ? -Infinity : (now - days * dayMs) * 1000
      return needed.flatMap((one) => {
        const tape = readTape(reader, one.key, one.tickSize)
        const spans = one.spans.filter((span) => span.from > oldest && !covers(tape.coverage(span).filter(({ grain }) => grain === 'prints'), span))
        return spans.length === 0 ? [] : [{ ...one, spans }]
      })
    }),
  /** Computes the excursions of trades whose fills or prices changed, for so many ms at least; a trade's are written whole with those around it. */
  refresh: ({ paths, userId, journal, after: begin, forMs }: Refresh): Promise<Refreshed> =>
    withJournal(journal, async ({ read }) => {
      if (!existsSync(paths.file)) return { changed: 0, next: null }
      if (begin === null) writingPrices(paths, () => undefined)
      const contracts = readingPrices<readonly string[] | null>(paths, null, (reader) => (pricedContracts(reader).length === 0 && !hasExcursions(reader) ? null : pricedContracts(reader)))
      if (contracts === null) return { changed: 0, next: null }
      const end = performance.now() + forMs
      let changed = 0
      for (let after = begin; ; ) {
        const { trades, next } = await read.tradesToPrice({ userId, contracts, after, limit: tradesInPart })
        const changes = readingPrices(paths, { put: [], gone: [] }, (reader) => excursionChanges(reader, trades, { after, next }))
        const count = changes.put.length + changes.gone.length
        if (count > 0) writingPrices(paths, (writer) => { saveExcursions(writer, changes) })
        changed += count
        if (next === null || performance.now() > end) return { changed, next }
        after = next
      }
    }),
  stored: ({ paths }: { readonly paths: PricePaths }) =>
    readingPrices(paths, { series: [] as readonly StoredSeries[], bytes: 0, limits: usualLimits }, (reader) => ({ series: storedSeries(reader), bytes: priceBytes(reader), limits: priceLimits(reader) })),
  /** `closes`: the end of the session of the last fill, UTC ms. */
  excursions: ({ paths, contract, tickSize, trade: untimed, closes }: { readonly paths: PricePaths; readonly contract: string; readonly tickSize: string; readonly trade: UntimedTrade; readonly closes: number }) =>
    readingPrices(paths, null, (reader) => {
      const tape = readTape(reader, contract, tickSize)
      const trade = { ...untimed, tolerance: fillTolerance(untimed.fills, tape) }
      const found = excursionsOf(trade, tape)
      const times = found && extremeTimes(trade, tape)
      const exits = latestExits.map((minutes) => ({ minutes, best: bestExit(trade, tape, minutes * minuteUs, closes * 1000) }))
      return found === null || times === null ? null : { found, times, exits }
    }),
  /** The coverage of a span, and how many prints a trade in it has; null if too many to count. */
  known: ({ paths, contract, tickSize, span, trade }: PricesInput & { readonly trade: Span }) =>
    readingPrices<ChartPrices>(paths, { known: [], prints: 0 }, (reader) => {
      const tape = readTape(reader, contract, tickSize)
      const prints = countPrints(tape, trade, mostPrints)
      return { known: tape.coverage(span), prints: prints === mostPrints ? null : prints }
    }),
  candles: ({ paths, contract, tickSize, span, size }: PricesInput & { readonly size: CandleSize }) =>
    readingPrices<readonly Candle[] | 'too-coarse' | 'too-many'>(paths, [], (reader) => {
      const tape = readTape(reader, contract, tickSize)
      const known = tape.coverage(span)
      if (known.length > 0 && known.every(({ grain }) => !isFineEnough(grain, size))) return 'too-coarse'
      return isTickSize(size) ? tickCandles(tape, span, size, { beside: candlesBeside, most: mostCandles }) ?? 'too-many' : candlesOf(tape, span, size)
    }),
  steps: ({ paths, contract, tickSize, span }: PricesInput) => readingPrices(paths, noSteps, (reader) => stepsOf(readTape(reader, contract, tickSize), span, stepsInPage)),
  /** Records the variants that are tried; null without any prices. */
  recordTries: ({ paths, exits, filter, now }: { readonly paths: PricePaths; readonly exits: ExitsToTry; readonly filter: TradeFilter; readonly now: number }): number | null =>
    existsSync(paths.file) ? writingPrices(paths, (writer) => recordTries(writer, exits, filter, now)) : null,
  /** The results of rules on the trades of a filter, in the currency that most of them have. */
  whatIf: ({ paths, userId, journal, filter, exits, variantsTried }: WhatIfWork): Promise<WhatIfFound> =>
    withJournal(journal, async ({ read }) => {
      const tried: { readonly currency: Currency; readonly result: TriedTrade }[] = []
      for (let after: TradeCursor | null = null; ; ) {
        const { trades, next }: { trades: readonly TradeOfFilter[]; next: TradeCursor | null } = await read.tradesToTry({ userId, filter, after, limit: tradesInPart })
        const results = readingPrices(paths, [] as readonly TriedTrade[], (reader) => tryExits(reader, trades, exits))
        results.forEach((result, index) => {
          const trade = trades[index]
          if (trade !== undefined) tried.push({ currency: trade.currency, result })
        })
        if (next === null) break
        after = next
      }
      const [mostUsed] = [...Map.groupBy(tried, ({ currency }) => currency)].toSorted(([, one], [, other]) => other.length - one.length)
      const own = mostUsed?.[1] ?? []
      const results = own.flatMap(({ result }): TriedResult[] => (result === 'added-later' ? [] : [result]))
      return { currency: mostUsed?.[0] ?? null, trades: results.length, leftOut: { addedLater: own.length - results.length, otherCurrency: tried.length - own.length }, ...variantsOf(results, exits.rules.length, variantsTried) }
    }),
  /** The choices of the feeds, and the fetch under way. */
  feeds: ({ paths }: { readonly paths: PricePaths }) => readingFeeds(paths, (reader) => (reader === null ? { choices: [] as readonly FeedChoice[], underWay: null } : { choices: feedChoices(reader), underWay: fetchUnderWay(reader) })),
  setFeed: ({ paths, choice }: { readonly paths: PricePaths; readonly choice: Omit<FeedChoice, 'failure'> }) => writingPrices(paths, (writer) => { setFeed(writer, choice) }),
  recordFailure: ({ paths, feed, failure }: { readonly paths: PricePaths; readonly feed: PriceFeed; readonly failure: FeedChoice['failure'] }) => writingPrices(paths, (writer) => { recordFailure(writer, feed, failure) }),
  beginFetch: ({ paths, allowed, now }: { readonly paths: PricePaths; readonly allowed: Amount | null; readonly now: number }) => writingPrices(paths, (writer) => { beginFetch(writer, allowed, now) }),
  /** Adds to what the fetch has spent, unless that would exceed what is allowed; returns whether it was added. */
  spend: ({ paths, amount }: { readonly paths: PricePaths; readonly amount: Amount }): boolean =>
    writingPrices(paths, (writer) =>
      atomically(writer, () => {
        const { allowed, spent } = fetchUnderWay(writer) ?? { allowed: null, spent: 0 }
        if (allowed === null || spent + amount > allowed) return false
        addSpending(writer, amount)
        return true
      }),
    ),
  /** Releases the reserved cost of a request that was refused before any data came. */
  unspend: ({ paths, amount }: { readonly paths: PricePaths; readonly amount: Amount }) => writingPrices(paths, (writer) => { addSpending(writer, -amount as Amount) }),
  endFetch: ({ paths }: { readonly paths: PricePaths }) => writingPrices(paths, (writer) => { endFetch(writer) }),
  wanted: ({ paths, needed, ...of }: { readonly paths: PricePaths; readonly needed: readonly NeededPrices[] } & Parameters<typeof wantedSessions>[2]) => readingFeeds(paths, (reader) => wantedSessions(reader, needed, of)),
  /** Records that a feed does not have a session's prices. */
  recordNothing: ({ paths, feed, wanted: { key: contract, span }, now }: { readonly paths: PricePaths; readonly feed: PriceFeed; readonly wanted: WantedSession; readonly now: number }) => writingPrices(paths, (writer) => { recordAnswer(writer, { feed, contract, span, entries: 0, now }) }),
  /** Records that purchased data cannot be stored. */
  recordRefusal: ({ paths, ...of }: { readonly paths: PricePaths } & Parameters<typeof recordRefusal>[1]) => writingPrices(paths, (writer) => { recordRefusal(writer, of) }),
  saveBars: ({ paths, ...answer }: { readonly paths: PricePaths; readonly wanted: WantedSession; readonly facts: ContractFacts; readonly now: number; readonly source: BarSource; readonly lists: readonly BarList[] }) => writingPrices(paths, (writer) => saveBars(writer, answer)),
  saveVendorFile: ({ paths, ...answer }: { readonly paths: PricePaths; readonly wanted: WantedSession; readonly facts: ContractFacts; readonly now: number; readonly path: string }) => writingPrices(paths, (writer) => saveVendorFile(writer, answer)),
  remove: ({ paths, series }: { readonly paths: PricePaths; readonly series: Pick<StoredSeries, 'contract' | 'source' | 'grain'> }) => writingPrices(paths, (writer) => {
      removeSeries(writer, series)
      retryRoomFull(writer)
    }),
  limit: ({ paths, limits, now }: { readonly paths: PricePaths; readonly limits: PriceLimits; readonly now: number }) => writingPrices(paths, (writer) => {
      retryRoomFull(writer)
      return setPriceLimits(writer, limits, now)
    }),
}

threadBody().serve(calls, { faultOf: sqliteFault })
