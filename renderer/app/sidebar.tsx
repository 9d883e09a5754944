import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { apiQuery } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useCarriedSearch } from '#renderer/lib/use-trade-filter.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import { Wordmark } from '#renderer/ui/wordmark.tsx'
import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn, CircleDollarSign, Copy, CreditCard, FileChartColumn, FileDown, PanelLeftClose, PanelLeftOpen, Radar, RefreshCw, Rows3, Scale, Settings } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useMatch } from 'react-router-dom'
import { AccountMenu } from './account-menu.tsx'
import { PlaceStatus } from './place-status.tsx'
import { useSidebar } from './sidebar-store.ts'

const SidebarLink = ({ to, search = '', Icon, label, note, minimised }: { to: string; search?: string; Icon: ComponentType<{ className?: string }>; label: string; note?: ReactNode; minimised: boolean }) => {
  // A name of classes that is a function would not get through the tooltip.
  const active = useMatch({ path: to, end: true }) !== null
  const link = (
    <NavLink
      to={`${to}${search}`}
      end
      className={classNames(
        'relative flex h-8 items-center gap-2.5 rounded-md px-2 transition-colors duration-100 hover:text-ink',
        active ? 'bg-raised text-ink before:absolute before:inset-y-1.75 before:-left-2.5 before:w-0.5 before:rounded-full before:bg-accent' : 'text-muted',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className={classNames(minimised && 'sr-only')}>{label}</span>
      {note !== undefined && !minimised && <span className="ml-auto text-xs text-faint">{note}</span>}
    </NavLink>
  )
  return minimised ? (
    <Tooltip text={label} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  )
}

/** The way to every page; minimised it keeps its icons only. */
export const Sidebar = () => {
  const { t } = useTranslation('app')
  const { minimised, toggle } = useSidebar()
  const { data } = useQuery(apiQuery(brokerageRoutes.connectedAccounts))
  const { session } = useSession()
  const search = useCarriedSearch()
  const accounts = data?.accounts.length
  const Toggle = minimised ? PanelLeftOpen : PanelLeftClose

  return (
    <aside aria-label={t('sidebar.name')} className={classNames('flex shrink-0 flex-col gap-0.5 border-r border-line bg-surface px-2.5 py-3', minimised ? 'w-13.5' : 'w-54')}>
      <div className={classNames('mb-3 flex items-center', minimised ? 'flex-col gap-2' : 'justify-between pl-2')}>
        <Wordmark compact={minimised} />
        {session?.demo && <Badge tone="warn" className={minimised ? 'px-1 text-xs' : ''}>{t('place.demo')}</Badge>}
        <Button variant="ghost" size="icon" aria-expanded={!minimised} aria-label={minimised ? t('sidebar.expand') : t('sidebar.minimise')} onClick={toggle}>
          <Toggle aria-hidden />
        </Button>
      </div>
      <nav aria-label={t('sidebar.name')} className="flex flex-col gap-0.5">
        <SidebarLink to={paths.overview} search={search} Icon={ChartNoAxesColumn} label={t('pages.overview')} minimised={minimised} />
        <SidebarLink to={paths.tradeLogbook} search={search} Icon={Rows3} label={t('pages.trade-logbook')} minimised={minimised} />
        <SidebarLink to={paths.reconciliation} Icon={Scale} label={t('pages.reconciliation')} minimised={minimised} />
        <SidebarLink to={paths.operational} Icon={CircleDollarSign} label={t('pages.operational')} minimised={minimised} />
        <SidebarLink to={paths.aiReport} Icon={FileChartColumn} label={t('pages.ai-report')} minimised={minimised} />
        {minimised ? <div className="my-2 h-px bg-hairline" /> : <p className="px-2 pt-3.5 pb-1 text-xs text-faint">{t('sidebar.accounts')}</p>}
        <SidebarLink to={paths.autoSync} Icon={RefreshCw} label={t('pages.auto-sync')} note={accounts || undefined} minimised={minimised} />
        <SidebarLink to={paths.tradeCopier} Icon={Copy} label={t('pages.trade-copier')} minimised={minimised} />
        <SidebarLink to={paths.positionScanner} Icon={Radar} label={t('pages.position-scanner')} minimised={minimised} />
        <SidebarLink to={paths.import} Icon={FileDown} label={t('pages.import')} minimised={minimised} />
        <SidebarLink to={paths.manageSubscription} Icon={CreditCard} label={t('plans:title')} minimised={minimised} />
        <SidebarLink to={paths.settings} Icon={Settings} label={t('pages.settings')} minimised={minimised} />
      </nav>
      <div className="mt-auto flex flex-col gap-1">
        <PlaceStatus minimised={minimised} />
        <AccountMenu minimised={minimised} />
      </div>
    </aside>
  )
}
