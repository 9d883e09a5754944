import { expect, it } from 'vitest'
import { countedTrade } from '#tests/helpers/counted-trade.ts'
import { panelsOf } from './panel.ts'
import { longestRuns } from './runs.ts'
import { sequencesOf } from './sequences.ts'
import { testSizeAfterLoss } from './sizes-after-loss.ts'

type Made = { readonly gross: number; readonly quantity: number }

const panelOf = (days: readonly (readonly Made[])[]) => {
  const trades = days.flatMap((made, day) =>
    made.map(({ gross, quantity }, place) => {
      const at = (minute: number): string => new Date(Date.UTC(2026, 0, 5 + Math.floor(day / 5) * 7 + (day % 5), 15, 10 * place + minute)).toISOString()
      return { ...countedTrade({ id: `${String(day)}-${String(place)}`, entry: at(0), exit: at(5), gross, fee: 1 }), quantity }
    }),
  )
  const [panel] = panelsOf(trades, 'UTC')
  if (panel === undefined) throw new Error('No panel')
  return panel
}
const outcomes = (day: number): readonly number[] => [day % 2 === 0 ? -10 : 10, day % 3 === 0 ? -10 : 10, 10]
const test = (days: readonly (readonly Made[])[]) => {
  const panel = panelOf(days)
  return testSizeAfterLoss(panel, sequencesOf(panel), 999)
}
const chance = ({ tested: { value, drawn } }: ReturnType<typeof test>): number => drawn.filter((own) => own >= value).length / drawn.length
const days = Array.from({ length: 60 }, (_, day) => outcomes(day))

it('detects sizes that grow or shrink after a loss', () => {
  const sized = (afterLoss: number, otherwise: number) => test(days.map((made) => made.map((gross, place) => ({ gross, quantity: (made[place - 1] ?? 0) < 0 ? afterLoss : otherwise }))))
  expect(sized(3, 1)).toMatchObject({ sign: 1 })
  expect(sized(1, 3)).toMatchObject({ sign: -1 })
  expect(chance(sized(3, 1))).toBeLessThan(0.01)
})

it('ignores sizes that depend only on the number of the trade, whatever ends a day', () => {
  // One trade more after the first loss: the later, the smaller, and the more often after a loss.
  const ended = days.map((made) => (made.some((gross) => gross < 0) ? made.slice(0, made.findIndex((gross) => gross < 0) + 2) : made))
  expect(test(ended.map((made) => made.map((gross, place) => ({ gross, quantity: 5 - place })))).tested.value).toBe(0)
})

it('reports nothing without trades after another', () => expect(test([[{ gross: 1, quantity: 1 }], [{ gross: -1, quantity: 2 }]])).toMatchObject({ sign: 0, days: 0 }))

it('finds an account’s longest streaks, over days', () => {
  const panel = panelOf([[-1, 5, 5], [5, -1, -2], [-3, -4, 0], [-1, 2, 3]].map((made) => made.map((gross) => ({ gross, quantity: 1 }))))
  expect(longestRuns(panel)).toEqual({ losses: 4, lossesEnd: 7, wins: 3 })
})
