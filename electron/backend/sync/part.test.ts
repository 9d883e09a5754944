// @module-tag slow
import { expect, test } from 'vitest'
import { err, ok } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { BrokeragePart, PartAsk } from '../brokers/port.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { emptyTally, runPart } from './part.ts'

const account = 'ninjatrader:live:A' as AccountKey
const now = Date.UTC(2026, 2, 2, 17)

test('hundreds of thousands of positions are kept as evidence from the first one on', async () => {
  const kept: { readonly from: number; readonly positions: readonly unknown[] }[] = []
  const write = { saveAccounts: () => Promise.resolve({ skipped: [] }), settleImports: () => Promise.resolve(), saveEvidence: (evidence: (typeof kept)[number]) => Promise.resolve(void kept.push(evidence)) }
  const read = { accountsOfLogin: () => Promise.resolve([]), fillsOfSession: () => Promise.resolve([]), heldFacts: () => Promise.resolve([]), knownFills: () => Promise.resolve([]) }
  const journal = { read, write } as unknown as JournalCalls
  const count = 200_000
  const positions = Array.from({ length: count }, (_, index) => ({ account, contract: 'MNQH6', time: now - index * 1000, net: index % 2 }))
  const part: BrokeragePart = {
    accounts: () => Promise.resolve(ok([{ key: account, environment: 'live', brokerAccountId: 'A', name: 'A', closed: false }])),
    balances: () => Promise.resolve(ok([])),
    session: () =>
      Promise.resolve(ok({
        fills: [], specs: [], asked: [], received: 0, refused: [], positions: [{ account, from: now, to: now, positions }], contracts: [],
        askedAt: now, answered: new Set<string>(), refusedOf: new Set<AccountKey>(), refusedOfAny: false, tradeDate: '2026-03-02', feesSettled: false,
        books: { positions: [], pairs: [], isWhole: false, pairsRead: false, moving: false },
      })),
  }
  const tally = emptyTally()
  await runPart({ userId: 'user', loginId: 'login', environment: 'live', journal, trigger: 'manual', connectedAt: undefined, now: () => now, progress: () => undefined, barrier: () => undefined, signal: new AbortController().signal }, { part: () => part }, tally)
  expect(tally).toMatchObject({ finished: true, failures: [] })
  expect(kept.map(({ from, positions: { length } }) => [from, length])).toEqual([[now - (count - 1) * 1000, count]])
})

test('a brokerage is given the known accounts of its environment, and apart from them those of the other', async () => {
  const rows = (['live', 'demo'] as const).map((environment) => ({ key: `projectx:${environment}:1`, environment, brokerAccountId: environment }))
  const journal = { read: { accountsOfLogin: () => Promise.resolve(rows) }, write: {} } as unknown as JournalCalls
  const given = async (environment: 'live' | 'demo') => {
    let known: PartAsk['known'] | null = null
    const part = { accounts: () => Promise.resolve(err({ kind: 'unreachable', reason: 'network' })) } as unknown as BrokeragePart
    const setup = { userId: 'user', loginId: 'login', environment, journal, trigger: 'manual', connectedAt: undefined, now: () => now, progress: () => undefined, barrier: () => undefined, signal: new AbortController().signal } as const
    await runPart(setup, { part: (ask) => { known = ask.known; return part } }, emptyTally())
    const { accounts, accountsOfOtherSide } = known as unknown as PartAsk['known']
    return [(await accounts()).map(({ brokerAccountId }) => brokerAccountId), (await accountsOfOtherSide()).map(({ brokerAccountId }) => brokerAccountId)]
  }
  expect([await given('live'), await given('demo')]).toEqual([[['live'], ['demo']], [['demo'], ['live']]])
})
