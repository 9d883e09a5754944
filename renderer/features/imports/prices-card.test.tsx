import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { priceRoutes, type PricePreviewShown } from '#shared/api/prices.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { PricesCard } from './prices-card.tsx'

const name = 'MNQ 12-26.Last.txt'
const id = '6f1c1d1e-0b5e-4d5c-9a53-0b8d0f3b6a11'
const file = { key: '1', file: new File([''], name), upload: { id, name, prices: true }, failure: null }
const way = (zone: string, inside: number) => ({ zone, label: 'end' as const, scale: 0, inside, of: 40 })
const preview: PricePreviewShown = {
  name, format: 'ninjatrader-minutes', grain: 60_000_000, problem: null, needsContract: false, rows: 300, choice: null, choices: [way('UTC', 40), way('America/Chicago', 12)],
  contracts: [{ contract: 'MNQZ6', from: '2026-10-05T14:00:00.000Z', to: '2026-10-09T19:00:00.000Z', entries: 300, known: false }],
  bad: [{ problem: 'off-tick', count: 2, line: 17 }],
}

/** The card over a program that takes what is chosen for an answer. */
const open = async (shown: PricePreviewShown) => {
  const stored: unknown[] = []
  const drawn = await draw(<FormatContext value={createFormat('en', 'UTC')}><PricesCard files={[file]} zone="UTC" /></FormatContext>, {
    namespaces: ['prices'],
    session: somebody,
    answers: {
      [priceRoutes.previewPrices.path]: (body) => {
        const [{ choice = null, contract = null } = {}] = (body as { uploads: { choice: { zone: string } | null; contract: string | null }[] }).uploads
        return { json: { files: [{ ...shown, needsContract: shown.needsContract && contract === null, choice: shown.choice ?? shown.choices.find(({ zone }) => zone === choice?.zone) ?? null }] } }
      },
      [priceRoutes.importPrices.path]: (body) => {
        stored.push((body as { uploads: unknown[] }).uploads)
        return { json: { success: true, files: [{ name, problem: null, contracts: [{ contract: 'MNQZ6', added: 298, known: 0 }], bad: [], freed: [] }] } }
      },
    },
  })
  await waitFor(() => { drawn.getByText('300') })
  return { ...drawn, stored, store: () => drawn.getByRole('button', { name: 'Store prices' }) as HTMLButtonElement }
}

test('says contract, days, and detail, asks which way the fills fit, and stores with what was chosen', async () => {
  const { user, getByText, getByRole, findByText, stored, store } = await open(preview)
  expect(getByText('MNQZ6,').parentElement?.textContent.replaceAll(/\s/g, ' ')).toBe('MNQZ6, Oct 5, 14:00 – Oct 9, 19:00, 1-minute bars')
  getByText('2 rows with a price off the tick, the first on line 17')
  expect(store().disabled).toBe(true)
  await user.click(getByRole('combobox', { name: `Time format of ${name}` }))
  await user.click(getByRole('option', { name: 'UTC · 40 of 40 fills inside' }))
  await waitFor(() => { expect(store().disabled).toBe(false) })
  await user.click(store())
  await findByText('MNQZ6: 298 stored, 0 already there.')
  expect(stored).toEqual([[{ id, name, contract: null, choice: way('UTC', 40) }]])
})

test('asks for the only way of reading that holds some fills, too, before it stores', async () => {
  const { user, getByRole, store } = await open({ ...preview, choices: [way('UTC', 12)] })
  expect(store().disabled).toBe(true)
  await user.click(getByRole('combobox', { name: `Time format of ${name}` }))
  await user.click(getByRole('option', { name: 'UTC · 12 of 40 fills inside' }))
  await waitFor(() => { expect(store().disabled).toBe(false) })
})

test('asks for a contract that nothing names', async () => {
  const { user, getByRole, store } = await open({ ...preview, needsContract: true, choice: way('UTC', 40), choices: [way('UTC', 40)] })
  expect(store().disabled).toBe(true)
  await user.type(getByRole('textbox', { name: `Contract of ${name}` }), 'mnqz6{Enter}')
  await waitFor(() => { expect(store().disabled).toBe(false) })
})

test('has nothing to store of a file that is stored already, or refused', async () => {
  const known = await open({ ...preview, choice: way('UTC', 40), choices: [way('UTC', 40)], contracts: preview.contracts.map((one) => ({ ...one, known: true })) })
  known.getByText('· already stored')
  expect(known.store().disabled).toBe(true)
})
