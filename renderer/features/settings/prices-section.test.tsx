import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { priceRoutes } from '#shared/api/prices.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { PricesSection } from './prices-section.tsx'

test('limits that are none show at once and cannot be saved; an empty field is no limit', async () => {
  let limit: { megabytes: number | null; days: number | null } = { megabytes: 500, days: null }
  const { user, asked } = await draw(<FormatContext value={createFormat('en', 'UTC')}><PricesSection /></FormatContext>, {
    namespaces: ['prices', 'ui'],
    session: somebody,
    answers: {
      [priceRoutes.prices.path]: () => ({ json: { series: [], bytes: 0, limit } }),
      [priceRoutes.setPriceLimit.path]: (body) => {
        limit = body as typeof limit
        return { json: { success: true, freed: 0 } }
      },
    },
  })
  const field = (label: string): HTMLInputElement => screen.getByLabelText(label)
  const enter = (label: string, value: string): void => { fireEvent.change(field(label), { target: { value } }) }
  const alerts = (): (string | null)[] => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
  const save = (): HTMLButtonElement => screen.getByRole('button', { name: 'Save' })
  await screen.findByLabelText('Limit (MB)')
  expect([field('Limit (MB)').value, field('Keep for (days)').value, save().disabled]).toEqual(['500', '', true])
  enter('Limit (MB)', '1000001')
  enter('Keep for (days)', '0')
  await vi.waitFor(() => { expect([alerts(), save().disabled]).toEqual([['Enter a whole number from 1 to 1,000,000, or nothing.', 'Enter a whole number from 1 to 36,500, or nothing.'], true]) })
  enter('Limit (MB)', '')
  enter('Keep for (days)', ' 90 ')
  await vi.waitFor(() => { expect([alerts(), save().disabled]).toEqual([[], false]) })
  await user.click(save())
  await vi.waitFor(() => { expect([field('Limit (MB)').value, field('Keep for (days)').value, save().disabled]).toEqual(['', '90', true]) })
  expect(asked.flatMap(({ path, body }) => (path === priceRoutes.setPriceLimit.path ? [body] : []))).toEqual([{ megabytes: null, days: 90 }])
})
