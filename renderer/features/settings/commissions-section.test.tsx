import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { CommissionsSection } from './commissions-section.tsx'

const open = async () => {
  const program: { refuses: boolean; answers: Promise<unknown> } = { refuses: false, answers: Promise.resolve() }
  const { asked, ...drawn } = await draw(<FormatContext value={createFormat('en', 'UTC')}><CommissionsSection /></FormatContext>, {
    namespaces: ['settings', 'problems', 'ui'],
    session: somebody,
    answers: {
      [statisticsRoutes.filterChoices.path]: () => ({ json: { accounts: [], symbols: [], tags: [] } }),
      [ownDataRoutes.commissions.path]: async (body) => {
        if (body === null) return { json: { own: [], table: [] } }
        await program.answers
        return program.refuses ? { status: 400, json: { success: false, code: 'invalid-request', error: 'invalid-request' } } : { json: { success: true, pairs: 0 } }
      },
    },
  })
  const form = within(await screen.findByRole('form', { name: 'Add product' }))
  return {
    ...drawn,
    program,
    sent: () => asked.flatMap(({ path, body }) => (path === ownDataRoutes.setCommission.path && body !== null ? [body] : [])),
    product: form.getByLabelText('Another product') as HTMLInputElement,
    rate: form.getByLabelText('Commission rate') as HTMLInputElement,
    add: form.getByRole('button', { name: 'Add' }),
    alerts: (): (string | null)[] => form.queryAllByRole('alert').map(({ textContent }) => textContent),
  }
}

const enter = (field: HTMLInputElement, value: string): void => { fireEvent.change(field, { target: { value } }) }

test('a rate of another product is added once both fields fit, and leaves them empty', async () => {
  const { user, program, sent, product, rate, add, alerts } = await open()
  program.refuses = true
  await user.click(add)
  await vi.waitFor(() => { expect(alerts()).toEqual(['Enter a product, like MES.', 'This field is required.']) })
  expect(document.activeElement).toBe(add)
  enter(product, 'xyz')
  enter(rate, '0.12345')
  await vi.waitFor(() => { expect([product.value, alerts()]).toEqual(['XYZ', ['Enter at most four decimals.']]) })
  enter(rate, '-1')
  await vi.waitFor(() => { expect(alerts()).toEqual(['Enter a number from 0, with a point, like 0.37.']) })
  enter(rate, '.5')
  await vi.waitFor(() => { expect(alerts()).toEqual([]) })
  await user.click(add)
  await vi.waitFor(() => { expect(alerts()[0]).toContain('A field in this form is not valid.') })
  expect([product.value, rate.value]).toEqual(['XYZ', '.5'])
  program.refuses = false
  await user.click(add)
  await vi.waitFor(() => { expect([product.value, rate.value, alerts()]).toEqual(['', '', []]) })
  expect(sent()).toMatchObject([{ product: 'XYZ', perSide: '0.5' }, { product: 'XYZ', perSide: '0.5' }])
})

test('what is typed while a rate is being added stays', async () => {
  const { user, program, sent, product, rate, add } = await open()
  enter(product, 'xyz')
  enter(rate, '.5')
  const answer = Promise.withResolvers<null>()
  program.answers = answer.promise
  await user.click(add)
  await vi.waitFor(() => { expect(sent()).toHaveLength(1) })
  enter(product, 'abc')
  answer.resolve(null)
  await vi.waitFor(() => { expect(add.getAttribute('aria-busy')).toBeNull() })
  expect([product.value, rate.value]).toEqual(['ABC', '.5'])
  await user.click(add)
  await vi.waitFor(() => { expect([product.value, rate.value]).toEqual(['', '']) })
  expect(sent()).toMatchObject([{ product: 'XYZ', perSide: '0.5' }, { product: 'ABC', perSide: '0.5' }])
})
