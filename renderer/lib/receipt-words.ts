import type { SyncReceipt } from '#shared/api/sync.ts'

/** One thing that a receipt tells in words, with its count. */
export type ReceiptPart = { readonly key: 'fills' | 'no-fills' | 'changed-fills' | 'pairs' | 'trips' | 'accounts' | 'refused'; readonly count: number }

/** What a receipt tells, in the order in which it is said; what did not happen is left out, but that nothing came is said. */
export const receiptParts = (receipt: SyncReceipt): ReceiptPart[] => {
  const parts: ReceiptPart[] = [
    { key: receipt.fills.added > 0 ? 'fills' : 'no-fills', count: receipt.fills.added },
    { key: 'changed-fills', count: receipt.fills.changed },
    { key: 'pairs', count: receipt.pairs.added },
    { key: 'trips', count: receipt.trips.added },
    { key: 'accounts', count: receipt.accounts },
    { key: 'refused', count: receipt.refusedTotal },
  ]
  return parts.filter((part) => part.count > 0 || part.key === 'no-fills')
}
