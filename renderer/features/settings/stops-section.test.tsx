import { apiQuery } from '#renderer/lib/api.ts'
import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { ownDataRoutes, type OwnDefaultStop } from '#shared/api/own-data.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { StopsSection } from './stops-section.tsx'

const { defaultStops } = ownDataRoutes
type Sent = { readonly stops: readonly { readonly product: string; readonly distance: string | null; readonly unit: OwnDefaultStop['unit'] }[] }

const open = async () => {
  const kept: { stops: OwnDefaultStop[]; traded: string[]; refuses: boolean; answers: Promise<unknown> } = { stops: [{ product: 'MES', distance: '12', unit: 'ticks' }, { product: 'NQ', distance: '10', unit: 'points' }], traded: ['CL', 'MES'], refuses: false, answers: Promise.resolve() }
  const { asked, ...drawn } = await draw(<FormatContext value={createFormat('en', 'UTC')}><StopsSection /></FormatContext>, {
    namespaces: ['settings', 'ui'],
    session: somebody,
    answers: {
      [statisticsRoutes.filterChoices.path]: () => ({ json: { accounts: [], symbols: kept.traded, tags: [] } }),
      [defaultStops.path]: async (body) => {
        if (body === null) return { json: { stops: kept.stops } }
        await kept.answers
        if (kept.refuses) return { status: 400, json: { success: false, code: 'invalid-request', error: 'invalid-request' } }
        for (const { product, distance, unit } of (body as Sent).stops) kept.stops = [...kept.stops.filter((stop) => stop.product !== product), ...(distance === null ? [] : [{ product, distance, unit }])]
        return { json: { success: true } }
      },
    },
  })
  await screen.findByLabelText('Stop distance for MES')
  return {
    ...drawn,
    kept,
    sent: () => asked.flatMap(({ path, body }) => (path === defaultStops.path && body !== null ? [(body as Sent).stops] : [])),
    readAgain: () => act(() => drawn.client.invalidateQueries({ predicate: ({ queryKey }) => [apiQuery(defaultStops).queryKey[0], apiQuery(statisticsRoutes.filterChoices).queryKey[0]].includes(queryKey[0] as never) })),
  }
}

const field = (product: string) => screen.getByLabelText(`Stop distance for ${product}`)
const valueOf = (product: string): string => (field(product) as HTMLInputElement).value
const enter = (product: string, value: string): void => { fireEvent.change(field(product), { target: { value } }) }
const button = (name: string): HTMLButtonElement => screen.getByRole('button', { name })
const rows = (): string[] => screen.getAllByRole('row').slice(1).map((row) => within(row).getAllByRole('cell')[0]?.textContent ?? '')
const status = (): string => screen.getByRole('status').textContent ?? ''

test('a distance that is none shows at once and keeps all from being saved; what was changed is sent together', async () => {
  const { user, sent } = await open()
  expect([rows(), button('Save').disabled, button('Discard').disabled, status()]).toEqual([['CL', 'MES', 'NQ'], true, true, ''])
  enter('MES', '0')
  await vi.waitFor(() => { expect(screen.getByRole('alert').textContent).toBe('Enter a number above zero, like 12.') })
  expect([field('MES').getAttribute('aria-invalid'), button('Save').disabled, status()]).toEqual(['true', true, 'A distance above is not valid.'])
  enter('MES', ' 14 ')
  enter('NQ', '')
  enter('CL', '8')
  await user.click(within(screen.getByRole('radiogroup', { name: 'Stop unit for CL' })).getByRole('radio', { name: 'Points' }))
  await vi.waitFor(() => { expect([screen.queryAllByRole('alert'), status()]).toEqual([[], '3 products changed.']) })
  expect([rows(), screen.getByText('17.50 USD per contract')]).toEqual([['CLnot saved', 'MESnot saved', 'NQnot saved'], expect.anything()])
  await user.type(field('CL'), '{Enter}')
  await vi.waitFor(() => { expect(status()).toBe('3 products saved.') })
  expect(sent()).toEqual([[{ product: 'CL', distance: '8', unit: 'points' }, { product: 'MES', distance: '14', unit: 'ticks' }, { product: 'NQ', distance: null, unit: 'points' }]])
  // The form takes the saved values when the journal was read again.
  await vi.waitFor(() => { expect([valueOf('MES'), rows(), button('Save').disabled, button('Discard').disabled]).toEqual(['14', ['CL', 'MES'], true, true]) })
  enter('MES', '15')
  await vi.waitFor(() => { expect(status()).toBe('1 product changed.') })
})

test('discarded, every row has what is saved; a refused save keeps what was typed and says why', async () => {
  const { user, kept } = await open()
  await user.click(within(screen.getByRole('radiogroup', { name: 'Stop unit for MES' })).getByRole('radio', { name: 'Points' }))
  await vi.waitFor(() => { expect(status()).toBe('1 product changed.') })
  kept.refuses = true
  await user.click(button('Save'))
  expect((await screen.findByRole('alert')).textContent).toContain('A field in this form is not valid.')
  expect(rows()).toEqual(['CL', 'MESnot saved', 'NQ'])
  await user.click(button('Discard'))
  expect([rows(), status(), screen.queryAllByRole('alert'), button('Discard').disabled]).toEqual([['CL', 'MES', 'NQ'], '', [], true])
  expect(within(screen.getByRole('radiogroup', { name: 'Stop unit for MES' })).getByRole('radio', { name: 'Ticks' }).getAttribute('aria-checked')).toBe('true')
})

test('pasted stops are rows to save, and replace what was typed', async () => {
  const { user, sent } = await open()
  enter('MES', '20')
  await user.click(button('Set several'))
  fireEvent.change(screen.getByLabelText('Product, distance, unit'), { target: { value: 'MES 3p\nZB 9 ticks' } })
  await user.click(button('Add to table'))
  await vi.waitFor(() => { expect([rows(), valueOf('MES'), valueOf('ZB')]).toEqual([['CL', 'MESnot saved', 'NQ', 'ZBnot saved'], '3', '9']) })
  await user.click(button('Save'))
  await vi.waitFor(() => { expect(status()).toBe('2 products saved.') })
  expect(sent()).toEqual([[{ product: 'MES', distance: '3', unit: 'points' }, { product: 'ZB', distance: '9', unit: 'ticks' }]])
})

test('what is typed stays with its product while stops are saved elsewhere and products come', async () => {
  const { user, kept, readAgain } = await open()
  enter('MES', '20')
  kept.stops = [{ product: 'MES', distance: '13', unit: 'ticks' }, { product: 'NQ', distance: '11', unit: 'points' }]
  kept.traded = ['BTC.P', 'CL', 'MES']
  await readAgain()
  await vi.waitFor(() => { expect([[...rows()].sort(), valueOf('NQ')]).toEqual([['BTC.P', 'CL', 'MESnot saved', 'NQ'], '11']) })
  expect([valueOf('MES'), valueOf('BTC.P')]).toEqual(['20', ''])
  enter('BTC.P', '5')
  await vi.waitFor(() => { expect(status()).toBe('2 products changed.') })
  await user.click(button('Discard'))
  expect([rows(), valueOf('MES'), valueOf('BTC.P')]).toEqual([['BTC.P', 'CL', 'MES', 'NQ'], '13', ''])
})

test('what is typed while stops are being saved stays, and is not saved', async () => {
  const { user, kept, sent } = await open()
  enter('CL', '8')
  enter('MES', ' 14 ')
  await vi.waitFor(() => { expect(status()).toBe('2 products changed.') })
  const answer = Promise.withResolvers<null>()
  kept.answers = answer.promise
  await user.click(button('Save'))
  await vi.waitFor(() => { expect(sent()).toHaveLength(1) })
  enter('MES', '15')
  enter('NQ', '11')
  // As it was before it was sent.
  enter('CL', '')
  expect(button('Save').getAttribute('aria-busy')).toBe('true')
  answer.resolve(null)
  await vi.waitFor(() => { expect([status(), rows()]).toEqual(['3 products changed.', ['CLnot saved', 'MESnot saved', 'NQnot saved']]) })
  expect([['CL', 'MES', 'NQ'].map(valueOf), kept.stops.length, button('Discard').disabled]).toEqual([['', '15', '11'], 3, false])
  await user.click(button('Save'))
  await vi.waitFor(() => { expect(status()).toBe('3 products saved.') })
  expect(sent()[1]).toEqual([{ product: 'CL', distance: null, unit: 'ticks' }, { product: 'MES', distance: '15', unit: 'ticks' }, { product: 'NQ', distance: '11', unit: 'points' }])
})

test('a refused save says why where something was typed meanwhile too', async () => {
  const { user, kept, sent } = await open()
  enter('MES', '14')
  await vi.waitFor(() => { expect(status()).toBe('1 product changed.') })
  const answer = Promise.withResolvers<null>()
  Object.assign(kept, { answers: answer.promise, refuses: true })
  await user.click(button('Save'))
  await vi.waitFor(() => { expect(sent()).toHaveLength(1) })
  enter('NQ', '11')
  answer.resolve(null)
  expect((await screen.findByRole('alert')).textContent).toContain('A field in this form is not valid.')
  expect([status(), valueOf('MES'), valueOf('NQ')]).toEqual(['2 products changed.', '14', '11'])
  enter('NQ', '12')
  expect(screen.queryAllByRole('alert')).toEqual([])
})
