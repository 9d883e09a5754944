import { z } from 'zod'
import { isTimeZone } from '#shared/market/zone-clock.ts'
import { candleSizes, isTickSize, longestTicksMs, mostCandles, tickSizes, type CandleSize } from '#shared/prices/candles.ts'
import { feedFailures, priceFeeds, vendorDetails } from '#shared/prices/feeds.ts'
import { priceFormats, priceSources } from '#shared/prices/formats/format.ts'
import { calendarDay, costText, decimalText, identifier, moment, tickSizeText, utcMs } from './fields.ts'
import { mostUploads, upload } from './imports.ts'
import { fetchProgress } from './price-fetch.ts'
import type { Route } from './route.ts'

const count = z.number().int().nonnegative()
const zone = z.string().max(100).refine(isTimeZone)
const format = z.enum(priceFormats)
/** The width of bars in µs; 0 for ticks. */
const grain = count

/** How a file's times and prices are read: the zone of its clock, whether a bar bears the time of its end, and by which power of ten its prices are multiplied. */
export const priceChoice = z.object({ zone, label: z.enum(['start', 'end']), scale: z.number().int().min(-9).max(9) })
export type PriceChoiceInput = z.infer<typeof priceChoice>

/** A choice, with how many of the fills in its time lie within its prices. */
const triedChoice = priceChoice.extend({ inside: count, of: count })
export type TriedPriceChoice = z.infer<typeof triedChoice>

/** Why a whole file of prices is refused. */
export const priceFileProblem = z.enum(['continuous', 'not-trades', 'too-wide', 'unknown-width', 'binary-ninjatrader', 'no-rows', 'mostly-refused', 'unlike-fills', 'unknown-product', 'too-large', 'open-question'])

/** Rejected rows by problem; `line` is the first one's. */
const badRows = z.object({ problem: z.enum(['wrong-columns', 'bad-number', 'bad-time', 'off-tick', 'contradicts', 'not-in-order', 'unfinished', 'other-instrument', 'unknown-contract']), count, line: count })

/** What importing a file of prices would do. */
export const pricePreview = z.object({
  name: z.string(),
  format: format.nullable(),
  grain,
  problem: priceFileProblem.nullable(),
  /** Whether neither the file nor its name shows its contract. */
  needsContract: z.boolean(),
  /** The contracts in it; the name is empty while it is asked. `known`: all of it is stored already. */
  contracts: z.array(z.object({ contract: z.string(), from: moment, to: moment, entries: count, known: z.boolean() })),
  rows: count,
  bad: z.array(badRows),
  /** How it is read; null while that is to be chosen from `choices`, the best first. With `unlike-fills`, `choices` holds the best one that was tried. */
  choice: triedChoice.nullable(),
  choices: z.array(triedChoice),
})
export type PricePreviewShown = z.infer<typeof pricePreview>

/** What came of a file of prices. `freed` are the prices that made room for it. */
export const priceImported = z.object({
  name: z.string(),
  problem: priceFileProblem.nullable(),
  contracts: z.array(z.object({ contract: z.string(), added: count, known: count })),
  bad: z.array(badRows),
  freed: z.array(z.object({ contract: z.string(), to: moment })),
})
export type PriceImportedShown = z.infer<typeof priceImported>

const series = z.object({ contract: z.string(), source: z.enum(priceSources), grain })
/** Stored prices of one contract from one source in one grain. */
export const storedPrices = series.extend({ from: moment, to: moment, entries: count, bytes: count })
export type StoredPrices = z.infer<typeof storedPrices>

const limit = z.object({ megabytes: z.number().int().min(1).max(1_000_000).nullable(), days: z.number().int().min(1).max(36_500).nullable() })
const priceFiles = z.object({
  uploads: z.array(upload.extend({ contract: z.string().trim().max(40).nullable().default(null), choice: priceChoice.nullable().default(null) })).min(1).max(mostUploads),
  /** A zone that is tried beside the usual ones: the user's. */
  zone,
})
const freed = z.object({ success: z.literal(true), freed: count })

const textBounds = z.object({ least: decimalText.nullable(), most: decimalText.nullable() })
const excursion = z.object({ amount: textBounds, ticks: textBounds, perContract: textBounds, r: textBounds.nullable() })
const withinMs = z.object({ from: count, to: count }).nullable()

/**
 * How far a trade went for and against the trader, gross, by the prices that are stored. Each figure lies from `least` to
 * `most`; a bound that the prices do not give is null, and so is a ratio without a divisor. Times are ms after the first fill.
 */
export const tradeExcursions = z.object({
  currency: z.string().length(3),
  result: decimalText,
  mfe: excursion,
  mae: excursion,
  drawdown: textBounds,
  capture: textBounds.nullable(),
  entry: textBounds.nullable(),
  exit: textBounds.nullable(),
  total: textBounds.nullable(),
  toMfe: withinMs,
  toMae: withinMs,
  /** What exiting the `qty` contracts of the last exit later would have added, at the best price of the next `minutes` within the session, in money and in ticks of price per contract. Missing if no price of that time is stored. */
  bestExits: z.array(z.object({ minutes: count, qty: count, amount: textBounds, ticks: z.object({ least: z.number().nullable(), most: z.number().nullable() }) })),
})
export type TradeExcursions = z.infer<typeof tradeExcursions>

const stated = z.object({
  amount: decimalText,
  /** Whether it lies within Fillbook's bounds; null where there are none. */
  within: z.boolean().nullable(),
}).nullable()
/** A trade's gross excursions as NinjaTrader or the user's own file states them. Fillbook's figures never use them. */
export const statedExcursions = z.object({ by: z.enum(['ninjatrader', 'file']), currency: z.string().length(3), mfe: stated, mae: stated })
export type StatedExcursionsShown = z.infer<typeof statedExcursions>

const ticks = z.number().int()
const contracts = z.number().int()
/** A fill in a chart: `qty` above zero bought, below zero sold; the price in whole ticks. */
const chartFill = z.object({ at: utcMs, qty: contracts, price: ticks })

/** All that a trade's chart shows but prices. Prices are whole ticks of `tickSize`, times UTC ms, and a tick of one contract is worth `num / den` units of 1/10,000 of the currency. */
export const tradeChart = z.object({
  contract: z.string(),
  tickSize: tickSizeText,
  tickValue: z.object({ num: z.number().int(), den: z.number().int().positive() }),
  currency: z.string().length(3),
  tradingDay: calendarDay,
  /** From the open of the session of its first fill to the close of that of its last. */
  session: z.object({ from: utcMs, to: utcMs }),
  fills: z.array(chartFill),
  /** Fills of other trades in this contract and account in the session. */
  others: z.array(chartFill),
  /** Gross P&L, in units of 1/10,000, closed in other contracts of the account in the session, in this currency. */
  closed: z.array(z.object({ at: utcMs, gross: z.number().int() })),
  /** Stop and limit orders of the account in this contract that worked during the trade: the prices of each, from their moments to the next or `until`. */
  orders: z.array(z.object({ side: z.enum(['buy', 'sell']), kind: z.enum(['stop', 'limit']), steps: z.array(z.object({ at: utcMs, price: ticks, qty: contracts })), until: utcMs })),
  /** What is known of the session, and how finely: the width of bars in µs, 0 for ticks. */
  known: z.array(z.object({ from: utcMs, to: utcMs, grain })),
  /** How many prints are known from the first fill to the last; null if too many for candles. */
  prints: count.nullable(),
})
export type TradeChart = z.infer<typeof tradeChart>

const candleSize = z.union([z.enum(tickSizes), z.coerce.number().pipe(z.literal(candleSizes))])
const spanMs = { from: z.coerce.number().pipe(utcMs), to: z.coerce.number().pipe(utcMs) }
const fitting = ({ from, to, size }: { from: number; to: number; size: CandleSize }): boolean => (isTickSize(size) ? to - from <= longestTicksMs : (to - from) / 1000 / size <= mostCandles)

/** Candles column by column: when each begins in UTC seconds, to the microsecond, and its prices in whole ticks. */
export const candleColumns = z.object({ at: z.array(z.number()), open: z.array(ticks), high: z.array(ticks), low: z.array(ticks), close: z.array(ticks) })
export type CandleColumns = z.infer<typeof candleColumns>

/**
 * Steps of a replay column by column, each value as its difference to the one before: µs, and whole ticks. `bars` is null
 * for ticks; of bars `open`, `high` and `low` are differences to their own close, and `at` is when they end.
 */
export const stepColumns = z.object({
  at: z.array(z.number().int()),
  close: z.array(ticks),
  bars: z.object({ open: z.array(ticks), high: z.array(ticks), low: z.array(ticks) }).nullable(),
  /** The µs at which the next page begins; null where this is the last. */
  next: z.number().int().nullable(),
})
export type StepColumns = z.infer<typeof stepColumns>

const feed = z.enum(priceFeeds)
const feedFailure = z.enum(feedFailures)

/** A feed: whether it is on, whether there is a login or a key for it, and why it failed last. */
const feedShown = z.object({ feed, on: z.boolean(), ready: z.boolean(), failure: z.object({ code: feedFailure, contract: z.string().nullable(), at: moment }).nullable() })
export type PriceFeedShown = z.infer<typeof feedShown>

/** Calls on prices of contracts, from the user's files and feeds. They never leave this computer. */
export const priceRoutes = {
  /** Reads files of prices and writes nothing. */
  previewPrices: { method: 'POST', path: '/api/prices/preview', body: priceFiles, answer: z.object({ files: z.array(pricePreview) }) },
  /** Stores the files' prices, each file whole or not at all, and deletes the uploads of those that were stored. */
  importPrices: { method: 'POST', path: '/api/prices', body: priceFiles, answer: z.object({ success: z.literal(true), files: z.array(priceImported) }) },
  /** What is stored, the room it takes, and its limits. */
  prices: { method: 'GET', path: '/api/prices', answer: z.object({ series: z.array(storedPrices), bytes: count, limit }) },
  /** The excursions of a trade, or of a fill pair, by its id; null where no price within it is stored. `stated` is null if no file states any, and for trades of several fill pairs, since files state them of each. */
  excursions: { method: 'GET', path: '/api/prices/excursions', query: z.object({ id: identifier }), answer: z.object({ excursions: tradeExcursions.nullable(), stated: statedExcursions.nullable() }) },
  /** What the chart of a trade, or of a fill pair, shows beside prices; null if there is none, or if the tick value is unknown. */
  tradeChart: { method: 'GET', path: '/api/prices/chart', query: z.object({ id: identifier }), answer: z.object({ chart: tradeChart.nullable() }) },
  /** Candles of a trade's contract; tick candles also beside the span, within its sessions. Where prices are known, but none finely enough for this size, or too many for one answer, the call is refused. */
  candles: { method: 'GET', path: '/api/prices/candles', query: z.object({ id: identifier, ...spanMs, size: candleSize }).refine(fitting, 'more candles than one answer holds'), answer: z.object({ candles: candleColumns }) },
  /** A page of the steps of a replay in a trade's contract from a moment in µs up to one in ms. */
  steps: { method: 'GET', path: '/api/prices/steps', query: z.object({ id: identifier, from: z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER), to: spanMs.to }), answer: z.object({ steps: stepColumns }) },
  removePrices: { method: 'POST', path: '/api/prices/remove', body: series, answer: z.object({ success: z.literal(true) }) },
  /** Deletes the user's file of prices with its limits, also where it is damaged. */
  removeAllPrices: { method: 'POST', path: '/api/prices/remove-all', answer: z.object({ success: z.literal(true) }) },
  /** The feeds, what Databento may charge for one fetch in US dollars, how many sessions lack prices, and the fetch under way. */
  priceFeeds: { method: 'GET', path: '/api/prices/feeds', answer: z.object({ feeds: z.array(feedShown), databento: z.object({ hasKey: z.boolean(), limit: decimalText, detail: z.enum(vendorDetails) }), missing: count, fetching: fetchProgress.nullable() }) },
  setPriceFeed: { method: 'POST', path: '/api/prices/feeds', body: z.object({ feed, on: z.boolean() }), answer: z.object({ success: z.literal(true) }) },
  /** Sets the options of Databento; a null key removes the stored one, and without a key it stays. */
  setDatabento: { method: 'POST', path: '/api/prices/databento', body: z.object({ key: z.string().trim().min(1).max(1_000).nullable().optional(), limit: costText, detail: z.enum(vendorDetails) }), answer: z.object({ success: z.literal(true) }) },
  /** What Databento charges in US dollars for the newest `sessions` of those that lack prices, as many as the limit allows. Asking costs nothing. */
  databentoCost: { method: 'POST', path: '/api/prices/databento/cost', answer: z.object({ amount: decimalText, sessions: count, of: count, limit: decimalText, failure: feedFailure.nullable() }) },
  /** Begins to fetch what trades need. `spend` is what Databento may charge in US dollars; null leaves it out. */
  fetchPrices: { method: 'POST', path: '/api/prices/fetch', body: z.object({ spend: costText.nullable() }), answer: z.object({ success: z.literal(true) }) },
  /** Stops the fetch; what was stored stays. */
  stopFetchingPrices: { method: 'POST', path: '/api/prices/fetch/stop', answer: z.object({ success: z.literal(true) }) },
  /** Sets the limits; null is none. `freed` counts the weeks of prices that were beyond them. */
  setPriceLimit: { method: 'POST', path: '/api/prices/limit', body: limit, answer: freed },
} as const satisfies Record<string, Route>
