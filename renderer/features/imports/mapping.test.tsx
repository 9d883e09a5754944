import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { importRoutes } from '#shared/api/imports.ts'
import type { BodyGiven } from '#shared/api/route.ts'
import type { ImportFormat } from '#shared/imports/mapped-format.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Mapping } from './mapping.tsx'

const guess: ImportFormat = {
  fillbook: 'import-format', version: 1, name: 'Broker', rows: 'fills', dates: null, decimals: null, sides: [], symbols: [],
  columns: [{ header: 'When', field: 'time' }, { header: 'What', field: 'symbol' }, { header: 'Way', field: null }, { header: 'Lots', field: 'quantity' }, { header: 'At', field: 'price' }],
}
const columns = [['When', '2026-02-13 15:00'], ['What', 'US 500'], ['Way', 'B'], ['Lots', '1'], ['At', '6000']].map(([header = '', cell = '']) => ({ header, cells: [cell], values: header === 'Way' ? ['B', 'S'] : null }))

const open = async () => {
  const onClose = vi.fn()
  const { asked, ...drawn } = await draw(<FormatContext value={createFormat('en', 'UTC')}><Mapping upload={{ id: 'up', name: 'Broker.csv' }} zone="UTC" likely={[]} disabled={false} onZone={() => undefined} onClose={onClose} /></FormatContext>, {
    namespaces: ['import', 'ui'],
    session: somebody,
    answers: {
      [importRoutes.inspectFile.path]: () => ({ json: { columns, format: guess, saved: false } }),
      [importRoutes.tryFormat.path]: (body) => {
        const { format } = body as BodyGiven<typeof importRoutes.tryFormat>
        const isKnown = format.symbols.length > 0
        return { json: { file: { problem: null, openDate: null, accepted: isKnown ? 2 : 0, refused: isKnown ? 0 : 2, refusedLines: [] }, rows: [], symbols: isKnown ? [] : ['US 500'] } }
      },
      [importRoutes.saveImportFormat.path]: () => ({ json: { success: true } }),
    },
  })
  await screen.findByLabelText('Format name')
  const bodies = (path: string): { format: ImportFormat }[] => asked.flatMap((one) => (one.path === path ? [one.body as { format: ImportFormat }] : []))
  return { ...drawn, onClose, tried: () => bodies(importRoutes.tryFormat.path), saved: () => bodies(importRoutes.saveImportFormat.path) }
}

const choose = async (user: Awaited<ReturnType<typeof open>>['user'], field: string, option: string): Promise<void> => {
  screen.getByRole('combobox', { name: field }).focus()
  await user.keyboard('{Enter}')
  await user.click(await screen.findByRole('option', { name: option }))
}
const save = (): HTMLButtonElement => screen.getByRole('button', { name: 'Save format and read file' })

test('what is still needed shows while columns are chosen, each choice is tried, and the format is saved with its name trimmed', async () => {
  const { user, onClose, tried, saved } = await open()
  expect([screen.queryByText('Still needed') !== null, save().disabled, tried()]).toEqual([true, true, []])
  await choose(user, 'What Way holds', 'Side')
  expect(screen.queryByText('Still needed')).toBeNull()
  await vi.waitFor(() => { expect(tried().at(-1)?.format.columns[2]).toEqual({ header: 'Way', field: 'side' }) })
  // Words of the side that the program knows are chosen already.
  expect(tried().at(-1)?.format.sides).toEqual([{ word: 'b', side: 'buy' }, { word: 's', side: 'sell' }])
  await choose(user, '“b”', 'Sell')
  await user.type(await screen.findByLabelText('US 500'), ' MESU6 {Enter}')
  expect(await screen.findByText('2 rows can be read.')).toBeTruthy()
  expect(saved()).toEqual([])
  await choose(user, 'Date order', 'Month first (6/10/2026)')
  fireEvent.change(screen.getByLabelText('Format name'), { target: { value: '  ' } })
  await vi.waitFor(() => { expect([screen.getByRole('alert').textContent, save().disabled]).toEqual(['Enter a name.', true]) })
  // A format without a name is tried all the same.
  await vi.waitFor(() => { expect(tried().at(-1)?.format.name).toBe('-') })
  fireEvent.change(screen.getByLabelText('Format name'), { target: { value: ' My broker ' } })
  await vi.waitFor(() => { expect([screen.queryByRole('alert'), save().disabled]).toEqual([null, false]) })
  await user.click(save())
  await vi.waitFor(() => { expect(onClose).toHaveBeenCalledOnce() })
  expect(saved()).toMatchObject([{ format: { ...guess, name: 'My broker', columns: [{}, {}, { field: 'side' }, {}, {}], sides: [{ word: 's', side: 'sell' }, { word: 'b', side: 'sell' }], symbols: [{ symbol: 'US 500', contract: 'MESU6' }], dates: 'mdy' } }])
})

test('rows of another kind keep only the columns that they may have', async () => {
  const { user, tried } = await open()
  await user.click(screen.getByRole('radio', { name: 'A closed trade' }))
  expect(screen.getByRole('combobox', { name: 'What When holds' }).textContent).toBe('Not read')
  expect(screen.getByRole('combobox', { name: 'What Lots holds' }).textContent).toBe('Quantity')
  expect([screen.queryByText('Still needed') !== null, tried()]).toEqual([true, []])
})
