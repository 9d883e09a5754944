import { waitReason, type LedgerCopy, type LedgerRow, type WaitReason } from '#shared/api/copier.ts'

/** The copies of one event in sum: how many were due, how many filled, how many were simulated, and the longest time to the wire in ms. */
export type LedgerSummary = { readonly copies: number; readonly done: number; readonly dryRun: number; readonly under: number; readonly notSent: number; readonly failed: number; readonly slowestMs: number | null }

const done: readonly LedgerCopy['status'][] = ['filled', 'dry-run']
const failed: readonly LedgerCopy['status'][] = ['rejected', 'cancelled', 'unknown', 'never-arrived', 'part-filled']

/** Counts an event's copies by result. */
export const summaryOf = ({ copies }: Pick<LedgerRow, 'copies'>): LedgerSummary => {
  const count = (statuses: readonly LedgerCopy['status'][]): number => copies.filter(({ status }) => statuses.includes(status)).length
  const ways = copies.flatMap(({ times: { toWire } }) => (toWire === null ? [] : [toWire]))
  return { copies: copies.length, done: count(done), dryRun: count(['dry-run']), under: count(['written', 'sent', 'acknowledged']), notSent: count(['not-sent']), failed: count(failed), slowestMs: ways.length === 0 ? null : Math.max(...ways) }
}

/** How to display a copy's status: done, in progress, left out, or needs attention. */
export const weightOf = (status: LedgerCopy['status']): 'done' | 'under' | 'left-out' | 'trouble' =>
  done.includes(status) ? 'done' : status === 'not-sent' ? 'left-out' : failed.includes(status) ? 'trouble' : 'under'

const pastReasons = new Map(Object.entries({
  'in-step': 'in-step',
  'with-next-fill': 'with-next-fill',
  'not-listed': 'not-listed',
  penalty: 'pause',
  captcha: 'pause',
  'permission-missing': 'permission-missing',
  'login-needed': 'login-ended',
  'no-tokens': 'login-ended',
  'session-pushed-out': 'not-taken',
  'refused-by-broker': 'not-taken',
  'unreadable-answer': 'not-taken',
  'not-found': 'not-taken',
  'wrong-host': 'not-taken',
  renewing: 'not-taken',
  unreachable: 'not-taken',
  aborted: 'not-taken',
} as const))

/** Why a copy was left out or rejected, if only the ledger has words for it; null for other reasons and for the broker's words. */
export const pastReason = (why: string): (typeof pastReasons extends Map<string, infer R> ? R : never) | null => pastReasons.get(why) ?? null

/** A reason that the screen has words for; null for the broker's words. */
export const knownReason = (why: string): WaitReason | null => waitReason.options.find((reason) => reason === why) ?? null

/** The largest of some figures, at least `least`: the value of a full-width bar. */
export const fullWidth = (figures: readonly number[], least = 1): number => figures.reduce((most, figure) => Math.max(most, Math.abs(figure)), least)
