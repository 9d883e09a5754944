import type { Log } from '#shared/base/log.ts'
import type { LedgerReads } from '../store/rows.ts'
import { startThread, type Thread } from '../../threads/start-thread.ts'
import type { LedgerData } from './ledger-worker.ts'

/** Reads the ledger on a thread of its own, on a connection that cannot write. */
export type LedgerThread = Thread<LedgerReads>['calls']

/** Starts it; `broken` is told where it dies. While it runs it also keeps the log of the copier's file short, so that the copier need not: end it after the copier. */
export const startLedgerThread = ({ file, log, broken = () => undefined }: LedgerData & { readonly log: Log; readonly broken?: () => void }): LedgerThread => {
  const { calls, watch } = startThread<LedgerReads>(new URL('./ledger-worker.ts', import.meta.url), { name: 'ledger', data: { file } satisfies LedgerData })
  watch(log, broken)
  return calls
}
