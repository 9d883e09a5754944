import type { MeasureName, ReportFact } from '#shared/api/reports.ts'
import type { Known } from '#shared/reports/grounding.ts'
import type { Draw } from '#tests/helpers/exports/draw.ts'
import { renderings, unitsOf, type Clause, type Said, type SaidFigure, type SaidName } from './grounding-cases.ts'

/** What is changed in something right, so that it becomes wrong (or, seldom, stays right). */
export const mutationKinds = ['sign', 'unit', 'magnitude', 'digit', 'day', 'symbol', 'account', 'weekday', 'hour', 'side', 'swapped', 'other fact', 'other measure'] as const
export type MutationKind = (typeof mutationKinds)[number]

const fields = ['account', 'product', 'side', 'weekday', 'hour', 'day'] as const

const figureOf = (draw: Draw, fact: ReportFact, name: MeasureName): SaidFigure | null => {
  const measure = fact.measures.find((one) => one.name === name)
  return measure === undefined ? null : { measure: name, unit: measure.unit, value: unitsOf(measure), currency: measure.unit === 'money' ? measure.currency : null, style: draw.between(0, 999), sign: draw.between(0, 59) }
}

const clauseOf = (draw: Draw, fact: ReportFact, wants: readonly MeasureName[]): Clause | null => {
  const figures = wants.flatMap((name) => figureOf(draw, fact, name) ?? [])
  const names = fields.flatMap((field): SaidName[] => {
    const value = fact.about[field]
    return value === undefined ? [] : [{ field, value, style: draw.between(0, 999) }]
  })
  return figures.length < wants.length ? null : { cites: fact.id, names, figures }
}

// A chance of none in a million is said as such by nobody, and a net of nothing was neither made nor lost.
const isSayable = ({ figures }: Clause): boolean => figures.every(({ unit, value }) => unit !== 'money' || value !== 0)

/** Something right about drawn facts, in a rendering; null where no fact has what the rendering wants. */
export const drawSaid = (draw: Draw, { facts }: Known, rendering: Said['rendering']): Said | null => {
  // Without a name a sentence would begin with its verb.
  const subjects = draw.shuffle(facts).filter(({ about }) => rendering.wants.some((name) => ownOfTotal.has(name)) || Object.keys(about).length > 0 || rendering.wants.includes('excess'))
  const clauses = subjects.flatMap((fact) => clauseOf(draw, fact, rendering.wants) ?? []).filter(isSayable)
  const [first, ...others] = clauses
  if (first === undefined) return null
  if (rendering.pair === undefined) return { rendering, clauses: [first], together: false }
  const plain = clauses.filter(({ names }) => names.length === 1)
  const [one, two] = [plain[0] ?? first, plain.find(({ names }) => names[0]?.field === plain[0]?.names[0]?.field && names[0]?.value !== plain[0]?.names[0]?.value) ?? others[0]]
  return two === undefined ? null : { rendering, clauses: [one, two], together: rendering.pair === 'and' }
}

const ownOfTotal = new Set<MeasureName>(['profit-factor', 'average-win', 'largest-win', 'gross', 'longest-wins'])

/** The same with one thing changed; null where the change does not apply. */
export const mutated = (draw: Draw, said: Said, kind: MutationKind, { facts }: Known): Said | null => {
  const which = draw.between(0, said.clauses.length - 1)
  const clause = said.clauses[which]
  if (clause === undefined) return null
  if (kind === 'swapped') return swapped(draw, said)
  const changed = changedClause(draw, clause, kind, facts)
  return changed === null ? null : { ...said, clauses: said.clauses.map((one, index) => (index === which ? changed : one)) }
}

const swapped = (draw: Draw, said: Said): Said | null => {
  const [one, two] = said.clauses
  if (one !== undefined && two !== undefined) return { ...said, clauses: [{ ...one, figures: two.figures }, { ...two, figures: one.figures }] }
  if (one === undefined || one.figures.length < 2) return null
  // Two figures of the same unit change places, but not their words.
  const [first, second] = draw.shuffle([...one.figures.keys()])
  const [left, right] = [one.figures[first ?? 0], one.figures[second ?? 0]]
  if (left === undefined || right === undefined || left.unit !== right.unit) return null
  return { ...said, clauses: [{ ...one, figures: one.figures.map((figure, index) => (index === first ? { ...figure, value: right.value } : index === second ? { ...figure, value: left.value } : figure)) }] }
}

const fieldOf: Partial<Record<MutationKind, SaidName['field']>> = { day: 'day', symbol: 'product', account: 'account', weekday: 'weekday', hour: 'hour', side: 'side' }

const changedClause = (draw: Draw, clause: Clause, kind: MutationKind, facts: readonly ReportFact[]): Clause | null => {
  const field = fieldOf[kind]
  if (field !== undefined) return withOtherName(draw, clause, field, facts)
  if (kind === 'other fact') return { ...clause, cites: draw.pick(facts).id }
  const at = draw.between(0, clause.figures.length - 1)
  const figure = clause.figures[at]
  if (figure === undefined) return null
  const other = kind === 'other measure' ? withOtherMeasure(draw, figure, clause, facts) : withOtherValue(draw, figure, kind)
  return other === null ? null : { ...clause, figures: clause.figures.map((one, index) => (index === at ? other : one)) }
}

const withOtherName = (draw: Draw, clause: Clause, field: SaidName['field'], facts: readonly ReportFact[]): Clause | null => {
  if (!clause.names.some((name) => name.field === field)) return null
  const known = facts.flatMap(({ about }) => about[field] ?? [])
  const strange: Record<SaidName['field'], string | number> = { account: `D`, product: 'XK', side: 'long', weekday: draw.between(6, 7), hour: draw.between(0, 23), day: '2026-12-31' }
  const value = draw.chance(0.2) ? strange[field] : draw.pick(known)
  return { ...clause, names: clause.names.map((name) => (name.field === field ? { ...name, value } : name)) }
}

// The value of another measure of the same unit: '38 wins' where 38 are the trades.
const withOtherMeasure = (draw: Draw, figure: SaidFigure, { cites }: Clause, facts: readonly ReportFact[]): SaidFigure | null => {
  const others = facts.find(({ id }) => id === cites)?.measures.filter(({ unit, name }) => unit === figure.unit && name !== figure.measure) ?? []
  return others.length === 0 ? null : { ...figure, value: unitsOf(draw.pick(others)) }
}

const signed = new Set<MeasureName>(['net', 'gross', 'average', 'excess', 'average-other'])

const withOtherValue = (draw: Draw, figure: SaidFigure, kind: MutationKind): SaidFigure | null => {
  const { value, unit, measure } = figure
  if (kind === 'sign') return unit === 'money' && signed.has(measure) ? { ...figure, value: -value } : null
  if (kind === 'unit') return unit !== 'money' ? null : { ...figure, currency: figure.currency === 'EUR' ? 'USD' : 'EUR' }
  const size = Math.abs(value)
  const other = kind === 'magnitude' ? (draw.chance(0.5) ? size * 10 : Math.floor(size / 10)) : withOtherDigit(draw, size)
  return other === 0 && unit === 'money' ? null : { ...figure, value: value < 0 ? -other : other }
}

const withOtherDigit = (draw: Draw, size: number): number => {
  const digits = String(size).split('')
  const at = draw.between(0, digits.length - 1)
  digits[at] = String((Number(digits[at]) + draw.between(1, 9)) % 10)
  return Number(digits.join(''))
}

/** All renderings, so many that each is drawn equally often. */
export const renderingOf = (turn: number): Said['rendering'] => {
  const rendering = renderings[turn % renderings.length]
  if (rendering === undefined) throw new Error('No renderings')
  return rendering
}
