import { apiQuery } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { excursionNames } from '#renderer/lib/excursion-names.ts'
import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { filterGiven, statisticsRoutes, type ExcursionPoints, type Unit } from '#shared/api/statistics.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'

type Point = ExcursionPoints['points'][number]

/** MAE and MFE of trades against their gross results; each point opens its trade. Nothing without prices. */
export const ExcursionsCard = ({ unit }: { unit: Unit }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  const { filter } = useTradeFilter()
  const { data } = useQuery({ ...apiQuery(statisticsRoutes.excursionPoints, { query: { ...filterGiven(filter), unit } }), placeholderData: keepPreviousData })
  if (data === undefined || data.points.length === 0) return null
  const { points, total } = data
  const currency = mostUsed(points)
  const shown = points.filter((point) => point.currency === currency)
  const note = total > points.length ? t('excursions.note-newest', { shown: format.count(points.length), total: format.count(total) }) : t('excursions.note')
  return (
    <Card
      title={t('excursions.title')}
      note={note}
      actions={
        <Button asChild variant="link" size="sm">
          <Link to={`${paths.tradeLogbook}${searchOf({ ...filter, pricedOnly: true }, unit)}&sort=mae`}>{t('excursions.all')}</Link>
        </Button>
      }
    >
      <div className="grid gap-x-3.5 @5xl:grid-cols-2">
        <Scatter figure="mae" points={shown} unit={unit} />
        <Scatter figure="mfe" points={shown} unit={unit} />
      </div>
      <p className="border-t border-hairline px-4 py-2 text-sm text-faint">
        {t('excursions.hint')}
        {shown.length < points.length && ` ${t('excursions.other-currencies', { currency })}`}
      </p>
    </Card>
  )
}

const mostUsed = (points: readonly Point[]): string => [...Map.groupBy(points, ({ currency }) => currency)].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? ''

/** A point where it is drawn; `most` is null where only the least is known. */
type Drawn = { readonly point: Point; readonly least: number; readonly most: number | null; readonly result: number }

const drawnOf = (points: readonly Point[], figure: 'mae' | 'mfe'): readonly Drawn[] =>
  points
    .flatMap((point): Drawn[] => {
      const { least, most } = point[figure]
      return least === null ? [] : [{ point, least: Number(least), most: most === null ? null : Number(most), result: Number(point.result) }]
    })
    .toSorted((one, other) => one.least - other.least || one.result - other.result)

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`
/** A pointer further from every point means none, px. */
const reach = 24

const Scatter = ({ figure, points, unit }: { figure: 'mae' | 'mfe'; points: readonly Point[]; unit: Unit }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  const navigate = useNavigate()
  const { filter } = useTradeFilter()
  const [at, setAt] = useState<number | null>(null)
  const drawn = useMemo(() => drawnOf(points, figure), [points, figure])
  const [across, up] = useMemo(() => [axisOf(drawn.map(({ least, most }) => most ?? least)), axisOf(drawn.map(({ result }) => result))] as const, [drawn])
  const x = (value: number): string => percent(placeOn(across, value))
  const y = (value: number): string => percent(1 - placeOn(up, value))
  const chosen = at === null ? null : (drawn[at] ?? null)
  const name = excursionNames[figure]

  const open = ({ point }: Drawn): void => void navigate(`${paths.tradeLogbook}${searchOf(filter, unit, point.id)}`)
  const nearest = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): number | null => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    let [best, distance]: [number | null, number] = [null, reach]
    for (const [index, { least, most, result }] of drawn.entries()) {
      const [from, to] = [left + placeOn(across, least) * width, left + placeOn(across, most ?? least) * width]
      const away = Math.hypot(clientX < from ? from - clientX : clientX > to ? clientX - to : 0, top + (1 - placeOn(up, result)) * height - clientY)
      if (away < distance) [best, distance] = [index, away]
    }
    return best
  }
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' || event.key === 'ArrowUp' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowDown' ? -1 : 0
    if (step !== 0) setAt((now) => (now === null ? (step === 1 ? 0 : drawn.length - 1) : Math.min(Math.max(now + step, 0), drawn.length - 1)))
    else if (event.key === 'Enter' && chosen !== null) open(chosen)
    else if (event.key === 'Escape') setAt(null)
    else return
    event.preventDefault()
  }
  const money = (value: string): string => format.fullMoney(value, points[0]?.currency ?? '')
  const rangeText = ({ least, most }: Point['mae']): string => {
    const from = money(least ?? '0')
    if (most === null) return t('excursions.at-least', { least: from })
    return from === money(most) ? from : t('excursions.between', { least: from, most: money(most) })
  }
  return (
    <figure className="min-w-0 px-4 pt-3 pb-3">
      <figcaption className="flex items-baseline justify-between gap-2 text-sm">
        <span className="text-faint">{t('excursions.result')}</span>
        <span className="font-medium">{t(`excursions.axis-${figure}`)}</span>
      </figcaption>
      <div className="mt-3 grid grid-cols-[3.5rem_1fr] grid-rows-[14rem_1.25rem]">
        <div aria-hidden className="relative text-right text-xs text-faint tabular-nums">
          {up.ticks.map((tick) => <span key={tick} className="absolute right-2 -translate-y-1/2" style={{ top: y(tick) }}>{format.count(tick)}</span>)}
        </div>
        <div
          role="group"
          tabIndex={0}
          aria-label={t('excursions.chart', { figure: name, count: drawn.length })}
          onKeyDown={press}
          onBlur={() => { setAt(null) }}
          onPointerMove={(event) => { setAt(nearest(event)) }}
          onPointerLeave={() => { setAt(null) }}
          onClick={() => { if (chosen !== null) open(chosen) }}
          className={chosen === null ? 'relative' : 'relative cursor-pointer'}
        >
          <svg aria-hidden className="absolute size-full overflow-visible">
            {across.ticks.map((tick) => <line key={`x ${String(tick)}`} x1={x(tick)} x2={x(tick)} y1="0" y2="100%" className="stroke-hairline" />)}
            {up.ticks.map((tick) => <line key={`y ${String(tick)}`} x1="0" x2="100%" y1={y(tick)} y2={y(tick)} className={tick === 0 ? 'stroke-line' : 'stroke-hairline'} />)}
            {drawn.map(({ point, least, most, result }) => (
              <g key={point.id} className={result < 0 ? 'fill-loss stroke-loss' : 'fill-gain stroke-gain'} opacity={0.6}>
                {most !== null && most > least && <line x1={x(least)} x2={x(most)} y1={y(result)} y2={y(result)} strokeWidth={2} />}
                <circle cx={x(least)} cy={y(result)} r={2.5} stroke="none" />
              </g>
            ))}
            {chosen !== null && <circle cx={x(chosen.least)} cy={y(chosen.result)} r={5.5} fill="none" strokeWidth={2} className="stroke-accent" />}
          </svg>
        </div>
        <div aria-hidden className="relative col-start-2 text-xs text-faint tabular-nums">
          {across.ticks.map((tick, index) => {
            const end = index === across.ticks.length - 1 ? 'right-0' : index === 0 ? 'left-0' : null
            return <span key={tick} className={classNames('absolute top-1', end ?? '-translate-x-1/2')} style={end === null ? { left: x(tick) } : undefined}>{format.count(tick)}</span>
          })}
        </div>
      </div>
      <p role="status" className="mt-2 min-h-5 truncate text-sm text-muted">
        {chosen !== null && t('excursions.point', { symbol: chosen.point.symbol, time: format.dateTime(chosen.point.exitTime), result: money(chosen.point.result), figure: name, value: rangeText(chosen.point[figure]) })}
      </p>
    </figure>
  )
}

/** An axis from its lowest to its highest round number, with round numbers between. */
type Axis = { readonly from: number; readonly to: number; readonly ticks: readonly number[] }

const wanted = 5

/** The axis that holds all values, and zero. */
export const axisOf = (values: readonly number[]): Axis => {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const span = high - low || 1
  const power = 10 ** Math.floor(Math.log10(span / wanted))
  const step = ([1, 2, 5].find((times) => span / (times * power) <= wanted + 1) ?? 10) * power
  const [from, to] = [Math.floor(low / step), Math.max(Math.ceil(high / step), Math.floor(low / step) + 1)]
  return { from: from * step, to: to * step, ticks: Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step) }
}

/** Where a value lies on an axis, 0 to 1. */
export const placeOn = ({ from, to }: Axis, value: number): number => (value - from) / (to - from)
