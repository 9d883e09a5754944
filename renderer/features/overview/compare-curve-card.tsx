import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { ScrollArea } from '#renderer/ui/scroll-area.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Alignment } from './compare-address.ts'
import { curveLines, curvesOf } from './compare-curves.ts'
import { SideMark } from './compare-mark.tsx'
import type { ComparedSide } from './use-compared.ts'

const CompareChart = lazy(async () => ({ default: (await import('./compare-chart.tsx')).CompareChart }))

type Props = { readonly sides: readonly ComparedSide[]; readonly currencies: readonly string[]; readonly align: Alignment; readonly onAlign: (align: Alignment) => void }

/** The equity curves of all sides, by date or each from its own first day on, one currency at a time, as a chart or as a table. */
export const CompareCurveCard = ({ sides, currencies, align, onAlign }: Props) => {
  const { t } = useTranslation('compare')
  const format = useFormat()
  const [chosen, setChosen] = useState<string | null>(null)
  const [as, setAs] = useState<'chart' | 'table'>('chart')
  const currency = currencies.find((one) => one === chosen) ?? currencies[0] ?? ''
  // The statistics stay the same objects while nothing changes, their list does not.
  const answers = useSame(sides.flatMap(({ statistics }) => statistics ?? []))
  const curves = useMemo(() => curvesOf(answers, currency, align), [answers, currency, align])
  const numberName = useCallback((number: number) => t('day-number', { number: format.count(number) }), [t, format])
  const ends = sides.flatMap(({ letter, name }, at) => {
    const last = curves[at]?.at(-1)
    return last === undefined ? [] : [t('ends', { letter: letter.toUpperCase(), name, total: format.signedMoney(last.total) })]
  })
  return (
    <Card className="flex flex-col">
      <div className="flex min-h-10.5 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-hairline px-4 py-1.5">
        <h2 className="font-semibold">{t('overview:equity')}</h2>
        <span className="text-sm text-faint">{currency}</span>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          {as === 'chart' && (
            // The chart library asks for this line where its curves are shown.
            <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" className="text-sm whitespace-nowrap text-faint hover:text-ink">
              {t('overview:chart-by')}
            </a>
          )}
          {currencies.length > 1 && <Segmented label={t('overview:currency')} value={currency} onChange={setChosen} options={currencies.map((value) => ({ value, label: value }))} />}
          <Segmented label={t('align')} value={align} onChange={onAlign} options={[{ value: 'date', label: t('align-date') }, { value: 'number', label: t('align-number') }]} />
          <Segmented label={t('overview:equity-as')} value={as} onChange={setAs} options={[{ value: 'chart', label: t('overview:as-chart') }, { value: 'table', label: t('overview:as-table') }]} />
        </div>
      </div>
      {as === 'table' ? (
        <CurveTable sides={sides} curves={curves} align={align} />
      ) : (
        <Suspense fallback={<div className="p-4"><Skeleton className="h-72 w-full opacity-50" /></div>}>
          <CompareChart curves={curves} label={t('chart', { currency, sides: ends.join('; ') })} numberName={align === 'number' ? numberName : undefined} />
        </Suspense>
      )}
      <p aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 px-4 pt-1 pb-3 text-sm text-muted">
        {sides.map(({ letter, name }) => (
          <span key={letter} className="flex min-w-0 items-center gap-1.5">
            <SideMark letter={letter} />
            <span className="truncate">{name}</span>
          </span>
        ))}
      </p>
    </Card>
  )
}

/** A list that is the same object as long as its members are. */
const useSame = (list: readonly StatisticsAnswer[]): readonly StatisticsAnswer[] => {
  const [kept, keep] = useState(list)
  const same = kept.length === list.length && kept.every((one, at) => one === list[at])
  if (!same) keep(list)
  return same ? kept : list
}

// More rows at once would hold up the page.
const atFirst = 60

const CurveTable = ({ sides, curves, align }: { sides: readonly ComparedSide[]; curves: ReturnType<typeof curvesOf>; align: Alignment }) => {
  const { t } = useTranslation('compare')
  const format = useFormat()
  const [whole, setWhole] = useState(false)
  const lines = useMemo(() => curveLines(curves), [curves])
  const shown = whole ? lines : lines.slice(0, atFirst)
  return (
    <ScrollArea label={t('overview:by-day')} className="h-80">
      <Table>
        <thead className="sticky top-0 z-1 bg-surface">
          <tr>
            <HeaderCell>{t('overview:day')}</HeaderCell>
            {sides.map(({ letter, name }) => <HeaderCell key={letter} end><span className="sr-only">{name} </span><SideMark letter={letter} /></HeaderCell>)}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ at, points }) => (
            <tr key={at}>
              <Cell quiet>{typeof at === 'string' ? format.fullDay(at) : t('day-number', { number: format.count(at) })}</Cell>
              {points.map((point, side) => (
                <Cell key={sides[side]?.letter ?? side} end>
                  {point === null ? t('overview:none') : format.signedMoney(point.total)}
                  {point !== null && align === 'number' && <span className="block text-sm text-faint">{format.fullDay(point.tradingDay)}</span>}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      {shown.length < lines.length && (
        <div className="flex justify-center p-2">
          <Button variant="ghost" size="sm" onClick={() => { setWhole(true) }}>{t('overview:all-days', { total: format.count(lines.length) })}</Button>
        </div>
      )}
    </ScrollArea>
  )
}
