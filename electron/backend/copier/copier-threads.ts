import { startLedgerThread, type LedgerThread } from './engine/ledger-thread.ts'
import { startCopierThread, withoutGroups, type CopierThread, type CopierThreadParts } from './engine/thread.ts'
import { lazily } from '../lazily.ts'
import { readyCopierFile } from './store/copier-store.ts'

/** The thread that copies, and the one that reads its ledger. */
export type CopierThreads = { readonly calls: CopierThread; readonly reads: LedgerThread; /** Ends both. */ readonly stop: () => Promise<void> }

/**
 * Makes the copier's file ready, and begins to copy at once where there are groups in it or orders that may still work, else with the first call that
 * needs it. Throws a StoreFault where the file can't be used. `now` is UTC ms; `broken` is told where the thread that copies dies.
 */
export const startCopierThreads = ({ settings, main, log, broken, now }: Required<CopierThreadParts> & { readonly now: () => number }): CopierThreads => {
  const { file } = settings
  const isNeeded = readyCopierFile({ ...settings, log })
  // Without it nobody sees the ledger, which is no reason to end a program that copies: its failure is in the log.
  const ledger = lazily(() => startLedgerThread({ file, log }))
  const copier = lazily(() => {
    // It keeps short the log of the file that the other one writes.
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
