import { apiQuery } from '#renderer/lib/api.ts'
import { copierQuery } from '#renderer/lib/copier.ts'
import { paths } from '#renderer/lib/paths.ts'
import { standingsQuery } from '#renderer/lib/rules.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useShortMoment, useSyncState } from '#renderer/lib/use-sync.ts'
import { useUnit } from '#renderer/lib/use-trade-filter.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { inkOf } from '#renderer/ui/figures.tsx'
import { RuleBar } from '#renderer/ui/rule-bar.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { journalRoutes } from '#shared/api/journal.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { statisticsRoutes, type StatisticsAnswer, type Unit } from '#shared/api/statistics.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { healthCards } from './health-cards.ts'
import { mostUsedFirst } from './most-used-first.ts'

const minuteMs = 60_000

/** The current trading day, or until it has trades the last one traded, whatever the filter: its P&L, whether the broker's figures prove it, the nearest limit, and what is running. */
export const Today = () => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const [unit] = useUnit()
  const today = tradingDay(useNow(minuteMs))
  const ofDay = (of: string, by: Unit) => ({ ...apiQuery(statisticsRoutes.statistics, { query: { from: of, to: of, unit: by } }), placeholderData: keepPreviousData })
  const now = useQuery(ofDay(today, 'pairs'))
  const last = useQuery({ ...apiQuery(journalRoutes.pairPage, { query: { to: today, limit: 1 } }), enabled: now.data?.all.count === 0 })
  // Which day it is, is known when today has trades or the last one traded is found.
  const isKnown = now.data !== undefined && (now.data.all.count > 0 || !last.isPending)
  const lastDay = now.data?.all.count === 0 ? (last.data?.rows[0]?.tradingDay ?? null) : null
  const day = lastDay ?? today
  const filter = { ...everyTrade, from: day, to: day }
  const [closed, counted] = [useQuery(ofDay(day, 'pairs')), useQuery(ofDay(day, unit))]
  // While that is open, and while the last day traded is read, the empty day before says nothing yet.
  const read = ({ data, isPlaceholderData }: typeof closed) => (isKnown && !(isPlaceholderData && data?.all.count === 0) ? data : undefined)
  // A trade over several days counts on each day with what was closed then, as the broker books it and reconciliation proves it.
  const [money, data] = [read(closed), read(counted)]
  const opens = (of: Unit) => (children: ReactNode) => <Link to={`${paths.tradeLogbook}${searchOf(filter, of)}`} className="underline-offset-3 hover:underline">{children}</Link>
  return (
    <section aria-label={t('today.title')} className="shrink-0 overflow-hidden rounded-lg border border-line bg-hairline">
      <dl className="flex flex-wrap gap-px">
        <Part name={isKnown ? t(lastDay === null ? 'today.of' : 'today.last', { day: format.longDay(day) }) : t('today.title')} className="basis-36">
          <Money statistics={money} opens={opens('pairs')} />
        </Part>
        <Part name={t(`today.${unit}`)} className="basis-28">
          {data === undefined ? <Skeleton className="h-3 w-16" /> : data.all.count === 0 ? <span className="font-normal text-faint">{t('today.none-yet')}</span> : opens(unit)(<Counted statistics={data} />)}
        </Part>
        <Part name={t('today.proof')} className="basis-38">{isKnown ? <Proof day={day} traded={(money?.all.count ?? 0) > 0} /> : <Skeleton className="h-4 w-24" />}</Part>
        <Part name={t('today.limit')} className="grow-[2] basis-52"><NearestLimit /></Part>
        <Part name={t('today.running')} className="basis-36"><Running /></Part>
      </dl>
    </section>
  )
}

const Part = ({ name, className, children }: { name: string; className: string; children: ReactNode }) => (
  <div className={`min-w-0 grow bg-surface px-4 py-2.5 ${className}`}>
    <dt className="mb-0.5 text-sm text-muted">{name}</dt>
    <dd className="min-h-6 text-title font-semibold">{children}</dd>
  </div>
)

// Different currencies are never added.
const Money = ({ statistics, opens }: { statistics: StatisticsAnswer | undefined; opens: (children: ReactNode) => ReactNode }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  if (statistics === undefined) return <Skeleton className="h-4 w-28" />
  const sums = mostUsedFirst(statistics.all.money, statistics.all.money)
  if (sums.length === 0) return <span className="text-faint">{t('none')}</span>
  return opens(
    <span className="flex flex-wrap gap-x-3">
      {sums.map(({ currency, netPnl }) => (
        <span key={currency} className={`tabular-nums ${inkOf(netPnl, 'text-ink')}`}>
          {format.signedMoney(netPnl)} <span className="text-sm font-normal text-faint">{currency}</span>
        </span>
      ))}
    </span>,
  )
}

const Counted = ({ statistics: { all } }: { statistics: StatisticsAnswer }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  return (
    <>
      {format.count(all.count)}{' '}
      {all.winRate !== null && <span className="ml-0.5 text-sm font-normal whitespace-nowrap text-faint">{t('today.won', { rate: format.wholePercent(all.winRate) })}</span>}
    </>
  )
}

const proofs = {
  differs: { tone: 'loss', Icon: CircleAlert },
  reconciled: { tone: 'gain', Icon: CircleCheck },
  unchecked: { tone: 'quiet', Icon: CircleDashed },
  'not-settled': { tone: 'quiet', Icon: CircleDashed },
} as const

const Proof = ({ day, traded }: { day: string; traded: boolean }) => {
  const { t } = useTranslation('overview')
  const { data } = useQuery({ ...apiQuery(reconciliationRoutes.reconciliation, { query: { accounts: [], from: day, to: day } }), placeholderData: keepPreviousData })
  if (data === undefined) return <Skeleton className="h-4 w-24" />
  const { daysDiffer, daysEqual, daysUnchecked } = data.all
  const unchecked = data.days.filter((one) => one.state === 'unchecked')
  const waits = unchecked.length > 0 && unchecked.every(({ reason }) => reason === 'not-settled')
  const state = daysDiffer > 0 ? 'differs' : waits ? 'not-settled' : daysUnchecked > 0 || (traded && daysEqual === 0) ? 'unchecked' : daysEqual > 0 ? 'reconciled' : null
  if (state === null) return <span className="font-normal text-faint">{t('none')}</span>
  const { tone, Icon } = proofs[state]
  return (
    <Link to={`${paths.reconciliation}?${new URLSearchParams({ from: day, to: day }).toString()}`}>
      <Badge tone={tone} className="whitespace-normal!">
        <Icon aria-hidden className="shrink-0" />
        {t(`today.${state}`)}
      </Badge>
    </Link>
  )
}

const NearestLimit = () => {
  const { t } = useTranslation('overview')
  const { data } = useQuery(standingsQuery)
  if (data === undefined) return <Skeleton className="h-4 w-40" />
  const limited = healthCards(data.standings).filter(({ nearest }) => nearest !== null)
  const card = limited.find(({ nearest }) => nearest?.state !== 'breached') ?? limited[0]
  if (card === undefined || card.nearest === null) return <span className="text-sm font-normal text-faint">{t('today.no-limit')}</span>
  const { standing, nearest } = card
  const breached = limited.filter((one) => one !== card && one.nearest?.state === 'breached').length
  return (
    <Link to={`${paths.positionScanner}?${new URLSearchParams({ tab: 'rules', account: standing.account }).toString()}`} className="flex flex-wrap items-center gap-x-3">
      <span className="text-sm break-all">{standing.name}</span>
      <RuleBar state={nearest} currency={standing.currency} compact className="min-w-40 grow basis-0 font-normal" />
      {breached > 0 && <Badge tone="loss">{t('today.breached', { count: breached })}</Badge>}
    </Link>
  )
}

const Running = () => {
  const { t } = useTranslation('overview')
  const shortMoment = useShortMoment()
  const sync = useSyncState()
  // A plan without the copier has none to show.
  const { data: copier } = useQuery({ ...copierQuery, retry: false, staleTime: 0 })
  const groups = copier?.live.groups ?? []
  const paused = groups.filter(({ state }) => state === 'paused').length
  const running = groups.filter(({ state }) => state === 'armed')
  const dry = running.filter(({ dryRun }) => dryRun).length
  const armed = running.length - dry
  const synced = sync === null ? null : sync.running !== null ? t('today.syncing') : sync.lastGoodAt === null ? t('today.never-synced') : t('today.synced', { time: shortMoment(sync.lastGoodAt) })
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-normal text-muted">
      {synced === null ? <Skeleton className="h-3 w-24" /> : <Link to={paths.autoSync} className="underline-offset-3 hover:underline">{synced}</Link>}
      {(armed > 0 || dry > 0 || paused > 0) && (
        <Link to={paths.tradeCopier}>
          <Badge tone={armed > 0 ? 'accent' : paused > 0 ? 'warn' : 'quiet'} className="whitespace-normal!">
            {armed > 0 ? t('today.armed', { count: armed }) : paused > 0 ? t('today.paused', { count: paused }) : t('today.dry', { count: dry })}
          </Badge>
        </Link>
      )}
    </span>
  )
}
