import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { chartLimitRoutes, type ChartLimits } from '#shared/api/chart-limits.ts'
import type { TradeChart } from '#shared/api/prices.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import { sessionOf } from '#shared/market/session.ts'
import type { ReplayTape } from '#shared/prices/replay-tape.ts'
import { noRules } from '#shared/rules/terms.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { expect, test } from 'vitest'
import { ReplayLimitFigures } from './replay-limit-figures.tsx'
import { useReplayLimits } from './use-replay-limits.ts'

// A session of one moment, in which 400.00 are lost already and nothing is held.
const tradingDay = '2026-11-24'
const at = sessionOf(tradingDay).opens + 3_600_000
const limits: ChartLimits = { set: noRules('USD'), tradingDay, past: { days: 0, profit: 0, highestClose: 0, highest: 0, maxLoss: null, dailyLoss: null }, booked: [{ from: at - 2, at: at - 1, gross: -4_000_000, net: -4_000_000, apart: false }], moves: [], differs: false }
const facts: Partial<TradeChart> = { fills: [], others: [], tickValue: { num: 125_000, den: 1 } }
const tape: Partial<ReplayTape> = { priceOf: () => ({ at: at * 1000, price: 28_000 }) as never }
const Shown = () => <ReplayLimitFigures shown={useReplayLimits({ id: 't', account: 'mine', facts: facts as TradeChart, tape: tape as ReplayTape, length: 1, step: 0 })} />

const drawn = (states: readonly object[] | null, { account = 'mine', currency = 'USD' } = {}) =>
  draw(<FormatContext value={createFormat('en', 'UTC')}><Shown /></FormatContext>, {
    namespaces: ['trade-chart'],
    session: somebody,
    answers: {
      [`${chartLimitRoutes.chartLimits.path}?id=t`]: () => ({ json: { limits } }),
      [ruleRoutes.rules.path]: () => ({ json: { accounts: [], standings: [{ account, currency, states }] } }),
    },
  })

test('a replay holds the broker’s daily limit as it is now, and says that nobody knows where its floor was', async () => {
  const { findByText, getByText } = await drawn([{ rule: 'daily-loss', by: 'broker', limit: '1000.00', beside: null }, { rule: 'max-loss', by: 'broker', beside: null }])
  expect((await findByText('by the broker')).parentElement?.textContent).toBe('600.00by the broker')
  getByText('The broker’s limit; its past level is unknown')
})

test('it takes the broker’s daily limit from beside a nearer one of the user’s', async () => {
  const { findByText } = await drawn([{ rule: 'daily-loss', by: 'rules', limit: '500.00', beside: { limit: '900.00', left: '500.00' } }])
  await findByText('500.00')
})

test('without a loss limit of the broker, a replay says that none is set', async () => {
  const states = [[null], [[{ rule: 'contracts', by: 'broker', limit: '3', beside: null }]], [[{ rule: 'profit-target', by: 'rules', limit: '3000.00', beside: null }]], [[{ rule: 'max-loss', by: 'broker', beside: null }], { account: 'other' }], [[{ rule: 'daily-loss', by: 'broker', limit: '1000.00', beside: null }], { currency: 'EUR' }]] as const
  for (const [given, where] of states) {
    const { findByText, unmount } = await drawn(given, where)
    expect((await findByText(/^None/)).textContent).toBe('None set for this account')
    unmount()
  }
})
