import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { expect, test } from 'vitest'
import { AccountsCard } from './accounts-card.tsx'

const standing = (account: string, stage: string, firm: string | null = null) => ({ account, name: account.toUpperCase(), stage, balance: 5_000, currency: 'USD', states: null, passed: null, firm, dayNet: null, dayNetOf: '2026-02-13', from: 'journal', at: null, nearest: null })

test('an account of own money says so, whatever it is stored as; one that a firm funds says Funded', async () => {
  const { findByRole, getByRole } = await draw(<FormatContext value={createFormat('en', 'UTC')}><AccountsCard expected={3} /></FormatContext>, {
    namespaces: ['rules'],
    session: somebody,
    answers: {
      [ruleRoutes.rules.path]: () => ({ json: { accounts: [], standings: [standing('own', 'funded'), standing('firm', 'funded', 'Tradeify'), standing('moved', 'breached')] } }),
    },
  })
  expect(await findByRole('link', { name: /Own account/ })).toBe(getByRole('link', { name: /^OWN/ }))
  for (const name of [/^FIRM.*Funded/, /^MOVED.*Breached/]) expect(getByRole('link', { name })).toBeDefined()
})
