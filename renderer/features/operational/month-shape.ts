import { monthsBetween, type BookGroup } from '#shared/stats/books.ts'

/** A month of one currency, for drawing: its figures as floats. */
export type MonthBar = { readonly month: string; readonly earned: number; readonly spent: number; readonly net: number }

const mostMonths = 60

/** The months of one currency from the first to the last with an entry, including empty ones in between; at most the last five years. */
export const monthBars = (groups: readonly BookGroup<string>[], currency: string): MonthBar[] => {
  const known = new Map(groups.flatMap(({ key, sums }) => sums.filter((sum) => sum.currency === currency).map((sum) => [key, sum] as const)))
  const months = [...known.keys()].toSorted()
  const [first, last] = [months[0], months.at(-1)]
  return (first === undefined || last === undefined ? [] : monthsBetween(first, last, mostMonths)).map((month) => {
    const sum = known.get(month)
    return { month, earned: Number(sum?.earned ?? 0), spent: Number(sum?.spent ?? 0), net: Number(sum?.net ?? 0) }
  })
}

/** About five round ticks over a range from `least` to `most` that includes zero. */
export const ticksOver = (least: number, most: number): number[] => {
  const rough = (most - least || 1) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? 10 * power
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)]
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

/** A chart of months in pixels: `x` is the middle of a month, bars start at `zero`. */
export type MonthShape = {
  readonly ticks: readonly { readonly value: number; readonly y: number }[]
  readonly zero: number
  readonly slot: number
  readonly bar: number
  readonly months: readonly { readonly month: string; readonly x: number; readonly up: number; readonly down: number; readonly net: number; readonly named: boolean }[]
}

const widestBar = 34
const roomOfName = 34

/** Lays out bars and line over `width` by `height` px, with `left` px for the labels of the scale. */
export const monthShape = (bars: readonly MonthBar[], width: number, height: number, left: number): MonthShape => {
  const least = Math.min(0, ...bars.map(({ spent }) => -spent))
  const most = Math.max(0, ...bars.map(({ earned }) => earned))
  const values = ticksOver(least, most)
  const [bottom, top] = [values[0] ?? 0, values.at(-1) ?? 1]
  const yOf = (value: number): number => ((top - value) / (top - bottom)) * height
  const slot = Math.max(0, width - left) / Math.max(1, bars.length)
  const every = Math.max(1, Math.ceil(roomOfName / Math.max(1, slot)))
  return {
    ticks: values.map((value) => ({ value, y: yOf(value) })),
    zero: yOf(0),
    slot,
    bar: Math.min(widestBar, slot * 0.62),
    months: bars.map(({ month, earned, spent, net }, at) => ({ month, x: left + slot * (at + 0.5), up: yOf(earned), down: yOf(-spent), net: yOf(net), named: (bars.length - 1 - at) % every === 0 })),
  }
}
