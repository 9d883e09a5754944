import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { apiQuery } from '#renderer/lib/api.ts'
import { PointsSection } from './points-section.tsx'

const open = async () => {
  const program: { pointValue: object | null; answers: Promise<unknown> } = { pointValue: null, answers: Promise.resolve() }
  const { asked, ...drawn } = await draw(<FormatContext value={createFormat('en', 'UTC')}><PointsSection /></FormatContext>, {
    namespaces: ['settings', 'ui'],
    session: somebody,
    answers: {
      [ownDataRoutes.pointValues.path]: async (body) => {
        if (body === null) return { json: { products: [{ product: 'XYZ', contracts: ['XYZM6'], pairs: 2, pointValue: program.pointValue }] } }
        await program.answers
        program.pointValue = (body as { pointValue: object | null }).pointValue
        return { json: { success: true, pairs: 2 } }
      },
    },
  })
  await screen.findByRole('form', { name: 'XYZ' })
  return { ...drawn, program, sent: () => asked.flatMap(({ path, body }) => (path === ownDataRoutes.setPointValue.path && body !== null ? [body] : [])) }
}

const field = (label: string): HTMLInputElement => screen.getByLabelText(label)
const enter = (label: string, value: string): void => { fireEvent.change(field(label), { target: { value } }) }
const alerts = (): (string | null)[] => screen.queryAllByRole('alert').map(({ textContent }) => textContent)

test('a point value that is none shows when it is saved, each field until it is corrected, and what is read is sent', async () => {
  const { user, sent } = await open()
  enter('Currency', 'u')
  expect([alerts(), field('Currency').value]).toEqual([[], 'U'])
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
  expect(sent()).toEqual([{ product: 'XYZ', pointValue: { amount: '12.5', currency: 'EUR' } }])
})

test('what is typed while a point value is being saved stays', async () => {
  const { user, program, sent } = await open()
  enter('Point value', '12.5')
  const answer = Promise.withResolvers<null>()
  program.answers = answer.promise
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => { expect(sent()).toHaveLength(1) })
  enter('Point value', '13')
  enter('Currency', 'eur')
  answer.resolve(null)
  await screen.findByText('2 fill pairs recomputed.')
  await screen.findByRole('button', { name: 'Remove' })
  expect([field('Point value').value, field('Currency').value]).toEqual(['13', 'EUR'])
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => { expect(sent()[1]).toEqual({ product: 'XYZ', pointValue: { amount: '13', currency: 'EUR' } }) })
})

test('fields are empty once a point value is removed, and follow another window unless they were changed here', async () => {
  const { user, program, client } = await open()
  enter('Point value', '12.5')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  await vi.waitFor(() => { expect([field('Point value').value, field('Currency').value]).toEqual(['', 'USD']) })
  const savedElsewhere = async (amount: string): Promise<void> => {
    program.pointValue = { amount, currency: 'EUR' }
    await act(() => client.invalidateQueries({ queryKey: apiQuery(ownDataRoutes.pointValues).queryKey }))
  }
  await savedElsewhere('5')
  await vi.waitFor(() => { expect([field('Point value').value, field('Currency').value]).toEqual(['5', 'EUR']) })
  enter('Currency', 'usd')
  await savedElsewhere('6')
  await vi.waitFor(() => { expect([field('Point value').value, field('Currency').value]).toEqual(['6', 'USD']) })
  enter('Point value', '7')
  enter('Currency', 'gbp')
  program.pointValue = null
  await act(() => client.invalidateQueries({ queryKey: apiQuery(ownDataRoutes.pointValues).queryKey }))
  await vi.waitFor(() => { expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull() })
  expect([field('Point value').value, field('Currency').value]).toEqual(['7', 'GBP'])
})
