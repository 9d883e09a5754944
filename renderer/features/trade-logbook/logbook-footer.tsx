import { apiQuery } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Pnl } from '#renderer/ui/figures.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { filterGiven, statisticsRoutes } from '#shared/api/statistics.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogbookView } from './address.ts'
import { ColumnChooser } from './column-chooser.tsx'

type Props = { readonly view: LogbookView; readonly columns: readonly string[]; /** Whether the first rows are there: the totals, which take longer, are asked for after them. */ readonly rowsCame: boolean }

/** What the filtered rows came to, and the choice of columns, of which `columns` show. */
export const LogbookFooter = ({ view, columns, rowsCame }: Props) => (
  <div className="flex shrink-0 items-center border-t border-hairline">
    <Totals view={view} rowsCame={rowsCame} />
    <div className="ml-auto shrink-0 pr-3"><ColumnChooser shown={columns} /></div>
  </div>
)

// Of each currency by itself.
const Totals = ({ view: { unit, filter }, rowsCame }: Pick<Props, 'view' | 'rowsCame'>) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const { data } = useQuery({ ...apiQuery(statisticsRoutes.statistics, { query: { ...filterGiven(filter), unit } }), placeholderData: keepPreviousData, enabled: rowsCame })
  const figures = data?.all.money ?? []
  return (
    <div role="group" aria-label={t('sums')} className="flex min-h-12 min-w-0 flex-wrap items-center gap-x-6 px-4 py-1 whitespace-nowrap tabular-nums">
      {data === undefined && <Skeleton className="h-3 w-72" />}
      {figures.map(({ currency, netPnl, commission, wins, count, profitFactor, expectancy }) => (
        <dl key={currency} className="flex flex-wrap items-center gap-x-6">
          <Figure name={figures.length > 1 ? t('sum.net-in', { currency }) : t('sum.net')}><Pnl value={netPnl} className="font-semibold" /></Figure>
          <Figure name={t('sum.fees')}>{format.money(commission)}</Figure>
          <Figure name={t('sum.win-rate')}>{count === 0 ? t('none') : format.percent(wins / count)}</Figure>
          <Figure name={t('sum.profit-factor')}>{profitFactor === null ? t('none') : format.ratio(profitFactor)} <span className="text-sm text-faint">{t('sum.gross')}</span></Figure>
          <Figure name={t('sum.expectancy')} roomy><Pnl value={expectancy} /></Figure>
        </dl>
      ))}
    </div>
  )
}

/** A figure by its name; a `roomy` one only where there is room. */
export const Figure = ({ name, roomy = false, children }: { name: string; roomy?: boolean; children: ReactNode }) => (
  <div className={classNames('flex items-baseline gap-1.5', roomy && 'max-xl:hidden')}>
    <dt className="text-sm text-muted">{name}</dt>
    <dd>{children}</dd>
  </div>
)
