import { apiQuery } from '#renderer/lib/api.ts'
import { Button } from '#renderer/ui/button.tsx'
import { FilterChips } from '#renderer/ui/filter-chips.tsx'
import { FilterDates } from '#renderer/ui/filter-dates.tsx'
import { MultiChoice } from '#renderer/ui/multi-choice.tsx'
import { Popover } from '#renderer/ui/popover.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { dayState, type DayState } from '#shared/api/reconciliation.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Looked } from './use-reconciliation.ts'

const states = ['all', ...dayState.options] as const

/** The filter by account, trading day and state. */
export const DayFilter = ({ looked, state, onChange, onState }: { looked: Looked; state: DayState | null; onChange: (part: Partial<Looked>, how?: { readonly replace?: boolean }) => void; onState: (state: DayState | null) => void }) => {
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
      <Segmented label={t('result')} value={state ?? 'all'} onChange={(next) => { onState(next === 'all' ? null : next) }} options={states.map((value) => ({ value, label: t(`state-of.${value}`) }))} />
      <FilterChips filter={{ ...everyTrade, ...looked }} choices={choices} onChange={onChange} onClear={() => { onChange({ from: null, to: null, accounts: [] }) }} />
    </search>
  )
}
