import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BookedPayoutsCard } from './booked-payouts-card.tsx'

test('a withdrawal that the broker booked is entered as a payout with one click, and no longer offered then', async () => {
  let payouts = [{ account: 'tradovate:live:1', name: 'PA-1', firm: 'Topstep', date: '2026-01-06', amount: '1500.00', currency: 'USD' }]
  const { user, asked, container } = await draw(<FormatContext value={createFormat('en', 'UTC')}><BookedPayoutsCard /></FormatContext>, {
    namespaces: ['operational'],
    session: somebody,
    answers: {
      [journalRoutes.bookedPayouts.path]: () => ({ json: { payouts } }),
      [recordRoutes.addFinance.path]: (body) => {
        payouts = []
        return { json: { success: true, finance: (body as { finance: object }).finance } }
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Add the payout of $1,500.00 from PA-1' }))
  await waitFor(() => { expect(container.textContent).toBe('') })
  expect(asked.filter(({ path }) => path === recordRoutes.addFinance.path).map(({ body }) => body)).toMatchObject([{ finance: { type: 'earning', category: 'payout', amount: 1500, currency: 'USD', date: '2026-01-06', firm: 'Topstep', account: 'tradovate:live:1', name: 'Payout' } }])
})
