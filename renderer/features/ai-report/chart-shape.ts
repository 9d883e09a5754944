import type { Finding } from '#shared/api/reports.ts'

/** One bar of a small chart, in its own units: `x` and `width` of `slots`, `y` and `height` from 0 at the top to 1. */
export type ChartBar = { readonly label: string; readonly marked: boolean; readonly x: number; readonly y: number; readonly height: number; readonly below: boolean; readonly named: boolean }

// Every hour of the day is a group: those without a trade would take the room of the others.
const ofGroups: readonly Finding['kind'][] = ['hour', 'weekday', 'product', 'side']

/** A finding with the bars that a chart shows: groups that traded, and costs as what was paid. */
export const charted = (finding: Finding): Finding => {
  const { kind, bars } = finding
  if (ofGroups.includes(kind)) return { ...finding, bars: bars.filter(({ trades }) => trades > 0) }
  return kind === 'cost-share' ? { ...finding, bars: bars.map((bar) => ({ ...bar, value: bar.value.startsWith('-') ? bar.value.slice(1) : bar.value })) } : finding
}

/** The bars and their zero line in a unit square; `most` names fit beside each other, the marked ones first. */
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

// Leaves out names that would overlap: shows every second, every third; a marked bar without a name takes the place of its neighbors'.
const namedAt = (bars: Finding['bars'], most: number): ReadonlySet<number> => {
  const every = Math.max(1, Math.ceil(bars.length / Math.max(most, 1)))
  const marked = bars.flatMap((bar, at) => (bar.marked ? [at] : [])).filter((at, index, all) => index === 0 || at - (all[index - 1] ?? at) >= every)
  const rest = bars.map((_, at) => at).filter((at) => at % every === 0 && marked.every((one) => Math.abs(one - at) >= every))
  return new Set([...marked, ...rest])
}

/** A name cut at its beginning to this many letters: a firm's accounts differ at the end. */
export const fittedName = (name: string, letters: number): string => (name.length <= letters ? name : `…${name.slice(1 - letters)}`)
