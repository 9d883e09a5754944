import { parentPort, workerData } from 'node:worker_threads'
import { openLedger, type Ledger } from '../store/open-ledger.ts'
import { answerCalls } from '../../sync/port-calls.ts'
import type { LedgerCalls, LedgerStart } from './ledger-thread.ts'

if (parentPort === null) throw new Error('This file is the body of a thread')
const port = parentPort
const { file } = workerData as LedgerStart

let opened: Ledger | null = null
// The copier makes the file; before that there is nothing to tell.
const ledger = (): Ledger | null => (opened ??= openLedger(file))

const tending = setInterval(() => {
  try {
    ledger()?.tend()
  } catch {
    // A log that stays long is no harm, and whoever asks next hears of a file that can't be read.
  }
}, 1_000)

const calls: LedgerCalls = {
  ledger: (input) => ledger()?.ledger(input) ?? { rows: [], more: false },
  figures: (input) => ledger()?.figures(input) ?? [],
  csv: (input) => ledger()?.csv(input) ?? { text: '', next: null },
  stop: () => {
    clearInterval(tending)
    opened?.close()
    // The answer leaves first.
    setImmediate(() => port.close())
  },
}
answerCalls(port, calls)
