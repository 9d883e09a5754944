import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { syncRoutes, type SyncReceipt } from '#shared/api/sync.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { expect, test } from 'vitest'
import { LastRunCard } from './last-run-card.tsx'

const none = { added: 0, changed: 0, removed: 0 }
const receipt: SyncReceipt = {
  runId: 'r', trigger: 'manual', startedAt: '2026-02-13T20:00:00Z', endedAt: '2026-02-13T20:00:02Z', outcome: 'partial', logins: 2, accounts: 3, batches: 0, outbox: 0,
  fills: { received: 0, added: 0, changed: 0, unchanged: 0, refused: 0 }, pairs: none, trades: none, refused: [], refusedTotal: 0,
  platforms: [{ platform: 'Tradovate', accounts: 2 }, { platform: 'TopstepX', accounts: 1 }],
  holdings: [{ accountId: 'topstepx:demo:8734', accountName: 'COMBINE-1', contract: 'NQH6', kind: 'carried', broker: 3, ours: 2 }],
  troubles: [
    { loginId: 'a', loginName: 'ava.morgan', platform: 'Tradovate', environment: 'demo', code: 'permission-missing', detail: null, retryAfterMs: null },
    { loginId: 'b', loginName: 'trader.one', platform: 'TopstepX', environment: 'live', code: 'refused-by-broker', detail: 'no-api-subscription', retryAfterMs: null },
  ],
}

test('each broker is named, and the text for one with a key mentions neither a consent nor account history', async () => {
  const { findByText, getByText, queryByRole } = await draw(<FormatContext value={createFormat('en', 'UTC')}><LastRunCard onFetchHistory={() => undefined} /></FormatContext>, {
    namespaces: ['sync'], session: somebody,
    answers: { [syncRoutes.syncState.path]: () => ({ json: { running: null, last: receipt, lastGoodAt: null, nextAt: null } }) },
  })
  await findByText(/2 Tradovate accounts · 1 TopstepX account/)
  expect(getByText('trader.one at TopstepX, live:').parentElement?.textContent).toBe('trader.one at TopstepX, live: The API subscription at TopstepX has ended. Renew it there, then sync again.')
  expect(getByText('ava.morgan at Tradovate, simulated:').parentElement?.textContent).toContain('Your consent does not cover this.')
  expect(getByText('COMBINE-1, NQH6:').parentElement?.textContent).toContain('TopstepX opened the session with a position of 3')
  expect(queryByRole('button', { name: 'Fetch history' })).toBeNull()
})
