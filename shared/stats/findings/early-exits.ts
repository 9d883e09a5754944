import { role, type Candidate } from './candidate.ts'
import type { Grouping, GroupTest } from './day-order.ts'
import { perDecision, type Decisions } from './decisions.ts'
import { enough } from './evidence.ts'
import { countMeasure, moneyMeasure, plainMeasure, sumsOf, timeMeasure } from './figures-of.ts'
import type { Panel } from './panel.ts'
import { medianOf } from './studentised.ts'

/**
 * Early exits: wins that are held shorter than losses, while the payoff is below what the win rate needs. Null hypothesis: wins of a day are held
 * no shorter than its losses (ranks of hold times by their logarithm, within days, one-sided). Behind it are the wins that were closed sooner than
 * the loss in the middle, and its excess is what they made against as many of the other wins; the test is on times, so the two may differ. Where
 * wins and losses together come out above zero net, the payoff suffices, and there is no such finding however short wins are held.
 */
export const earlyExits = (panel: Panel, decisions: Decisions): { readonly times: Float64Array; readonly grouping: Grouping; readonly candidate: (test: GroupTest | undefined) => Candidate } => {
  const { trades, held, gross, currency } = panel
  const outcome = perDecision(decisions, gross)
  const all = sumsOf(panel, () => true)
  const losses = held.filter((_, index) => (gross[index] ?? 0) < 0)
  const [wins, usualLoss] = [held.filter((_, index) => (gross[index] ?? 0) > 0), medianOf(losses)]
  return {
    times: held.map((time) => Math.log1p(time / 1000)),
    grouping: { labels: Uint16Array.from(outcome, (made) => (made > 0 ? 0 : 1)), groups: 1, column: 2, direction: 'below' },
    candidate: (test) => {
      const tests = test !== undefined && test.days >= enough.days && all.wins >= enough.trades && all.losses >= enough.trades
      const roles = Uint8Array.from(trades, ({ grossPnl }, index) => (grossPnl <= 0 ? role.neither : (held[index] ?? 0) < usualLoss ? role.behind : role.against))
      const bar = (label: string, time: number, count: number) => ({ label, value: String(Math.round(time)), trades: count, marked: label === '1' })
      return {
        kind: 'early-exit', about: {}, roles, sign: null,
        tested: !tests ? null : all.net < 0 ? test.tested : { value: 0, drawn: new Float64Array(test.tested.drawn.length) },
        excess: 'pooled',
        tell: () => ({
          measures: [
            timeMeasure('hold', medianOf(wins)),
            timeMeasure('hold-other', usualLoss),
            ...(all.wins === 0 ? [] : [moneyMeasure('average-win', all.won / all.wins, currency)]),
            ...(all.losses === 0 ? [] : [moneyMeasure('average-loss', all.lost / all.losses, currency)]),
            plainMeasure('win-rate', 'share', all.wins / Math.max(1, all.trades)),
            ...(all.lost === 0 ? [] : [plainMeasure('profit-factor', 'ratio', all.won / -all.lost)]),
            countMeasure('days', all.days, 'days'),
          ],
          bars: [bar('1', medianOf(wins), all.wins), bar('-1', usualLoss, all.losses)],
          barsIn: 'time',
        }),
      }
    },
  }
}
