import { contractSpecOf, isUncertain } from '#shared/market/contract-spec.ts'
import { multiplyToCents, usualRounding } from '#shared/money/cents.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { shareOf } from '#shared/money/share.ts'
import { keyOf } from './assembly.ts'
import { readMoney, readWhole } from './cell-number.ts'
import { readWall } from './cell-time.ts'
import { pairOfTrade } from './closed-trade.ts'
import type { Gathered, GatheredRow } from './platforms/platform.ts'
import type { PairReading } from './reading.ts'
import { cellText } from './row-cells.ts'

/** The columns of a report that number its rows and sum them up, if it has them, and the name for its trades' keys. */
type Columns = { readonly number: string; readonly total: string; readonly change: string; readonly times: readonly [entry: string, exit: string]; readonly keyed: string }

type Row = { /** Wall times: the key of a trade is the same in whatever zone its file is read. */ readonly walls: readonly [entry: number, exit: number]; readonly pair: PairReading; readonly line: number; readonly number: number | null; readonly total: Amount | null; readonly change: Amount | null; readonly text: string }

/**
 * Gathers closed trades without a key; `end` may come several times, for a part of a long file each. A row under a number that was there before is that row again; a running total that does not follow from the row
 * before rejects the row. What a platform pairs one way today and another way tomorrow becomes the same trades: entries and exits are paired anew
 * where several exits happen in one second.
 */
export const gatherTrades = (columns: Columns): { readonly take: (row: GatheredRow) => void; readonly end: () => Gathered } => {
  let rows: Row[] = []
  let before: Row | null = null
  return {
    take: ({ reading, line, row }) => {
      if (reading.says !== 'pair') return
      const number = readWhole(cellText(row, columns.number), row.decimals)
      const money = (column: string): Amount | null => {
        const read = readMoney(cellText(row, column), row.decimals)
        return read.ok ? read.value : null
      }
      const wall = (column: string): number => readWall(cellText(row, column), row.dayFirst) ?? 0
      rows.push({ walls: [wall(columns.times[0]), wall(columns.times[1])], pair: reading, line, number: number.ok ? number.value : null, total: money(columns.total), change: money(columns.change), text: cellText(row, columns.total).slice(0, 40) })
    },
    end: () => {
      const refused: { line: number; problem: { code: 'contradicts'; column: string; value: string } }[] = []
      const gaps: { line: number; behind: number | null }[] = []
      const kept: Row[] = []
      const numbered = rows.every(({ number }) => number !== null) ? rows.toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0) || one.line - other.line) : rows
      for (const row of numbered) {
        const last: Row | null = before
        if (last !== null && row.number !== null && row.number === last.number) {
          if (sameRow(row) !== sameRow(last)) refused.push({ line: row.line, problem: { code: 'contradicts', column: columns.number, value: String(row.number) } })
          continue
        }
        before = row
        const isNext = row.number !== null && row.number === (last?.number ?? 0) + 1
        if (row.number !== null && !isNext) gaps.push({ line: row.line, behind: last?.line ?? null })
        if (isNext && row.total !== null && row.change !== null && (last === null || last.total !== null) && row.total - (last?.total ?? 0) !== row.change) refused.push({ line: row.line, problem: { code: 'contradicts', column: columns.total, value: row.text } })
        else kept.push(row)
      }
      rows = []
      return { readings: [...Map.groupBy(kept, momentOf).values()].flatMap((moment) => tradesOf(moment, columns.keyed)), refused, gaps }
    },
  }
}

const sameRow = ({ pair: { contract, buy, sell, qty, pnl, fees, account: { name } }, total }: Row): string => keyOf(contract, name ?? '', buy.time, buy.price, sell.time, sell.price, qty, pnl, fees ?? '', total ?? '')

const legsOf = ({ buy, sell, closing }: PairReading) => (closing === 'sell' ? { entry: buy, exit: sell } : { entry: sell, exit: buy })

/** Trades that closed in one second: only among these does the platform pair at will. Without a known tick value only what the platform paired can be told. */
const momentOf = ({ pair, walls }: Row): string => keyOf(pair.account.name ?? '', pair.contract, pair.closing ?? '', legsOf(pair).exit.time, ...(isUncertain(contractSpecOf(pair.contract)) ? [walls[0], pair.buy.price, pair.sell.price] : []))

type Lot = { readonly time: number; readonly wall: number; readonly price: Ticks; readonly rows: readonly Row[]; readonly qty: number }

const lotsOf = (rows: readonly Row[], of: 'entry' | 'exit'): readonly Lot[] =>
  [...Map.groupBy(rows, ({ pair }) => keyOf(legsOf(pair)[of].time, legsOf(pair)[of].price)).values()]
    .flatMap((all): Lot[] => all.slice(0, 1).map(({ pair, walls }) => ({ time: legsOf(pair)[of].time, price: legsOf(pair)[of].price, wall: walls[of === 'entry' ? 0 : 1], rows: all, qty: sumOf(all, 'qty') })))
    .toSorted((one, other) => one.time - other.time || one.price - other.price)

const sumOf = (rows: readonly Row[], of: 'qty' | 'pnl' | 'fees'): number => rows.reduce((sum, { pair }) => sum + (pair[of] ?? 0), 0)

/** A quantity that entered and left together, and the rows that say so. */
type Trade = { readonly entry: Lot; readonly exit: Lot; readonly from: number; readonly qty: number; readonly rows: readonly Row[] }

const pairedAnew = (entries: readonly Lot[], exits: readonly Lot[]): readonly Trade[] => {
  const trades: Trade[] = []
  let [from, to, usedExit] = [0, 0, 0]
  for (const entry of entries) {
    for (let left = entry.qty; left > 0; ) {
      const exit = exits[to] as Lot
      const qty = Math.min(left, exit.qty - usedExit)
      trades.push({ entry, exit, from, qty, rows: entry.rows.filter((row) => exit.rows.includes(row)) })
      ;[left, from, usedExit] = [left - qty, from + qty, usedExit + qty]
      if (usedExit === exit.qty) [to, usedExit] = [to + 1, 0]
    }
  }
  return trades
}

const tradesOf = (rows: readonly Row[], keyed: string): readonly PairReading[] => {
  const [first] = rows
  if (first === undefined) return []
  const { buy: _buy, sell: _sell, closing, says: _says, fees: _fees, ...facts } = first.pair
  const trades = pairedAnew(lotsOf(rows, 'entry'), lotsOf(rows, 'exit'))
  const { tickValue, rounding } = contractSpecOf(facts.contract)
  const grossOf = ({ entry, exit, qty }: Trade): number => multiplyToCents(closing === 'sell' ? exit.price - entry.price : entry.price - exit.price, qty, tickValue.num, tickValue.den, rounding ?? usualRounding)
  const isOwn = trades.every((trade) => sumOf(trade.rows, 'qty') === trade.qty)
  // Of trades paired anew only the sum is the platform's: what it says beyond their prices stays with the first.
  const beyond = isOwn ? 0 : sumOf(rows, 'pnl') - trades.reduce((total, trade) => total + grossOf(trade), 0)
  const [fees, whole] = [amountOf(sumOf(rows, 'fees')), sumOf(rows, 'qty')]
  const hasFees = rows.every(({ pair }) => pair.fees !== undefined)
  return trades.map((trade, index) => ({
    ...pairOfTrade({
      ...facts,
      direction: closing === 'sell' ? 'long' : 'short',
      key: [keyed, facts.contract, closing, trade.entry.wall / 1000, trade.entry.price, trade.exit.wall / 1000, trade.exit.price].join('-'),
      entry: { time: trade.entry.time, price: trade.entry.price },
      exit: { time: trade.exit.time, price: trade.exit.price },
      qty: trade.qty,
      pnl: amountOf(isOwn ? sumOf(trade.rows, 'pnl') : grossOf(trade) + (index === 0 ? beyond : 0)),
      ...(hasFees ? { fees: isOwn ? amountOf(sumOf(trade.rows, 'fees')) : shareOf(fees, trade.from, trade.from + trade.qty, whole) } : {}),
    }),
    line: (trade.rows[0] ?? first).line,
  }))
}
