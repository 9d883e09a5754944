import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { PointsSection } from './points-section.tsx'

test('a point value that is none shows when it is saved, each field until it is corrected, and what is read is sent', async () => {
  const { user, asked } = await draw(<FormatContext value={createFormat('en', 'UTC')}><PointsSection /></FormatContext>, {
    namespaces: ['settings', 'ui'],
    session: somebody,
    answers: { [ownDataRoutes.pointValues.path]: (body) => (body === null ? { json: { products: [{ product: 'XYZ', contracts: ['XYZM6'], trades: 2, pointValue: null }] } } : { json: { success: true, pairs: 2 } }) },
  })
  await screen.findByRole('form', { name: 'XYZ' })
  const enter = (label: string, value: string): void => { fireEvent.change(screen.getByLabelText(label), { target: { value } }) }
  const alerts = (): (string | null)[] => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
  enter('Currency', 'u')
  expect([alerts(), (screen.getByLabelText('Currency') as HTMLInputElement).value]).toEqual([[], 'U'])
  const save = screen.getByRole('button', { name: 'Save' })
  await user.click(save)
  await vi.waitFor(() => { expect(alerts()).toEqual(['Enter a number above zero, like 12.', 'Enter a currency, like USD.']) })
  expect(document.activeElement).toBe(save)
  enter('Currency', 'eur')
  await vi.waitFor(() => { expect(alerts()).toEqual(['Enter a number above zero, like 12.']) })
  enter('Point value', ' 12.5 ')
  await vi.waitFor(() => { expect(alerts()).toEqual([]) })
  await user.click(save)
  await screen.findByText('2 fill pairs recomputed.')
  expect(asked.flatMap(({ path, body }) => (path === ownDataRoutes.setPointValue.path && body !== null ? [body] : []))).toEqual([{ product: 'XYZ', pointValue: { amount: '12.5', currency: 'EUR' } }])
})
