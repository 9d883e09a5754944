import { role, type Candidate } from './candidate.ts'
import { countMeasure, moneyMeasure, plainMeasure, sumsOf, timeMeasure } from './measures.ts'
import type { Panel } from './panel.ts'
import { medianOf } from './studentized.ts'

/**
 * Compares wins closed sooner than the median loss with the other wins. Untested: with a near target and a far stop, a fair coin also gives short, small
 * wins, and no test of times can tell that from haste.
 */
export const earlyExitCandidate = (panel: Panel): Candidate => {
  const { trades, held, gross, currency } = panel
  const all = sumsOf(panel, () => true)
  const [wins, medianLoss] = [held.filter((_, index) => (gross[index] ?? 0) > 0), medianOf(held.filter((_, index) => (gross[index] ?? 0) < 0))]
  const bar = (label: string, time: number, count: number) => ({ label, value: String(Math.round(time)), trades: count, marked: label === '1' })
  return {
    kind: 'early-exit', about: {}, tested: 'never', sign: null, excess: null,
    roles: Uint8Array.from(trades, ({ grossPnl }, index) => (grossPnl <= 0 ? role.neither : (held[index] ?? 0) < medianLoss ? role.behind : role.against)),
    describe: () => ({
      measures: [
        timeMeasure('hold', medianOf(wins)),
        timeMeasure('hold-other', medianLoss),
        ...(all.wins === 0 ? [] : [moneyMeasure('average-win', all.won / all.wins, currency)]),
        ...(all.losses === 0 ? [] : [moneyMeasure('average-loss', all.lost / all.losses, currency)]),
        plainMeasure('win-rate', 'share', all.wins / Math.max(1, all.trades)),
        ...(all.lost === 0 ? [] : [plainMeasure('profit-factor', 'ratio', all.won / -all.lost)]),
        countMeasure('days', all.days, 'days'),
      ],
      bars: [bar('1', medianOf(wins), all.wins), bar('-1', medianLoss, all.losses)],
      barsIn: 'time',
    }),
  }
}
