import { findIn } from '#shared/stats/findings/find.ts'
import type { FoundTrade } from '#shared/stats/findings/found-trade.ts'
import { madeTrades } from '../helpers/made-trades.ts'
import { rounded, type BenchRow } from './row.ts'

const repeats = 3

/** Findings in about 100,000 trades of ten accounts, against ten times fewer: as many redrawings, so ten times the work. The least times. */
export const benchFindings = (): readonly BenchRow[] => {
  const [few, many] = [tradesOf(120), tradesOf(1200)]
  const [small, large] = [measure(few), measure(many)]
  const name = `findings in ${many.length.toLocaleString('en-US')} trades, growth from ${few.length.toLocaleString('en-US')}`
  return [{ name, ratio: large / small, limit: 15, details: { few: rounded(small), many: rounded(large), repeats } }]
}

const tradesOf = (days: number): readonly FoundTrade[] => madeTrades(1, { days, usual: 9, accounts: 10, copied: false })

const measure = (trades: readonly FoundTrade[]): number =>
  Math.min(
    ...Array.from({ length: repeats }, () => {
      const from = performance.now()
      findIn(trades, { zone: 'America/New_York', breachDays: new Map() })
      return performance.now() - from
    }),
  )
