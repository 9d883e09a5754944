import type { AboutTrades, Finding, Measure, Report, ReportFact } from '#shared/api/reports.ts'
import { parseDecimal, tenTo, writeDecimal } from '#shared/money/decimal.ts'

/** One figure in two reports: earlier value, later value, and the difference; null if a report lacks it. */
export type MeasureChange = Pick<Measure, 'name' | 'unit' | 'currency'> & { readonly was: string | null; readonly is: string | null; readonly difference: string | null }

/** A group of trades in at least one of two reports, with all its figures. */
export type FactChange = { readonly kind: ReportFact['kind']; readonly about: AboutTrades; readonly was: ReportFact | null; readonly is: ReportFact | null; readonly measures: readonly MeasureChange[] }

/** A finding of the same kind and subject in both reports (`stayed`) or only in one. */
export type FindingChange = { readonly change: 'stayed' | 'new' | 'gone'; readonly was: Finding | null; readonly is: Finding | null; readonly measures: readonly MeasureChange[] }

/** A comparison of two reports: figures of the whole period, of each group, and findings. */
export type Comparison = { readonly total: readonly MeasureChange[]; readonly facts: readonly FactChange[]; readonly findings: readonly FindingChange[] }

/**
 * Compares an earlier report with a later one, exactly. Leaves out single days, which two periods do not share, and findings
 * with too little data in both. Order: as in the later report, then what only the earlier one has.
 */
export const compareReports = (was: Pick<Report, 'facts' | 'findings'>, is: Pick<Report, 'facts' | 'findings'>): Comparison => {
  const plain = (report: Pick<Report, 'facts'>) => report.facts.filter(({ kind, finding }) => finding === null && kind !== 'day')
  const facts = matched(plain(was), plain(is), ({ kind, about }) => keyOf(kind, about)).map(([before, now, { kind, about }]): FactChange => {
    return { kind, about, was: before ?? null, is: now ?? null, measures: measureChanges(before?.measures ?? [], now?.measures ?? []) }
  })
  const findings = matched(was.findings, is.findings, ({ kind, about, currency }) => keyOf(`${kind} ${currency}`, about))
    .filter(([before, now]) => [before, now].some((finding) => finding !== undefined && finding.evidence !== 'too-little'))
    .map(([before, now]): FindingChange => ({ change: before === undefined ? 'new' : now === undefined ? 'gone' : 'stayed', was: before ?? null, is: now ?? null, measures: measureChanges(before === undefined ? [] : figuresOf(before), now === undefined ? [] : figuresOf(now)) }))
  return { total: facts.find(({ kind }) => kind === 'total')?.measures ?? [], facts: facts.filter(({ kind }) => kind !== 'total'), findings }
}

type Matched<T> = [was: T | undefined, is: T | undefined, either: T]

const matched = <T>(was: readonly T[], is: readonly T[], key: (item: T) => string): Matched<T>[] => {
  const before = new Map(was.map((item) => [key(item), item]))
  const now = new Set(is.map(key))
  return [
    ...is.map((item): Matched<T> => [before.get(key(item)), item, item]),
    ...was.filter((item) => !now.has(key(item))).map((item): Matched<T> => [item, undefined, item]),
  ]
}

const keyOf = (kind: string, { account, product, side, weekday, hour, day, heldFrom, heldTo }: AboutTrades): string => JSON.stringify([kind, account, product, side, weekday, hour, day, heldFrom, heldTo])

const figuresOf = ({ currency, net, trades, excess, measures }: Finding): Measure[] => [
  { name: 'net', unit: 'money', value: net, currency },
  { name: 'trades', unit: 'count', value: String(trades), currency: null },
  ...(excess === null ? [] : [{ name: 'excess' as const, unit: 'money' as const, value: excess.value, currency }]),
  ...measures.filter(({ name }) => name !== 'net' && name !== 'trades' && name !== 'excess'),
]

const measureChanges = (was: readonly Measure[], is: readonly Measure[]): readonly MeasureChange[] =>
  matched(was, is, ({ name, unit, currency }) => `${name} ${unit} ${currency ?? ''}`).map(([before, now, { name, unit, currency }]) => ({
    name,
    unit,
    currency,
    was: before?.value ?? null,
    is: now?.value ?? null,
    difference: before === undefined || now === undefined ? null : difference(before.value, now.value),
  }))

const difference = (was: string, is: string): string | null => {
  const [before, now] = [parseDecimal(was), parseDecimal(is)]
  if (before === null || now === null) return null
  const scale = Math.max(before.scale, now.scale)
  return writeDecimal(now.digits * tenTo(scale - now.scale) - before.digits * tenTo(scale - before.scale), scale)
}
