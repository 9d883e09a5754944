import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ImportPage } from './import-page.tsx'

const changes = (removed: number) => ({ added: 0, changed: 0, removed })

const undo = async (fills: number, pairs: number, trades: number) => {
  const { user } = await draw(<FormatContext value={createFormat('en', 'UTC')}><ImportPage /></FormatContext>, {
    namespaces: ['import', 'prices', 'ui'],
    session: somebody,
    answers: {
      [brokerageRoutes.connectedAccounts.path]: () => ({ json: { accounts: [] } }),
      [importRoutes.imports.path]: () => ({ json: { running: null, imports: [{ id: 'one', at: '2026-11-20T15:00:00.000Z', zone: 'UTC', undoneAt: null, fromBroker: false, accounts: ['A'], files: [{ name: 'Fills.csv', kind: 'fills', accepted: 4, refused: 0 }] }] } }),
      [importRoutes.undoImport.path]: () => ({ json: { success: true, settled: { fills: changes(fills), pairs: changes(pairs), trades: changes(trades), offTick: 0 } } }),
    },
  })
  await user.click(await screen.findByRole('button', { name: /^Undo the import of/ }))
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  return (await screen.findByText('Import undone.')).parentElement?.textContent
}

test('an undone import says by counts what left the journal, one of each in the singular', async () => {
  expect(await undo(1_204, 602, 1)).toBe('Import undone. Removed from the journal: 1,204 fills · 602 fill pairs · 1 trade.')
})

test('what other sources have too does not leave with an import, and the undo says so', async () => {
  expect(await undo(0, 0, 0)).toBe('Import undone. Nothing was removed from the journal: your broker or another import has all of this data too.')
})
