import { tradingDay } from '#shared/market/trading-day.ts'
import { keyOf } from './assembly.ts'
import { readUtc, readWall } from './cell-time.ts'
import type { ExportKind } from './export-kind.ts'
import type { ExportRow, RowProblem } from './reading.ts'

type Cells = ExportRow['cells']

/** A row that contradicts its file's other rows, and what it leaves unsure; null if its own cells still settle it. */
export type OddRow = { readonly problem: RowProblem; readonly unsure: 'account' | 'contract' | 'time' | null }

/** Columns that must agree within a file: numbers with names, local times with UTC. All rows are recorded first; then each is checked against the majority. */
export type ColumnPairs = {
  readonly note: (cells: Cells) => void
  /** The problem of a row contradicted by as many rows or more; null if there is none or a cell is missing. */
  readonly oddIn: (cells: Cells) => OddRow | null
}

type Columns = {
  readonly name: string
  readonly number: string
  readonly unsure: OddRow['unsure']
  /** Whether one name may have several numbers: a contract's name returns after ten years, and a date has the positions of all contracts. */
  readonly nameReturns?: true
}

const columnsOf: Partial<Readonly<Record<ExportKind, readonly Columns[]>>> = {
  fills: [{ name: 'Account', number: '_accountId', unsure: 'account' }, { name: 'Contract', number: '_contractId', unsure: 'contract', nameReturns: true }],
  // A position is per account, contract, and session.
  'position-history': [{ name: 'Account', number: 'Position ID', unsure: 'account', nameReturns: true }, { name: 'Contract', number: 'Position ID', unsure: 'contract', nameReturns: true }, { name: 'Trade Date', number: 'Position ID', unsure: null, nameReturns: true }],
  'account-balance-history': [{ name: 'Account Name', number: 'Account ID', unsure: 'account' }],
}

/** For a new file; null for kinds without such columns. */
export const columnPairs = (kind: ExportKind): ColumnPairs | null => {
  const named = columnsOf[kind]?.map(pairOf)
  if (named === undefined) return null
  const pairs = kind === 'fills' ? [...named, clocksOf('Timestamp', '_timestamp'), sessionsOf('_timestamp', '_tradeDate', 'Contract')] : named
  return {
    note: (cells) => {
      for (const { note } of pairs) note(cells)
    },
    oddIn: (cells) => pairs.map(({ oddIn }) => oddIn(cells)).find((odd) => odd !== null) ?? null,
  }
}

const pairOf = (columns: Columns): ColumnPairs => {
  const counts = new Map<string, number>()
  const numbersOf = new Map<string, Set<string>>()
  const namesOf = new Map<string, Set<string>>()
  const bothOf = (cells: Cells): readonly [name: string, number: string] | null => {
    const [name, number] = [(cells[columns.name] ?? '').trim(), (cells[columns.number] ?? '').trim()]
    return name === '' || number === '' ? null : [name, number]
  }
  const add = (sets: Map<string, Set<string>>, key: string, value: string): void => void sets.set(key, (sets.get(key) ?? new Set()).add(value))
  const countOf = (name: string, number: string): number => counts.get(keyOf(name, number)) ?? 0
  return {
    note: (cells) => {
      const both = bothOf(cells)
      if (both === null) return
      counts.set(keyOf(...both), countOf(...both) + 1)
      if (columns.nameReturns !== true) add(numbersOf, ...both)
      add(namesOf, both[1], both[0])
    },
    oddIn: (cells) => {
      const both = bothOf(cells)
      if (both === null) return null
      const [name, number] = both
      if (isOnly(numbersOf.get(name), number) && isOnly(namesOf.get(number), name)) return null
      const own = countOf(name, number)
      const others = [...[...(numbersOf.get(name) ?? [])].filter((one) => one !== number).map((one) => countOf(name, one)), ...[...(namesOf.get(number) ?? [])].filter((one) => one !== name).map((one) => countOf(one, number))]
      return others.every((count) => count < own) ? null : { problem: { code: 'not-together', column: `${columns.name}, ${columns.number}`, value: `${name}, ${number}`.slice(0, 40) }, unsure: columns.unsure }
    },
  }
}

/** Whether a set holds no other text. */
const isOnly = (texts: ReadonlySet<string> | undefined, text: string): boolean => texts === undefined || (texts.size === 1 && texts.has(text))

const minute = 60_000
// No zone is further from UTC.
const farthest = 15 * 60
// Summer time is one hour.
const summer = 60

/** A file is exported in one zone: its local times have one offset from UTC, apart from summer time. */
const clocksOf = (local: string, utc: string): ColumnPairs => {
  const counts = new Map<number, number>()
  const offsetIn = (cells: Cells): number | null => {
    const time = readUtc((cells[utc] ?? '').trim())
    if (time === null) return null
    const text = (cells[local] ?? '').trim()
    for (const dayFirst of [false, true]) {
      const wall = readWall(text, dayFirst)
      const offset = wall === null ? null : Math.round((wall - time) / minute)
      if (offset !== null && Math.abs(offset) <= farthest) return offset
    }
    return null
  }
  return {
    note: (cells) => {
      const offset = offsetIn(cells)
      if (offset !== null) counts.set(offset, (counts.get(offset) ?? 0) + 1)
    },
    oddIn: (cells) => {
      const offset = offsetIn(cells)
      const own = offset === null ? 0 : (counts.get(offset) ?? 0)
      if (offset === null || (own > 0 && counts.size === 1) || [...counts].every(([other, count]) => Math.abs(other - offset) <= summer || count < own)) return null
      return { problem: { code: 'contradicts', column: local, value: (cells[local] ?? '').slice(0, 40) }, unsure: 'time' }
    },
  }
}

/** A broker books all fills of a contract that happen in one session on one date: its own, or on a holiday the next. */
const sessionsOf = (utc: string, tradeDate: string, contract: string): ColumnPairs => {
  const counts = new Map<string, Map<string, number>>()
  const bothOf = (cells: Cells): readonly [session: string, date: string] | null => {
    const [time, date] = [readUtc((cells[utc] ?? '').trim()), (cells[tradeDate] ?? '').trim()]
    return time === null || date === '' ? null : [keyOf((cells[contract] ?? '').trim(), tradingDay(time)), date]
  }
  return {
    note: (cells) => {
      const both = bothOf(cells)
      if (both === null) return
      const [session, date] = both
      const dates = counts.get(session) ?? new Map<string, number>()
      counts.set(session, dates.set(date, (dates.get(date) ?? 0) + 1))
    },
    oddIn: (cells) => {
      const [session, date] = bothOf(cells) ?? ['', '']
      const dates = counts.get(session)
      const own = dates?.get(date) ?? 0
      if (dates === undefined || (own > 0 && dates.size === 1) || [...dates].every(([other, count]) => other === date || count < own)) return null
      return { problem: { code: 'contradicts', column: tradeDate, value: date.slice(0, 40) }, unsure: null }
    },
  }
}
