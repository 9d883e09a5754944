import { apiQuery } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { withFilter } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import { Stat } from '#renderer/ui/stat.tsx'
import { reconciliationRoutes, type DayState } from '#shared/api/reconciliation.ts'
import { everyTrade, type TradeFilter } from '#shared/stats/filter.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

// Its note may go below, so that the strip stays one row.
const twoLines = '[&>dd]:flex-wrap [&>dd]:gap-y-0'

const linkLooks = 'underline-offset-3 hover:underline'

/** The address of the days of a filter's accounts and dates, or of those in one state. */
export const reconciledPath = ({ from, to, accounts }: TradeFilter, state: DayState | null): string => {
  const search = withFilter(new URLSearchParams(state === null ? {} : { state }), { ...everyTrade, from, to, accounts }).toString()
  return search === '' ? paths.reconciliation : `${paths.reconciliation}?${search}`
}

const Days = ({ to, text }: { to: string | null; text: string }) =>
  to === null ? text : (
    <Link to={to} className={linkLooks}>
      {text}
    </Link>
  )

/** The reconciliation of the trading days of a filter; `whole` is false of a filter of anything but dates and accounts, which no day answers. */
export const useReconciledDays = (filter: TradeFilter) => {
  const { from, to, accounts } = filter
  const whole = JSON.stringify({ ...everyTrade, from, to, accounts }) === JSON.stringify({ ...everyTrade, ...filter })
  const query = { accounts: [...accounts], ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) }
  const { data, error } = useQuery({ ...apiQuery(reconciliationRoutes.reconciliation, { query }), enabled: whole, placeholderData: keepPreviousData })
  return { whole, data, error }
}

/** How many trading days are equal to the broker's figures to the cent, differ, or cannot be checked; green only where all are equal. Days are whole, so a filter of anything but dates and accounts leaves it out. */
export const Reconciled = () => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const { filter } = useTradeFilter()
  const { whole, data, error } = useReconciledDays(filter)
  if (!whole) return <Stat className={twoLines} label={t('reconciled')} value={t('none')} note={t('whole-days')} />
  if (error !== null) return <Stat className={twoLines} label={t('reconciled')} value={t('none')} />
  if (data === undefined) return <Stat className={twoLines} label={t('reconciled')} value={null} />
  const { days, daysEqual, daysDiffer, daysUnchecked } = data.all
  return (
    <Stat
      className={twoLines}
      label={t('reconciled')}
      tone={daysDiffer > 0 ? 'loss' : daysUnchecked > 0 || days === 0 ? 'even' : 'gain'}
      value={
        <Link to={reconciledPath(filter, null)} className={linkLooks}>
          {days === 0 ? t('none') : t('days-of', { equal: format.count(daysEqual), days: format.count(days) })}
        </Link>
      }
      note={
        days === 0 ? undefined : (
          <>
            <Days to={daysDiffer === 0 ? null : reconciledPath(filter, 'differs')} text={t('days-differ', { count: daysDiffer, shown: format.count(daysDiffer) })} />
            {', '}
            <Days to={daysUnchecked === 0 ? null : reconciledPath(filter, 'unchecked')} text={t('days-unchecked', { count: daysUnchecked, shown: format.count(daysUnchecked) })} />
          </>
        )
      }
    />
  )
}
