import { z } from 'zod'
import { copierAlert, copierLive } from './copier.ts'
import { identifier, moment } from './fields.ts'
import { loginHistory } from './history.ts'
import { importProgress } from './imports.ts'
import { journalFileProgress } from './journal-file.ts'
import { mirrorState } from './mirror-state.ts'
import { positionsLive } from './positions.ts'
import { fetchProgress } from './price-fetch.ts'
import { narrative } from './reports.ts'
import type { Route } from './route.ts'
import { ruleAlert } from './rules.ts'

/** The steps of one run, in order. */
export const syncPhase = z.enum(['tokens', 'accounts', 'balances', 'fills', 'contracts', 'saving', 'done'])
export type SyncPhase = z.infer<typeof syncPhase>

/** Progress of a run. `done` of `total` counts the phase's items; `overall` is from 0 to 1 and never decreases. */
export const syncProgress = z.object({
  runId: identifier,
  phase: syncPhase,
  done: z.number().int().nonnegative(),
  total: z.number().int().nonnegative(),
  overall: z.number().min(0).max(1),
})
export type SyncProgress = z.infer<typeof syncProgress>

/** A broker's row that was rejected, and why. */
export const refusedRow = z.object({ entity: z.string(), id: z.string(), account: z.string().nullable(), reason: z.string() })
export type RefusedRow = z.infer<typeof refusedRow>

/**
 * A contract of an account whose fills differ from the broker's own books. `carried`: the session began with another
 * position; `carried-from-pairs`: with the same, but its opening fills are known only from the broker's pairs;
 * `fills-missing`: the broker counts more contracts traded; `position-differs`: another position; `pairs-differ`: other
 * fill pairs. `broker` and `ours` are contracts, of `pairs-differ` fill pairs.
 */
export const holdingDifference = z.object({
  accountId: identifier,
  accountName: z.string(),
  contract: z.string(),
  kind: z.enum(['carried', 'carried-from-pairs', 'fills-missing', 'position-differs', 'pairs-differ']),
  broker: z.number().int(),
  ours: z.number().int(),
})
export type HoldingDifference = z.infer<typeof holdingDifference>

/** What stopped one login's part of a run. */
export const syncTrouble = z.object({
  loginId: identifier,
  loginName: z.string(),
  /** The login's platform; missing in receipts of earlier versions. */
  platform: z.string().optional(),
  environment: z.enum(['live', 'demo']).nullable(),
  /** `stopped`: the program exited first. `internal`: a bug, with details in the log. */
  code: z.enum(['login-needed', 'unreachable', 'rate-limited', 'penalty', 'captcha', 'session-pushed-out', 'permission-missing', 'wrong-host', 'unreadable-answer', 'refused-by-broker', 'database-missing', 'database-unreadable', 'database-changing', 'database-unknown-shape', 'database-account-missing', 'stopped', 'internal']),
  /** The broker's text, if it sent one. */
  detail: z.string().nullable(),
  retryAfterMs: z.number().int().nonnegative().nullable(),
})
export type SyncTrouble = z.infer<typeof syncTrouble>

/** The result of one run: every count can be checked against the journal. */
export const syncReceipt = z.object({
  runId: identifier,
  /** `fill`: Fillbook synced one login because it had a new fill. */
  trigger: z.enum(['manual', 'connect', 'schedule', 'daily', 'fill']),
  startedAt: moment,
  endedAt: moment,
  /** `complete`: all logins; `partial`: some rows or logins were left out, or the broker's books differ, each listed; `failed`: nothing could be fetched. */
  outcome: z.enum(['complete', 'partial', 'failed']),
  logins: z.number().int(),
  accounts: z.number().int(),
  /** The platforms of these logins, with their accounts; missing in receipts of earlier versions. */
  platforms: z.array(z.object({ platform: z.string(), accounts: z.number().int() })).optional(),
  fills: z.object({ received: z.number().int(), added: z.number().int(), changed: z.number().int(), unchanged: z.number().int(), refused: z.number().int() }),
  batches: z.number().int(),
  pairs: z.object({ added: z.number().int(), changed: z.number().int(), removed: z.number().int() }),
  trades: z.object({ added: z.number().int(), changed: z.number().int(), removed: z.number().int() }),
  outbox: z.number().int(),
  /** The first rejected rows, at most 200. */
  refused: z.array(refusedRow),
  /** The number of rejected rows. */
  refusedTotal: z.number().int(),
  /** Differences between the journal and the broker's own positions and fill pairs. */
  holdings: z.array(holdingDifference),
  troubles: z.array(syncTrouble),
})
export type SyncReceipt = z.infer<typeof syncReceipt>

/** Sync Trades and its past runs. */
export const syncRoutes = {
  /** Starts a run or joins the current one: two never overlap. Its end is pushed as `sync-ended`. */
  syncNow: { method: 'POST', path: '/api/sync', answer: z.object({ runId: identifier, joined: z.boolean() }) },
  syncState: {
    method: 'GET',
    path: '/api/sync',
    answer: z.object({
      running: syncProgress.nullable(),
      last: syncReceipt.nullable(),
      lastGoodAt: moment.nullable(),
      /** The schedule's next run; null if nothing is connected, or the plan does not include syncs. */
      nextAt: moment.nullable(),
    }),
  },
  receipts: { method: 'GET', path: '/api/sync/receipts', answer: z.object({ receipts: z.array(syncReceipt) }) },
} as const satisfies Record<string, Route>

/** The outcome with which the payment provider's pages redirect back. */
export const paymentOutcome = z.enum(['success', 'cancelled', 'changed'])

/** A browser returned from the payment provider for this user; `sessionId` proves nothing until it is verified. */
const cameBack = z.object({ type: z.literal('came-back'), to: z.enum(['checkout', 'portal']), payment: paymentOutcome.nullable(), sessionId: identifier.nullable() })
export type ReturnedAccount = z.infer<typeof cameBack>

/** The server-sent events that the backend pushes to open pages, named by `type`. */
export const pushed = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sync-progress'), progress: syncProgress }),
  z.object({ type: z.literal('sync-ended'), receipt: syncReceipt }),
  z.object({ type: z.literal('journal-changed') }),
  z.object({ type: z.literal('finances-changed') }),
  /** Stored prices changed, or the excursions that were computed from them. */
  z.object({ type: z.literal('prices-changed') }),
  /** Null once the fetch has ended. */
  z.object({ type: z.literal('price-fetch'), progress: fetchProgress.nullable() }),
  z.object({ type: z.literal('mirror-changed'), mirror: mirrorState }),
  /** `ended` once the work is over, whatever its result. */
  z.object({ type: z.literal('import-progress'), progress: importProgress, ended: z.boolean() }),
  z.object({ type: z.literal('journal-file-progress'), progress: journalFileProgress }),
  z.object({ type: z.literal('history-changed'), login: loginHistory }),
  cameBack,
  /** At most four times a second. */
  z.object({ type: z.literal('copier'), live: copierLive }),
  /** Once per trouble, when it begins. */
  z.object({ type: z.literal('copier-alert'), alert: copierAlert }),
  /** Groups changed, or the user consented: everything that `copier` answers except `live` may have changed. */
  z.object({ type: z.literal('copier-changed') }),
  /** At most five times a second, while a page shows positions. */
  z.object({ type: z.literal('positions'), live: positionsLive }),
  /** The answer of `rules` changed: rules, stages or their status. */
  z.object({ type: z.literal('rules-changed') }),
  z.object({ type: z.literal('rule-alert'), alert: ruleAlert }),
  /** The answer of `reports` changed: reports or their settings. */
  z.object({ type: z.literal('reports-changed') }),
  /** The report's current narrative; at most five times a second, and once per state change. */
  z.object({ type: z.literal('report-narrative'), reportId: identifier, narrative }),
  z.object({ type: z.literal('signed-out') }),
])
export type Pushed = z.infer<typeof pushed>

/** The stream of pushed events; not a call with an answer. */
export const eventsPath = '/api/events'
