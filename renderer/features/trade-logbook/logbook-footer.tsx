import { apiQuery } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { figures, FigureText, shownFigures, useFigures, type FigureKey } from '#renderer/ui/statistics.tsx'
import { filterGiven, statisticsRoutes, type StatMoney, type Unit } from '#shared/api/statistics.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { LogbookView } from './address.ts'
import { ColumnChooser } from './column-chooser.tsx'

type Props = {
  readonly view: LogbookView
  readonly columns: readonly string[]
  /** Whether the first rows are fetched: the totals, which take longer, are fetched after them. */
  readonly rowsCame: boolean
}

/** The totals of the filtered rows, and the choice of columns, of which `columns` are shown. */
export const LogbookFooter = ({ view, columns, rowsCame }: Props) => (
  <div className="flex shrink-0 items-center border-t border-hairline">
    <Totals view={view} rowsCame={rowsCame} />
    <div className="ml-auto shrink-0 pr-3"><ColumnChooser shown={columns} /></div>
  </div>
)

// Each currency separately.
const Totals = ({ view: { unit, filter }, rowsCame }: Pick<Props, 'view' | 'rowsCame'>) => {
  const { t } = useTranslation('trade-logbook')
  const { data } = useQuery({ ...apiQuery(statisticsRoutes.statistics, { query: { ...filterGiven(filter), unit } }), placeholderData: keepPreviousData, enabled: rowsCame })
  const sums = data?.all.money ?? []
  return (
    <div role="group" aria-label={t('sums')} className="flex min-h-12 min-w-0 flex-wrap items-center gap-x-6 px-4 py-1 whitespace-nowrap tabular-nums">
      {data === undefined && <Skeleton className="h-3 w-72" />}
      {sums.map((money) => (
        <dl key={money.currency} className="flex flex-wrap items-center gap-x-6">
          {shownFigures.logbook.always.map((key) => <Figure key={key} of={key} money={money} unit={unit} mixed={sums.length > 1} />)}
          {shownFigures.logbook.roomy.map((key) => <Figure key={key} of={key} money={money} unit={unit} roomy />)}
        </dl>
      ))}
    </div>
  )
}

type FigureProps = {
  readonly of: FigureKey
  readonly money: StatMoney
  readonly unit: Unit
  /** Whether figures of other currencies are beside it. */
  readonly mixed?: boolean
  /** Shown only where there is room. */
  readonly roomy?: boolean
  readonly basisInk?: string
}

/** A figure of rows with its name. */
export const Figure = ({ of: key, money, unit, mixed = false, roomy = false, basisInk = 'text-faint' }: FigureProps) => {
  const { t } = useTranslation('trade-logbook')
  const { nameOf, basisOf } = useFigures()
  const name = nameOf(key, unit)
  return (
    <div className={classNames('flex items-baseline gap-1.5', roomy && 'max-xl:hidden')}>
      <dt className="text-sm text-muted">{mixed && key === 'net' ? t('sum-in', { figure: name, currency: money.currency }) : name}</dt>
      <dd>
        <FigureText of={key} counted={{ money }} className={key === 'net' ? 'font-semibold' : ''} />
        {figures[key].basis === 'gross' && <> <span className={classNames('text-sm', basisInk)}>{basisOf(key)}</span></>}
      </dd>
    </div>
  )
}
