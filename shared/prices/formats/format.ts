/** Files of prices that Fillbook reads. */
export const priceFormats = ['ninjatrader-ticks', 'ninjatrader-minutes', 'sierra-scid', 'sierra-text', 'tradingview', 'firstrate', 'firstrate-ticks', 'kibot', 'kibot-ticks', 'databento-trades', 'databento-bars'] as const
export type PriceFormat = (typeof priceFormats)[number]

/** Brokers that give bars through a connected login. Databento's answers are stored like its files. */
const barSources = ['projectx-bars', 'tradovate-bars'] as const
export type BarSource = (typeof barSources)[number]

/** Where stored prices come from: a kind of file, a broker's bars, or the demo brokerage's own market. */
export const priceSources = [...priceFormats, ...barSources, 'demo'] as const
export type PriceSource = (typeof priceSources)[number]

/** A row as a file has it; the object is reused for each. Times are µs of the file's own clock, as if it were UTC; prices are as written. */
export type PriceRow = {
  wall: number
  open: number
  high: number
  low: number
  close: number
  size: number
  /** The contract, where each row names one. */
  symbol: string | null
}

/** Why a row is not taken. `other-instrument`: it is not what the file holds, so no trade among trades, or a trade or another width among bars; such rows do not make a file unreadable. */
export type PriceRowProblem = 'wrong-columns' | 'bad-number' | 'bad-time' | 'off-tick' | 'contradicts' | 'not-in-order' | 'unfinished' | 'other-instrument' | 'unknown-contract'

/** Reads one line into a row. */
export type LineReader = (line: string, row: PriceRow) => PriceRowProblem | null

/** What the beginning of a file says of the rest. */
export type PriceShape = {
  readonly format: PriceFormat
  /** Prints (0), or the width of its bars in µs. */
  readonly grain: number
  /** Whether its times are UTC. Others are of a zone that it does not name; `zone` is the usual one. */
  readonly utc: boolean
  readonly zone: string
  /** Whether a bar bears the time of its end; `labelKnown` where no file of this format differs. */
  readonly label: 'start' | 'end'
  readonly labelKnown: boolean
  /** Whether prices may be written ten, a hundred, … times too large or small. */
  readonly scaled: boolean
  /** How far a price may lie off a tick, in ticks: the noise of its numbers. */
  readonly noise: number
  /** Lines before the first row. */
  readonly headerLines: number
}

/** Why a file that looks like prices is not read. */
export type PriceFileProblem = 'continuous' | 'not-trades' | 'too-wide' | 'unknown-width' | 'binary-ninjatrader' | 'no-rows' | 'mostly-refused' | 'unlike-fills' | 'unknown-product'
