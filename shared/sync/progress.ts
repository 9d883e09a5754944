import type { SyncPhase, SyncProgress } from '#shared/api/sync.ts'

/** The progress of one part of a run (a login on one side of the broker): `done` of `total` in its phase. */
export type PartProgress = { readonly phase: SyncPhase; readonly done: number; readonly total: number }

const phases: readonly { readonly phase: SyncPhase; readonly share: number }[] = [
  { phase: 'tokens', share: 5 },
  { phase: 'accounts', share: 10 },
  { phase: 'balances', share: 10 },
  { phase: 'fills', share: 25 },
  { phase: 'contracts', share: 10 },
  { phase: 'saving', share: 40 },
  { phase: 'done', share: 0 },
]

/** The start of every part. */
export const notStarted: PartProgress = { phase: 'tokens', done: 0, total: 1 }

/** The end of every part, whatever its outcome. */
export const ended: PartProgress = { phase: 'done', done: 1, total: 1 }

/**
 * The progress of a run with concurrent parts: the phase of the slowest part, the items done in that phase over
 * all parts, and a total from 0 to 1 that is never below `before`.
 */
export const overallProgress = (runId: string, parts: readonly PartProgress[], before: number): SyncProgress => {
  const behind = parts.reduce((least, part) => (rank(part.phase) < rank(least.phase) ? part : least), parts[0] ?? ended)
  const same = parts.filter((part) => part.phase === behind.phase)
  const mean = parts.length === 0 ? 1 : sum(parts.map(partDone)) / parts.length
  return {
    runId,
    phase: behind.phase,
    done: sum(same.map((part) => part.done)),
    total: sum(same.map((part) => part.total)),
    overall: Math.min(1, Math.max(before, mean)),
  }
}

const rank = (phase: SyncPhase): number => phases.findIndex((entry) => entry.phase === phase)

const partDone = (part: PartProgress): number => {
  const at = rank(part.phase)
  const behind = sum(phases.slice(0, at).map((entry) => entry.share))
  const within = part.total > 0 ? Math.min(1, part.done / part.total) : 0
  return (behind + within * (phases[at]?.share ?? 0)) / 100
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
