import { classNames } from '#renderer/lib/class-names.ts'
import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { inkOf } from '#renderer/ui/figures.tsx'
import { OtherFees } from '#renderer/ui/other-fees.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { figures, shownFigures, useFigures, type Counted, type FigureKey } from '#renderer/ui/statistics.tsx'
import type { ComparisonAnswer, JudgedSide } from '#shared/api/comparison.ts'
import type { Unit } from '#shared/api/statistics.ts'
import { enough } from '#shared/stats/findings/evidence.ts'
import type { SideKind } from '#shared/stats/sides.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { countedIn, daysIn, lessThan, shownLessThan, type SideDay } from './compare-figures.ts'
import { SideMark } from './compare-mark.tsx'
import { reconciledPath, useReconciledDays } from './reconciled.tsx'
import type { ComparedSide } from './use-compared.ts'

type JudgedSides = { readonly data: ComparisonAnswer | undefined; readonly waits: boolean }

// Six sides have room in a narrow window, and none is lost in a wide one.
const column = 'border-b border-hairline px-2.5 text-right last:pr-4'

/** A column a side: its figures, each of which opens its trades, with the difference from the first side; currencies stand below one another and are never added. */
export const CompareTable = ({ kind, sides, unit, currencies, judged }: { kind: SideKind; sides: readonly ComparedSide[]; unit: Unit; currencies: readonly string[]; judged: JudgedSides }) => {
  const { t } = useTranslation('compare')
  const format = useFormat()
  const first = sides[0]
  return (
    <Card className="overflow-hidden">
      <div className="overflow-x-auto">
        <table className="w-full border-collapse">
          <caption className="sr-only">{t('table')}</caption>
          <thead>
            <tr>
              <th scope="col" className="sticky left-0 z-1 w-40 border-b border-hairline bg-surface px-4 text-left text-sm font-[450] text-faint"><span className="sr-only">{t('figure')} </span>{currencies.length === 1 && currencies[0]}</th>
              {sides.map(({ letter, name, filter }) => (
                <th key={letter} scope="col" className={classNames(column, 'max-w-60 min-w-28 py-2 font-medium')}>
                  <span className="flex items-center justify-end gap-1.5">
                    <SideMark letter={letter} />
                    <Link to={`${paths.tradeLogbook}${searchOf(filter, unit)}`} aria-label={t('statistics:breakdown.open', { name })} className="min-w-0 underline-offset-3 hover:underline">{kind === 'accounts' ? <CutName name={name} /> : <span title={name} className="block truncate">{name}</span>}</Link>
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          {(currencies.length === 0 ? [''] : currencies).map((currency, at) => (
            <CurrencyRows key={currency} currency={currency} sides={sides} unit={unit} judged={judged} leading={at === 0} mixed={currencies.length > 1} />
          ))}
        </table>
      </div>
      {sides.length > 1 && (
        <p className="w-0 min-w-full border-t border-hairline px-4 py-2.5 text-sm text-muted">
          {t('small', { first: first?.letter.toUpperCase() })} {t('judged', { least: format.count(enough.trades), days: format.count(enough.days) })}
        </p>
      )}
    </Card>
  )
}

type Rows = { readonly currency: string; readonly sides: readonly ComparedSide[]; readonly unit: Unit; readonly judged: JudgedSides; readonly leading: boolean; readonly mixed: boolean }

/** What a cell shows; `difference` is that from the first side, already in words. */
type Shown = { readonly value: ReactNode; readonly difference?: string | null; readonly ink?: string; readonly tradingDay?: string }

type Own = ReturnType<typeof daysIn> & { readonly counted: Counted }

type CompareLine = { readonly name: string; readonly note?: string | undefined; readonly strong?: boolean; readonly cell: (own: Own, at: number) => Shown }

const CurrencyRows = ({ currency, sides, unit, judged, leading, mixed }: Rows) => {
  const { t } = useTranslation('compare')
  const format = useFormat()
  const none = t('overview:none')
  const { nameOf, basisOf, textOf } = useFigures()
  const letter = sides[0]?.letter.toUpperCase()
  const own = sides.map(({ statistics }): Own | null => (statistics === null ? null : { counted: countedIn(statistics, currency), ...daysIn(statistics, currency) }))
  const first = own[0] ?? null
  const differenceOf = (key: FigureKey, counted: Counted, base: Counted): string | null => {
    const { of, as } = figures[key]
    const [value, other] = [of(counted), of(base)]
    if (value === null || other === null) return null
    const less = (decimals: number): number => shownLessThan(Number(value), Number(other), decimals)
    switch (as) {
      case 'pnl':
      case 'amount':
      case 'cost':
        return format.signedMoney(lessThan(String(value), String(other)))
      case 'count':
        return format.signedWhole(less(0))
      case 'ratio':
        return format.signedRatio(less(2))
      case 'percent':
        return t('points', { value: format.signedPoints(less(3)) })
      case 'duration':
        return null
    }
  }
  const figureRow = (key: FigureKey): CompareLine => ({
    name: nameOf(key, unit),
    note: basisOf(key),
    strong: key === 'net',
    cell: ({ counted }, at) => ({
      value: key === 'fees' ? <>{textOf(key, counted)}<OtherFees of={counted.money?.otherFees} /></> : textOf(key, counted),
      difference: at === 0 || first === null ? null : differenceOf(key, counted, first.counted),
      ink: figures[key].as === 'pnl' ? inkOf(figures[key].of(counted) ?? 0, 'text-ink') : 'text-ink',
    }),
  })
  const dayOf = (day: SideDay | null): Shown => (day === null ? { value: none } : { value: <>{format.signedMoney(day.netPnl)}<Under>{format.fullDay(day.tradingDay)}</Under></>, ink: inkOf(day.netPnl, 'text-ink'), tradingDay: day.tradingDay })
  const days: readonly CompareLine[] = [
    { name: t('best'), cell: ({ best }) => dayOf(best) },
    { name: t('worst'), cell: ({ worst }) => dayOf(worst) },
    { name: t('days'), cell: (side, at) => ({ value: format.count(side.days), difference: at === 0 || first === null ? null : format.signedWhole(side.days - first.days) }) },
  ]
  const drawn = (lines: readonly CompareLine[]) =>
    lines.map(({ name, note, cell, strong = false }) => (
      <Row key={name} name={name} note={note}>
        {sides.map((side, at) => {
          const of = own[at] ?? null
          const shown = of === null ? null : cell(of, at)
          return (
            <Value key={side.letter}>
              {shown === null ? <Waiting /> : (
                // The head of the column is the way for the keyboard; a day is a place of its own.
                <Link
                  to={`${paths.tradeLogbook}${searchOf(shown.tradingDay === undefined ? side.filter : { ...side.filter, from: shown.tradingDay, to: shown.tradingDay }, unit)}`}
                  tabIndex={shown.tradingDay === undefined ? -1 : 0}
                  className={classNames('block underline-offset-3 hover:underline', strong && 'text-title font-semibold', shown.ink ?? 'text-ink')}
                >
                  {shown.value}
                </Link>
              )}
              {shown?.difference && <Under>{shown.difference}</Under>}
            </Value>
          )
        })}
      </Row>
    ))
  const verdicts = judged.data?.money.find((money) => money.currency === currency)?.sides
  return (
    <tbody>
      {mixed && (
        <tr>
          <th scope="rowgroup" colSpan={sides.length + 1} className="border-b border-hairline bg-raised px-4 py-1.5 text-left text-sm font-medium">{currency}</th>
        </tr>
      )}
      {drawn(shownFigures.compared.above.map(figureRow))}
      {sides.length > 1 && (
        <Row name={t(unit === 'pairs' ? 'verdict-pairs' : 'verdict', { first: letter })}>
          {sides.map((side, at) => <Value key={side.letter}>{at === 0 ? none : judged.waits ? <Waiting /> : <Verdict judged={verdicts?.[at] ?? null} />}</Value>)}
        </Row>
      )}
      {leading && (
        <Row name={t('statistics:risk.average')}>
          {sides.map(({ letter: key, statistics }) => (
            <Value key={key}>
              {statistics === null ? <Waiting /> : statistics.all.r.average === null ? none : <>{t('statistics:risk.r', { value: format.signedRatio(statistics.all.r.average) })}<Under>{t('of', { total: t(`statistics:count.${unit}`, { count: statistics.all.r.count }) })}</Under></>}
            </Value>
          ))}
        </Row>
      )}
      {drawn(shownFigures.compared.below.map(figureRow))}
      {drawn(days)}
      {leading && (
        <Row name={t('overview:reconciled')}>
          {sides.map((side) => <Value key={side.letter}><Proof key={side.side} side={side} /></Value>)}
        </Row>
      )}
    </tbody>
  )
}

const Row = ({ name, note, children }: { name: string; note?: string | undefined; children: ReactNode }) => (
  <tr className="hover:bg-raised">
    <th scope="row" className="sticky left-0 z-1 border-b border-hairline bg-surface px-4 py-1.5 text-left align-baseline text-sm font-[450] text-muted in-[tr:hover]:bg-raised in-[tr:last-child]:border-0">
      {name}
      {note !== undefined && <span className="ml-1 text-faint">{note}</span>}
    </th>
    {children}
  </tr>
)

const Value = ({ children }: { children: ReactNode }) => <td className={classNames(column, 'py-1.5 align-baseline whitespace-nowrap in-[tr:last-child]:border-0')}>{children}</td>

const Under = ({ children }: { children: ReactNode }) => <span className="block text-sm font-normal text-faint">{children}</span>

const Waiting = () => <Skeleton className="ml-auto h-3 w-16" />

// Only significant differences are called a gain or a loss.
const Verdict = ({ judged }: { judged: JudgedSide | null }) => {
  const { t } = useTranslation('compare')
  const format = useFormat()
  if (judged === null) return t('overview:none')
  const { evidence, difference } = judged
  const tone = evidence !== 'evident' || difference === null ? 'quiet' : difference.value.startsWith('-') ? 'loss' : 'gain'
  return (
    <>
      <Badge tone={tone} className="max-xl:whitespace-normal">{t(`evidence.${evidence}`)}</Badge>
      {difference !== null && <Under>{t('interval', { low: format.signedMoney(difference.low), high: format.signedMoney(difference.high) })}</Under>}
    </>
  )
}

const Proof = ({ side: { filter } }: { side: ComparedSide }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const { whole, data, error } = useReconciledDays(filter)
  if (!whole) return <span title={t('whole-days')}>{t('none')}</span>
  if (error !== null) return t('none')
  if (data === undefined) return <Waiting />
  const { days, daysEqual, daysDiffer, daysUnchecked } = data.all
  if (days === 0) return t('none')
  return (
    <>
      <Link to={reconciledPath(filter, null)} className="underline-offset-3 hover:underline">
        <Badge tone={daysDiffer > 0 ? 'loss' : daysUnchecked > 0 ? 'quiet' : 'gain'}>{t('days-of', { equal: format.count(daysEqual), days: format.count(days) })}</Badge>
      </Link>
      {daysDiffer + daysUnchecked > 0 && <Under>{t('days-differ', { count: daysDiffer, shown: format.count(daysDiffer) })}, {t('days-unchecked', { count: daysUnchecked, shown: format.count(daysUnchecked) })}</Under>}
    </>
  )
}
