import { useLinkRequest } from '#renderer/lib/link-request.ts'
import { useSession } from '#renderer/lib/session.ts'
import { isFiltering, openedTrade, searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useShortcutKeys } from '#renderer/lib/use-shortcut.ts'
import { useTradeFilter, useUnit } from '#renderer/lib/use-trade-filter.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { DownloadLink } from '#renderer/ui/download-link.tsx'
import { FilterBar } from '#renderer/ui/filter-bar.tsx'
import { Keys } from '#renderer/ui/keys.tsx'
import { LeftOverNotice } from '#renderer/ui/left-over-notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { SyncControls } from '#renderer/ui/sync-controls.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import { UnitSwitch } from '#renderer/ui/unit-switch.tsx'
import { tradesCsvPath, type Unit } from '#shared/api/statistics.ts'
import { writeFilter, type TradeFilter } from '#shared/stats/filter.ts'
import { Download, Plus } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { viewOf, withOrder, type LogbookOrder } from './address.ts'
import { useReopened, type Opened, type TradeDialogState } from './dialog-state.ts'
import { LogbookTable } from './logbook-table.tsx'
import { readAddress, useNamedTrade, noteWritten, type Naming } from './named-trade.ts'
import { TradeDialogs } from './trade-dialogs.tsx'
import type { Neighbors } from './trade-walk.tsx'
import { useTradeChanges } from './use-trade-changes.ts'

/** The area above the logbook's rows: the filter, how many rows pass it, and notes whose fill pairs are gone. */
const LogbookFilter = ({ unit, count }: { unit: Unit; count: number | null }) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  return (
    <div className="flex flex-col gap-2 border-b border-hairline px-4 py-2">
      <FilterBar>
        <span role="status" className="text-sm text-faint">
          {count === null ? null : t(`count.${unit}`, { count, shown: format.count(count) })}
        </span>
      </FilterBar>
      <LeftOverNotice />
    </div>
  )
}

const NoRows = lazy(async () => ({ default: (await import('./no-rows.tsx')).NoRows }))

const alone: Neighbors = { previous: null, next: null }
const idOf = (opened: Opened): string | null => (opened.of === 'pair' ? opened.pair.id : opened.of === 'trade' ? opened.trade.id : null)

/** All trades, or all fill pairs: to filter, sort, annotate, add by hand and remove. */
export const TradeLogbookPage = () => {
  const { t } = useTranslation('trade-logbook')
  const [params, setParams] = useSearchParams()
  const [unit] = useUnit()
  const view = viewOf(params, unit)
  const { filter, clear } = useTradeFilter()
  const [count, setCount] = useState<number | null>(null)
  const [opened, setOpened] = useState<TradeDialogState | null>(null)
  // Known at once, while the dialog is still being fetched.
  const [openedId, setOpenedId] = useState<string | null>(null)
  const [openedLine, setOpenedLine] = useState<number | null>(null)
  const named = params.get(openedTrade)
  const [naming, setNaming] = useState<Naming>({ seen: null, written: [] })
  const [asked, setAsked] = useState<string | null>(null)
  if (named !== naming.seen) {
    const now = readAddress(naming, named)
    setNaming(now.naming)
    if (now.asked !== null) setAsked(now.asked)
    // The dialog saves its edits as it closes.
    if (now.left) setOpened(null)
  }
  const [neighbors, setNeighbors] = useState(alone)
  // The dialogs are fetched when they are first opened; until then nothing moves.
  const openDialog = (dialog: TradeDialogState): void => {
    startTransition(() => { setOpened(dialog) })
    setOpenedId(idOf(dialog.opened))
    setAsked(null)
    name(idOf(dialog.opened))
  }
  const name = (id: string | null): void => {
    setNaming((now) => noteWritten(now, id))
    // Back from an open trade leads to its list; from one to the next it is one step.
    setParams((now) => new URLSearchParams([...[...now].filter(([key]) => key !== openedTrade), ...(id === null ? [] : [[openedTrade, id]])]), { replace: id === null || named !== null })
  }
  const open = (of: Opened, at: number | null = null): void => {
    setOpenedLine(at)
    openDialog({ opened: of, left: null })
  }
  const close = (): void => {
    setOpened(null)
    setOpenedLine(null)
    setOpenedId(null)
    name(null)
  }
  const openNew = (): void => {
    open({ of: 'new' })
  }
  const changes = useTradeChanges()
  useLinkRequest('add-trade', openNew)
  useReopened(openDialog)
  useNamedTrade(asked, open, () => {
    setAsked(null)
    name(opened === null ? null : openedId)
  })

  const order = (change: Partial<LogbookOrder>): void => {
    setParams((now) => withOrder(now, { ...viewOf(now, unit), ...change }), { replace: true })
  }
  const add = <AddTradeButton onClick={openNew} />
  return (
    <Page
      title={t('title')}
      className="flex flex-col"
      chips={<UnitSwitch />}
      actions={
        <>
          <ExportButton filter={filter} unit={view.unit} />
          {add}
          <SyncControls />
        </>
      }
    >
      <Card className="flex min-h-80 grow basis-0 flex-col overflow-hidden">
        <LogbookFilter unit={view.unit} count={count} />
        <LogbookTable
          key={searchOf(filter, view.unit)}
          view={view}
          onSort={order}
          onOpen={open}
          opened={openedId === null ? null : { id: openedId, line: openedLine }}
          onNeighbors={setNeighbors}
          changes={changes}
          onCount={setCount}
          empty={<Suspense fallback={null}><NoRows filtered={isFiltering(filter)} onClear={clear} add={add} /></Suspense>}
        />
      </Card>
      <TradeDialogs state={opened} changes={changes} neighbors={neighbors} onClose={close} />
    </Page>
  )
}

const AddTradeButton = ({ onClick }: { onClick: () => void }) => {
  const { t } = useTranslation('trade-logbook')
  const { caps, aria } = useShortcutKeys('add-trade')
  return (
    <Tooltip text={caps.length === 0 ? null : <Keys caps={caps} />} side="bottom">
      <Button variant="outline" onClick={onClick} aria-keyshortcuts={aria}>
        <Plus aria-hidden />
        {t('add')}
      </Button>
    </Tooltip>
  )
}

// Exports the filtered rows, with local times in the profile's zone.
const ExportButton = ({ filter, unit }: { filter: TradeFilter; unit: Unit }) => {
  const { t } = useTranslation('trade-logbook')
  const { session } = useSession()
  const params = new URLSearchParams([...writeFilter(filter), ['unit', unit], ...(session === null ? [] : [['zone', session.timeZone]])])
  return (
    <Button asChild variant="ghost">
      <DownloadLink path={tradesCsvPath} query={params} title={t(`csv-text.${unit}`)}>
        <Download aria-hidden />
        <span className="max-xl:sr-only">{t('csv')}</span>
      </DownloadLink>
    </Button>
  )
}
