import { expect, it } from 'vitest'
import { madeTrades } from '#tests/helpers/made-trades.ts'
import { expectedOf, testSequences } from './in-sequence.ts'
import { panelsOf } from './panel.ts'
import { sequencesOf } from './sequences.ts'

const orders = (places: readonly number[]): readonly (readonly number[])[] => (places.length < 2 ? [places] : places.flatMap((place) => orders(places.filter((other) => other !== place)).map((rest) => [place, ...rest])))

it('knows what an order without a meaning comes to', () => {
  const results = Float64Array.of(3, -1, -4, 0, 2)
  // The second and the fourth were entered soon after the trade before.
  const quick = Uint8Array.of(0, 1, 0, 1, 0)
  const { revenge, streak } = expectedOf(Int8Array.from(results, Math.sign), quick, results, Uint32Array.of(0, 5))
  const all = orders([0, 1, 2, 3, 4])
  const at = (order: readonly number[], place: number): number => results[order[place] ?? 0] ?? 0
  const mean = (of: (order: readonly number[]) => number): number => all.reduce((sum, order) => sum + of(order), 0) / all.length
  expect(revenge[0]).toBeCloseTo(mean((order) => [1, 3].reduce((sum, place) => (at(order, place - 1) < 0 ? sum + at(order, place) : sum), 0)), 12)
  expect(streak[0]).toBeCloseTo(mean((order) => [1, 2, 3, 4].filter((place) => at(order, place) * at(order, place - 1) > 0).length), 12)
})

it('finds the longest runs of an account, over days', () => {
  const trades = madeTrades(3, { days: 40, usual: 3, accounts: 1, copied: false })
  const [panel] = panelsOf(trades, 'UTC')
  if (panel === undefined) throw new Error('No panel')
  const { longest, givenBack } = testSequences(panel, sequencesOf(panel), 99)
  const signs = trades.toSorted((one, other) => one.exitTime - other.exitTime).map(({ grossPnl }) => (grossPnl > 0 ? 'w' : grossPnl < 0 ? 'l' : '-')).join('')
  const runs = (of: RegExp): number => Math.max(...[...signs.matchAll(of)].map(([run]) => run.length))
  expect(longest).toMatchObject({ losses: runs(/l+/g), wins: runs(/w+/g) })
  expect(longest.chance).toBeGreaterThan(0)
  expect(givenBack).toHaveLength(panel.days.length)
})
