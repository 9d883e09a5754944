import type { RuleSet } from '#shared/api/rules.ts'
import { isoDate } from '#shared/market/zone-clock.ts'
import { amountOf, zero } from '#shared/money/money.ts'
import type { DayFacts } from '#shared/rules/day-facts.ts'
import { foldDays } from '#shared/rules/fold.ts'
import { oddsOf } from '#shared/rules/odds.ts'
import { randomBelow } from '#shared/rules/random.ts'
import { noRules } from '#shared/rules/terms.ts'
import { counted, rounded, scale, takingTurns, type BenchRow } from './row.ts'

const runs = 5
const perDay = 5
const firstDay = 12_000
const asked = { seed: 1, runs: 10_000 * scale, horizon: 250 }

// No account passes or breaches, so every run reaches its last session.
const rules: RuleSet = {
  ...noRules('USD'), startingBalance: '50000', profitTarget: '90000000', maxLoss: { amount: '90000000', trail: 'intraday', locksAt: '100' },
  dailyLoss: { amount: '5000', counts: 'realised', breach: 'pause' }, consistency: { percent: 50, of: 'total' }, minimumDays: 5, winningDays: { days: 5, profit: '200' },
  contracts: { all: 5, micros: 'tenth', byProduct: [], scaling: [] }, flatBy: { time: '15:10', zone: 'America/Chicago' },
}

/**
 * The odds of 10,000 runs of 250 sessions of five trades, against drawing the same days and adding up their trades. And a fold over ten times
 * the trades. In turns, medians.
 */
export const benchRules = (): readonly BenchRow[] => {
  const days = daysOf(250)
  const [odds, plain] = takingTurns(runs, () => oddsOf(rules, days, asked), () => addUp(days))
  const [few, many] = [daysOf(1000 * scale), daysOf(10_000 * scale)]
  const [small, large] = takingTurns(runs, () => foldDays(rules, few), () => foldDays(rules, many))
  return [
    { name: `odds of ${counted(asked.runs)} runs`, ratio: odds / plain, limit: 15, details: { odds: rounded(odds), plain: rounded(plain), runs } },
    { name: `rules over ${counted(many.length * perDay)} trades, growth from ${counted(few.length * perDay)}`, ratio: large / small, limit: 15, details: { few: rounded(small), many: rounded(large), runs } },
  ]
}

const daysOf = (count: number): DayFacts[] =>
  Array.from({ length: count }, (_, day) => ({
    tradingDay: isoDate(firstDay + day), adjustment: zero,
    trades: Array.from({ length: perDay }, (_none, index) => {
      const entryAt = ((firstDay + day) * 24 + 15) * 3_600_000 + index * 60_000
      return { product: 'MES', qty: 2, entryAt, exitAt: entryAt + 30_000, net: amountOf((((day * 7 + index * 13) % 11) - 5) * 50_0000) }
    }),
  }))

const addUp = (days: readonly DayFacts[]): number => {
  const nets = days.map(({ trades }) => trades.map(({ net }) => net as number))
  const draw = randomBelow(asked.seed)
  let sum = 0
  for (let session = 0; session < asked.runs * asked.horizon; session += 1) for (const net of nets[draw(nets.length)] ?? []) sum += net
  return sum
}
