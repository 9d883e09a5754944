import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import type { Trip } from '#shared/api/records.ts'
import { everyTrade } from '#shared/stats/filter.ts'

/** The way to a trade in the TradeLogbook: its contract and side in its account on its trading day. */
export const tradeLink = ({ tradingDay, accountId, account, symbol, side }: Pick<Trip, 'tradingDay' | 'accountId' | 'account' | 'symbol' | 'side'>): string => {
  const filter = { ...everyTrade, from: tradingDay, to: tradingDay, accounts: accountId === '' ? [] : [accountId], account: accountId === '' ? account : '', symbols: [symbol], sides: [side] }
  return `${paths.tradeLogbook}${searchOf(filter, 'trips')}`
}
