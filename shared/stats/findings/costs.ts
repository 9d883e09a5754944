import { role, type Candidate } from './candidate.ts'
import { moneyMeasure, moneyText, plainMeasure, sumsOf } from './measures.ts'
import type { Panel } from './panel.ts'

const maxBars = 48

/**
 * The share of costs in the gross P&L, if that is positive. Untested: costs are no matter of chance, and no test can tell whether the gross P&L will last. A
 * trader who doubles after each loss until a win has a profit on almost every day of a fair coin.
 */
export const costCandidate = (panel: Panel): Candidate => {
  const { size, currency, products, product } = panel
  const all = sumsOf(panel, () => true)
  return {
    kind: 'cost-share', about: {}, tested: 'never', sign: null, excess: null,
    roles: new Uint8Array(size).fill(role.behind),
    describe: () => ({
      measures: [
        moneyMeasure('gross', all.gross, currency),
        moneyMeasure('commission', -all.commission, currency),
        ...(all.gross > 0 ? [plainMeasure('share', 'share', all.commission / all.gross)] : []),
      ],
      bars: products.slice(0, maxBars).map((label, own) => {
        const sums = sumsOf(panel, (index) => product[index] === own)
        return { label, value: moneyText(-sums.commission), trades: sums.trades, marked: false }
      }),
      barsIn: 'money',
    }),
  }
}
