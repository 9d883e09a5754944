import type { Format } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import type { AboutTrades, Finding, FindingKind, Measure, MeasureName, Report, ReportFact } from '#shared/api/reports.ts'
import { excessForVerdict } from '#shared/stats/findings/excess-for-verdict.ts'
import { enough } from '#shared/stats/findings/evidence.ts'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** Kinds whose finding is one group of several, which names it. */
const ofGroups: readonly FindingKind[] = ['hour', 'weekday', 'product', 'side', 'hold', 'account-consistency']
/** What a kind's own sentence needs; without it the net is stated. */
const needed = {
  'giving-back': ['given-back', 'share', 'days'],
  streak: ['longest-wins', 'longest-losses'],
  'early-exit': ['hold', 'hold-other', 'average-win', 'average-loss'],
  excursions: ['mae-wins', 'mfe-losses', 'exit-efficiency'],
  'cost-share': ['gross', 'commission'],
} as const satisfies Partial<Record<FindingKind, readonly MeasureName[]>>
/** Kinds whose bars are ranges of time starting at their label, each this many ms long. */
const stretches: Partial<Record<FindingKind, number>> = { hold: 1, revenge: 60_000 }
const rarest = 10_000
const certain = 0.995
/** Gains and losses, which have a sign on every screen. */
const signedFigures: readonly MeasureName[] = ['net', 'gross', 'average', 'average-other', 'excess', 'excess-low', 'excess-high', 'average-win', 'average-loss', 'largest-win', 'largest-loss']

const hasOwn = (kind: FindingKind): kind is keyof typeof needed => Object.hasOwn(needed, kind)
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
const unsigned = (value: string): string => value.replace(/^-/, '')
const negated = (value: string): string => (Number(value) === 0 ? value : value.startsWith('-') ? value.slice(1) : `-${value}`)

/** Every text of a report, in the reader's language; `names` are the report's accounts. */
export const reportWords = (t: TFunction<'ai-report'>, format: Format, names: Report['names']) => {
  const account = (key: string): string => names.find((one) => one.account === key)?.name ?? key
  const clock = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00`
  const hours = (hour: number): string => t('hours', { from: clock(hour), to: clock(hour + 1) })
  const held = (from: number | undefined, to: number | undefined): string => {
    if (to === undefined) return t('held-over', { from: format.duration(from ?? 0) })
    return from === undefined || from === 0 ? t('held-under', { to: format.duration(to) }) : t('held-between', { from: format.duration(from), to: format.duration(to) })
  }
  const waited = (from: number, to: number | undefined): string => {
    if (to === undefined) return t('waited-over', { from: format.duration(from) })
    return from === 0 ? t('waited-under', { to: format.duration(to) }) : t('waited-between', { from: format.duration(from), to: format.duration(to) })
  }
  const sideOf = (side: 'long' | 'short'): string => (side === 'long' ? t('long') : t('short'))
  const money = (value: string, currency: string): string => format.fullMoney(value, currency)
  const signedMoney = (value: string, currency: string): string => `${Number(value) > 0 ? '+' : ''}${money(value, currency)}`

  /** What trades have in common: `MES · Long`; empty for all of them. */
  const about = ({ account: key, product, side, weekday, hour, day, heldFrom, heldTo }: AboutTrades): string =>
    [
      ...(key === undefined ? [] : [account(key)]),
      ...(product === undefined ? [] : [product]),
      ...(side === undefined ? [] : [sideOf(side)]),
      ...(weekday === undefined ? [] : [format.weekday(weekday)]),
      ...(hour === undefined ? [] : [hours(hour)]),
      ...(day === undefined ? [] : [format.fullDay(day)]),
      ...(heldFrom === undefined && heldTo === undefined ? [] : [held(heldFrom, heldTo)]),
    ].join(' · ')

  /** A chance as one in so many, if that says more than a percentage. */
  const chance = (value: number): string => {
    if (value >= certain) return t('chance.always')
    if (value < 1 / rarest) return t('chance.below', { of: format.count(rarest) })
    return value > 0.2 ? t('chance.percent', { percent: format.wholePercent(value) }) : t('chance.one-in', { of: format.count(roundedDown(1 / value)) })
  }

  const value = ({ name, unit, value: figure, currency }: Measure, fallback = 'USD'): string => {
    const number = Number(figure)
    switch (unit) {
      case 'money':
        // Reports store costs as negative; every screen shows them as positive.
        if (name === 'commission') return money(negated(figure), currency ?? fallback)
        return signedFigures.includes(name) ? signedMoney(figure, currency ?? fallback) : money(figure, currency ?? fallback)
      case 'share':
        return format.percent(number)
      case 'chance':
        return chance(number)
      case 'time':
        return format.duration(number)
      case 'ratio':
        return format.ratio(number)
      case 'contracts':
        return format.quantity(number)
      case 'count':
      case 'days':
        return format.count(number)
    }
  }

  /** The name of a finding: its group, or what it looks for. */
  const title = ({ kind, about: of }: Pick<Finding, 'kind' | 'about'>): string => {
    const group = about(of)
    if (group === '') return t(`kind.${kind}`)
    return ofGroups.includes(kind) ? capital(group) : t('kind-of', { kind: t(`kind.${kind}`), group })
  }

  /** The subject of a fact. */
  const factTitle = ({ kind, about: of }: Pick<ReportFact, 'kind' | 'about'>): string => {
    if (kind === 'total') return about(of) || t('whole-period')
    if (kind === 'account' || kind === 'day') return about(of)
    return title({ kind, about: of })
  }

  /** The finding as a sentence. */
  const sentence = (finding: Finding): string => (finding.kind === 'rule-breach' ? `${bareSentence(finding)} ${t('rule-breach-of')}` : bareSentence(finding))

  const bareSentence = (finding: Finding): string => {
    const { kind, about: of, excess, currency } = finding
    if (hasOwn(kind)) return ownSentence(kind, finding)
    if (excess === null) return plainSentence(finding)
    const given = { group: about(of), amount: money(unsigned(excess.value), currency), weekday: of.weekday === undefined ? '' : format.weekday(of.weekday) }
    const comparison = Number(excess.value) < 0 ? t(`less.${kind}`, given) : t(`more.${kind}`, given)
    return kind === 'size-after-loss' ? `${sizesOf(finding)}${comparison}` : comparison
  }

  // The sizes of the chart's own groups, so that sentence and bars cannot differ.
  const sizesOf = (finding: Finding): string => {
    const barOf = (outcome: number): string | undefined => {
      const bar = finding.bars.find(({ label, trades }) => Number(label) === outcome && trades > 0)
      return bar === undefined ? undefined : barValue(finding, bar.value)
    }
    const [size, win, neither] = [barOf(-1), barOf(1), barOf(0)]
    if (size === undefined) return ''
    if (win !== undefined && neither !== undefined) return `${t('sizes.all', { size, win, neither })} `
    if (win !== undefined) return `${t('sizes.and-win', { size, win })} `
    return `${neither === undefined ? t('sizes.after-loss', { size }) : t('sizes.and-neither', { size, neither })} `
  }

  const plainSentence = ({ kind, currency, net, trades, measures }: Finding): string => {
    const time = measures.find(({ name }) => name === 'hold')
    return kind === 'hold' && time !== undefined ? t('says.hold', { hold: value(time) }) : t('says-net', { count: trades, trades: format.count(trades), net: signedMoney(net, currency) })
  }

  const ownSentence = (kind: keyof typeof needed, finding: Finding): string => {
    const { excess, currency, measures, trades, others } = finding
    // Words express the loss, so the figure has no sign.
    const figures = new Map(measures.map((one) => [one.name, one.unit === 'money' ? money(unsigned(one.value), one.currency ?? currency) : value({ ...one, value: unsigned(one.value) }, currency)]))
    if (!needed[kind].every((name) => figures.has(name))) return plainSentence(finding)
    const gross = measures.find(({ name }) => name === 'gross')
    const given = Object.fromEntries([...figures].map(([name, text]) => [name.replaceAll('-', '_'), text]))
    if (kind === 'cost-share') return figures.has('share') ? t('says.cost-share', given) : t('says.cost-share-none', { ...given, gross: gross === undefined ? '' : signedMoney(gross.value, currency) })
    if (kind === 'excursions') {
      const range = (name: 'mae-wins' | 'mfe-losses' | 'exit-efficiency'): string => {
        const [least, most] = [figures.get(name) ?? '', figures.get(`${name}-most`)]
        return most === undefined ? least : t('range', { least, most })
      }
      return t('says.excursions', { mae: range('mae-wins'), mfe: range('mfe-losses'), exit: range('exit-efficiency') })
    }
    if (kind === 'early-exit') return `${t('says.early-exit', given)} ${t('early-exits', { count: trades + others, early: format.count(trades), wins: format.count(trades + others) })}`
    if (kind !== 'giving-back' || excess === null) return t(`says.${kind}`, given)
    const random = { amount: money(unsigned(excess.value), currency) }
    return `${t('says.giving-back', given)} ${Number(excess.value) < 0 ? t('less.giving-back', random) : t('more.giving-back', random)}`
  }

  /** What a finding's figure is compared with. */
  const against = ({ kind, excess }: Pick<Finding, 'kind' | 'excess'>): string => {
    if (excess === null) return t('net-of-these')
    return kind === 'giving-back' || kind === 'early-exit' || kind === 'account-consistency' ? t(`against.${kind}`) : t('against-others')
  }

  /** The excess of a finding, with an interval that agrees with its evidence: older reports may contradict it. */
  const excessOf = ({ evidence: sure, excess }: Pick<Finding, 'evidence' | 'excess'>): Finding['excess'] => excessForVerdict(sure, excess)

  /** `95% interval of this difference, after 63 tests: −$3,310.25 to −$1,288.00`; null where there is none. */
  const interval = (finding: Pick<Finding, 'evidence' | 'excess' | 'currency'>, tried: number): string | null => {
    const excess = excessOf(finding)
    return excess === null ? null : t('interval', { count: tried, looks: format.count(tried), low: signedMoney(excess.low, finding.currency), high: signedMoney(excess.high, finding.currency) })
  }

  /** A finding's evidence in words. The chance is the one after all tests, like the interval: that of one test alone would contradict it. */
  const evidence = ({ evidence: sure, chance: of, trades }: Finding, tried: number): string => {
    const looks = { count: tried, looks: format.count(tried) }
    if (sure === 'too-little') return t('evidence-text.too-little', { count: trades, trades: format.count(trades), least: format.count(enough.trades), days: format.count(enough.days) })
    if (of === null) return t('evidence-text.untested')
    return sure === 'possible' ? t('evidence-text.possible', { ...looks, chance: chance(of.corrected) }) : t('evidence-text.tested', { ...looks, chance: chance(of.corrected) })
  }

  /** The name of a bar in a finding's chart: short below it, `long` in a table. */
  const barName = ({ kind, bars }: Pick<Finding, 'kind' | 'bars'>, at: number, long = false): string => {
    const label = bars[at]?.label ?? ''
    const number = Number(label)
    const unit = stretches[kind]
    if (unit !== undefined) {
      const next = bars[at + 1]
      const [from, to] = [number * unit, next === undefined ? undefined : Number(next.label) * unit]
      if (long) return kind === 'hold' ? held(from, to) : waited(from, to)
      return from === 0 && to !== undefined ? t('chart.under', { to: format.duration(to) }) : t('chart.from', { from: format.duration(from) })
    }
    switch (kind) {
      case 'account-consistency':
        return account(label)
      case 'side':
        return label === 'long' || label === 'short' ? sideOf(label) : label
      case 'weekday':
        return long ? format.weekday(number) : format.shortWeekday(number)
      case 'hour':
        return long ? hours(number) : label.padStart(2, '0')
      case 'giving-back': {
        const [from, next] = [format.wholePercent(number / 100), bars[at + 1]?.label]
        if (next === undefined) return from
        return long ? t('range', { least: from, most: format.wholePercent(Number(next) / 100) }) : t('chart.from', { from })
      }
      case 'size-after-loss':
        return number < 0 ? t('chart.after-loss') : number > 0 ? t('chart.after-win') : long ? t('chart.first-or-even') : t('chart.after-neither')
      case 'early-exit':
      case 'excursions':
        return number > 0 ? t('measure.wins') : t('measure.losses')
      case 'rule-breach':
        return number === 1 ? t('chart.broken') : t('chart.kept')
      default:
        return label
    }
  }

  /** The figure of a bar in a finding's chart. */
  const barValue = ({ kind, barsIn, currency }: Pick<Finding, 'kind' | 'barsIn' | 'currency'>, figure: string): string =>
    barsIn === 'money' && (kind === 'cost-share' || kind === 'excursions') ? money(figure, currency) : value({ name: 'net', unit: barsIn, value: figure, currency }, currency)

  /** The name of a figure. Streaks of all accounts together are not those of one account, and the period has an average hold time, a finding a median. */
  const measure = (name: MeasureName, of?: ReportFact['kind']): string => {
    if (name === 'hold' && of !== undefined) return of === 'total' ? t('hold-of.average') : t('hold-of.median')
    if (name !== 'longest-wins' && name !== 'longest-losses') return t(`measure.${name}`)
    if (of === 'streak') return t(`streak-of-one.${name}`)
    return of === 'total' && names.length > 1 ? t(`streak-of-all.${name}`) : t(`measure.${name}`)
  }

  return {
    account,
    about,
    title,
    factTitle,
    sentence,
    excessOf,
    interval,
    evidence,
    chance,
    value,
    against,
    barName,
    barValue,
    chartTitle: ({ kind, currency }: Pick<Finding, 'kind' | 'currency'>): string => t(`chart-of.${kind}`, { currency }),
    money,
    signedMoney,
    measure,
    /** How many account days of a report's period were reconciled with the broker when it was made. */
    reconciled: ({ reconciled }: Pick<Report, 'reconciled'>): string => {
      if (reconciled === undefined) return t('reconciled.unknown')
      const { days, daysEqual, daysDiffer, daysUnchecked } = reconciled
      return t('reconciled.days', { count: days, days: format.count(days), equal: format.count(daysEqual), differ: format.count(daysDiffer), unchecked: format.count(daysUnchecked) })
    },
    /** `Nov 16 – 20, 2026`, `November 2026`. */
    period: ({ kind, from, to }: Report['period']): string => {
      if (kind === 'month') return format.month(from)
      return from === to ? format.fullDay(from) : t('from-to', { from: from.slice(0, 4) === to.slice(0, 4) ? format.day(from) : format.fullDay(from), to: format.fullDay(to) })
    },
  }
}

/** What `reportWords` gives. */
export type ReportWords = ReturnType<typeof reportWords>

/** The texts of a report in the chosen language. */
export const useReportWords = (names: Report['names']): ReportWords => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  return useMemo(() => reportWords(t, format, names), [t, format, names])
}

// One in 417 claims too much precision: round down to two digits, so that it never seems rarer than it is.
const roundedDown = (value: number): number => {
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1)
  return Math.floor(value / digit) * digit
}
