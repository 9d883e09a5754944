import { apiQuery } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { hourEnds } from '#renderer/ui/filter-chips.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { figures, FigureText, shownFigures, useFigures, type Counted, type FigureKey } from '#renderer/ui/statistics.tsx'
import { Cell, SkeletonRows, SortHeaderCell, Table } from '#renderer/ui/table.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import { statisticsRoutes, type StatGroup, type StatisticsAnswer, type StatMoney } from '#shared/api/statistics.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'
import { mostSides, type SideKind } from '#shared/stats/sides.ts'
import { marketSessions } from '#shared/stats/trade-times.ts'
import { useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { ClockChoice } from './clock-choice.tsx'
import { withCompared } from './compare-address.ts'

const parameter = 'by'
const byClock: readonly Dimension[] = ['weekday', 'hour', 'session']
/** Dimensions whose lines can be compared, with their name in a comparison. */
const comparable: Partial<Record<Dimension, SideKind>> = { symbol: 'products', account: 'accounts', tag: 'tags' }

/** The trades grouped by one thing at a time: a sortable table with bars, whose lines open their trades and can narrow the filter. */
export const BreakdownPanel = ({ statistics }: { statistics: StatisticsAnswer | null }) => {
  const { t } = useTranslation('statistics')
  const [params, setParams] = useSearchParams()
  const dimension = dimensions.find((one) => one === params.get(parameter)) ?? 'symbol'
  const [chosen, choose] = useState<readonly string[]>([])
  const kind = comparable[dimension]
  const show = (next: Dimension): void => {
    choose([])
    setParams((now) => {
      const changed = new URLSearchParams(now)
      changed.set(parameter, next)
      return changed
    }, { replace: true })
  }
  return (
    <Card className="overflow-hidden">
      <div className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 border-b border-hairline px-4 py-2">
        <Segmented label={t('breakdown.by')} value={dimension} onChange={show} options={dimensions.map((value) => ({ value, label: t(`breakdown.dimension.${value}`) }))} />
        <div className="ml-auto">
          {byClock.includes(dimension) && <ClockChoice shown={statistics?.zone ?? null} />}
          {kind !== undefined && chosen.length > 1 && (
            <Button variant="outline" size="sm" onClick={() => { setParams((now) => withCompared(now, { kind, sides: chosen, align: 'date' })) }}>
              {t('compare:selected', { count: chosen.length })}
            </Button>
          )}
        </div>
      </div>
      <div className="overflow-x-auto">
        <Breakdown key={dimension} dimension={dimension} statistics={statistics} chosen={chosen} onChoose={kind === undefined ? null : choose} />
      </div>
    </Card>
  )
}

type Chosen = { readonly chosen: readonly string[]; readonly onChoose: ((chosen: readonly string[]) => void) | null }

const Breakdown = ({ dimension, statistics, ...choosing }: { dimension: Dimension; statistics: StatisticsAnswer | null } & Chosen) => {
  const { t } = useTranslation('statistics')
  const { nameOf } = useFigures()
  const timed = byClock.includes(dimension)
  const [order, setOrder] = useState<Order>(timed ? { column: 'key', direction: 'asc' } : { column: 'net', direction: 'desc' })
  const rows = useMemo(() => (statistics === null ? [] : sortRows(breakdownRows(dimension, statistics), order)), [dimension, statistics, order])
  const unit = statistics?.unit ?? 'trades'
  // Without prices it would be a column of dashes.
  const columns = shownFigures.breakdown.filter((key) => key !== 'exit-efficiency' || statistics?.all.exitEfficiency !== undefined)
  const mixed = (statistics?.all.money.length ?? 0) > 1
  const by = t(`breakdown.dimension.${dimension}`)
  const headOf = (key: FigureKey): string => (figures[key].basis === 'gross' ? t('breakdown.gross', { figure: nameOf(key, unit) }) : nameOf(key, unit))
  const sort = (column: Order['column']): void => {
    const first = column === 'key' ? 'asc' : 'desc'
    setOrder(order.column === column ? { column, direction: order.direction === 'asc' ? 'desc' : 'asc' } : { column, direction: first })
  }
  return (
    <Table className="max-xl:[&_:is(td,th):nth-child(8)]:hidden max-md:[&_:is(td,th):nth-child(7)]:hidden [&_td:not(:first-child)]:pl-2 [&_th:not(:first-child)]:pl-2">
      <caption className="sr-only">{t('breakdown.caption', { by, unit: nameOf('count', unit) })}</caption>
      <thead>
        <tr>
          {(['key', ...columns] as const).map((column) => (
            <SortHeaderCell key={column} end={column !== 'key'} direction={order.column === column ? order.direction : null} onSort={() => { sort(column) }} className={column === 'net' ? 'w-1/4' : ''}>
              {column === 'key' ? by : headOf(column)}
            </SortHeaderCell>
          ))}
        </tr>
      </thead>
      <tbody>{statistics === null ? <SkeletonRows rows={8} columns={columns.length + 1} figures={columns.length} /> : rows.map((row) => <Line key={row.id} dimension={dimension} row={row} columns={columns} statistics={statistics} mixed={mixed} {...choosing} />)}</tbody>
    </Table>
  )
}

const Line = ({ dimension, row, columns, statistics, mixed, chosen, onChoose }: { dimension: Dimension; row: BreakdownRow; columns: readonly FigureKey[]; statistics: StatisticsAnswer; mixed: boolean } & Chosen) => {
  const { t } = useTranslation('statistics')
  const { filter, change } = useTradeFilter()
  const { data } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  const name = useRowName(dimension, row)
  const narrowed = filterOfRow(dimension, row.key, statistics, (firm) => (data?.accounts ?? []).filter((account) => account.firm === firm).map(({ key }) => key))
  return (
    <tr className={classNames('group', narrowed !== null && 'relative hover:bg-raised')}>
      <Cell className={classNames(dimension === 'account' && 'max-w-36 xl:max-w-80')}>
        <span className="flex items-center gap-1.5">
          {onChoose !== null && narrowed !== null && (
            <span className="relative z-1 mr-1 inline-flex">
              <Checkbox
                aria-label={t('compare:select', { name })}
                checked={chosen.includes(String(row.key))}
                disabled={chosen.length >= mostSides && !chosen.includes(String(row.key))}
                onChange={(on) => { onChoose(on ? [...chosen, String(row.key)] : chosen.filter((key) => key !== row.key)) }}
              />
            </span>
          )}
          {narrowed === null ? (
            name
          ) : (
            // The link lies over the whole line, below the button.
            <Link
              to={`${paths.tradeLogbook}${searchOf({ ...filter, ...narrowed }, statistics.unit)}`}
              aria-label={t('breakdown.open', { name })}
              className="min-w-0 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {dimension === 'account' ? <CutName name={name} /> : name}
            </Link>
          )}
          {mixed && <span className="text-sm text-faint">{row.money.currency}</span>}
          {narrowed !== null && (
            <Tooltip text={t('breakdown.narrow', { name })}>
              <button
                type="button"
                aria-label={t('breakdown.narrow', { name })}
                onClick={() => { change(narrowed) }}
                className="relative z-1 grid size-6.5 place-items-center rounded-sm text-faint opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 hover:text-ink pointer-coarse:opacity-100"
              >
                <ListFilter aria-hidden className="size-3.5" />
              </button>
            </Tooltip>
          )}
        </span>
      </Cell>
      {columns.map((key) =>
        key === 'net' ? (
          <Cell key={key} end>
            <div className="flex items-center justify-end gap-2.5">
              <div aria-hidden className="pointer-events-none relative h-1.25 min-w-0 grow">
                <div className={classNames('absolute h-full rounded-full', row.money.netPnl.startsWith('-') ? 'bg-loss' : 'bg-gain')} style={{ left: share(row.bar.from), width: share(row.bar.to - row.bar.from) }} />
              </div>
              <FigureText of={key} counted={row} className="min-w-20" />
            </div>
          </Cell>
        ) : (
          <Cell key={key} end quiet={figures[key].whole === true}><FigureText of={key} counted={row} /></Cell>
        ),
      )}
    </tr>
  )
}

const share = (part: number): string => `${(part * 100).toFixed(1)}%`

const useRowName = (dimension: Dimension, { key, name }: BreakdownRow): string => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  switch (dimension) {
    case 'weekday':
      return format.weekday(Number(key))
    case 'hour':
      return t('breakdown.hour', hourEnds(Number(key)))
    case 'session':
      return t(`breakdown.session.${String(key)}`)
    case 'side':
      return t(`breakdown.side.${String(key)}`)
    case 'account':
      return name === null || name === '' ? t('breakdown.no-account') : name
    case 'firm':
      return key === null ? t('breakdown.no-firm') : String(key)
    case 'tag':
      return key === null ? t('breakdown.no-tag') : String(key)
    case 'symbol':
      return String(key)
  }
}

/** What trades can be grouped by. */
const dimensions = ['symbol', 'weekday', 'hour', 'session', 'account', 'firm', 'side', 'tag'] as const
type Dimension = (typeof dimensions)[number]

/** The order of the lines: by a figure, or by `key`, the natural order of the dimension. */
type Order = { readonly column: 'key' | FigureKey; readonly direction: 'asc' | 'desc' }

/** One line of a breakdown: the trades of one key in one currency. */
type BreakdownRow = Counted & {
  readonly id: string
  readonly key: string | number | null
  /** For accounts only. */
  readonly name: string | null
  readonly money: StatMoney
  /** Its bar, from zero to its net, as shares (0 to 1) of a width that holds all bars of its currency. */
  readonly bar: { readonly from: number; readonly to: number }
  /** Its place in the order of its dimension. */
  readonly place: number
}

/** The lines of a dimension in its own order: products, accounts and firms by name, the rest by the clock. */
export const breakdownRows = (dimension: Dimension, statistics: StatisticsAnswer): BreakdownRow[] => {
  const groups = groupsOf(dimension, statistics)
  const reach = new Map<string, { readonly lowest: number; readonly highest: number }>()
  for (const { money } of groups) {
    for (const { currency, netPnl } of money) {
      const { lowest, highest } = reach.get(currency) ?? { lowest: 0, highest: 0 }
      reach.set(currency, { lowest: Math.min(lowest, Number(netPnl)), highest: Math.max(highest, Number(netPnl)) })
    }
  }
  return groups.flatMap((group, order) =>
    group.money.map((money): BreakdownRow => {
      const { currency, netPnl } = money
      const { lowest, highest } = reach.get(currency) ?? { lowest: 0, highest: 0 }
      const place = (amount: number): number => (highest === lowest ? 0 : (amount - lowest) / (highest - lowest))
      const ends = [place(0), place(Number(netPnl))]
      return {
        id: `${String(group.key)} ${currency}`,
        key: group.key,
        name: group.name,
        money,
        // Hold times and exit efficiencies do not tell currencies apart.
        group: group.money.length > 1 ? undefined : group,
        bar: { from: Math.min(...ends), to: Math.max(...ends) },
        place: order,
      }
    }),
  )
}

/** The lines in an order; what is unknown comes last either way, and equals stay in the order of their dimension. */
export const sortRows = (rows: readonly BreakdownRow[], { column, direction }: Order): BreakdownRow[] => {
  const value = (row: BreakdownRow): number | null => {
    if (column === 'key') return row.place
    const figure = figures[column].of(row)
    return figure === null ? null : Number(figure)
  }
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return direction === 'asc' ? a - b : b - a
  })
}

/** What narrows the filter to the trades of a line, timed by the clock of the statistics; null if no filter can. */
export const filterOfRow = (
  dimension: Dimension,
  key: BreakdownRow['key'],
  { zone, timedBy }: Pick<StatisticsAnswer, 'zone' | 'timedBy'>,
  accountsOfFirm: (firm: string | null) => readonly string[],
): Partial<TradeFilter> | null => {
  switch (dimension) {
    case 'symbol':
      return { symbols: [String(key)] }
    case 'account':
      return { accounts: [String(key)] }
    case 'side':
      return key === 'long' || key === 'short' ? { sides: [key] } : null
    case 'tag':
      return key === null ? null : { tags: [String(key)] }
    case 'weekday':
      return { weekdays: [Number(key)], zone, timedBy }
    case 'hour':
      return { hours: [Number(key)], zone, timedBy }
    case 'session':
      return { sessions: marketSessions.filter((session) => session === key), timedBy }
    case 'firm': {
      const accounts = accountsOfFirm(key === null ? null : String(key))
      return accounts.length === 0 ? null : { accounts }
    }
  }
}

type Group = StatGroup & { readonly key: string | number | null; readonly name: string | null }

const groupsOf = (dimension: Dimension, { bySymbol, byWeekday, byHour, bySession, byAccount, byFirm, bySide, byTag }: StatisticsAnswer): Group[] => {
  if (dimension === 'account') return byAccount
  const lists = { symbol: bySymbol, weekday: byWeekday, hour: byHour, session: bySession, firm: byFirm, side: bySide, tag: byTag } as const
  return lists[dimension].map((group): Group => ({ ...group, name: null }))
}
