import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { expect, test } from 'vitest'
import { AccountsCard } from './accounts-card.tsx'

const standing = (account: string, stage: string) => ({ account, name: account.toUpperCase(), stage, balance: 5_000, currency: 'USD', states: null, passed: null, firm: null, dayNet: null, from: 'journal', at: null, nearest: null })
const finance = (id: string, firm: string | null) => ({ id, userId: 'u', type: 'Funded Account', amount: 0, date: '2026-02-13', name: id, balance: 5_000, currency: 'USD', platform: 'Tradovate', firm, category: 'other', account: null, note: '' })

test('an account of own money says so, whatever it is stored as; one that a firm funds says Funded', async () => {
  const { findByRole, getByRole } = await draw(<FormatContext value={createFormat('en', 'UTC')}><AccountsCard expected={3} /></FormatContext>, {
    namespaces: ['rules'],
    session: somebody,
    answers: {
      [ruleRoutes.rules.path]: () => ({ json: { accounts: [], standings: [standing('own', 'funded'), standing('firm', 'funded'), standing('moved', 'breached')] } }),
      [`${recordRoutes.getFinances.path}?userId=u`]: () => ({ json: { success: true, finances: [finance('own', null), finance('firm', 'Tradeify'), finance('moved', null)] } }),
    },
  })
  expect(await findByRole('link', { name: /Own account/ })).toBe(getByRole('link', { name: /^OWN/ }))
  for (const name of [/^FIRM.*Funded/, /^MOVED.*Breached/]) expect(getByRole('link', { name })).toBeDefined()
})
