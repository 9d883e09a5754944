import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import type { AccountStanding } from '#shared/api/rules.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { RulesNow } from './rules-account.tsx'

const open = (dayNetOf: string) => {
  const standing: AccountStanding = { account: 'one', name: 'ONE', firm: null, currency: 'USD', stage: 'evaluation', passed: null, states: [], balance: '50000.00', dayNet: '-120.00', dayNetOf, from: 'live', at: Date.now(), nearest: null }
  return draw(<FormatContext value={createFormat('en', 'UTC')}><RulesNow standing={standing} onSet={() => undefined} /></FormatContext>, { namespaces: ['rules', 'position-scanner', 'ui'], session: somebody })
}

test('what was realized is of today, or of the latest session with its day', async () => {
  await open(tradingDay(Date.now()))
  expect(screen.getByText('Realized today')).toBeTruthy()
})

test('the figures of a session that is over are not called today’s', async () => {
  await open('2026-01-09')
  expect(screen.getByText('Realized, latest session').parentElement?.textContent).toContain('Fri, Jan 9')
  expect(screen.queryByText('Realized today')).toBeNull()
})
