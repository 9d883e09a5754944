import { tradingDay } from '../market/trading-day.ts'
import { hasClosedTrades } from './kind-facts.ts'
import type { AccountNamed, Reading, RefusedReading, TradingDays, ExportRow } from './reading.ts'
import { sessionOf } from '../market/session.ts'
import { contractOfInstrument, datedReading, isKnownDelivery } from './contract-code.ts'
import { isPlatformKind, type ExportKind, type OwnKind } from './export-kind.ts'
import type { Platform } from './platforms/platform.ts'
import { platforms } from './platforms/platforms.ts'
import { cellText, filledColumn, openRow, optionalAccountNumber, optionalId, optionalText, requiredContract, requiredDate, requiredMoney, requiredTime, requiredUtc, type OpenRow } from './row-cells.ts'

/** Gathers one file's rejected rows until their account is known. */
export type RefusedRows = {
  readonly saw: (reading: Reading) => void
  readonly refused: (row: RefusedReading) => void
  /** Takes out the resolved rows; with `last`, all of them. */
  readonly settled: (last: boolean) => readonly RefusedReading[]
}

// Beyond this, rows without an account add nothing: they are merged by contract.
const mostNameless = 100

/**
 * A row that names no account may belong to any named in its file, and so may one whose account no readable row names: its cells may be shifted. In a
 * file that names none (`isNameless`), a row belongs to its neighbors' account.
 */
export const collectRefused = (isNameless: (row: RefusedReading) => boolean): RefusedRows => {
  const accounts = new Map<string, AccountNamed>()
  const names = new Set<string>()
  let strange: RefusedReading[] = []
  let nameless: RefusedReading[] = []
  let ready: RefusedReading[] = []
  let waiting: RefusedReading[] = []
  let last: RefusedReading['beside'] = []
  let undated: RefusedReading[] = []
  let lastDay: string | null = null

  const gather = (row: RefusedReading): void => {
    const named = row.account.name ?? row.account.id
    if (named !== null) (names.has(named) ? ready : strange).push(row)
    else if (isNameless(row)) waiting.push({ ...row, beside: last })
    else nameless.push(row)
  }
  /** A row of unknown day is of its neighbors' day, or between them. */
  const date = (nextDay: string | null): void => {
    for (const row of undated) gather({ ...row, days: spanOf(lastDay, nextDay) })
    undated = []
  }

  return {
    saw: (reading) => {
      const day = dayOf(reading)
      if (day !== null) {
        date(day)
        lastDay = day
      }
      const { name, id } = reading.account
      if (name !== null || id !== null) {
        accounts.set(JSON.stringify([name, id]), reading.account)
        for (const one of [name, id]) if (one !== null) names.add(one)
        return
      }
      if (reading.says !== 'pair') return
      const beside = [{ contract: reading.contract, fillId: reading.buy.fillId }]
      ready.push(...waiting.map((row) => ({ ...row, beside: [...row.beside, ...beside] })))
      waiting = []
      last = beside
    },
    refused: (row) => {
      // Closed trades are not ordered by time: neighboring rows show nothing about a row's day.
      if (row.days === undefined && hasClosedTrades(row.kind)) gather({ ...row, days: { from: null, to: null } })
      else if (row.days === undefined) undated.push(row)
      else gather(row)
    },
    settled: (isLast) => {
      if (!isLast) {
        const rows = ready
        ready = []
        return rows
      }
      date(null)
      const unknown = strange.filter(({ account }) => !names.has(account.name ?? account.id ?? ''))
      const rows = [...ready, ...waiting, ...strange, ...ofAccounts(taken([...nameless, ...(accounts.size === 0 ? [] : unknown)]), [...accounts.values()])]
      ;[ready, waiting, nameless, strange] = [[], [], [], []]
      return rows
    },
  }
}

// Files run forward or backward. At either end a row is assumed to be of its only neighbor's day.
const spanOf = (before: string | null, after: string | null): TradingDays => {
  const [one, other] = [before ?? after, after ?? before]
  return one !== null && other !== null && one > other ? { from: other, to: one } : { from: one, to: other }
}

const dayOf = (reading: Reading): string | null => {
  switch (reading.says) {
    case 'fill':
      return reading.tradeDate ?? tradingDay(reading.time)
    case 'order':
      return tradingDay(reading.filledAt)
    case 'pair':
      return reading.tradeDate ?? tradingDay(Math.max(reading.buy.time, reading.sell.time))
    case 'refused':
      return null
    default:
      return reading.tradeDate
  }
}

const ofAccounts = (rows: readonly RefusedReading[], accounts: readonly AccountNamed[]): readonly RefusedReading[] =>
  accounts.length === 0 ? rows : accounts.flatMap((account) => rows.map((row) => ({ ...row, account })))

const taken = (rows: readonly RefusedReading[]): readonly RefusedReading[] => {
  if (rows.length <= mostNameless) return rows
  const first = rows[0]
  const contracts = new Set(rows.map(({ contract }) => contract))
  if (first === undefined) return []
  const any = { ...first, time: null, days: { from: null, to: null }, fillIds: [], orderId: null }
  return contracts.size > mostNameless || contracts.has(null) ? [{ ...any, contract: null }] : [...contracts].map((contract) => ({ ...any, contract }))
}

type ReadableParts = Pick<RefusedReading, 'account' | 'contract' | 'time' | 'fillIds' | 'orderId' | 'moved'> & {
  readonly closedAt?: number | null
  readonly tradeDate?: string | null
  /** The trading days it may belong to, if its columns differ. */
  readonly between?: TradingDays | null
}

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
