import type { OddsAnswer } from '#shared/api/rules.ts'

type FanPoint = OddsAnswer['fan'][number]

/** A fan in a 100 by 100 square, as SVG points: the band between the outer lines, the middle line, and the heights of reference lines. */
type FanShape = { readonly band: string; readonly middle: string; readonly low: number; readonly high: number; readonly days: number; readonly heightOf: (balance: number) => number }

/** Scales a fan to its square, so that the reference lines (balances) are visible; null for fewer than two points. */
export const fanShape = (fan: readonly FanPoint[], compared: readonly number[]): FanShape | null => {
  const last = fan.at(-1)
  if (fan.length < 2 || last === undefined) return null
  const first = fan[0]?.day ?? 0
  const values = [...fan.flatMap(({ p10, p90 }) => [Number(p10), Number(p90)]), ...compared]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const span = high - low || 1
  const heightOf = (balance: number): number => 96 - ((balance - low) / span) * 92
  const x = (day: number): number => ((day - first) / (last.day - first || 1)) * 100
  const line = (points: readonly FanPoint[], at: 'p10' | 'p50' | 'p90'): string => points.map((point) => `${x(point.day).toFixed(2)},${heightOf(Number(point[at])).toFixed(2)}`).join(' ')
  return { band: `${line(fan, 'p90')} ${line(fan.toReversed(), 'p10')}`, middle: line(fan, 'p50'), low, high, days: last.day, heightOf }
}
