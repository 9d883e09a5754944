import { useAsked } from '#renderer/lib/asked.ts'
import { isFiltering, searchOf } from '#renderer/lib/trade-filter.ts'
import { useTradeFilter, useUnit } from '#renderer/lib/use-trade-filter.ts'
import { Card } from '#renderer/ui/card.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { UnitSwitch } from '#renderer/ui/unit-switch.tsx'
import { startTransition, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { AddTradeButton } from './add-trade-button.tsx'
import { viewOf, withOrder, type LogbookOrder } from './address.ts'
import { useBroughtBack, type Opened, type TradeDialogState } from './left-draft.ts'
import { LogbookActions } from './logbook-actions.tsx'
import { LogbookFilter } from './logbook-filter.tsx'
import { LogbookTable } from './logbook-table.tsx'
import { NoRows } from './no-rows.tsx'
import { TradeDialogs } from './trade-dialogs.tsx'
import { useRemoval } from './use-removal.ts'
import { useTradeChanges } from './use-trade-changes.ts'

/** All trades, or all fill pairs: to filter, sort, annotate, add by hand and remove. */
export const TradeLogbookPage = () => {
  const { t } = useTranslation('trade-logbook')
  const [params, setParams] = useSearchParams()
  const [unit] = useUnit()
  const view = viewOf(params, unit)
  const { filter, clear } = useTradeFilter()
  const [count, setCount] = useState<number | null>(null)
  const [opened, setOpened] = useState<TradeDialogState | null>(null)
  // The dialogs are fetched when they are first opened; until then nothing moves.
  const openDialog = (dialog: TradeDialogState): void => {
    startTransition(() => { setOpened(dialog) })
  }
  const open = (of: Opened): void => {
    openDialog({ opened: of, left: null })
  }
  const openNew = (): void => {
    open({ of: 'new' })
  }
  const changes = useTradeChanges()
  const removal = useRemoval(changes)
  useAsked('add-trade', openNew)
  useAsked('trade', ({ trade }) => { open({ of: 'trade', trade }) })
  useAsked('trip', ({ trip }) => { open({ of: 'trip', trip }) })
  useBroughtBack(openDialog)

  const order = (change: Partial<LogbookOrder>): void => {
    setParams((now) => withOrder(now, { ...viewOf(now, unit), ...change }), { replace: true })
  }
  const add = <AddTradeButton onClick={openNew} />
  return (
    <Page
      title={t('title')}
      className="flex flex-col"
      chips={<UnitSwitch />}
      actions={<LogbookActions filter={filter} add={add} />}
    >
      <Card className="flex min-h-80 grow basis-0 flex-col overflow-hidden">
        <LogbookFilter unit={view.unit} count={count} />
        <LogbookTable
          key={searchOf(filter, view.unit)}
          view={view}
          onSort={order}
          onOpen={open}
          removal={removal}
          onEdit={changes.edit}
          onCount={setCount}
          empty={<NoRows filtered={isFiltering(filter)} onClear={clear} add={add} />}
        />
      </Card>
      <TradeDialogs state={opened} changes={changes} removal={removal} onClose={() => { setOpened(null) }} />
    </Page>
  )
}
