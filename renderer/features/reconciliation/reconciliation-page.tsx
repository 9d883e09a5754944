import { apiQuery } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useRestoring } from '#renderer/lib/use-mirror.ts'
import { Chip } from '#renderer/ui/badge.tsx'
import { FilterChips } from '#renderer/ui/filter-chips.tsx'
import { FilterDates } from '#renderer/ui/filter-dates.tsx'
import { FilterPanel } from '#renderer/ui/filter-panel.tsx'
import { MultiChoice } from '#renderer/ui/multi-choice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Stat, StatStrip } from '#renderer/ui/stat.tsx'
import { EmptyState, ErrorState, FilteredAway } from '#renderer/ui/states.tsx'
import { ImportLink } from '#renderer/ui/ways-in.tsx'
import { type DayState, dayState, type ReconciledCounts, type ReconciliationAnswer, reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CloudDownload, Scale } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { type SelectedDays, useReconciliationAddress, withState } from './address.ts'
import { DayDialog } from './day-dialog.tsx'
import { DayTable } from './day-table.tsx'

/** Every account's trading days, reconciled with the broker's figures to the cent. */
export const ReconciliationPage = () => {
  const { t } = useTranslation('reconciliation')
  const { selected, change, state, showState, open, show } = useReconciliationAddress()
  const headline = useHeadline()
  const { from, to, accounts } = selected
  const query = { accounts: [...accounts], ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) }
  const { data, error, refetch } = useQuery({ ...apiQuery(reconciliationRoutes.reconciliation, { query }), placeholderData: keepPreviousData })
  const filtered = from !== null || to !== null || accounts.length > 0
  const openAccount = data?.accounts.find(({ account }) => account === open?.account)
  const isEmpty = data?.days.length === 0
  const isStateEmpty = state !== null && data?.days.every((day) => day.state !== state) === true
  return (
    <Page title={t('title')} className="flex flex-col gap-3.5" chips={data !== undefined && data.all.days > 0 && <Chip>{headline(data.all)}</Chip>}>
      {(!isEmpty || filtered) && <DayFilter selected={selected} state={state} onChange={change} onState={showState} />}
      {data === undefined && error !== null ? (
        <ErrorState failure={error} onRetry={() => void refetch()} className="grow" />
      ) : isEmpty ? (
        <NoDays filtered={filtered} onClear={() => { change({ from: null, to: null, accounts: [] }) }} />
      ) : (
        <>
          <Counts answer={data ?? null} />
          {isStateEmpty ? (
            <FilteredAway title={t('no-match')} text={t('no-match-text')} onClear={() => { showState(null) }} />
          ) : (
            <section aria-label={t('list')} className="flex min-h-60 grow flex-col overflow-hidden rounded-lg border border-line bg-surface">
              <DayTable key={JSON.stringify([selected, state])} answer={data ?? null} state={state} onOpen={show} />
            </section>
          )}
        </>
      )}
      {open !== null && <DayDialog open={open} name={openAccount?.name ?? open.account} fileOnly={openAccount?.fileOnly ?? false} statedBy={openAccount?.statedBy ?? null} onClose={() => { show(null) }} />}
    </Page>
  )
}

/** `331 of 382 days equal, 40 differ, 11 cannot be checked`. */
const useHeadline = () => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  return ({ days, daysEqual, daysDiffer, daysUnchecked }: ReconciledCounts): string =>
    t('headline', { count: days, equal: format.count(daysEqual), differ: t('headline-differ', { count: daysDiffer, shown: format.count(daysDiffer) }), unchecked: format.count(daysUnchecked) })
}

const Counts = ({ answer }: { answer: ReconciliationAnswer | null }) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  const headline = useHeadline()
  const all = answer?.all ?? null
  const share = (equal: number, checked: number) => (checked === 0 ? t('none') : t('of', { equal: format.count(equal), checked: format.count(checked) }))
  const isAllEqual = all !== null && all.days > 0 && all.daysEqual === all.days
  return (
    <div className="flex flex-col gap-2.5">
      <StatStrip>
        <Stat label={t('stat.days')} value={all && share(all.daysEqual, all.days)} note={t('stat.days-note')} tone={isAllEqual ? 'gain' : 'even'} />
        <Stat label={t('stat.pairs')} value={all && share(all.pairsEqual, all.pairsChecked)} note={t('stat.pairs-note')} tone={isAllEqual && all.pairsChecked > 0 && all.pairsEqual === all.pairsChecked ? 'gain' : 'even'} />
        <Stat label={t('stat.differing')} value={all && <DaysLink state="differs" count={all.daysDiffer} />} tone={(all?.daysDiffer ?? 0) > 0 ? 'loss' : 'even'} />
        <Stat label={t('stat.unchecked')} value={all && <DaysLink state="unchecked" count={all.daysUnchecked} />} />
      </StatStrip>
      {answer !== null && answer.accounts.length > 1 && (
        <ul aria-label={t('by-account')} className="flex flex-wrap gap-1.5">
          {answer.accounts.map((account) => (
            <li key={account.account}>
              <Chip name={account.name}>{headline(account)}</Chip>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A number of days, with a link to them. */
const DaysLink = ({ state, count }: { state: DayState; count: number }) => {
  const format = useFormat()
  const [params] = useSearchParams()
  if (count === 0) return format.count(0)
  return (
    <Link to={`?${withState(params, state).toString()}`} className="underline-offset-3 hover:underline">
      {format.count(count)}
    </Link>
  )
}

const NoDays = ({ filtered, onClear }: { filtered: boolean; onClear: () => void }) => {
  const { t } = useTranslation('reconciliation')
  const restoring = useRestoring() !== null
  if (filtered) return <FilteredAway title={t('no-match')} text={t('no-match-text')} onClear={onClear} />
  if (restoring) return <EmptyState Icon={CloudDownload} title={t('restoring')} text={t('restoring-text')} className="grow" />
  return (
    <EmptyState
      Icon={Scale}
      title={t('empty')}
      text={t('empty-text')}
      action={<ImportLink />}
      className="grow"
    />
  )
}

const states = ['all', ...dayState.options] as const

/** The filter by account, trading day and state. */
const DayFilter = ({ selected, state, onChange, onState }: {
  selected: SelectedDays
  state: DayState | null
  onChange: ReturnType<typeof useReconciliationAddress>['change']
  onState: (state: DayState | null) => void
}) => {
  const { t } = useTranslation('reconciliation')
  const { data: choices = { accounts: [], symbols: [], tags: [] } } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  return (
    <search aria-label={t('filter')} className="flex flex-wrap items-center gap-x-1.5 gap-y-2">
      <FilterDates span={selected} onChange={onChange} />
      <FilterPanel name={t('accounts')} chosen={selected.accounts.length}>
        <MultiChoice label={t('accounts')} options={choices.accounts.map(({ key, name }) => ({ value: key, label: name }))} chosen={selected.accounts} onChange={(accounts) => { onChange({ accounts }) }} />
      </FilterPanel>
      <Segmented label={t('result')} value={state ?? 'all'} onChange={(next) => { onState(next === 'all' ? null : next) }} options={states.map((value) => ({ value, label: t(`state-of.${value}`) }))} />
      <FilterChips filter={{ ...everyTrade, ...selected }} choices={choices} onChange={onChange} onClear={() => { onChange({ from: null, to: null, accounts: [] }) }} />
    </search>
  )
}
