import type { Finding } from '#shared/api/reports.ts'

/** One bar of a small chart, in its own units: `x` and `width` of `slots`, `y` and `height` from 0 at the top to 1. */
export type ChartBar = { readonly label: string; readonly marked: boolean; readonly x: number; readonly y: number; readonly height: number; readonly below: boolean; readonly named: boolean }

/** Where bars and their zero line stand in a square of 1 by 1; `most` names fit beside one another, the marked ones first. */
export const chartShape = (bars: Finding['bars'], most: number): { readonly zero: number; readonly width: number; readonly bars: readonly ChartBar[] } => {
  const values = bars.map(({ value }) => Number(value))
  const [high, low] = [Math.max(0, ...values), Math.min(0, ...values)]
  const span = high - low || 1
  const zero = high / span
  const slot = 1 / Math.max(bars.length, 1)
  const named = namedAt(bars, most)
  return {
    zero,
    width: slot,
    bars: bars.map(({ label, marked }, at) => {
      const value = values[at] ?? 0
      const height = Math.abs(value) / span
      return { label, marked, x: slot * at, y: value < 0 ? zero : zero - height, height, below: value < 0, named: named.has(at) }
    }),
  }
}

// Names that would touch one another are left out: every second, every third; a marked bar that has none takes the place of its neighbours'.
const namedAt = (bars: Finding['bars'], most: number): ReadonlySet<number> => {
  const every = Math.max(1, Math.ceil(bars.length / Math.max(most, 1)))
  const marked = bars.flatMap((bar, at) => (bar.marked ? [at] : [])).filter((at, index, all) => index === 0 || at - (all[index - 1] ?? at) >= every)
  const rest = bars.map((_, at) => at).filter((at) => at % every === 0 && marked.every((one) => Math.abs(one - at) >= every))
  return new Set([...marked, ...rest])
}

/** A name that has room for so many letters, cut at its beginning: accounts of a firm differ at the end. */
export const fittedName = (name: string, letters: number): string => (name.length <= letters ? name : `…${name.slice(1 - letters)}`)
