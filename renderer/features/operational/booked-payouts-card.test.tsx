import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { OperationalPage } from './operational-page.tsx'

test('a withdrawal that the broker booked opens a filled-in entry, and nothing is added before it is saved, with the amount as changed', async () => {
  const booked = (date: string) => ({ account: 'tradovate:live:1', name: 'PA-1', firm: 'Topstep', date, amount: '1500.00', currency: 'USD' })
  let payouts = [booked('2026-01-06'), booked('2026-01-02')]
  const { user, asked } = await draw(<FormatContext value={createFormat('en', 'UTC')}><OperationalPage /></FormatContext>, {
    namespaces: ['operational', 'statistics', 'ui'],
    session: somebody,
    answers: {
      [`${recordRoutes.getFinances.path}?userId=u`]: () => ({ json: { success: true, finances: [] } }),
      [journalRoutes.bookedPayouts.path]: () => ({ json: { payouts } }),
      [recordRoutes.addFinance.path]: (body) => {
        payouts = payouts.slice(1)
        return { json: { success: true, finance: (body as { finance: object }).finance } }
      },
    },
  })
  const sent = () => asked.filter(({ path }) => path === recordRoutes.addFinance.path).map(({ body }) => body)
  const [first] = await screen.findAllByRole('button', { name: 'Add the payout of $1,500.00 from PA-1' })
  first?.focus()
  await user.keyboard('{Enter}')
  await user.keyboard('{Escape}')
  await waitFor(() => { expect(document.activeElement).toBe(first) })
  await user.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'New entry' }))
  const amount = dialog.getByLabelText('Amount')
  expect([amount, dialog.getByLabelText('Date')].map((field) => (field as HTMLInputElement).value)).toEqual(['1500.00', '2026-01-06'])
  expect(document.getElementById(amount.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Before the firm’s share. Change it to what you received.')
  await user.clear(amount)
  await user.type(amount, '1350')
  expect(sent()).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Add earning' }))
  await waitFor(() => { expect(screen.queryByRole('dialog')).toBeNull() })
  expect(sent()).toMatchObject([{ finance: { type: 'earning', category: 'payout', amount: 1350, currency: 'USD', date: '2026-01-06', firm: 'Topstep', account: 'tradovate:live:1', name: '' } }])
  expect(screen.getAllByRole('button', { name: /^Add the payout/ })).toHaveLength(1)
  await waitFor(() => { expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Withdrawals not entered yet' })) })
})
