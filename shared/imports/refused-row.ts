import { sessionOf } from '../market/session.ts'
import { tradingDay } from '../market/trading-day.ts'
import { contractOfInstrument, datedReading, isKnownDelivery } from './contract-code.ts'
import { isPlatformKind, type ExportKind, type OwnKind } from './export-kind.ts'
import type { Platform } from './platforms/platform.ts'
import { platforms } from './platforms/platforms.ts'
import type { ExportRow, RefusedReading, TradingDays } from './reading.ts'
import { cellText, filledColumn, openRow, optionalAccountNumber, optionalId, optionalText, requiredContract, requiredDate, requiredMoney, requiredTime, requiredUtc, type OpenRow } from './row-cells.ts'

type ReadableParts = Pick<RefusedReading, 'account' | 'contract' | 'time' | 'fillIds' | 'orderId' | 'moved'> & { readonly closedAt?: number | null; readonly tradeDate?: string | null; /** The trading days it may belong to, if its columns differ. */ readonly between?: TradingDays | null }

/** The readable parts of a rejected row, cell by cell. `row` is null if not even its cells are known. */
export const refusedReading = (kind: ExportKind, line: number, row: ExportRow | null, zone: string): RefusedReading => {
  const { closedAt, tradeDate, between = null, ...readable }: ReadableParts = row === null ? nothing : isPlatformKind(kind) ? ofPlatform(platforms[kind], openRow(row, zone)) : readers[kind](openRow(row, zone))
  const last = closedAt === undefined ? readable.time : closedAt
  const days = between !== null ? between : typeof tradeDate === 'string' ? { from: tradeDate, to: tradeDate } : readable.time === null || last === null ? null : { from: tradingDay(readable.time), to: tradingDay(last) }
  return datedReading({ says: 'refused', kind, line, ...readable, ...(days === null ? {} : { days }), beside: [] })
}

const nothing: ReadableParts = { account: { id: null, name: null }, contract: null, time: null, fillIds: [], orderId: null }

/** One cell's value, or null if unreadable. */
const ifRead = <T>(row: OpenRow, read: (row: OpenRow) => T): T | null => {
  row.problem = null
  const value = read(row)
  const isRead = (row as { readonly problem: unknown }).problem === null
  return isRead ? value : null
}

const named = (row: OpenRow, name: string, id: string | null = null): ReadableParts['account'] => ({
  id: id === null ? null : ifRead(row, () => optionalAccountNumber(row, id)),
  name: ifRead(row, () => optionalText(row, name)),
})
/** A cell's contract; null if unknown or not of the row's product: then the cells may be shifted, and the contract could be any. */
const contractOf = (row: OpenRow, column: string): string | null => {
  const contract = ifRead(row, () => requiredContract(row, column))
  return contract !== null && isKnownDelivery(contractOfInstrument(contract)) && contract.startsWith(cellText(row, 'Product').toUpperCase()) ? contract : null
}
const dateOf = (row: OpenRow, column: string): string | null => ifRead(row, () => requiredDate(row, column))
const timeOf = (row: OpenRow, column: string): number | null => ifRead(row, () => requiredTime(row, column))
const idsOf = (row: OpenRow, ...columns: readonly string[]): readonly string[] => columns.flatMap((column) => ifRead(row, () => optionalId(row, column)) ?? [])
/** The id in two columns; none if they differ, since either may be wrong. */
const onlyOf = (ids: readonly string[]): readonly string[] => (new Set(ids).size === 1 ? ids.slice(0, 1) : [])
const later = (one: number | null, other: number | null): number | null => (one === null || other === null ? null : Math.max(one, other))
const earlier = (one: number | null, other: number | null): number | null => (one === null || other === null ? null : Math.min(one, other))

const ofPlatform = ({ refused }: Platform, row: OpenRow): ReadableParts => {
  const contract = ifRead(row, () => refused.contract(row))
  const times = refused.times.map((column) => ifRead(row, () => refused.time(row, column)))
  const [tradeDate, closedAt] = [refused.tradeDate, times.reduce(later, times[0] ?? null)]
  return {
    account: refused.account === null ? nothing.account : named(row, refused.account),
    contract: contract !== null && isKnownDelivery(contract) ? contract : null,
    time: times.reduce(earlier, times[0] ?? null),
    ...(tradeDate === undefined ? { closedAt } : { between: timesOf(closedAt, ifRead(row, () => tradeDate(row))).between }),
    fillIds: ifRead(row, () => refused.fillIds?.(row) ?? []) ?? [],
    orderId: ifRead(row, () => refused.orderId?.(row) ?? null),
  }
}

/** A fill's time, and its possible sessions if it is booked on another than its time's: either may be wrong. */
const timesOf = (time: number | null, tradeDate: string | null): { readonly time: number | null; readonly between: TradingDays | null } => {
  const session = time === null ? tradeDate : tradingDay(time)
  if (tradeDate === null || session === null || tradeDate === session) return { time, between: session === null ? null : { from: session, to: session } }
  return tradeDate > session ? { time, between: { from: session, to: tradeDate } } : { time: sessionOf(tradeDate).opens, between: { from: tradeDate, to: session } }
}

const readers: Readonly<Record<OwnKind, (row: OpenRow) => ReadableParts>> = {
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
