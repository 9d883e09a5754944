import { parsePrice } from '#shared/money/price.ts'

/** The requested bars: the journal's name of a contract, the brokerage's id if known, and the span (UTC ms). */
export type BarAsk = { readonly contract: string; readonly brokerContractId: string | null; readonly tickSize: string; readonly from: number; readonly to: number }

/** Bars of one width in the order of time: where each begins in UTC µs, prices in whole ticks, and contracts. `width` is in µs. */
export type BarList = {
  readonly width: number
  readonly at: Float64Array
  readonly open: Int32Array
  readonly high: Int32Array
  readonly low: Int32Array
  readonly close: Int32Array
  readonly volume: Int32Array
}

/** Bars of a span, finer and wider ones in lists of their own, and how many rows could not be read. */
export type BarsRead = { readonly lists: readonly BarList[]; readonly refused: number }

/** A bar as a brokerage tells it; `time` is UTC ms. */
export type BarRow = { readonly time: number; readonly open: number; readonly high: number; readonly low: number; readonly close: number; readonly volume: number }

const mostTicks = 2 ** 31 - 1

/**
 * Makes a list of rows in any order. One off the tick, one that contradicts itself, and two of one time that differ are
 * refused; what lies outside the span, or is not over yet, is left out. `widthMs` is the bars' width, `now` UTC ms.
 */
export const barList = (rows: readonly BarRow[], { tickSize, from, to, widthMs, now }: Pick<BarAsk, 'tickSize' | 'from' | 'to'> & { readonly widthMs: number; readonly now: number }): { readonly list: BarList; readonly refused: number } => {
  const bars = new Map<number, readonly [number, number, number, number, number] | null>()
  let refused = 0
  for (const { time, open, high, low, close, volume } of rows) {
    if (time < from || time >= to || time + widthMs > now) continue
    const prices = [open, high, low, close].map((price) => parsePrice(price, tickSize))
    const [o = NaN, h = NaN, l = NaN, c = NaN] = prices.map((price) => (price.ok && Math.abs(price.value) <= mostTicks ? price.value : NaN))
    const isSound = l <= Math.min(o, c) && h >= Math.max(o, c) && Number.isSafeInteger(volume) && volume >= 0 && volume <= mostTicks
    const known = bars.get(time)
    if (!isSound || known === null) refused += 1
    else if (known === undefined) bars.set(time, [o, h, l, c, volume])
    else if (known.join() !== [o, h, l, c, volume].join()) {
      bars.set(time, null)
      refused += 2
    }
  }
  const sound = [...bars].flatMap(([time, bar]) => (bar === null ? [] : [[time, ...bar] as const])).sort(([one], [other]) => one - other)
  const column = (place: number): Int32Array => Int32Array.from(sound, (bar) => bar[place] ?? 0)
  return { refused, list: { width: widthMs * 1000, at: Float64Array.from(sound, ([time]) => time * 1000), open: column(1), high: column(2), low: column(3), close: column(4), volume: column(5) } }
}

/** Joins lists of one width, each behind the one before. */
export const joinedBars = (lists: readonly BarList[], width: number): BarList => {
  const of = (name: 'open' | 'high' | 'low' | 'close' | 'volume'): Int32Array => Int32Array.from(lists.flatMap((list) => [...list[name]]))
  return { width, at: Float64Array.from(lists.flatMap(({ at }) => [...at])), open: of('open'), high: of('high'), low: of('low'), close: of('close'), volume: of('volume') }
}
