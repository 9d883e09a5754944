import { classNames } from '#renderer/lib/class-names.ts'
import { toneOf, type Format } from '#renderer/lib/format.ts'
import { createColumnHelper, metaHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table'
import type { TFunction } from 'i18next'
import { LeadCell } from './lead-cell.tsx'
import type { LogRow } from './rows.ts'
import { TradeMark } from './trade-mark.tsx'

/** How a column looks: its part of the width, and whether it holds figures or what matters less. */
export type ColumnLooks = { readonly width: string; readonly end?: boolean; readonly quiet?: boolean }

/** What cells have to know beyond their row. */
export type TableState = { readonly openTrips: ReadonlySet<string> }

/** What the logbook uses of the table: sorting, which the program does. */
export const logbookFeatures = tableFeatures({ rowSortingFeature, columnMeta: metaHelper<ColumnLooks>(), tableMeta: metaHelper<TableState>() })

const helper = createColumnHelper<typeof logbookFeatures, LogRow>()
const inks = { gain: 'text-gain', loss: 'text-loss', even: 'text-muted' } as const

/** The columns of the logbook in one language; the ids of those that sort are the names by which the program sorts. */
export const logbookColumns = (t: TFunction<'trade-logbook'>, format: Format) =>
  helper.columns([
    helper.accessor((row) => row.shown.exitTime, {
      id: 'exitTime',
      header: t('column.exit'),
      cell: ({ row, table }) => <LeadCell row={row.original} open={table.options.meta?.openTrips.has(row.original.trip?.id ?? '') ?? false} format={format} t={t} />,
      sortDescFirst: true,
      meta: { width: '17%', quiet: true },
    }),
    helper.accessor((row) => row.shown.symbol, { id: 'symbol', header: t('column.contract'), sortDescFirst: false, meta: { width: '6.5%' } }),
    helper.accessor((row) => row.shown.side, { id: 'side', header: t('column.side'), cell: ({ getValue }) => t(`side.${getValue()}`), sortDescFirst: false, meta: { width: '5%', quiet: true } }),
    helper.accessor((row) => row.shown.qty, { id: 'qty', header: t('column.qty'), cell: ({ getValue }) => format.count(getValue()), sortDescFirst: true, meta: { width: '4.5%', end: true } }),
    helper.accessor((row) => row.shown.entryPrice, { id: 'entryPrice', header: t('column.entry-price'), cell: ({ getValue }) => format.price(getValue()), sortDescFirst: true, meta: { width: '9%', end: true } }),
    helper.accessor((row) => row.shown.exitPrice, { id: 'exitPrice', header: t('column.exit-price'), cell: ({ getValue }) => format.price(getValue()), sortDescFirst: true, meta: { width: '9%', end: true } }),
    helper.accessor((row) => row.shown.commission, { id: 'commission', header: t('column.fees'), cell: ({ getValue }) => format.money(getValue()), sortDescFirst: true, meta: { width: '5.7%', end: true, quiet: true } }),
    helper.accessor((row) => row.shown.netPnl, {
      id: 'netPnl',
      header: t('column.net'),
      cell: ({ row, getValue }) => (
        <span className={classNames(inks[toneOf(getValue())])}>
          {format.signedMoney(getValue())}
          {row.original.shown.currency !== 'USD' && <span className="ml-1 text-sm text-faint">{row.original.shown.currency}</span>}
        </span>
      ),
      sortDescFirst: true,
      meta: { width: '8.3%', end: true },
    }),
    helper.accessor((row) => row.shown.account, { id: 'account', header: t('column.account'), cell: ({ getValue }) => <span title={getValue()}>{getValue()}</span>, sortDescFirst: false, meta: { width: '15.4%', quiet: true } }),
    helper.accessor((row) => row.shown.tradingDay, { id: 'tradingDay', header: t('column.trading-day'), cell: ({ getValue }) => format.fullDay(getValue()), enableSorting: false, meta: { width: '9.6%', quiet: true } }),
    helper.display({ id: 'source', header: t('column.source'), cell: ({ row }) => <TradeMark row={row.original} />, enableSorting: false, meta: { width: '10%' } }),
  ])
