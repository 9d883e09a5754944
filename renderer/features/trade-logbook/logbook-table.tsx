import { useRowKeys } from '#renderer/lib/use-row-keys.ts'
import { DayNoteDialog } from '#renderer/ui/day-note-dialog.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { lineOf, SkeletonRows, Spacer } from '#renderer/ui/table.tsx'
import { tradeSort } from '#shared/api/journal.ts'
import { useTable, type SortingState } from '@tanstack/react-table'
import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogbookView } from './address.ts'
import { logbookFeatures, useLogbookColumns } from './columns.tsx'
import { opensPairs } from './lead-cell.tsx'
import type { Opened } from './left-draft.ts'
import { LogbookHead } from './logbook-head.tsx'
import { LogbookRow } from './logbook-row.tsx'
import type { LogRow } from './rows.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useLinesInPage } from './use-lines-in-page.ts'
import { useLogRows, type OpenTrips } from './use-log-rows.ts'
import type { Removal } from './use-removal.ts'
import { useSelection } from './use-selection.ts'
import { useTripPairs } from './use-trip-pairs.ts'
import { windowsOf } from './use-windows.ts'

const skeletonRows = 18
const noneOpen: OpenTrips = new Map()

type Props = {
  readonly view: LogbookView
  readonly onSort: (sort: Pick<LogbookView, 'sort' | 'direction'>) => void
  readonly onOpen: (opened: Opened) => void
  readonly removal: Removal
  readonly onEdit: ComponentProps<typeof SelectionBar>['onEdit']
  /** What stands where there is no row. */
  readonly empty: ReactNode
  /** Told how many lines there are, as soon as that is known. */
  readonly onCount: (count: number | null) => void
}

/** The rows of a view, of which only those in sight are in the page; give it a key of the view, so that another list begins at its top. */
export const LogbookTable = ({ view, onSort, onOpen, removal, onEdit, empty, onCount }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const scroller = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(noneOpen)
  const [notedDay, setNotedDay] = useState<string | null>(null)
  const [wanted, setWanted] = useState<readonly number[]>([0])
  const { count, rowAt, indexAt, openIds, failure, retry } = useLogRows(view, wanted, open)

  const { lines, first, last, above, below, drawn, scrollTo } = useLinesInPage({ count: count ?? 0, scroller, keyOf: (line) => rowAt(line)?.key ?? null })
  const needed = first === null || last === null ? '0' : windowsOf(indexAt(first), indexAt(last)).join(' ')
  useEffect(() => {
    setWanted(needed.split(' ').map(Number))
  }, [needed])
  useEffect(() => {
    onCount(count)
  }, [count, onCount])

  const rows = lines.map((line) => ({ line, row: rowAt(line) }))
  const sorting: SortingState = [{ id: view.sort, desc: view.direction === 'desc' }]
  const { columns, widths } = useLogbookColumns(view.unit)
  const table = useTable({
    features: logbookFeatures,
    columns,
    data: rows.flatMap(({ row }) => (row !== null && drawn.has(row.key) ? row : [])),
    getRowId: (row) => row.key,
    manualSorting: true,
    enableSortingRemoval: false,
    state: { sorting },
    onSortingChange: (next) => {
      const [chosen] = typeof next === 'function' ? next(sorting) : next
      const sort = tradeSort.safeParse(chosen?.id)
      if (!sort.success) return
      setOpen(noneOpen)
      scroller.current?.scrollTo({ top: 0 })
      onSort({ sort: sort.data, direction: chosen?.desc === true ? 'desc' : 'asc' })
    },
    meta: { openTrips: openIds, onDay: setNotedDay },
  })
  const { rowsById } = table.getRowModel()

  const toggle = (line: number, { trip }: LogRow): void => {
    if (trip === null || trip.pairs < 2) return
    const index = indexAt(line)
    setOpen((known) => (known.get(index)?.id === trip.id ? new Map([...known].filter(([at]) => at !== index)) : new Map(known).set(index, trip)))
  }
  const openRow = (_: number, { trade, trip }: LogRow): void => {
    if (trade !== null) onOpen({ of: 'trade', trade })
    else if (trip !== null) onOpen({ of: 'trip', trip })
  }
  const pairsOf = useTripPairs()
  const removeRow = (_: number, { trade, trip }: LogRow): void => {
    if (trade !== null) removal.remove(trade)
    else if (trip !== null) void pairsOf(trip.id).then((pairs) => { if (pairs.length > 0) removal.removeTrip(trip, pairs) })
  }
  const selection = useSelection(rowAt)
  const keys = useRowKeys({
    count: count ?? 0,
    inSight: { first: first ?? 0, last: last ?? 0 },
    scroller,
    scrollTo,
    onEnter: (line) => { onLine(line, openRow) },
    onDelete: (line) => { onLine(line, removeRow) },
    onPick: selection.pick,
    onLeave: selection.clear,
    onSide: (line, way) => {
      onLine(line, (at, row) => { if (row.trip !== null && openIds.has(row.trip.id) === (way === 'left')) toggle(at, row) })
    },
  })
  const onLine = (line: number, act: (line: number, row: LogRow) => void): void => {
    const row = rowAt(line)
    if (row !== null) act(line, row)
  }

  if (failure !== null && count === null) return <ErrorState failure={failure} onRetry={retry} className="grow" />
  if (count === 0) return <>{empty}</>
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  return (
    <>
      {selection.trades.size > 0 && (
        <SelectionBar
          trades={[...selection.trades.values()]}
          picked={selection.picked}
          onEdit={(trade, updates, shown) => {
            onEdit(trade, updates, shown)
            selection.change(trade.id, shown)
          }}
          onClear={() => {
            selection.clear()
            scroller.current?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus()
          }}
        />
      )}
      <div ref={scroller} className="min-h-0 grow overflow-auto">
        <table
          role={view.unit === 'trips' ? 'treegrid' : 'grid'}
          aria-label={t(`list.${view.unit}`)}
          aria-rowcount={(count ?? -1) + (count === null ? 0 : 1)}
          aria-busy={count === null}
          aria-multiselectable
          className="w-full min-w-190 table-fixed border-collapse xl:min-w-264 [&_td:not(:first-child)]:px-2 xl:[&_td:not(:first-child)]:px-3 [&_td:first-child]:pr-2 [&_th:not(:first-child)]:px-2 xl:[&_th:not(:first-child)]:px-3"
          onKeyDown={keys.onKeyDown}
        >
          <colgroup>
            {headers.map((header) => (
              <col key={header.id} style={{ width: `${String(widths[header.column.id] ?? 0)}%` }} />
            ))}
          </colgroup>
          <LogbookHead headers={headers} />
          <tbody
            onFocus={({ target }) => { const line = lineOf(target); if (line !== null) keys.setActive(line) }}
            onMouseDown={(event) => {
              // Rows are picked, not their words marked.
              if (event.shiftKey) event.preventDefault()
            }}
            onClick={({ target, shiftKey, ctrlKey, metaKey }) => {
              const line = lineOf(target)
              if (line === null) return
              if (shiftKey || ctrlKey || metaKey) selection.pick(line, shiftKey)
              else onLine(line, target instanceof Element && target.closest(`[${opensPairs}]`) !== null ? toggle : openRow)
            }}
          >
            <Spacer height={above} columns={headers.length} />
            {count === null && <SkeletonRows rows={skeletonRows} columns={headers.length} />}
            {rows.map(({ line, row }) => (
              <LogbookRow
                key={line}
                line={line}
                columns={columns}
                row={row === null ? null : (rowsById[row.key] ?? null)}
                active={line === keys.active}
                selected={row !== null && selection.has(row)}
                expanded={row?.trip && row.trip.pairs > 1 ? openIds.has(row.trip.id) : null}
                level={view.unit === 'trips' ? (row?.level ?? 1) : null}
              />
            ))}
            <Spacer height={below} columns={headers.length} />
          </tbody>
        </table>
      </div>
      {notedDay !== null && <DayNoteDialog tradingDay={notedDay} onClose={() => { setNotedDay(null) }} />}
    </>
  )
}
