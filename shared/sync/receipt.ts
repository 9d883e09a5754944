import type { HoldingDifference, RefusedRow, SyncReceipt, SyncTrouble } from '#shared/api/sync.ts'
import type { SyncTrigger } from './plan.ts'

/** The counts of a receipt. */
export type SyncCounts = Pick<SyncReceipt, 'fills' | 'batches' | 'pairs' | 'trades' | 'outbox'>

/** Zero counts. */
export const noCounts: SyncCounts = {
  fills: { received: 0, added: 0, changed: 0, unchanged: 0, refused: 0 },
  batches: 0,
  pairs: { added: 0, changed: 0, removed: 0 },
  trades: { added: 0, changed: 0, removed: 0 },
  outbox: 0,
}

/** The sum of two counts. */
export const addCounts = (a: SyncCounts, b: SyncCounts): SyncCounts => ({
  fills: addEach(a.fills, b.fills),
  batches: a.batches + b.batches,
  pairs: addEach(a.pairs, b.pairs),
  trades: addEach(a.trades, b.trades),
  outbox: a.outbox + b.outbox,
})

const addEach = <K extends string>(a: Readonly<Record<K, number>>, b: Readonly<Record<K, number>>): Record<K, number> => {
  const total: Record<K, number> = { ...a }
  for (const key of Object.keys(b) as K[]) total[key] += b[key]
  return total
}

/** A receipt lists this many rejected rows and counts the others: a broken answer can have thousands. */
export const refusedRowsKept = 200

/** Everything known about a finished run; the two times are ISO 8601. */
export type RunFacts = {
  readonly runId: string
  readonly trigger: SyncTrigger
  readonly startedAt: string
  readonly endedAt: string
  readonly logins: number
  readonly accounts: number
  readonly platforms?: SyncReceipt['platforms']
  readonly counts: SyncCounts
  readonly refused: readonly RefusedRow[]
  readonly holdings: readonly HoldingDifference[]
  readonly troubles: readonly SyncTrouble[]
  /** Parts of the run that finished. */
  readonly finishedParts: number
}

/** The receipt of a run: `failed` if no part finished, `partial` if anything was left out or differs from the broker's books. */
export const receiptOf = ({ counts, finishedParts, ...facts }: RunFacts): SyncReceipt => ({
  ...facts,
  ...counts,
  refused: facts.refused.slice(0, refusedRowsKept),
  refusedTotal: facts.refused.length,
  holdings: [...facts.holdings],
  troubles: [...facts.troubles],
  outcome: facts.troubles.length + facts.refused.length + facts.holdings.length === 0 ? 'complete' : finishedParts === 0 && facts.troubles.length > 0 ? 'failed' : 'partial',
})

// These need the user: an early retry would not help.
const lasting: readonly SyncTrouble['code'][] = ['login-needed', 'permission-missing']

/** Whether the trouble that stopped a part may be gone at the next run. */
export const mayPass = ({ code }: Pick<SyncTrouble, 'code'>): boolean => !lasting.includes(code)

/** The definition of a good run: something was fetched, and an early retry would not fetch more. */
export const isGood = ({ outcome, troubles }: Pick<SyncReceipt, 'outcome' | 'troubles'>): boolean => outcome !== 'failed' && !troubles.some(mayPass)
