import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { SyncControls } from '#renderer/ui/sync-controls.tsx'
import type { Trade } from '#shared/api/records.ts'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { AddTradeDialog } from './add-trade-dialog.tsx'
import { paramsOf, viewOf, type LogbookView } from './address.ts'
import { Filters } from './filters.tsx'
import { LogbookTable } from './logbook-table.tsx'
import { NoRows } from './no-rows.tsx'
import { TradeDialog } from './trade-dialog.tsx'
import { useRemoval } from './use-removal.tsx'
import { useTradeChanges } from './use-trade-changes.ts'

/** All trades as pairs or trips: to filter, sort, annotate, add by hand and remove. */
export const TradeLogbookPage = () => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const [params, setParams] = useSearchParams()
  const view = viewOf(params)
  const [count, setCount] = useState<number | null>(null)
  const [opened, setOpened] = useState<Trade | null>(null)
  const [adding, setAdding] = useState(false)
  const changes = useTradeChanges()
  const { remove, dialog } = useRemoval(changes)

  const show = (change: Partial<LogbookView>): void => {
    setParams(paramsOf({ ...view, ...change }), { replace: true })
  }
  const add = (
    <Button variant="outline" onClick={() => { setAdding(true) }}>
      <Plus aria-hidden />
      {t('add')}
    </Button>
  )
  return (
    <Page
      title={t('title')}
      className="flex flex-col"
      chips={
        <Segmented
          label={t('unit')}
          value={view.unit}
          onChange={(unit) => { show({ unit }) }}
          options={[
            { value: 'pairs', label: t('pairs') },
            { value: 'trips', label: t('trips') },
          ]}
        />
      }
      actions={<SyncControls />}
    >
      <Card className="flex min-h-80 grow basis-0 flex-col overflow-hidden">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-hairline px-4 py-2">
          <Filters filter={view} onChange={show} />
          <span role="status" className="text-sm text-faint">
            {count === null ? null : t(`count.${view.unit}`, { count, shown: format.count(count) })}
          </span>
          <div className="ml-auto">{add}</div>
        </div>
        <LogbookTable
          key={`${view.unit} ${view.symbol} ${view.account}`}
          view={view}
          onSort={show}
          onOpen={setOpened}
          onRemove={remove}
          onCount={setCount}
          empty={<NoRows filtered={view.symbol !== '' || view.account !== ''} onClear={() => { show({ symbol: '', account: '' }) }} add={add} />}
        />
      </Card>
      {opened !== null && <TradeDialog key={opened.id} trade={opened} onClose={() => { setOpened(null) }} onSave={changes.edit} onRemove={(trade) => { setOpened(null); remove(trade) }} />}
      {adding && <AddTradeDialog onClose={() => { setAdding(false) }} onAdd={changes.add} />}
      {dialog}
    </Page>
  )
}
