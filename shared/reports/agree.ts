import type { AboutTrades, Measure, MeasureName, ReportFact } from '#shared/api/reports.ts'
import { dayOfDate } from '#shared/market/zone-clock.ts'
import { parseDecimal } from '#shared/money/decimal.ts'
import type { Figure, Name, SaidDay } from './marks.ts'
import { isOneIn, isShownAs, type Shown } from './shown-figure.ts'

/** First and last day of a report, and the zone of its hours. */
export type ReportFrame = { readonly period: { readonly from: string; readonly to: string }; readonly zone: string }

// Figures that are against the trader by what they are: their words need no sign, and a minus does no harm.
const against: ReadonlySet<MeasureName> = new Set(['commission', 'drawdown', 'given-back', 'average-loss', 'largest-loss'])

// And figures that are for the trader by what they are.
const inFavour: ReadonlySet<MeasureName> = new Set(['average-win', 'largest-win'])

/** Whether the sign words around a figure say that it is above zero (`gain`), below it (`loss`), both or nothing. */
export type SaidSigns = { readonly gain: boolean; readonly loss: boolean }

/** Whether a measure is what a figure shows: its unit and currency, its value as it rounds, and its sign; `own` are the sign words of its own piece. */
export const showsMeasure = (figure: Figure, signs: SaidSigns, own: SaidSigns, { name, value, currency }: Measure): boolean => {
  const exact = parseDecimal(value)
  if (exact === null || figure.to !== null) return false
  if (figure.currency !== null && figure.currency !== currency) return false
  if (figure.unit === 'one-in') return isOneIn(exact, figure.shown)
  if (!isShownAs(exact, figure.shown)) return false
  if (figure.unit !== 'money') return figure.sign === 0 && exact.digits >= 0n
  if (figure.shown.isZero) return true
  if (against.has(name)) return figure.sign <= 0 && !own.gain
  return inFavour.has(name) ? figure.sign >= 0 && !own.loss : signAgrees(figure.sign, signs, exact.digits < 0n ? -1 : 1)
}

/** Whether a range of money shows the ends of an interval; signs are written out where they are below zero. */
export const showsInterval = ({ shown, sign, to, currency }: Figure, measures: readonly Measure[]): boolean => {
  const end = (name: MeasureName, part: { readonly shown: Shown; readonly sign: -1 | 0 | 1 }): boolean =>
    measures.some((measure) => {
      const exact = measure.name === name && measure.currency === currency ? parseDecimal(measure.value) : null
      return exact !== null && isShownAs(exact, part.shown) && (part.shown.isZero || (exact.digits < 0n) === (part.sign < 0))
    })
  return to !== null && end('excess-low', { shown, sign }) && end('excess-high', to)
}

const signAgrees = (sign: -1 | 0 | 1, { gain, loss }: SaidSigns, actual: -1 | 1): boolean => {
  if (sign !== 0) return sign === actual && !(sign > 0 && loss) && !(sign < 0 && gain)
  return actual < 0 ? loss && !gain : !loss
}

/** Whether a name agrees with what a fact is of; `whole` with the whole period, and a period with the report's own. */
export const nameAgrees = (name: Name, fact: ReportFact, frame: ReportFrame): boolean => {
  const { about } = fact
  switch (name.field) {
    case 'account':
    case 'product':
    case 'side':
      return about[name.field] === name.value
    case 'weekday':
      return about.weekday === name.value || (about.weekday === undefined && about.day !== undefined && weekdayOf(about.day) === name.value)
    case 'hour':
      return name.value !== null && about.hour === name.value
    case 'day':
      return (about.day !== undefined && isDay(name.value, about.day)) || isOfFrame(name, frame)
    case 'held':
      return isHeld(name.value.from, about.heldFrom) && isHeld(name.value.to, about.heldTo)
    case 'kind':
      return name.value.includes(fact.kind)
    case 'others':
      return about[name.value] !== undefined || (name.value === 'weekday' && about.day !== undefined)
    case 'whole':
      return Object.values(about).every((value) => value === undefined)
    default:
      return isOfFrame(name, frame)
  }
}

/** Whether a name says the report's own period or zone, which needs no fact. */
export const isOfFrame = (name: Name, { period: { from, to }, zone }: ReportFrame): boolean => {
  switch (name.field) {
    case 'day':
      return from === to && isDay(name.value, from)
    case 'period':
      return isDay(name.value.from, from) && isDay(name.value.to, to)
    case 'month':
      return [from, to].every((day) => Number(day.slice(5, 7)) === name.value.month && (name.value.year === null || Number(day.slice(0, 4)) === name.value.year)) && from.slice(0, 4) === to.slice(0, 4)
    case 'year':
      return [from, to].every((day) => Number(day.slice(0, 4)) === name.value)
    case 'zone':
      return name.value.includes(zone)
    case 'span':
      return isSpan(name.value, dayOfDate(to) - dayOfDate(from) + 1)
    default:
      return false
  }
}

/** Whether a fact is of other trades than a name that was said before: it has the same field with another value. */
export const contradicts = (name: Name, about: AboutTrades): boolean => {
  switch (name.field) {
    case 'account':
    case 'product':
    case 'side':
    case 'hour':
      return about[name.field] !== undefined && about[name.field] !== name.value
    case 'weekday': {
      const weekday = about.weekday ?? (about.day === undefined ? undefined : weekdayOf(about.day))
      return weekday !== undefined && weekday !== name.value
    }
    case 'day':
      return about.day !== undefined && !isDay(name.value, about.day)
    default:
      return false
  }
}

const weekdayOf = (day: string): number => ((dayOfDate(day) + 3) % 7) + 1

const isDay = ({ year, month, day }: SaidDay, date: string): boolean => Number(date.slice(5, 7)) === month && Number(date.slice(8, 10)) === day && (year === null || Number(date.slice(0, 4)) === year)

const isHeld = (said: Shown | null, bound: number | undefined): boolean => (said === null ? bound === undefined || bound === 0 : bound !== undefined && isShownAs({ digits: BigInt(bound), scale: 0 }, said))

const isSpan = (span: 'day' | 'week' | 'month', days: number): boolean => (span === 'day' ? days === 1 : span === 'week' ? days > 1 && days <= 7 : days > 7 && days <= 31)
