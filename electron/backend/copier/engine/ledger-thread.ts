import { Worker } from 'node:worker_threads'
import type { Log } from '#shared/base/log.ts'
import type { LedgerReads } from '../store/rows.ts'
import type { Remote } from '../../journal/journal.ts'
import { callsOver } from '../../sync/port-calls.ts'

/** What the worker is given at its start: the copier's file, which need not be there yet. */
export type LedgerStart = { readonly file: string }

/** What the thread can be asked. */
export type LedgerCalls = LedgerReads & { readonly stop: (input: null) => void }

/** The names of the calls, as they cross. */
export const ledgerCalls = ['ledger', 'figures', 'csv', 'stop'] as const satisfies (keyof LedgerCalls)[]

/** Reads the ledger on a thread of its own, on a connection that cannot write. */
export type LedgerThread = Remote<LedgerReads> & { readonly stop: () => Promise<void> }

/** Starts it; `broken` is told where it dies. While it runs it also keeps the log of the copier's file short, so that the copier need not: end it after the copier. */
export const startLedgerThread = ({ file, log, broken = () => undefined }: LedgerStart & { readonly log: Log; readonly broken?: () => void }): LedgerThread => {
  const worker = new Worker(new URL('./ledger-worker.ts', import.meta.url), { name: 'ledger', workerData: { file } satisfies LedgerStart })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('error', (error) => {
    log.error({ error }, 'The ledger thread failed')
    broken()
  })
  const { ledger, figures, csv, stop } = callsOver<LedgerCalls>(worker, ledgerCalls)
  return {
    ...{ ledger, figures, csv },
    stop: async () => {
      await stop(null).catch(() => undefined)
      await exited
    },
  }
}
