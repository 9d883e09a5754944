import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { amountOf } from '#shared/money/money.ts'
import type { CountedTrade } from '#shared/stats/figures.ts'
import type { FilteredTrade } from '#shared/stats/match-filter.ts'
import { riskBy, type DefaultStop } from '#shared/stats/risk.ts'
import { rowsOf, user, type TestStore } from '#tests/helpers/store.ts'

/** A pair or a trade as a filter and the statistics look at it. */
export type PlainTrade = FilteredTrade & CountedTrade

type Row = Record<string, string & number>

/** All pairs and trades of a journal that are in view, computed from its bare rows in the plainest way. */
export const plainJournal = (store: TestStore): { readonly pairs: readonly PlainTrade[]; readonly trades: readonly PlainTrade[] } => {
  const own = (table: string): Row[] => (rowsOf(store, table) as Row[]).filter((row) => row['user_id'] === user.userId)
  const accounts = new Map(own('accounts').map((row) => [String(row['key']), row]))
  const edits = new Map(own('shown_notes').map((row) => [String(row['pair_id']), row]))
  const days = new Map(own('day_notes').map((row) => [String(row['trading_day']), listOf(row['tags'])]))
  const firms = new Map(own('finances').map((row) => [String(row['id']), row['firm'] ?? null]))
  const defaults = new Map(own('default_stops').map((row): [string, DefaultStop] => [String(row['product']), { distance: String(row['distance']), unit: row['unit'] as unknown as 'ticks' }]))
  const riskOf = riskBy(defaults)
  const orders = new Set(own('copied_orders').map((row) => `${String(row['account'])} ${String(row['order_id'])}`))
  const opened = new Set(own('fills').filter((row) => orders.has(`${String(row['account'])} ${String(row['order_id'])}`)).map((row) => `${String(row['account'])}/${String(row['id'])}`))

  const isThere = (row: Row): boolean => (accounts.get(String(row['account_id']))?.['removed_at'] ?? null) === null
  const plainTrade = (row: Row, tags: readonly string[], risk: CountedTrade['risk']): PlainTrade => {
    const account = accounts.get(String(row['account_id']))
    const key = [row['account_id'], row['account'], ''].find((text) => text !== null && text !== undefined && String(text) !== '') ?? ''
    const leader = accounts.get(String(account?.['copy_of']))
    return {
      id: row['id'], date: row['date'], tradingDay: row['trading_day'], entryTime: row['entry_time'], exitTime: row['exit_time'], symbol: row['symbol'], currency: row['currency'],
      grossPnl: row['gross'], commission: row['commission'], netPnl: row['net'], side: row['side'],
      account: String(key), accountName: String(row['account'] ?? account?.['name'] ?? row['account_id']), firm: firms.get(String(key)) ?? null,
      tags: [...new Set([...tags, ...(days.get(String(row['trading_day'])) ?? [])])], isCopy: opened.has(String(row['id']).split('/').slice(0, 2).join('/')) || (leader !== undefined && leader['removed_at'] === null), risk, warnings: JSON.parse(String(row['warnings'])) as unknown[],
    } as unknown as PlainTrade
  }
  const pairRows = own('fill_pairs').filter((row) => isThere(row) && (edits.get(String(row['id']))?.['removed_at'] ?? null) === null)
  const pairOf = (row: Row): PlainTrade => {
    const edit = edits.get(String(row['id']))
    const entry = { symbol: String(row['symbol']), side: String(row['side']) as 'long' | 'short', price: row['entry_price'] as never, tickSize: String(row['tick_size']), qty: Number(row['qty']), stop: edit?.['stop'] ?? null }
    return plainTrade(row, listOf(edit?.['tags']), riskOf(entry, contractSpecOf(String(row['symbol']))))
  }
  const pairs = pairRows.map(pairOf)
  const tradeOf = (row: Row): PlainTrade => {
    const parts = pairRows.filter((pair) => (pair['trade_id'] ?? pair['id']) === row['id']).map(pairOf)
    const risks = parts.map(({ risk }) => risk ?? null)
    const risk = parts.length === 0 || risks.includes(null) ? null : amountOf(risks.reduce<number>((sum, one) => sum + Number(one), 0))
    return plainTrade(row, parts.flatMap(({ tags }) => tags), risk)
  }
  return { pairs, trades: own('counted_trades').filter(isThere).map(tradeOf) }
}

const listOf = (text: unknown): string[] => (typeof text === 'string' ? (JSON.parse(text) as string[]) : [])
