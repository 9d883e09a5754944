import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { useToasts } from '#renderer/ui/toast-store.ts'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'
import { journalRoutes, logbookRoutes } from '#shared/api/journal.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import type { FillPairRecord } from '#shared/api/records.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { draw, somebody, type Answer } from '#tests/helpers/drawn.tsx'
import { act, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { startSaving } from './trade-saving.ts'
import { TradeDialogs } from './trade-dialogs.tsx'

const pair: FillPairRecord = {
  notes: '', tags: [], stop: null, screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '',
  id: 'a/1/2', userId: 'u', symbol: 'MESH6', account: 'Paper', accountId: 'a', side: 'long', qty: 3, entryPrice: 6052.25, exitPrice: 6054.75, entryTime: '2026-02-13T14:12:00.000Z', exitTime: '2026-02-13T14:41:07.000Z',
  date: '2026-02-13', tradingDay: '2026-02-13', pnl: 0, grossPnl: '0.00', commission: '0.00', netPnl: '0.00', currency: 'USD', platform: '', tradeId: null, origin: 'synced', multiplierSource: 'table', feeSource: 'broker', warnings: [],
}

const nothing = vi.fn()
const others = { changes: { add: nothing, removePair: nothing, removeTrade: nothing }, neighbors: { previous: null, next: null } }

/** A page with a button for a new trade. */
const NewTrades = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <FormatContext value={createFormat('en', 'UTC')}><TooltipProvider>
      <button type="button" onClick={() => { setOpen(true) }}>new</button>
      <TradeDialogs state={isOpen ? { opened: { of: 'new' }, left: null } : null} {...others} onClose={() => { setOpen(false) }} />
    </TooltipProvider></FormatContext>
  )
}

const close = async (id: string, save: () => Promise<Answer>) => {
  useToasts.setState({ toasts: [] })
  const onClose = vi.fn()
  const drawn = await draw(
    <FormatContext value={createFormat('en', 'UTC')}><TooltipProvider>
      <TradeDialogs state={{ opened: { of: 'pair', pair: { ...pair, id } }, left: null }} {...others} onClose={onClose} />
    </TooltipProvider></FormatContext>,
    {
      namespaces: ['filter', 'trade-logbook', 'trade-chart', 'day-note', 'left-over'],
      session: somebody,
      answers: {
        [logbookRoutes.savePairs.path]: save,
        [`${journalRoutes.recordById.path}?${new URLSearchParams({ id }).toString()}`]: () => ({ json: { pair: { ...pair, id }, trade: null } }),
        [statisticsRoutes.filterChoices.path]: () => ({ json: { accounts: [], symbols: [], tags: [] } }),
        [ownDataRoutes.dayNotes.path]: () => ({ json: { days: [] } }),
        [ownDataRoutes.defaultStops.path]: () => ({ json: { stops: [] } }),
      },
    },
  )
  startSaving('u')
  // The dialog is fetched.
  await act(async () => { await import('./pair-dialog.tsx') })
  await drawn.user.type(await drawn.findByLabelText('Notes', {}, { timeout: 10_000 }), 'n')
  await drawn.user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
  await waitFor(() => { expect(useToasts.getState().toasts).toHaveLength(1) })
  drawn.unmount()
  return useToasts.getState().toasts[0]?.title
}

test('a dialog that is closed says that its changes are saved once they are, and not where the save failed', async () => {
  expect(await close('a/1/2', () => Promise.resolve({ json: { pairs: [{ ...pair, notes: 'n' }], conflicts: [], kept: [] } }))).toBe('Changes saved')
  expect(await close('a/1/3', () => Promise.resolve({ status: 500, json: { error: 'Failed to update trade', code: 'internal' } }))).toBe('Some changes are not saved')
})

test('the toast that leads back to a new trade goes once the trade is open again', async () => {
  useToasts.setState({ toasts: [] })
  const drawn = await draw(<NewTrades />, {
    namespaces: ['trade-logbook'],
    session: somebody,
    answers: { [statisticsRoutes.filterChoices.path]: () => ({ json: { accounts: [], symbols: [], tags: [] } }) },
  })
  const shown = (): readonly string[] => useToasts.getState().toasts.filter(({ open }) => open).map(({ title }) => title)
  await drawn.user.click(drawn.getByRole('button', { name: 'new' }))
  await drawn.user.type(await drawn.findByLabelText('Notes', {}, { timeout: 10_000 }), 'n')
  await drawn.user.keyboard('{Escape}')
  await waitFor(() => { expect(shown()).toEqual(['This trade is not added yet']) })
  await drawn.user.click(drawn.getByRole('button', { name: 'new' }))
  expect(await drawn.findByLabelText('Notes')).toHaveProperty('value', 'n')
  expect(shown()).toEqual([])
  // The page keeps the draft of a new trade until it is discarded.
  await drawn.user.click(drawn.getByRole('button', { name: 'Cancel' }))
})
