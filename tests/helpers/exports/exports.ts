import type { ExportKind } from '#shared/imports/export-kind.ts'
import { dayAfter, weekdayOf } from './clock.ts'
import type { Draw } from './draw.ts'
import { csvText, encoded, type FileStyle, type Table } from './table.ts'
import { balanceTable, cashTable, fillsTable, ordersTable, performanceTable, positionHistoryTable, type Hand, type NightFees } from './tradovate-files.ts'
import type { TrueDay, Truth } from './truth.ts'
import type { TrueOrder, World } from './world.ts'

/** A file that a user could have exported. */
export type ExportFile = { readonly name: string; readonly kind: ExportKind; readonly table: Table; readonly style: FileStyle }

/** The kinds that Tradovate exports. */
export const tradovateKinds = ['performance', 'position-history', 'fills', 'orders', 'cash-history', 'account-balance-history'] as const
type TradovateKind = (typeof tradovateKinds)[number]

/** How a user exports: in which zone, and whether periods are cut, so that a file ends where another one has begun. */
export type ExportOptions = { readonly zone: string; readonly cut: boolean; readonly nightFees?: NightFees }

/** The bytes of a file. */
export const bytesOf = ({ table, style }: Pick<ExportFile, 'table' | 'style'>): Uint8Array => encoded(csvText(table, style), style)

/** Draws how a program wrote a file: line ends, mark, encoding. */
export const drawStyle = (draw: Draw): FileStyle => ({ lineEnd: draw.pick(['\n', '\r\n']), mark: draw.chance(0.4), encoding: draw.pick(['utf-8', 'utf-8', 'utf-8', 'utf-16le', 'utf-16be']), lastLineEnds: draw.chance(0.7) })

type Within = (date: string) => boolean

const windowsOf = (draw: Draw, { dates }: World, cut: boolean): readonly Within[] => {
  if (!cut || dates.length < 2) return [() => true]
  const until = draw.between(0, dates.length - 2)
  const from = draw.between(0, until + 1)
  return [(date) => date <= (dates[until] ?? ''), (date) => date >= (dates[from] ?? '')]
}

const orderDate = ({ fills, placedAt }: TrueOrder): string => fills[0]?.bookedOn ?? new Date(placedAt).toISOString().slice(0, 10)

/** The days as the broker lists them: with weekends, on which nothing moved, and with some weekdays left out. */
export const listedDays = (draw: Draw, days: readonly TrueDay[]): readonly TrueDay[] =>
  [...Map.groupBy(days, ({ account }) => account.id).values()].flatMap((own) =>
    own.flatMap((day) => {
      const weekend = weekdayOf(day.date) === 5 ? [1, 2].map((later) => ({ ...day, date: dayAfter(day.date, later), gross: 0n, fees: 0n, realized: 0n, change: 0n })) : []
      return [...(draw.chance(0.15) ? [] : [day]), ...weekend]
    }),
  )

/** Writes the files of these kinds, as one user would export them. */
export const writeExports = (draw: Draw, world: World, truth: Truth, kinds: readonly TradovateKind[], { zone, cut, nightFees = 'with-closing' }: ExportOptions): readonly ExportFile[] => {
  const hand: Hand = { zone, money: draw.pick(['plain', 'dollars', 'brackets']), year2026: draw.chance(0.5) }
  const days = listedDays(draw, truth.days)
  const lastDate = world.dates.at(-1) ?? ''
  const tablesOf = (kind: TradovateKind, within: Within): readonly Table[] => {
    const pairs = truth.pairs.filter((pair) => within(pair.bookedOn))
    if (kind === 'performance') return world.accounts.map((account) => performanceTable(pairs.filter((pair) => pair.account === account), hand))
    if (kind === 'position-history') return [positionHistoryTable(pairs, within(lastDate) ? truth.open : [], lastDate, hand)]
    if (kind === 'fills') return [fillsTable(world.fills.filter((fill) => within(fill.bookedOn)), hand)]
    if (kind === 'orders') return [ordersTable(world.orders.filter((order) => within(orderDate(order))), hand)]
    if (kind === 'cash-history') return [cashTable(truth.cash.filter((row) => within(row.bookedOn)), hand, draw.pick(['contract', 'product']))]
    return [balanceTable(days.filter(({ date }) => within(date)), hand, nightFees)]
  }
  return kinds.flatMap((kind) =>
    windowsOf(draw, world, cut)
      .flatMap((within) => tablesOf(kind, within))
      .map((table, index): ExportFile => ({ name: `${kind}-${String(index + 1)}.csv`, kind, table, style: drawStyle(draw) })),
  )
}
