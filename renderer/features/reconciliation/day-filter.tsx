import { apiQuery } from '#renderer/lib/api.ts'
import { Button } from '#renderer/ui/button.tsx'
import { FilterChips } from '#renderer/ui/filter-chips.tsx'
import { FilterDates } from '#renderer/ui/filter-dates.tsx'
import { MultiChoice } from '#renderer/ui/multi-choice.tsx'
import { Popover } from '#renderer/ui/popover.tsx'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Looked } from './use-reconciliation.ts'

/** Which accounts and trading days are looked at. */
export const DayFilter = ({ looked, onChange }: { looked: Looked; onChange: (part: Partial<Looked>, how?: { readonly replace?: boolean }) => void }) => {
  const { t } = useTranslation('reconciliation')
  const { data: choices = { accounts: [], symbols: [], tags: [] } } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  return (
    <search aria-label={t('filter')} className="flex flex-wrap items-center gap-x-1.5 gap-y-2">
      <FilterDates span={looked} onChange={onChange} />
      <Popover
        label={t('accounts')}
        trigger={
          <Button variant="outline" className="gap-1.5 px-2.5">
            {t('accounts')}
            {looked.accounts.length > 0 && <span className="rounded-sm bg-accent-tint px-1.25 text-sm text-accent">{looked.accounts.length}</span>}
            <ChevronDown aria-hidden className="text-faint" />
          </Button>
        }
      >
        <MultiChoice label={t('accounts')} options={choices.accounts.map(({ key, name }) => ({ value: key, label: name }))} chosen={looked.accounts} onChange={(accounts) => { onChange({ accounts }, { replace: true }) }} />
      </Popover>
      <FilterChips filter={{ ...everyTrade, ...looked }} choices={choices} onChange={onChange} onClear={() => { onChange({ from: null, to: null, accounts: [] }) }} />
    </search>
  )
}
