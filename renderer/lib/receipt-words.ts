import type { SyncReceipt } from '#shared/api/sync.ts'

/** One part of a receipt in words, with its count. */
export type ReceiptPart = { readonly key: 'fills' | 'no-fills' | 'changed-fills' | 'pairs' | 'trades' | 'accounts' | 'accounts-of' | 'refused'; readonly count: number; readonly platform?: string }

/** Whether a receipt names its platforms: not where all is Tradovate's, over which NinjaTrader accounts come too. */
export const namesPlatforms = ({ platforms = [] }: SyncReceipt): boolean => platforms.some(({ platform }) => !isOverTradovate(platform))

/** Whether a platform's logins come by consent at Tradovate, and have account history to fetch. */
export const isOverTradovate = (platform: string | undefined): boolean => platform === undefined || platform === 'Tradovate'

/** The parts of a receipt, in display order; leaves out what did not happen, but says if nothing was new. */
export const receiptParts = (receipt: SyncReceipt): ReceiptPart[] => {
  const parts: ReceiptPart[] = [
    { key: receipt.fills.added > 0 ? 'fills' : 'no-fills', count: receipt.fills.added },
    { key: 'changed-fills', count: receipt.fills.changed },
    { key: 'pairs', count: receipt.pairs.added },
    { key: 'trades', count: receipt.trades.added },
    ...(namesPlatforms(receipt) ? (receipt.platforms ?? []).map(({ platform, accounts }) => ({ key: 'accounts-of' as const, count: accounts, platform })) : [{ key: 'accounts' as const, count: receipt.accounts }]),
    { key: 'refused', count: receipt.refusedTotal },
  ]
  return parts.filter((part) => part.count > 0 || part.key === 'no-fills')
}
