import type { Measure, MeasureName } from '#shared/api/reports.ts'
import type { ReportTrade } from './report-trade.ts'
import { role, rolesOf, type Candidate } from './candidate.ts'
import { enough } from './evidence.ts'
import { countMeasure, moneyMeasure, moneyText, plainMeasure } from './measures.ts'
import type { Panel } from './panel.ts'
import { medianOf } from './studentized.ts'

/** A trade with both bounds of MAE, MFE, and exit efficiency, from stored prices. */
type ExcursionTrade = { readonly index: number; readonly gross: number; readonly mae: Ends; readonly mfe: Ends; readonly exit: Ends }
type Ends = { readonly least: number; readonly most: number }

/**
 * How far wins went against the trader and losses for them, and how much of their range exits took; null unless prices
 * tell it of enough trades. Untested: a win that was deep under water is a loss in all but its end, so a result and its
 * excursions are related by chance alone. Where prices leave figures open, so does a median: it lies between that of the
 * lower and that of the upper ends.
 */
export const excursionCandidate = (panel: Panel): Candidate | null => {
  const known = panel.trades.flatMap((trade, index) => knownOf(trade, index))
  const [wins, losses] = [known.filter(({ gross }) => gross > 0), known.filter(({ gross }) => gross < 0)]
  if (known.length < enough.trades || wins.length === 0 || losses.length === 0) return null
  const within = new Set(known.map(({ index }) => index))
  const [mae, mfe] = [mediansOf(wins.map((one) => one.mae)), mediansOf(losses.map((one) => one.mfe))]
  const exits = { least: average(known.map(({ exit }) => exit.least)), most: average(known.map(({ exit }) => exit.most)) }
  const money = (name: MeasureName, amount: number): Measure => moneyMeasure(name, amount, panel.currency)
  const share = (name: MeasureName, units: number): Measure => plainMeasure(name, 'share', units / 10_000)
  return {
    kind: 'excursions', about: {}, tested: 'never', sign: null, excess: null,
    roles: rolesOf(panel.size, (index) => (within.has(index) ? role.behind : role.neither)),
    describe: () => ({
      measures: [
        ...ends('mae-wins', 'mae-wins-most', mae, money),
        ...ends('mfe-losses', 'mfe-losses-most', mfe, money),
        ...ends('exit-efficiency', 'exit-efficiency-most', exits, share),
        countMeasure('wins', wins.length),
        countMeasure('losses', losses.length),
      ],
      bars: [
        { label: '1', value: moneyText(mae.least), trades: wins.length, marked: true },
        { label: '-1', value: moneyText(mfe.least), trades: losses.length, marked: false },
      ],
      barsIn: 'money',
    }),
  }
}

const knownOf = ({ grossPnl: gross, excursions }: ReportTrade, index: number): readonly ExcursionTrade[] => {
  if (excursions === null || excursions === undefined) return []
  const { maeLeast, maeMost, mfeLeast, mfeMost, exitLeast, exitMost } = excursions
  if (maeMost === null || mfeMost === null || exitLeast === null || exitMost === null) return []
  return [{ index, gross, mae: { least: maeLeast, most: maeMost }, mfe: { least: mfeLeast, most: mfeMost }, exit: { least: exitLeast, most: exitMost } }]
}

const mediansOf = (all: readonly Ends[]): Ends => ({ least: medianOf(Float64Array.from(all, ({ least }) => least)), most: medianOf(Float64Array.from(all, ({ most }) => most)) })
const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** One figure, or two where prices leave it open. */
const ends = (name: MeasureName, nameOfMost: MeasureName, { least, most }: Ends, measure: (name: MeasureName, value: number) => Measure): readonly Measure[] => {
  const [lower, upper] = [measure(name, least), measure(nameOfMost, most)]
  return lower.value === upper.value ? [lower] : [lower, upper]
}
