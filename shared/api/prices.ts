import { z } from 'zod'
import { isTimeZone } from '#shared/market/zone-clock.ts'
import { priceFormats, priceSources } from '#shared/prices/formats/format.ts'
import { decimalText, identifier, moment } from './fields.ts'
import { mostUploads, upload } from './imports.ts'
import type { Route } from './route.ts'

const count = z.number().int().nonnegative()
const zone = z.string().max(100).refine(isTimeZone)
const format = z.enum(priceFormats)
/** The width of bars in µs; 0 for ticks. */
const grain = count

/** How a file's times and prices are read: the zone of its clock, whether a bar bears the time of its end, and by which power of ten its prices are multiplied. */
export const priceChoice = z.object({ zone, label: z.enum(['start', 'end']), scale: z.number().int().min(-9).max(9) })
export type PriceChoiceGiven = z.infer<typeof priceChoice>

/** A choice, with how many of the fills in its time lie within its prices. */
const triedChoice = priceChoice.extend({ inside: count, of: count })
export type TriedPriceChoice = z.infer<typeof triedChoice>

/** Why a whole file of prices is refused. */
export const priceFileProblem = z.enum(['continuous', 'not-trades', 'too-wide', 'unknown-width', 'binary-ninjatrader', 'no-rows', 'mostly-refused', 'unlike-fills', 'unknown-product', 'too-large', 'open-question'])

/** Rows that are not taken, by what is wrong with them; `line` is the first one's. */
const badRows = z.object({ problem: z.enum(['wrong-columns', 'bad-number', 'bad-time', 'off-tick', 'contradicts', 'not-in-order', 'other-instrument', 'unknown-contract']), count, line: count })

/** What importing a file of prices would do. */
export const pricePreview = z.object({
  name: z.string(),
  format: format.nullable(),
  grain,
  problem: priceFileProblem.nullable(),
  /** Whether neither the file nor its name says which contract it is of. */
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
const wishes = z.object({
  uploads: z.array(upload.extend({ contract: z.string().trim().max(40).nullable().default(null), choice: priceChoice.nullable().default(null) })).min(1).max(mostUploads),
  /** A zone that is tried beside the usual ones: the user's. */
  zone,
})
const freed = z.object({ success: z.literal(true), freed: count })

const textBounds = z.object({ least: decimalText.nullable(), most: decimalText.nullable() })
const excursion = z.object({ amount: textBounds, ticks: textBounds, r: textBounds.nullable() })
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
})
export type TradeExcursions = z.infer<typeof tradeExcursions>

const stated = z.object({ amount: decimalText, /** Whether it lies within Fillbook's bounds; null where there are none. */ within: z.boolean().nullable() }).nullable()
/** What NinjaTrader, or a file of the user's own, says of a trade's excursions, gross. No figure of Fillbook's is made of it. */
export const statedExcursions = z.object({ by: z.enum(['ninjatrader', 'file']), currency: z.string().length(3), mfe: stated, mae: stated })
export type StatedExcursionsShown = z.infer<typeof statedExcursions>

/** Calls on prices of contracts from the user's files. They never leave this computer. */
export const priceRoutes = {
  /** Reads files of prices and writes nothing. */
  previewPrices: { method: 'POST', path: '/api/prices/preview', body: wishes, answer: z.object({ files: z.array(pricePreview) }) },
  /** Stores the files' prices, each file whole or not at all, and deletes the uploads of those that were stored. */
  importPrices: { method: 'POST', path: '/api/prices', body: wishes, answer: z.object({ success: z.literal(true), files: z.array(priceImported) }) },
  /** What is stored, the room it takes, and its limits. */
  prices: { method: 'GET', path: '/api/prices', answer: z.object({ series: z.array(storedPrices), bytes: count, limit }) },
  /** The excursions of a trade, or of a fill pair, by its id; null where no price within it is stored. `stated` is null where no file says any, and of trades with several fill pairs, for files say them of each. */
  excursions: { method: 'GET', path: '/api/prices/excursions', query: z.object({ id: identifier }), answer: z.object({ excursions: tradeExcursions.nullable(), stated: statedExcursions.nullable() }) },
  removePrices: { method: 'POST', path: '/api/prices/remove', body: series, answer: z.object({ success: z.literal(true) }) },
  /** Deletes the user's file of prices with its limits, also where it is damaged. */
  removeAllPrices: { method: 'POST', path: '/api/prices/remove-all', answer: z.object({ success: z.literal(true) }) },
  /** Sets the limits; null is none. `freed` counts the weeks of prices that were beyond them. */
  setPriceLimit: { method: 'POST', path: '/api/prices/limit', body: limit, answer: freed },
} as const satisfies Record<string, Route>
