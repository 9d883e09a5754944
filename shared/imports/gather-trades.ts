import { amountOf, zero, type Amount } from '#shared/money/money.ts'
import { keyOf } from './assembly.ts'
import { readMoney, readWhole } from './cell-number.ts'
import { readOffset, readWall } from './cell-time.ts'
import { pairOfTrade } from './closed-trade.ts'
import { textCounts } from './mapped-format.ts'
import type { Gathered, GatheredRow } from './platforms/platform.ts'
import type { PairReading, StatedExcursions } from './reading.ts'
import { cellText } from './row-cells.ts'

/** The columns of a report that number its rows and sum them up, if it has them, and the name for its trades' keys. */
type Columns = { readonly number: string; readonly total: string; readonly change: string; readonly times: readonly [entry: string, exit: string]; readonly keyed: string | ((row: GatheredRow['row']) => string) }

type TradeRow = {
  /** The prefix of its key: its platform or format. */
  readonly keyed: string
  /** Wall times: the key of a trade is the same in whatever zone its file is read. */
  readonly walls: readonly [entry: number, exit: number]
  readonly pair: PairReading
  readonly line: number
  readonly number: number | null
  readonly total: Amount | null
  readonly change: Amount | null
  /** The cell of `total`. */
  readonly text: string
}

/**
 * Gathers closed trades without a key; `end` may come several times, for a part of a long file each. A row under a number that was there before is that row again; a running total that does not follow from the row
 * before rejects the row.
 */
export const gatherTrades = (columns: Columns): { readonly take: (row: GatheredRow) => void; readonly end: () => Gathered } => {
  let rows: TradeRow[] = []
  let before: TradeRow | null = null
  const partsWith = textCounts()
  return {
    take: ({ reading, line, row }) => {
      if (reading.says !== 'pair') return
      const number = readWhole(cellText(row, columns.number), row.decimals)
      const money = (column: string): Amount | null => {
        const read = readMoney(cellText(row, column), row.decimals)
        return read.ok ? read.value : null
      }
      const wall = (column: string): number => readWall(cellText(row, column), row.dayFirst) ?? readOffset(cellText(row, column), row.dayFirst) ?? 0
      rows.push({
        keyed: typeof columns.keyed === 'string' ? columns.keyed : columns.keyed(row),
        walls: [wall(columns.times[0]), wall(columns.times[1])],
        pair: reading,
        line,
        number: number.ok ? number.value : null,
        total: money(columns.total),
        change: money(columns.change),
        text: cellText(row, columns.total).slice(0, 40),
      })
    },
    end: () => {
      const refused: { line: number; problem: { code: 'contradicts'; column: string; value: string } }[] = []
      const gaps: Gathered['gaps'][number][] = []
      const kept: TradeRow[] = []
      const numbered = rows.every(({ number }) => number !== null) ? rows.toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0) || one.line - other.line) : rows
      for (const row of numbered) {
        const last: TradeRow | null = before
        if (last !== null && row.number !== null && row.number === last.number) {
          if (sameRow(row) !== sameRow(last)) refused.push({ line: row.line, problem: { code: 'contradicts', column: columns.number, value: String(row.number) } })
          continue
        }
        before = row
        const isNext = row.number !== null && row.number === (last?.number ?? 0) + 1
        if (row.number !== null && !isNext) gaps.push({ line: row.line, behind: last?.line ?? null, problem: { code: 'rows-missing', column: columns.number, value: String(row.number) } })
        if (isNext && row.total !== null && row.change !== null && (last === null || last.total !== null) && row.total - (last?.total ?? 0) !== row.change) refused.push({ line: row.line, problem: { code: 'contradicts', column: columns.total, value: row.text } })
        else kept.push(row)
      }
      rows = []
      return { readings: [...Map.groupBy(kept, keyOfTrade)].flatMap(([key, equal]) => tradeOf(equal, partsWith(key))), refused, gaps }
    },
  }
}

const sameRow = ({ pair: { contract, buy, sell, qty, pnl, fees, account: { name } }, total }: TradeRow): string => keyOf(contract, name ?? '', buy.time, buy.price, sell.time, sell.price, qty, pnl, fees ?? '', total ?? '')

/** Equal rows are real: they are one trade of their contracts together. But a row may have been written twice, so they prove no day. */
const keyOfTrade = ({ pair: { account, contract, closing, buy, sell }, walls }: TradeRow): string => keyOf(account.name ?? '', contract, closing ?? '', ...walls, buy.price, sell.price)

/** One trade of equal rows of one part of the file; `part` counts, from 1, those that have such rows. */
const tradeOf = (rows: readonly TradeRow[], part: number): readonly PairReading[] => {
  const [first] = rows
  if (first === undefined) return []
  const { account, contract, product, buy, sell, closing, tickSize, currency, tradeDate } = first.pair
  const [entry, exit] = closing === 'sell' ? [buy, sell] : [sell, buy]
  const isOneDay = rows.every(({ pair }) => pair.tradeDate === tradeDate)
  const sumOf = (of: 'qty' | 'pnl' | 'fees'): number => rows.reduce((sum, { pair }) => sum + (pair[of] ?? 0), 0)
  const [entered, left] = first.walls
  return [{
    ...pairOfTrade({
      account,
      pairId: null,
      contract,
      tickSize,
      currency,
      tradeDate: isOneDay ? tradeDate : null,
      ...(product === undefined ? {} : { product }),
      ...((rows.length > 1 || part > 1) && isOneDay && tradeDate !== null ? { unproved: true as const } : {}),
      direction: closing === 'sell' ? 'long' : 'short',
      key: [first.keyed, contract, closing, entered / 1000, entry.price, left / 1000, exit.price, ...(part === 1 ? [] : [part])].join('-'),
      entry: { time: entry.time, price: entry.price },
      exit: { time: exit.time, price: exit.price },
      qty: sumOf('qty'),
      pnl: amountOf(sumOf('pnl')),
      ...(rows.every(({ pair }) => pair.fees !== undefined) ? { fees: amountOf(sumOf('fees')) } : {}),
      ...(rows.every(({ pair }) => pair.hasOffset === true) ? { hasOffset: true as const } : {}),
      ...excursionsOf(rows.map(({ pair }) => pair.excursions)),
    }),
    line: first.line,
  }]
}

/** Contracts that entered and left together went the same way: their stated figures add up. */
const excursionsOf = (stated: readonly (StatedExcursions | undefined)[]): Pick<PairReading, 'excursions'> => {
  const [first] = stated
  if (first === undefined) return {}
  const sumOf = (of: 'mfe' | 'mae'): Amount | null => stated.reduce<Amount | null>((sum, one) => (sum === null || one === undefined || one[of] === null ? null : amountOf(sum + one[of])), zero)
  return { excursions: { by: first.by, mfe: sumOf('mfe'), mae: sumOf('mae') } }
}
