import { expect, test } from 'vitest'
import { missedSessions } from './use-gaps.ts'

const gap = (accountId: string, tradingDay: string, from: string) => ({ accountId, accountName: `Name ${accountId}`, tradingDay, from, to: `${tradingDay}T22:00:00Z` })

test('accounts that missed the same stretch of a session stand together, others apart, in the order given', () => {
  const sessions = missedSessions([
    gap('a', '2026-02-13', '2026-02-13T15:10:05Z'),
    gap('b', '2026-02-13', '2026-02-13T15:10:48Z'),
    gap('c', '2026-02-13', '2026-02-12T23:00:00Z'),
    gap('a', '2026-02-12', '2026-02-11T23:00:00Z'),
  ])
  expect(sessions.map(({ tradingDay, from, accounts }) => [tradingDay, from, ...accounts.map(({ id }) => id)])).toEqual([
    ['2026-02-13', '2026-02-13T15:10:05Z', 'a', 'b'],
    ['2026-02-13', '2026-02-12T23:00:00Z', 'c'],
    ['2026-02-12', '2026-02-11T23:00:00Z', 'a'],
  ])
})
