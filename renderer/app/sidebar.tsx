import { apiQuery } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useTight } from '#renderer/lib/use-narrow.ts'
import { useShortcutKeys } from '#renderer/lib/use-shortcut.ts'
import { useCarriedSearch } from '#renderer/lib/use-trade-filter.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Keys } from '#renderer/ui/keys.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import { Wordmark } from '#renderer/ui/wordmark.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { useQuery } from '@tanstack/react-query'
import { PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useMatch } from 'react-router-dom'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { AccountMenu } from './account-menu.tsx'
import { useCommandStore } from './commands/command-store.ts'
import { PlaceStatus } from './place-status.tsx'
import { places, usePlaceName, type Place } from './places.ts'

const journal = places.filter(({ part }) => part === 'journal')
const accountPlaces = places.filter(({ part }) => part === 'accounts')

/** Links to every page; minimized it keeps only their icons. */
export const Sidebar = () => {
  const { t } = useTranslation('app')
  const sidebar = useSidebar()
  const tight = useTight()
  const minimised = tight ? sidebar.minimisedWhereTight : sidebar.minimised
  const { data } = useQuery(apiQuery(brokerageRoutes.connectedAccounts))
  const { session } = useSession()
  const search = useCarriedSearch()
  const accounts = data?.accounts.length
  const Toggle = minimised ? PanelLeftOpen : PanelLeftClose

  return (
    <aside aria-label={t('sidebar.name')} className={classNames('flex shrink-0 flex-col gap-0.5 border-r border-line bg-surface px-2.5 py-3', minimised ? 'w-13.5' : 'w-54')}>
      <div className={classNames('mb-2.5 flex items-center', minimised ? 'flex-col gap-2' : 'justify-between pl-2')}>
        <Wordmark compact={minimised} />
        {session?.demo && <Badge tone="warn" className={minimised ? 'px-1 text-xs' : ''}>{t('place.demo')}</Badge>}
        <Button variant="ghost" size="icon" aria-expanded={!minimised} aria-label={minimised ? t('sidebar.expand') : t('sidebar.minimise')} onClick={() => { sidebar.toggle(tight) }}>
          <Toggle aria-hidden />
        </Button>
      </div>
      <SearchButton minimised={minimised} />
      {/* In a low window the links scroll, so that none is cut off, and a shade shows where there are more. */}
      <nav aria-label={t('sidebar.name')} className="end-shades -mx-2.5 flex min-h-0 flex-col gap-0.5 overflow-x-hidden overflow-y-auto px-2.5 [scrollbar-width:none]">
        {journal.map((place) => (
          <SidebarLink key={place.id} place={place} search={place.carries ? search : ''} minimised={minimised} />
        ))}
        {minimised ? <div className="my-2 h-px shrink-0 bg-hairline" /> : <p className="px-2 pt-3.5 pb-1 text-xs text-faint">{t('sidebar.accounts')}</p>}
        {accountPlaces.map((place) => (
          <SidebarLink key={place.id} place={place} note={place.id === 'auto-sync' ? accounts || undefined : undefined} minimised={minimised} />
        ))}
      </nav>
      <div className="mt-auto flex flex-col gap-1">
        <PlaceStatus minimised={minimised} />
        <AccountMenu minimised={minimised} />
      </div>
    </aside>
  )
}

type Sidebar = {
  readonly minimised: boolean
  /** The same for a window with little room, for example at high zoom. */
  readonly minimisedWhereTight: boolean
  readonly toggle: (tight: boolean) => void
}

/** Whether the sidebar is minimized; expanded until the user changes it, and remembered. In a tight window it starts minimized each time. */
const useSidebar = create<Sidebar>()(
  persist(
    (set) => ({
      minimised: false,
      minimisedWhereTight: true,
      toggle: (tight) => {
        set((was) => (tight ? { minimisedWhereTight: !was.minimisedWhereTight } : { minimised: !was.minimised }))
      },
    }),
    { name: 'fillbook-sidebar', partialize: ({ minimised }) => ({ minimised }) },
  ),
)

/** Opens the palette, and shows its shortcut. */
const SearchButton = ({ minimised }: { minimised: boolean }) => {
  const { t } = useTranslation('app')
  const { caps, aria } = useShortcutKeys('palette')
  const show = useCommandStore((store) => store.show)
  return (
    <Tooltip text={minimised ? <Named label={t('sidebar.search')} caps={caps} /> : null} side="right">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts={aria}
        onClick={() => { show('palette') }}
        className={classNames('relative mb-2 flex h-8 shrink-0 items-center gap-2.5 rounded-md border border-line bg-ground px-1.75 text-muted transition-colors duration-100 hover:border-field hover:text-ink', minimised && 'justify-center')}
      >
        <Search aria-hidden className="size-4 shrink-0" />
        <span className="sr-only">{t('sidebar.search-name')}</span>
        {!minimised && (
          <>
            <span aria-hidden className="truncate">
              {t('sidebar.search')}
            </span>
            <span aria-hidden className="ml-auto">
              <Keys caps={caps} />
            </span>
          </>
        )}
      </button>
    </Tooltip>
  )
}

/** A link to a page, with `note` at its end; its shortcut shows on hover or focus. Minimized it is an icon with a tooltip. */
const SidebarLink = ({ place: { id, path, Icon }, search = '', note, minimised }: { place: Place; search?: string; note?: ReactNode; minimised: boolean }) => {
  const label = usePlaceName()(id)
  const { caps } = useShortcutKeys(`go-${id}`)
  // The tooltip does not support a function as class name.
  const active = useMatch({ path, end: true }) !== null
  return (
    <Tooltip text={minimised ? <Named label={label} caps={caps} /> : null} side="right">
      <NavLink
        to={`${path}${search}`}
        end
        title={minimised ? undefined : label}
        className={classNames(
          'group relative flex h-8 shrink-0 items-center gap-2.5 rounded-md px-2 transition-colors duration-100 hover:text-ink',
          active ? 'bg-raised text-ink before:absolute before:inset-y-1.75 before:-left-2.5 before:w-0.5 before:rounded-full before:bg-accent' : 'text-muted',
        )}
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        <span className={minimised ? 'sr-only' : 'truncate'}>{label}</span>
        {!minimised && (
          <span className="ml-auto flex shrink-0 text-xs text-faint">
            {note !== undefined && <span className={classNames(caps.length > 0 && 'group-hover:hidden group-focus-visible:hidden')}>{note}</span>}
            <span aria-hidden className="hidden group-hover:flex group-focus-visible:flex">
              <Keys caps={caps} />
            </span>
          </span>
        )}
      </NavLink>
    </Tooltip>
  )
}

/** The tooltip of something with a shortcut. */
const Named = ({ label, caps }: { label: string; caps: readonly string[] }) => (
  <span className="flex items-center gap-2">
    {label}
    <Keys caps={caps} />
  </span>
)
