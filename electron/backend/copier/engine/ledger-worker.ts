import type { LedgerReads } from '../store/rows.ts'
import { openLedger, type Ledger } from '../store/open-ledger.ts'
import { threadBody } from '../../threads/thread-body.ts'

/** The start data of the ledger's thread: the copier's file, which may not exist yet. */
export type LedgerData = { readonly file: string }

const { data, serve } = threadBody<LedgerData>()

let opened: Ledger | null = null
// The copier creates the file; before that the ledger is empty.
const ledger = (): Ledger | null => (opened ??= openLedger(data.file))

const tending = setInterval(() => {
  try {
    ledger()?.tend()
  } catch {
    // A long WAL does no harm, and the next call reports an unreadable file.
  }
}, 1_000)

const reads: LedgerReads = {
  ledger: (input) => ledger()?.ledger(input) ?? { rows: [], more: false },
  figures: (input) => ledger()?.figures(input) ?? [],
  dryRun: (input) => ledger()?.dryRun(input) ?? { days: [], total: { orders: 0, contracts: 0, money: [] }, open: [], assumed: 0, unpriced: 0, feesFrom: { own: [], account: [], related: [], table: [], unknown: [] } },
  csv: (input) => ledger()?.csv(input) ?? { text: '', next: null },
}

serve({
  ...reads,
  stop: () => {
    clearInterval(tending)
    opened?.close()
  },
})
