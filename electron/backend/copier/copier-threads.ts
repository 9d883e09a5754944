import type { Log } from '#shared/base/log.ts'
import { startCopierThread, withoutGroups, type CopierThread, type CopierThreadDeps } from './engine/thread.ts'
import { readyCopierFile } from './store/copier-store.ts'
import type { LedgerReads } from './store/rows.ts'
import { lazyThread, startThread, type Thread } from '../threads/start-thread.ts'
import type { LedgerData } from './engine/ledger-worker.ts'

/** The copier thread and the ledger thread. */
export type CopierThreads = { readonly calls: CopierThread; readonly reads: LedgerThread; /** Ends both. */ readonly stop: () => Promise<void> }

/**
 * Prepares the copier's file and starts copying, at once if it has groups or orders that may still work, otherwise with the first call that needs the
 * thread. Throws a StoreFault if the file cannot be used. `now` is UTC ms; `broken` is called when the copier thread dies.
 */
export const startCopierThreads = ({ settings, main, log, broken, now }: Required<CopierThreadDeps> & { readonly now: () => number }): CopierThreads => {
  const { file } = settings
  const isNeeded = readyCopierFile({ ...settings, log })
  // Without this thread nobody can read the ledger; that must not stop copying, and its failure is logged.
  const ledger = lazyThread(() => startLedgerThread({ file, log }))
  const copier = lazyThread(() => {
    // It checkpoints the WAL that the copier thread writes.
    ledger.begin()
    return startCopierThread({ settings, main, log, broken })
  }, withoutGroups(now))
  if (isNeeded) copier.begin()
  return {
    calls: copier.calls,
    reads: ledger.calls,
    stop: async () => {
      await copier.calls.stop()
      await ledger.calls.stop()
    },
  }
}

/** Reads the ledger on a thread of its own, on a connection that cannot write. */
type LedgerThread = Thread<LedgerReads>['calls']

/** Starts it. It also checkpoints the copier file's WAL, so that the copier need not: end it after the copier. */
export const startLedgerThread = ({ file, log }: LedgerData & { readonly log: Log }): LedgerThread => {
  const { calls, watch } = startThread<LedgerReads>(new URL('./engine/ledger-worker.ts', import.meta.url), { name: 'ledger', data: { file } satisfies LedgerData })
  watch(log, () => undefined)
  return calls
}
