import { expect, test } from 'vitest'
import { isOpen, planTable } from '#tests/helpers/plan-table.ts'
import { copyAccounts } from './copy-accounts.ts'
import { plans } from './plan.ts'

const now = Date.UTC(2026, 10, 2, 15)

test.each(planTable(now).map((row) => [row.name, row] as const))('as many accounts as the plan that holds has, and none where the copier is closed: %s', (_, row) => {
  const { role, asked, details } = row
  const type = asked.kind === 'found' ? asked.subscription.subscriptionType : undefined
  const wanted = role.admin ? 50 : type === undefined ? 0 : plans[type].copyAccounts
  expect(copyAccounts({ role, asked, details, now })).toBe(isOpen(row, 'tradecopier') ? wanted : 0)
})
