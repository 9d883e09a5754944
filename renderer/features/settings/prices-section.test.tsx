import { apiQuery } from '#renderer/lib/api.ts'
import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { priceRoutes } from '#shared/api/prices.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { PricesSection } from './prices-section.tsx'

type Limit = { megabytes: number | null; days: number | null }

const open = async () => {
  const kept: { limit: Limit; answers: Promise<unknown> } = { limit: { megabytes: 500, days: null }, answers: Promise.resolve() }
  const { asked, ...drawn } = await draw(<FormatContext value={createFormat('en', 'UTC')}><PricesSection /></FormatContext>, {
    namespaces: ['prices', 'ui'],
    session: somebody,
    answers: {
      [priceRoutes.prices.path]: () => ({ json: { series: [], bytes: 0, limit: kept.limit } }),
      [priceRoutes.setPriceLimit.path]: async (body) => {
        await kept.answers
        kept.limit = body as Limit
        return { json: { success: true, freed: 0 } }
      },
    },
  })
  await screen.findByLabelText('Limit (MB)')
  return { ...drawn, kept, sent: () => asked.flatMap(({ path, body }) => (path === priceRoutes.setPriceLimit.path ? [body] : [])) }
}

const field = (label: string): HTMLInputElement => screen.getByLabelText(label)
const values = (): string[] => ['Limit (MB)', 'Keep for (days)'].map((label) => field(label).value)
const enter = (label: string, value: string): void => { fireEvent.change(field(label), { target: { value } }) }
const alerts = (): (string | null)[] => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
const save = (): HTMLButtonElement => screen.getByRole('button', { name: 'Save' })

test('limits that are none show at once and cannot be saved; an empty field is no limit', async () => {
  const { user, sent } = await open()
  expect([values(), save().disabled]).toEqual([['500', ''], true])
  enter('Limit (MB)', '1000001')
  enter('Keep for (days)', '0')
  await vi.waitFor(() => { expect([alerts(), save().disabled]).toEqual([['Enter a whole number from 1 to 1,000,000, or leave it empty.', 'Enter a whole number from 1 to 36,500, or leave it empty.'], true]) })
  enter('Limit (MB)', '')
  enter('Keep for (days)', ' 90 ')
  await vi.waitFor(() => { expect([alerts(), save().disabled]).toEqual([[], false]) })
  await user.click(save())
  await vi.waitFor(() => { expect([values(), save().disabled]).toEqual([['', '90'], true]) })
  expect(sent()).toEqual([{ megabytes: null, days: 90 }])
})

test('what is typed while a limit is being saved stays, and can be saved', async () => {
  const { user, kept, sent } = await open()
  enter('Limit (MB)', '600')
  await vi.waitFor(() => { expect(save().disabled).toBe(false) })
  const answer = Promise.withResolvers<null>()
  kept.answers = answer.promise
  await user.click(save())
  await vi.waitFor(() => { expect(sent()).toHaveLength(1) })
  // As it was before it was sent.
  enter('Limit (MB)', '500')
  enter('Keep for (days)', '9')
  answer.resolve(null)
  await vi.waitFor(() => { expect([kept.limit, save().disabled, save().getAttribute('aria-busy')]).toEqual([{ megabytes: 600, days: null }, false, null]) })
  expect(values()).toEqual(['500', '9'])
  enter('Keep for (days)', '90')
  await user.click(save())
  await vi.waitFor(() => { expect([values(), save().disabled]).toEqual([['500', '90'], true]) })
  expect(sent()[1]).toEqual({ megabytes: 500, days: 90 })
})

test('a limit that another window saves shows, and what is typed here stays', async () => {
  const { kept, client } = await open()
  const readAgain = () => act(() => client.invalidateQueries({ queryKey: [apiQuery(priceRoutes.prices).queryKey[0]] }))
  kept.limit = { megabytes: 700, days: null }
  await readAgain()
  await vi.waitFor(() => { expect([values(), save().disabled]).toEqual([['700', ''], true]) })
  enter('Keep for (days)', '9')
  kept.limit = { megabytes: 800, days: 30 }
  await readAgain()
  await vi.waitFor(() => { expect(values()).toEqual(['800', '9']) })
  await vi.waitFor(() => { expect(save().disabled).toBe(false) })
})
