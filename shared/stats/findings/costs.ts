import { role, type Candidate } from './candidate.ts'
import { moneyMeasure, moneyText, plainMeasure, sumsOf } from './measures.ts'
import type { Panel } from './panel.ts'

const maxBars = 48

/**
 * What costs take of the gross; the share is told where that is above zero. Never tested: that costs were paid is no matter of chance, and whether there is a
 * gross that they can take a share of, no test of the past can tell. Who doubles until the first win, wins almost every day of a coin that is fair.
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
