import { searchFindings } from '#shared/stats/findings/find.ts'
import type { ReportTrade } from '#shared/stats/findings/report-trade.ts'
import { madeTrades } from '../helpers/made-trades.ts'
import { counted, rounded, scale, takingTurns, type BenchRow } from './row.ts'

const runs = 3

/** Findings in about 100,000 trades of ten accounts, against ten times fewer: as many redrawings, so ten times the work. In turns, medians. */
export const benchFindings = (): readonly BenchRow[] => {
  const [few, many] = [tradesOf(120 * scale), tradesOf(1200 * scale)]
  const [small, large] = takingTurns(runs, () => find(few), () => find(many))
  return [{ name: `findings in ${counted(many.length)} trades, growth from ${counted(few.length)}`, ratio: large / small, limit: 15, details: { few: rounded(small), many: rounded(large), runs } }]
}

const tradesOf = (days: number): readonly ReportTrade[] => madeTrades(1, { days, usual: 9, accounts: 10, copied: false })

const find = (trades: readonly ReportTrade[]): unknown => searchFindings(trades, { zone: 'America/New_York', breachDays: new Map() })
