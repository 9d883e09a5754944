import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { chartLimitRoutes } from '#shared/api/chart-limits.ts'
import type { TradeChart } from '#shared/api/prices.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import type { ReplayTape } from '#shared/prices/replay-tape.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { expect, test } from 'vitest'
import { ReplayLimitFigures } from './replay-limit-figures.tsx'
import { useReplayLimits } from './use-replay-limits.ts'

// Neither is read where there are no limits.
const [facts, tape] = [{} as TradeChart, {} as ReplayTape]
const Shown = () => <ReplayLimitFigures shown={useReplayLimits({ id: 't', account: 'mine', facts, tape, length: 1, step: 0 })} />

const drawn = (states: readonly object[] | null, account = 'mine') =>
  draw(<FormatContext value={createFormat('en', 'UTC')}><Shown /></FormatContext>, {
    namespaces: ['trade-chart'],
    session: somebody,
    answers: {
      [`${chartLimitRoutes.chartLimits.path}?id=t`]: () => ({ json: { limits: null } }),
      [ruleRoutes.rules.path]: () => ({ json: { accounts: [], standings: [{ account, states }] } }),
    },
  })

test('where only the broker set loss limits, a replay says that it does not know them', async () => {
  const { findByText } = await drawn([{ rule: 'daily-loss', by: 'broker' }])
  await findByText('None of your own set; the broker’s limits are not replayed')
})

test('without a loss limit of the broker, a replay says that none is set', async () => {
  for (const [states, account] of [[null, 'mine'], [[{ rule: 'contracts', by: 'broker' }], 'mine'], [[{ rule: 'profit-target', by: 'rules' }], 'mine'], [[{ rule: 'max-loss', by: 'broker' }], 'other']] as const) {
    const { findByText, unmount } = await drawn(states, account)
    expect((await findByText(/^None/)).textContent).toBe('None set for this account')
    unmount()
  }
})
