import { apiQuery } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { isEfficiency, useFigureName } from '#renderer/lib/excursion-names.ts'
import { toneOf, type Format } from '#renderer/lib/format.ts'
import { shortNames } from '#renderer/lib/short-names.ts'
import { widestText } from '#renderer/lib/text-width.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useNarrow } from '#renderer/lib/use-narrow.ts'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { DayNoteMark } from '#renderer/ui/day-note-button.tsx'
import { OtherFees } from '#renderer/ui/other-fees.tsx'
import type { FillPairRecord, ListedExcursions } from '#shared/api/records.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { tradingDay as tradingDayNow } from '#shared/market/trading-day.ts'
import { excursionFigures, type ExcursionFigure } from '#shared/stats/filter.ts'
import { useQuery } from '@tanstack/react-query'
import { createColumnHelper, metaHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table'
import type { TFunction } from 'i18next'
import { Image as ImageIcon, NotebookText } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useBoundsText } from './bounds-text.ts'
import { roomsOf, useColumnChoices, type ColumnId } from './column-choices.ts'
import { LeadCell } from './lead-cell.tsx'
import type { LogRow } from './use-log-rows.ts'
import { isStopBeyond } from './user-fields.ts'
import { TradeMark } from './trade-mark.tsx'

/** How a column looks: aligned at its end, quiet, or in a narrow window only a sign. */
export type ColumnLooks = { readonly end?: boolean; readonly quiet?: boolean; readonly sign?: boolean }

/** What cells need beyond their row. */
export type TableState = { readonly openTrades: ReadonlySet<string>; readonly onDay: (tradingDay: string) => void }

/** The features of the table: sorting, which the backend does. */
export const logbookFeatures = tableFeatures({ rowSortingFeature, columnMeta: metaHelper<ColumnLooks>(), tableMeta: metaHelper<TableState>() })

const helper = createColumnHelper<typeof logbookFeatures, LogRow>()
// Its title has the whole text, which may be longer than the column.
const Whole = ({ text, whole = text, className }: { text: string; whole?: string; className?: string | undefined }) => <span title={whole} className={className}>{text}</span>

// The average price of a trade has too many digits for a list: its title and its dialog show them all.
const Price = ({ row, value, format }: { row: LogRow; value: number; format: Format }) => {
  const text = (row.trade?.pairs ?? 1) > 1 ? format.averagePrice(value) : format.price(value)
  const digits = text.replaceAll(/\D/g, '').length
  // A price is never cut: in halves and quarters of 32nds it has up to ten digits.
  return <Whole text={text} whole={format.price(value)} className={digits > 8 ? 'text-xs' : digits > 7 ? 'text-sm' : undefined} />
}

const RMultiple = ({ value, beyond, format, t }: { value: number | null; beyond: boolean; format: Format; t: TFunction<'trade-logbook'> }) =>
  value === null ? (
    <span className="text-faint" title={beyond ? t('r-beyond') : undefined}>{t('none')}</span>
  ) : (
    <span className={inks[value > 0 ? 'gain' : value < 0 ? 'loss' : 'even']}>{format.signedRatio(value)}</span>
  )

/** An account's name, shortened so that no other account looks like it; the whole of it is its title, and is read out. */
const AccountName = ({ name, form }: { name: string; form: string | undefined }) =>
  form === undefined || form === name ? (
    <CutName name={name} />
  ) : (
    <span title={name} className="proportional-nums">
      <span aria-hidden>{form}</span>
      <span className="sr-only">{name}</span>
    </span>
  )

const pictureCountOf = ({ pair, trade }: LogRow): number => trade?.pictures ?? [pair?.screenshot, pair?.screenshot2].filter((picture) => picture !== undefined && picture !== '').length

const Pictures = ({ count, t }: { count: number; t: TFunction<'trade-logbook'> }) =>
  count === 0 ? null : (
    <span title={t('pictures', { count })} className="inline-flex items-center gap-1 text-sm text-muted">
      <ImageIcon role="img" aria-label={t('pictures', { count })} className="size-3.5" />
      {count > 1 && <span aria-hidden>{count}</span>}
    </span>
  )

// The letters of an account's name that always fit.
const [lettersNarrow, lettersWide] = [7, 10]
// The padding of its cell, px, with a little for rounding.
const [marginNarrow, marginWide] = [18, 26]
const fontSize = 13

/** The names, shortened to fit a column of `room` px. */
const namesIn = (names: readonly string[], room: number, isNarrow: boolean): ReadonlyMap<string, string> => {
  const least = isNarrow ? lettersNarrow : lettersWide
  const space = room - (isNarrow ? marginNarrow : marginWide)
  for (let most = Math.max(0, ...names.map((name) => name.length)); most > least; most -= 1) {
    const forms = shortNames(names, most)
    if ((widestText([...forms.values()], fontSize) ?? Infinity) <= space) return forms
  }
  return shortNames(names, least)
}

const inks = { gain: 'text-gain', loss: 'text-loss', even: 'text-muted' } as const

const prefix = /^setup:\s*/iu

/** The setup of a trade: what follows `setup:` in the first of its tags that begins so; null where none does. */
export const setupOf = (tags: readonly string[]): string | null => tags.find((tag) => prefix.test(tag))?.replace(prefix, '').trim() ?? null

/** A row's trading day, without the current year, and the link to its day note. */
const DayCell = ({ tradingDay, format, onDay }: { tradingDay: string; format: Format; onDay: (tradingDay: string) => void }) => (
  <span className="flex min-w-0 items-center gap-1">
    <span title={format.fullDay(tradingDay)} className="truncate">{tradingDay.slice(0, 4) === tradingDayNow(Date.now()).slice(0, 4) ? format.day(tradingDay) : format.fullDay(tradingDay)}</span>
    <DayNoteMark
      tradingDay={tradingDay}
      // The row answers to keys and clicks of its own, and its trade's dialog leads there too.
      tabIndex={-1}
      className="-my-1 data-[state=none]:opacity-0 in-[tr:hover]:data-[state=none]:opacity-100 in-[tr:focus-within]:data-[state=none]:opacity-100"
      onClick={(event) => {
        event.stopPropagation()
        onDay(tradingDay)
      }}
    />
  </span>
)

/** The user's notes in one line: whether there is text, the first tag, and the number of further tags. */
const NotesCell = ({ noted, t }: { noted: Pick<FillPairRecord, 'notes' | 'tags'>; t: TFunction<'trade-logbook'> }) => {
  const [first, ...more] = noted.tags
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-sm">
      {noted.notes.trim() !== '' && (
        <span title={noted.notes.slice(0, 500)} className="shrink-0 text-muted">
          <NotebookText aria-hidden className="size-3.5" />
          <span className="sr-only">{t('has-notes')}</span>
        </span>
      )}
      {first !== undefined && (
        <span title={noted.tags.join(', ')} className="truncate rounded-sm bg-raised px-1.5 py-0.5 text-muted">
          {first}
        </span>
      )}
      {more.length > 0 && (
        <span className="shrink-0 text-faint">
          <span aria-hidden>+{more.length}</span>
          <span className="sr-only">{t('more-tags', { count: more.length })}</span>
        </span>
      )}
    </span>
  )
}

/** An excursion in the list; a dash if it is not known. */
const ExcursionCell = ({ bounds, as }: { bounds: ListedExcursions['mae'] | null; as: 'money' | 'share' }) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const boundsText = useBoundsText()
  if (bounds === null || (bounds.least === null && bounds.most === null)) return <span className="text-faint">{t('none')}</span>
  const text = boundsText(bounds, as === 'money' ? format.money : (value) => format.percent(Number(value)))
  return <span title={text}>{text}</span>
}

const excursionColumn = (id: ExcursionFigure, header: string) =>
  helper.accessor((row) => row.shown.excursions?.[id] ?? null, {
    id,
    header,
    cell: ({ getValue }) => <ExcursionCell bounds={getValue()} as={isEfficiency(id) ? 'share' : 'money'} />,
    sortDescFirst: true,
    meta: { end: true, quiet: true },
  })

// The ids of sortable columns are the API's names of the orders.
const logbookColumns = (t: TFunction<'trade-logbook'>, format: Format, { narrow, isWordy }: { readonly narrow: boolean; readonly isWordy: boolean }, names: ReadonlyMap<string, string>, figureName: (figure: ExcursionFigure) => string) =>
  helper.columns([
    helper.accessor((row) => row.shown.exitTime, {
      id: 'exitTime',
      header: t('column.exit'),
      cell: ({ row, table }) => <LeadCell row={row.original} open={table.options.meta?.openTrades.has(row.original.trade?.id ?? '') ?? false} format={format} narrow={narrow} t={t} />,
      sortDescFirst: true,
      meta: { quiet: true },
    }),
    helper.accessor((row) => row.shown.symbol, { id: 'symbol', header: t('column.contract'), cell: ({ getValue }) => <Whole text={getValue()} />, sortDescFirst: false }),
    helper.accessor((row) => row.shown.side, { id: 'side', header: t('column.side'), cell: ({ getValue }) => <Whole text={t(`side.${getValue()}`)} className={isWordy && narrow ? 'text-xs' : undefined} />, sortDescFirst: false, meta: { quiet: true } }),
    helper.accessor((row) => row.shown.qty, { id: 'qty', header: t('column.qty'), cell: ({ getValue }) => format.count(getValue()), sortDescFirst: true, meta: { end: true } }),
    helper.accessor((row) => row.shown.entryPrice, { id: 'entryPrice', header: t('column.entry-price'), cell: ({ row, getValue }) => <Price row={row.original} value={getValue()} format={format} />, sortDescFirst: true, meta: { end: true } }),
    helper.accessor((row) => row.shown.exitPrice, { id: 'exitPrice', header: t('column.exit-price'), cell: ({ row, getValue }) => <Price row={row.original} value={getValue()} format={format} />, sortDescFirst: true, meta: { end: true } }),
    helper.accessor((row) => row.shown.commission, {
      id: 'commission',
      header: t('column.fees'),
      cell: ({ row, getValue }) => <><Whole text={format.money(getValue())} /><OtherFees of={row.original.shown.otherFees} tight /></>,
      sortDescFirst: true,
      meta: { end: true, quiet: true },
    }),
    helper.accessor((row) => row.shown.netPnl, {
      id: 'netPnl',
      header: t('column.net'),
      cell: ({ row, getValue }) => (
        <span className={classNames(inks[toneOf(getValue())])}>
          {format.signedMoney(getValue())}
          {row.original.shown.currency !== 'USD' && <span className="ml-1 text-sm text-faint" title={row.original.shown.currency}>{format.currencySign(row.original.shown.currency)}</span>}
        </span>
      ),
      sortDescFirst: true,
      meta: { end: true },
    }),
    helper.accessor((row) => row.shown.r ?? null, {
      id: 'r',
      header: t('column.r'),
      cell: ({ row, getValue }) => <RMultiple value={getValue()} beyond={isStopBeyond(row.original.pair?.stop ?? null, row.original.shown)} format={format} t={t} />,
      enableSorting: false,
      meta: { end: true },
    }),
    ...excursionFigures.map((figure) => excursionColumn(figure, figureName(figure))),
    helper.accessor((row) => row.shown.account, { id: 'account', header: t('column.account'), cell: ({ getValue }) => <AccountName name={getValue()} form={names.get(getValue())} />, sortDescFirst: false, meta: { quiet: true } }),
    helper.accessor((row) => row.shown.tradingDay, {
      id: 'tradingDay',
      header: t('column.trading-day'),
      cell: ({ getValue, table }) => <DayCell tradingDay={getValue()} format={format} onDay={(day) => { table.options.meta?.onDay(day) }} />,
      enableSorting: false,
      meta: { quiet: true },
    }),
    helper.accessor((row) => setupOf(row.shown.tags), { id: 'setup', header: t('column.setup'), cell: ({ getValue }) => <Whole text={getValue() ?? ''} />, enableSorting: false, meta: { quiet: true } }),
    helper.display({ id: 'notes', header: t('column.notes'), cell: ({ row }) => <NotesCell noted={row.original.shown} t={t} />, enableSorting: false }),
    helper.display({ id: 'pictures', header: t('column.pictures'), cell: ({ row }) => <Pictures count={pictureCountOf(row.original)} t={t} />, enableSorting: false, meta: { sign: true } }),
    helper.display({ id: 'source', header: t('column.source'), cell: ({ row }) => <TradeMark row={row.original} />, enableSorting: false, meta: { sign: true } }),
  ])

/** The columns of the logbook that fit a list of this width (px), with their widths. */
export const useLogbookColumns = (unit: 'pairs' | 'trades', width: number) => {
  const { t, i18n } = useTranslation('trade-logbook')
  const isWordy = i18n.language !== 'en'
  const format = useFormat()
  const figureName = useFigureName()
  const { choices } = useColumnChoices()
  const narrow = useNarrow()
  const { data: choicesOfFilter } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  const accounts = useMemo(() => choicesOfFilter?.accounts.map(({ name }) => name) ?? [], [choicesOfFilter])
  const named = useMemo(() => (widestText(accounts, fontSize) ?? 0) + (narrow ? marginNarrow : marginWide), [accounts, narrow])
  const widths = useMemo(() => roomsOf(unit, narrow, width, choices, isWordy, named), [unit, narrow, width, choices, isWordy, named])
  const names = useMemo(() => namesIn(accounts, widths.get('account') ?? 0, narrow), [accounts, widths, narrow])
  const columns = useMemo(() => logbookColumns(t, format, { narrow, isWordy }, names, figureName).filter(({ id = '' }) => widths.has(id as ColumnId)), [t, format, narrow, isWordy, names, figureName, widths])
  return { columns, widths }
}
