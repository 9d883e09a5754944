import { sessionOf } from '../market/session.ts'
import { tradingDay } from '../market/trading-day.ts'
import { contractOfInstrument, isKnownDelivery } from './contract-code.ts'
import type { ExportKind } from './export-kind.ts'
import type { ExportRow, RefusedReading, TradingDays } from './reading.ts'
import { cellText, filledColumn, openRow, optionalAccountNumber, optionalId, optionalText, requiredContract, requiredDate, requiredMoney, requiredTime, requiredUtc, type OpenRow } from './row-cells.ts'

type Told = Pick<RefusedReading, 'account' | 'contract' | 'time' | 'fillIds' | 'orderId' | 'moved'> & { readonly closedAt?: number | null; readonly tradeDate?: string | null; /** The trading days that it may be of, where its columns differ. */ readonly between?: TradingDays | null }

/** What can be known of a refused row: that of its cells which can be read each by itself. `row` is null where not even its cells are known. */
export const refusedReading = (kind: ExportKind, line: number, row: ExportRow | null, zone: string): RefusedReading => {
  const { closedAt, tradeDate, between = null, ...told }: Told = row === null ? nothing : readers[kind](openRow(row, zone))
  const last = closedAt === undefined ? told.time : closedAt
  const days = between !== null ? between : typeof tradeDate === 'string' ? { from: tradeDate, to: tradeDate } : told.time === null || last === null ? null : { from: tradingDay(told.time), to: tradingDay(last) }
  return { says: 'refused', kind, line, ...told, ...(days === null ? {} : { days }), beside: [] }
}

const nothing: Told = { account: { id: null, name: null }, contract: null, time: null, fillIds: [], orderId: null }

/** What one cell says, or null where it cannot be read. */
const ifRead = <T>(row: OpenRow, read: (row: OpenRow) => T): T | null => {
  row.problem = null
  const value = read(row)
  const isRead = (row as { readonly problem: unknown }).problem === null
  return isRead ? value : null
}

const named = (row: OpenRow, name: string, id: string | null = null): Told['account'] => ({
  id: id === null ? null : ifRead(row, () => optionalAccountNumber(row, id)),
  name: ifRead(row, () => optionalText(row, name)),
})
/** The contract of a cell; null where it is none that is known, or none of the product beside it: it may be a cell of another column, and the row's contract any. */
const contractOf = (row: OpenRow, column: string): string | null => {
  const contract = ifRead(row, () => requiredContract(row, column))
  return contract !== null && isKnownDelivery(contractOfInstrument(contract)) && contract.startsWith(cellText(row, 'Product').toUpperCase()) ? contract : null
}
const dateOf = (row: OpenRow, column: string): string | null => ifRead(row, () => requiredDate(row, column))
const timeOf = (row: OpenRow, column: string): number | null => ifRead(row, () => requiredTime(row, column))
const idsOf = (row: OpenRow, ...columns: readonly string[]): readonly string[] => columns.flatMap((column) => ifRead(row, () => optionalId(row, column)) ?? [])
/** The id that two columns have; none where they differ: either may be the wrong one. */
const onlyOf = (ids: readonly string[]): readonly string[] => (new Set(ids).size === 1 ? ids.slice(0, 1) : [])
const later = (one: number | null, other: number | null): number | null => (one === null || other === null ? null : Math.max(one, other))
const earlier = (one: number | null, other: number | null): number | null => (one === null || other === null ? null : Math.min(one, other))

/** When a fill was, and the sessions that it may be of, where it is booked on another than that of its time: either may be wrong. */
const timesOf = (time: number | null, tradeDate: string | null): { readonly time: number | null; readonly between: TradingDays | null } => {
  const session = time === null ? tradeDate : tradingDay(time)
  if (tradeDate === null || session === null || tradeDate === session) return { time, between: session === null ? null : { from: session, to: session } }
  return tradeDate > session ? { time, between: { from: session, to: tradeDate } } : { time: sessionOf(tradeDate).opens, between: { from: tradeDate, to: session } }
}

const readers: Readonly<Record<ExportKind, (row: OpenRow) => Told>> = {
  performance: (row) => ({
    ...nothing,
    contract: contractOf(row, 'symbol'),
    time: earlier(timeOf(row, 'boughtTimestamp'), timeOf(row, 'soldTimestamp')),
    closedAt: later(timeOf(row, 'boughtTimestamp'), timeOf(row, 'soldTimestamp')),
    fillIds: idsOf(row, 'buyFillId', 'sellFillId'),
  }),
  'position-history': (row) => ({
    account: named(row, 'Account'),
    contract: contractOf(row, 'Contract'),
    time: earlier(timeOf(row, 'Bought Timestamp'), timeOf(row, 'Sold Timestamp')),
    between: timesOf(later(timeOf(row, 'Bought Timestamp'), timeOf(row, 'Sold Timestamp')), dateOf(row, 'Trade Date')).between,
    fillIds: idsOf(row, 'Buy Fill ID', 'Sell Fill ID'),
    orderId: null,
  }),
  fills: (row) => ({
    account: named(row, 'Account', '_accountId'),
    contract: contractOf(row, 'Contract'),
    ...timesOf(cellText(row, '_timestamp') === '' ? timeOf(row, 'Timestamp') : ifRead(row, () => requiredUtc(row, '_timestamp')), dateOf(row, '_tradeDate')),
    fillIds: onlyOf(idsOf(row, 'Fill ID', '_id')),
    orderId: onlyOf(idsOf(row, 'Order ID', '_orderId'))[0] ?? null,
  }),
  orders: (row) => ({ account: named(row, 'Account'), contract: contractOf(row, 'Contract'), time: timeOf(row, 'Fill Time'), fillIds: [], orderId: idsOf(row, filledColumn(row, ['orderId', 'Order ID']))[0] ?? null }),
  'cash-history': (row) => ({
    ...nothing,
    account: named(row, 'Account'),
    contract: contractOf(row, 'Contract'),
    time: timeOf(row, 'Timestamp'),
    fillIds: idsOf(row, 'Transaction ID'),
    tradeDate: dateOf(row, 'Date'),
    moved: { delta: ifRead(row, () => requiredMoney(row, 'Delta')), amount: ifRead(row, () => requiredMoney(row, 'Amount')) },
  }),
  'account-balance-history': (row) => ({ ...nothing, account: named(row, 'Account Name', 'Account ID'), tradeDate: dateOf(row, 'Trade Date') }),
  'ninjatrader-executions': (row) => {
    const contract = contractOf(row, 'Instrument')
    return {
      account: named(row, filledColumn(row, ['Account', 'Account display name'])),
      contract: contract === null ? null : contractOfInstrument(contract),
      time: timeOf(row, 'Time'),
      fillIds: idsOf(row, 'ID'),
      orderId: null,
    }
  },
}
