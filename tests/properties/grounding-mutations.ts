import type { ReportFact } from '#shared/api/reports.ts'
import type { Draw } from '#tests/helpers/exports/draw.ts'
import { unitsOf, writeFigure, writeName, type Drawn, type TypedFigure, type TypedName } from './grounding-cases.ts'

/** What is changed in the references of something right, so that it becomes wrong. */
export const mutationKinds = ['unknown fact', 'missing figure', 'typed figure', 'typed wrongly', 'typed name', 'name beside', 'compared with itself', 'compared with nothing', 'group in part', 'no reference'] as const
export type MutationKind = (typeof mutationKinds)[number]

const fields = ['account', 'product', 'side', 'weekday', 'hour', 'day'] as const

const nameOf = (draw: Draw, { about }: ReportFact): TypedName | null => {
  const [field] = fields.filter((one) => about[one] !== undefined)
  const value = field === undefined ? undefined : about[field]
  return field === undefined || value === undefined ? null : { field, value, style: draw.between(0, 999) }
}

const figureOf = (draw: Draw, fact: ReportFact): TypedFigure => {
  const measure = draw.pick(fact.measures)
  return { measure: measure.name, unit: measure.unit, value: unitsOf(measure), currency: measure.unit === 'money' ? measure.currency : null, style: draw.between(0, 999), sign: draw.between(0, 59) }
}

const wrongly = (draw: Draw, figure: TypedFigure): TypedFigure => {
  const { value, currency } = figure
  return draw.pick([{ ...figure, value: -value }, { ...figure, value: value * 10 }, { ...figure, value: Math.floor(value / 10) }, { ...figure, value: value + draw.between(1, 9) * 10 ** draw.between(0, 4) }, { ...figure, currency: currency === 'EUR' ? 'USD' : 'EUR' }])
}

/** Something right, as `sentenceOf` reads it, with one of its references changed; null where the change does not apply. */
export const mutated = (draw: Draw, right: string, kind: MutationKind, { facts }: Drawn): string | null => {
  const references = [...right.matchAll(/\{[^}]*\}/gu)]
  const { 0: reference, index: at } = draw.pick(references)
  const instead = (text: string): string => `${right.slice(0, at)}${text}${right.slice(at + reference.length)}`
  const own = facts.find(({ id }) => id === /f\d+/u.exec(reference)?.[0]) ?? facts[0]
  const other = draw.pick(facts.filter((fact) => fact !== own))
  if (own === undefined) return null
  const named = nameOf(draw, draw.chance(0.7) ? other : own)
  switch (kind) {
    case 'unknown fact':
      return own.id !== /f\d+/u.exec(reference)?.[0] ? null : instead(reference.replace(/f\d+/u, draw.pick(['f900', 'f0', 'f99999', '[f1]', 'total', ''])))
    case 'missing figure':
      return instead(`{${own.id} ${draw.pick(['size', 'given-back', 'share-other', 'netto', ''].filter((name) => own.measures.every((measure) => measure.name !== name)))}}`)
    case 'typed figure':
      return instead(writeFigure(figureOf(draw, own)))
    case 'typed wrongly':
      return instead(`${reference} ${writeFigure(wrongly(draw, figureOf(draw, own)))}`)
    case 'typed name':
      return named === null ? null : instead(`${writeName(named)}${draw.pick([': ', ' shows ', ' had ', ' and '])}${reference}`)
    case 'name beside':
      return instead(`{name ${draw.chance(0.8) ? other.id : own.id}}${draw.pick([': ', ' shows ', ' had ', ' and '])}${reference}`)
    case 'compared with itself':
      return instead(`{compare ${own.id} ${own.id} net}`)
    case 'compared with nothing':
      return instead(`{compare ${own.id} ${other.id} ${draw.pick(['given-back', 'share-other', 'size'])}}`)
    case 'group in part': {
      const group = draw.pick(['account', 'product', 'hour', 'day', 'side'])
      // Seldom a group is whole by accident.
      const sum = facts.filter(({ kind, finding }) => kind === group && finding === null).reduce((all, { trades }) => all + trades, 0)
      return sum === facts[0]?.trades ? null : instead(`{${draw.pick(['most', 'least'])} ${group} ${draw.pick(['net', 'trades', 'win-rate'])}}`)
    }
    case 'no reference':
      return instead(`{most ${draw.pick(['fortnight', 'total', ''])} net}`)
  }
}
