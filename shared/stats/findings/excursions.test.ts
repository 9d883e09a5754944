// @module-tag slow
import { expect, test } from 'vitest'
import { factsOf } from '#shared/reports/facts.ts'
import { madeTrades, shapeOf } from '#tests/helpers/made-trades.ts'
import { money } from '#tests/helpers/counted-trade.ts'
import { searchFindings, type FindingsResult } from './find.ts'
import type { ReportTrade } from './report-trade.ts'

const zone = 'America/New_York'
const search = (trades: readonly ReportTrade[]): FindingsResult => searchFindings(trades, { zone, breachDays: new Map() })
const plain = madeTrades(3, shapeOf(3))

/** Wins were 40 to 55 under water, losses 62.50 ahead, and exits took 60 to 62 % or 20 %. */
const priced = (trades: readonly ReportTrade[]): readonly ReportTrade[] =>
  trades.map((trade) => {
    const won = trade.grossPnl > 0
    const exit = won ? { exitLeast: 6_000, exitMost: 6_200 } : { exitLeast: 2_000, exitMost: 2_000 }
    return { ...trade, excursions: { maeLeast: money(won ? 40 : 500), maeMost: money(won ? 55 : 500), mfeLeast: money('62.5'), mfeMost: money('62.5'), entryLeast: 0, entryMost: 0, ...exit } }
  })
const of = ({ findings }: FindingsResult) => findings.filter(({ finding }) => finding.kind === 'excursions')

test('a report says how far wins were under water and losses ahead, as ranges where prices leave it open, and tests none of it', () => {
  const trades = priced(plain)
  const found = search(trades)
  const [one, ...more] = of(found)
  expect(more).toEqual([])
  expect([one?.finding.evidence, one?.finding.chance, one?.members.length]).toEqual(['untested', null, trades.length])
  const [wins, losses] = [trades.filter(({ grossPnl }) => grossPnl > 0).length, trades.filter(({ grossPnl }) => grossPnl < 0).length]
  const average = (ofWins: number): string => ((wins * ofWins + (trades.length - wins) * 0.2) / trades.length).toFixed(4)
  expect(one?.finding.measures.map(({ name, value }) => [name, value])).toEqual([['mae-wins', '40.00'], ['mae-wins-most', '55.00'], ['mfe-losses', '62.50'], ['exit-efficiency', average(0.6)], ['exit-efficiency-most', average(0.62)], ['wins', String(wins)], ['losses', String(losses)]])
  // It changes nothing about what is tested.
  expect([found.tried, found.findings.length]).toEqual([search(plain).tried, search(plain).findings.length + 1])
  expect(factsOf(trades, found, { zone }).filter(({ fact }) => fact.kind === 'excursions')).toEqual([])
})

test('it says nothing where prices tell both ends of fewer than 20 trades', () => {
  const few = priced(plain).map((trade, index) => (index < 19 ? trade : index % 2 === 0 ? { ...trade, excursions: null } : { ...trade, excursions: { ...trade.excursions, maeMost: null } } as ReportTrade))
  expect(of(search(few))).toEqual([])
  expect(of(search(plain))).toEqual([])
})
