import type { FactGroup, Finding, Measure, MeasureName, Reference, Report, ReportFact } from '#shared/api/reports.ts'
import { compareDecimals, parseDecimal } from '#shared/money/decimal.ts'

/** What a reference resolves to. `sign` is the sign of the first figure minus the second. */
export type Resolved =
  | { readonly is: 'figures'; readonly fact: ReportFact; readonly measures: readonly Measure[] }
  | { readonly is: 'name'; readonly fact: ReportFact }
  | { readonly is: 'compared'; readonly facts: readonly [ReportFact, ReportFact]; readonly measures: readonly [Measure, Measure]; readonly sign: number }
  | { readonly is: 'extreme'; readonly fact: ReportFact; readonly measure: Measure; readonly group: FactGroup; readonly way: 'most' | 'least' }
  | { readonly is: 'finding' | 'evidence'; readonly fact: ReportFact; readonly finding: Finding }

/** What a narrative may cite. */
export type Citable = Pick<Report, 'facts' | 'findings'>

/** Resolves a reference; null for an unknown fact, figure or finding, for figures that cannot be compared, and if no single member of a complete group is the highest or lowest. */
export const resolve = (reference: Reference, { facts, findings }: Citable): Resolved | null => {
  const factOf = (id: string): ReportFact | undefined => facts.find((fact) => fact.id === id)
  if ('fact' in reference) {
    const fact = factOf(reference.fact)
    const measures = reference.figures.map((name) => (fact === undefined ? [] : measuresOf(fact, name)))
    return fact === undefined || measures.some(({ length }) => length === 0) ? null : { is: 'figures', fact, measures: measures.flat() }
  }
  if ('name' in reference) {
    const fact = factOf(reference.name)
    return fact === undefined ? null : { is: 'name', fact }
  }
  if ('compare' in reference) {
    const [one, other] = [factOf(reference.compare), factOf(reference.with)]
    if (one === undefined || other === undefined || one === other) return null
    const [left, right, ...more] = [...measuresOf(one, reference.figure), ...measuresOf(other, reference.figure)]
    if (left === undefined || right === undefined || more.length > 0 || left.currency !== right.currency) return null
    return { is: 'compared', facts: [one, other], measures: [left, right], sign: difference(left, right) }
  }
  if ('most' in reference) return extreme(facts, reference.most, reference.figure, 'most')
  if ('least' in reference) return extreme(facts, reference.least, reference.figure, 'least')
  const fact = factOf('finding' in reference ? reference.finding : reference.evidence)
  const finding = findings.find(({ key }) => key === fact?.finding)
  if (fact === undefined || finding === undefined) return null
  // A finding with too little data has no other passage.
  return { is: 'finding' in reference && finding.evidence !== 'too-little' ? 'finding' : 'evidence', fact, finding }
}

// Hold times of early exits compare wins with losses; only the finding's own sentence explains that.
const measuresOf = ({ kind, measures }: ReportFact, name: MeasureName): readonly Measure[] => (kind === 'early-exit' && name.startsWith('hold') ? [] : measures.filter((one) => one.name === name))

// Costs are stored as negative and written as positive: the lower figure is the higher cost.
const difference = ({ name, value: one }: Measure, { value: other }: Measure): number => {
  const [left, right] = [parseDecimal(one), parseDecimal(other)]
  if (left === null || right === null) return 0
  return name === 'commission' ? compareDecimals(right, left) : compareDecimals(left, right)
}

const extreme = (facts: readonly ReportFact[], group: FactGroup, figure: MeasureName, way: 'most' | 'least'): Resolved | null => {
  const own = facts.filter(({ kind, finding }) => kind === group && finding === null)
  const measured = own.map((fact) => ({ fact, measures: measuresOf(fact, figure) }))
  const [first] = measured[0]?.measures ?? []
  // A group cut to its best and worst, or in several currencies, has no extreme.
  const isWhole = own.reduce((sum, { trades }) => sum + trades, 0) === facts.find(({ kind }) => kind === 'total')?.trades
  if (first === undefined || !isWhole || measured.some(({ measures: [one, ...more] }) => one === undefined || more.length > 0 || one.currency !== first.currency)) return null
  const ranked = measured.flatMap(({ fact, measures: [measure] }) => (measure === undefined ? [] : [{ fact, measure }])).sort((one, other) => difference(other.measure, one.measure) * (way === 'most' ? 1 : -1))
  const [top, next] = ranked
  return top === undefined || next === undefined || difference(top.measure, next.measure) === 0 ? null : { is: 'extreme', ...top, group, way }
}
