import { tradingDay } from '../market/trading-day.ts'
import { hasClosedTrades, namesNoAccount } from './kind-facts.ts'
import type { AccountNamed, Reading, RefusedReading, TradingDays } from './reading.ts'

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
export const collectRefused = (isNameless: (row: RefusedReading) => boolean = ({ kind }) => namesNoAccount(kind)): RefusedRows => {
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
      // Closed trades stand in no order of time: what is beside a row shows nothing of its day.
      if (row.days === undefined && hasClosedTrades(row.kind)) gather({ ...row, days: { from: null, to: null } })
      else if (row.days === undefined) undated.push(row)
      else gather(row)
    },
    settled: (isLast) => {
      if (isLast) date(null)
      if (!isLast) {
        const rows = ready
        ready = []
        return rows
      }
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
