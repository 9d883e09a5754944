import { role, type Candidate } from './candidate.ts'
import { enough, testedOf } from './evidence.ts'
import { moneyMeasure, moneyText, plainMeasure, sumsOf } from './figures-of.ts'
import type { Panel } from './panel.ts'
import { drawerOf, studentised } from './studentised.ts'

const mostBars = 48

/**
 * What costs take of the gross. That they were paid is no matter of chance; whether there is a gross that they can take a share of, is. Null
 * hypothesis: before costs a day is as likely to make an amount as to lose it; so the days' signs are tossed anew. One-sided, studentised over
 * days: evident is an edge before costs, and what costs take of it. The share is told of the gross where that is above zero.
 * Who wins small and often and loses large and rarely looks like an edge until the large loss comes: no test of the past can tell.
 */
export const costCandidate = (panel: Panel, draws: number): Candidate => {
  const { size, currency, days, day, gross, products, product } = panel
  const made = new Float64Array(days.length)
  for (let index = 0; index < size; index += 1) made[day[index] ?? 0] = (made[day[index] ?? 0] ?? 0) + (gross[index] ?? 0)
  const squares = made.reduce((sum, own) => sum + own * own, 0)
  const draw = drawerOf('signs')
  const drawn = new Float64Array(draws).map(() => studentised(made.reduce((sum, own) => (draw(2) === 0 ? sum + own : sum - own), 0), squares))
  const all = sumsOf(panel, () => true)
  const tests = size >= enough.trades && made.filter((own) => own !== 0).length >= enough.days && all.commission > 0 && gross.some((own) => own !== gross[0])
  return {
    kind: 'cost-share', about: {}, sign: null, excess: null,
    roles: new Uint8Array(size).fill(role.behind),
    tested: tests ? testedOf(studentised(made.reduce((sum, own) => sum + own, 0), squares), drawn, 'above') : null,
    tell: () => ({
      measures: [
        moneyMeasure('gross', all.gross, currency),
        moneyMeasure('commission', -all.commission, currency),
        ...(all.gross > 0 ? [plainMeasure('share', 'share', all.commission / all.gross)] : []),
      ],
      bars: products.slice(0, mostBars).map((label, own) => {
        const sums = sumsOf(panel, (index) => product[index] === own)
        return { label, value: moneyText(-sums.commission), trades: sums.trades, marked: false }
      }),
      barsIn: 'money',
    }),
  }
}
