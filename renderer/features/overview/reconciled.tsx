import { apiQuery } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import { Stat } from '#renderer/ui/stat.tsx'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

// Its note may go below, so that the strip stays one row.
const twoLines = '[&>dd]:flex-wrap [&>dd]:gap-y-0'

/** How many trading days are equal to the broker's figures to the cent, differ, or cannot be checked; green only where all are equal. Days are whole, so a filter of anything but dates and accounts leaves it out. */
export const Reconciled = () => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const { filter } = useTradeFilter()
  const { from, to, accounts } = filter
  const whole = JSON.stringify({ ...everyTrade, from, to, accounts }) === JSON.stringify({ ...everyTrade, ...filter })
  const query = { accounts: [...accounts], ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) }
  const { data, error } = useQuery({ ...apiQuery(reconciliationRoutes.reconciliation, { query }), enabled: whole, placeholderData: keepPreviousData })
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
        <Link to={paths.reconciliation} className="underline-offset-3 hover:underline">
          {days === 0 ? t('none') : t('days-of', { equal: format.count(daysEqual), days: format.count(days) })}
        </Link>
      }
      note={days === 0 ? undefined : t('days-rest', { differ: format.count(daysDiffer), unchecked: format.count(daysUnchecked) })}
    />
  )
}
