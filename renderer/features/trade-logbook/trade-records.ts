import type { NewTrade, Trade } from '#shared/api/records.ts'
import { shownOf, type ReadDraft } from './draft.ts'
import type { UserFields } from './user-fields.ts'

/** A trade as it is sent in order to be added: what the program works out is left to it. */
export const newTradeOf = (trade: Trade): NewTrade => ({
  id: trade.id,
  symbol: trade.symbol,
  account: trade.account,
  accountId: trade.accountId,
  side: trade.side,
  qty: trade.qty,
  entryPrice: trade.entryPrice,
  exitPrice: trade.exitPrice,
  entryTime: trade.entryTime,
  exitTime: trade.exitTime,
  platform: trade.platform,
  notes: trade.notes,
  tags: trade.tags,
  stop: trade.stop,
  screenshot: trade.screenshot,
  screenshotHeadline: trade.screenshotHeadline,
  screenshot2: trade.screenshot2,
  screenshot2Headline: trade.screenshot2Headline,
  ...(trade.drawings === undefined ? {} : { drawings: trade.drawings }),
  ...(trade.feeSource === 'entered' ? { commission: trade.commission } : {}),
})

/** A new trade as the screen shows it until the journal answers; null while something in its form is wrong. */
export const draftedTrade = (id: string, userId: string, { trade, preview }: ReadDraft, fields: UserFields | null, zone: string): Trade | null => {
  if (trade === null || preview === null || fields === null) return null
  const empty = { platform: '', tripId: null, origin: 'manual' } as const
  return { ...empty, ...fields, ...(shownOf(trade, preview, zone) as Trade), id, userId }
}
