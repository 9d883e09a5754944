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

// In a narrow window it stands beside the large figure.
const last = 'xl:order-last'

/** How many of the days that were held against the broker's figures are equal to the cent, and how many were not; green only where all were. Days are whole, so a filter of anything but dates and accounts leaves it out. */
export const Reconciled = () => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const { filter } = useTradeFilter()
  const { from, to, accounts } = filter
  const whole = JSON.stringify({ ...everyTrade, from, to, accounts }) === JSON.stringify({ ...everyTrade, ...filter })
  const query = { accounts: [...accounts], ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) }
  const { data, error } = useQuery({ ...apiQuery(reconciliationRoutes.reconciliation, { query }), enabled: whole, placeholderData: keepPreviousData })
  if (!whole) return <Stat className={last} label={t('reconciled')} value={t('none')} note={t('whole-days')} />
  if (error !== null) return <Stat className={last} label={t('reconciled')} value={t('none')} />
  if (data === undefined) return <Stat className={last} label={t('reconciled')} value={null} />
  const { days, daysChecked, daysEqual } = data.all
  const unchecked = days - daysChecked
  return (
    <Stat
      className={last}
      label={t('reconciled')}
      tone={daysEqual < daysChecked ? 'loss' : unchecked > 0 || days === 0 ? 'even' : 'gain'}
      value={
        <Link to={paths.reconciliation} className="underline-offset-3 hover:underline">
          {daysChecked === 0 ? t('none') : t('days-of', { equal: format.count(daysEqual), checked: format.count(daysChecked) })}
        </Link>
      }
      note={daysChecked === 0 ? t('not-checked') : unchecked > 0 ? t('days-unchecked', { unchecked: format.count(unchecked) }) : t('days-note')}
    />
  )
}
