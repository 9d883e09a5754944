import { classNames } from '#renderer/lib/class-names.ts'
import { useNarrow } from '#renderer/lib/use-narrow.ts'
import { useRowKeys } from '#renderer/lib/use-row-keys.ts'
import { DayNote } from '#renderer/ui/day-note.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, lineOf, SkeletonRows, SortHeaderCell, Spacer } from '#renderer/ui/table.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import { tradeSort } from '#shared/api/journal.ts'
import { FlexRender, useTable, type Header, type Row, type SortingState } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Check } from 'lucide-react'
import { lazy, memo, Suspense, useCallback, useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogbookView } from './address.ts'
import { logbookFeatures, useLogbookColumns } from './columns.tsx'
import { opensPairs } from './lead-cell.tsx'
import type { Opened } from './dialog-state.ts'
import { boxWidth } from './column-choices.ts'
import type { Neighbors } from './trade-walk.tsx'
import { useLogRows, windowsOf, type LogRow, type OpenTrades } from './use-log-rows.ts'
import { useSelection } from './use-selection.ts'
import type { TradeChanges } from './use-trade-changes.ts'
import { useTradePairs } from './use-trade-pairs.ts'

// Fetched after the rows, and when one is selected.
const LogbookFooter = lazy(async () => ({ default: (await import('./logbook-footer.tsx')).LogbookFooter }))
const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }))

const skeletonRows = 18
// Until the list is measured, px.
const usualWidth = 1_150
// How many lines are searched for a trade that the address names.
const mostSearched = 1_000
const lineNamed = (id: string, count: number, idAt: (line: number) => string | null): number | null => {
  for (let line = 0; line < count; line += 1) if (idAt(line) === id) return line
  return null
}

const noneOpen: OpenTrades = new Map()

type Props = {
  readonly view: LogbookView
  readonly onSort: (sort: Pick<LogbookView, 'sort' | 'direction'>) => void
  readonly onOpen: (opened: Opened, line: number) => void
  /** The trade that is open, and the line at which it was opened; null for none. */
  readonly opened: { readonly id: string; /** Null if the address opened it. */ readonly line: number | null } | null
  /** Called with the ways to the trades before and after the open one. */
  readonly onNeighbors: (neighbors: Neighbors) => void
  readonly changes: TradeChanges
  /** Shown if there are no rows. */
  readonly empty: ReactNode
  /** Called with the number of lines, as soon as it is known. */
  readonly onCount: (count: number | null) => void
}

/** The virtualized rows of a view. Give it a key of the view, so that another list starts at its top. */
export const LogbookTable = ({ view, onSort, onOpen, opened, onNeighbors, changes, empty, onCount }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const scroller = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(usualWidth)
  const [open, setOpen] = useState(noneOpen)
  const [notedDay, setNotedDay] = useState<string | null>(null)
  const [wanted, setWanted] = useState<readonly number[]>([0])
  const { count, total, rowAt, indexAt, openIds, failure, retry } = useLogRows(view, wanted, open)

  const { lines, first, last, above, below, drawn, scrollTo } = useLinesInPage(count ?? 0, scroller, (line) => rowAt(line)?.key ?? null)
  const needed = first === null || last === null ? '0' : windowsOf(indexAt(first), indexAt(last)).join(' ')
  useEffect(() => {
    setWanted(needed.split(' ').map(Number))
  }, [needed])
  useEffect(() => {
    onCount(count)
  }, [count, onCount])

  const measure = useCallback((node: HTMLDivElement | null) => {
    scroller.current = node
    if (node === null) return
    const observer = new ResizeObserver(() => { setWidth(node.clientWidth) })
    observer.observe(node)
    return () => { observer.disconnect() }
  }, [])
  const rows = lines.map((line) => ({ line, row: rowAt(line) }))
  const sorting: SortingState = [{ id: view.sort, desc: view.direction === 'desc' }]
  const { columns, widths } = useLogbookColumns(view.unit, width)
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
    meta: { openTrades: openIds, onDay: setNotedDay },
  })
  const { rowsById } = table.getRowModel()

  const toggle = (line: number, { trade }: LogRow): void => {
    if (trade === null || trade.pairs < 2) return
    const index = indexAt(line)
    setOpen((known) => (known.get(index)?.id === trade.id ? new Map([...known].filter(([at]) => at !== index)) : new Map(known).set(index, trade)))
  }
  const openRow = (line: number, { pair, trade }: LogRow): void => {
    if (pair !== null) onOpen({ of: 'pair', pair }, line)
    else if (trade !== null) onOpen({ of: 'trade', trade }, line)
  }
  const idAt = (line: number): string | null => rowAt(line)?.shown.id ?? null
  const lineOfOpened = (): number | null => {
    if (opened === null) return null
    const { id, line } = opened
    if (line === null) return lineNamed(id, Math.min(count ?? 0, mostSearched), idAt)
    // A save may have filtered out the trade before it, or itself: then the next one is on its line.
    return [line, line - 1].find((at) => at >= 0 && idAt(at) === id) ?? line - 1
  }
  const walkTo = useEffectEvent((line: number): void => {
    const row = rowAt(line)
    if (row === null) return
    scrollTo(line)
    openRow(line, row)
  })
  const openLine = lineOfOpened()
  const neighborAt = (line: number): number | null => (openLine !== null && line >= 0 && line < (count ?? 0) && rowAt(line) !== null ? line : null)
  const [previous, next] = [neighborAt((openLine ?? 0) - 1), neighborAt((openLine ?? 0) + 1)]
  useEffect(() => {
    const wayTo = (line: number | null) => (line === null ? null : () => { walkTo(line) })
    onNeighbors({ previous: wayTo(previous), next: wayTo(next) })
  }, [previous, next, onNeighbors])
  const pairsOf = useTradePairs()
  const removeRow = (_: number, { pair, trade }: LogRow): void => {
    if (pair !== null) changes.removePair(pair)
    else if (trade !== null) void pairsOf(trade.id).then((pairs) => { if (pairs.length > 0) changes.removeTrade(trade, pairs) })
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
      onLine(line, (at, row) => { if (row.trade !== null && openIds.has(row.trade.id) === (way === 'left')) toggle(at, row) })
    },
  })
  const onLine = (line: number, act: (line: number, row: LogRow) => void): void => {
    const row = rowAt(line)
    if (row !== null) act(line, row)
  }

  if (failure !== null && count === null) return <ErrorState failure={failure} onRetry={retry} className="grow" />
  if (count === 0) return <>{empty}</>
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  const rooms = [...widths.values()].reduce((sum, room) => sum + room, boxWidth)
  const isPicking = selection.except !== null || selection.pairs.size > 0
  const isAllPicked = selection.except === null ? (isPicking ? 'mixed' : false) : selection.except.size === 0 || 'mixed'
  return (
    <>
      {/* A scrollbar takes no room from the columns, so a filter changes none of them. */}
      <div ref={measure} className="min-h-0 grow overflow-auto [scrollbar-gutter:stable] [scrollbar-width:thin]">
        <table
          role={view.unit === 'trades' ? 'treegrid' : 'grid'}
          aria-label={t(`list.${view.unit}`)}
          aria-rowcount={(count ?? -1) + (count === null ? 0 : 1)}
          aria-busy={count === null}
          aria-multiselectable
          style={{ minWidth: rooms }}
          className="w-full table-fixed border-collapse [&_td:not(:first-child)]:px-2 xl:[&_td:not(:first-child)]:px-3 [&_th:not(:first-child)]:px-2 xl:[&_th:not(:first-child)]:px-3"
          onKeyDown={keys.onKeyDown}
        >
          <colgroup>
            <col style={{ width: boxWidth }} />
            {[...widths].map(([id, room]) => (
              <col key={id} style={{ width: `${((room / rooms) * 100).toFixed(2)}%` }} />
            ))}
          </colgroup>
          <LogbookHead
            headers={headers}
            box={<Checkbox aria-label={t(`select-all.${view.unit}`)} checked={isAllPicked} onChange={(all) => { if (all) selection.pickAll(); else selection.clear() }} />}
          />
          <tbody
            onFocus={({ target }) => { const line = lineOf(target); if (line !== null) keys.setActive(line) }}
            onMouseDown={(event) => {
              // Shift selects rows, not text.
              if (event.shiftKey) event.preventDefault()
            }}
            onClick={({ target, shiftKey, ctrlKey, metaKey }) => {
              const line = lineOf(target)
              if (line === null) return
              const isOn = (mark: string): boolean => target instanceof Element && target.closest(`[${mark}]`) !== null
              if (shiftKey || ctrlKey || metaKey || isOn(selectsRow)) selection.pick(line, shiftKey)
              else onLine(line, isOn(opensPairs) ? toggle : openRow)
            }}
          >
            <Spacer height={above} columns={headers.length + 1} />
            {count === null && <SkeletonRows rows={skeletonRows} columns={headers.length + 1} />}
            {rows.map(({ line, row }) => (
              <LogbookRow
                key={line}
                line={line}
                columns={columns}
                row={row === null ? null : (rowsById[row.key] ?? null)}
                active={line === keys.active}
                selected={row !== null && selection.has(row)}
                expanded={row?.trade && row.trade.pairs > 1 ? openIds.has(row.trade.id) : null}
                level={view.unit === 'trades' ? (row?.level ?? 1) : null}
              />
            ))}
            <Spacer height={below} columns={headers.length + 1} />
          </tbody>
        </table>
      </div>
      {/* In one place, so that nothing moves when a row is selected. */}
      {isPicking ? (
        <Suspense fallback={<div className="h-12 shrink-0 border-t border-hairline bg-accent-tint" />}>
          <SelectionBar
            view={view}
            selection={selection}
            total={total}
            onClear={() => {
              selection.clear()
              scroller.current?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus()
            }}
          />
        </Suspense>
      ) : (
        <Suspense fallback={<div className="h-12 shrink-0 border-t border-hairline" />}>
          <LogbookFooter view={view} columns={[...widths.keys()]} rowsCame={count !== null} />
        </Suspense>
      )}
      <DayNote tradingDay={notedDay} onClose={() => { setNotedDay(null) }} />
    </>
  )
}

const rowHeight = 36
/** The most rows that are drawn in one frame. */
const rowsAtOnce = 4

/** The lines in the page (those in sight and a few around them), the heights above and below in px, and the keys of the rows that are drawn completely. `keyOf` is null for a line that is not fetched yet. */
const useLinesInPage = (count: number, scroller: RefObject<HTMLElement | null>, keyOf: (line: number) => string | null) => {
  const virtualizer = useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 6, scrollPaddingStart: rowHeight })
  const items = virtualizer.getVirtualItems()
  const lines = items.map(({ index }) => index)
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {}
  const inSight = (line: number): boolean => line >= startIndex && line <= endIndex
  const drawn = useFewAtOnce([...lines.filter(inSight), ...lines.filter((line) => !inSight(line))].flatMap((line) => keyOf(line) ?? []), rowsAtOnce)
  return {
    lines, drawn,
    first: lines[0] ?? null,
    last: lines.at(-1) ?? null,
    above: items[0]?.start ?? 0,
    below: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
    scrollTo: (line: number): void => { virtualizer.scrollToIndex(line) },
  }
}

type RowProps = {
  readonly line: number
  /** If they change, every line is drawn again. */
  readonly columns: readonly unknown[]
  /** Null while the row is being fetched or waits to be drawn: then it is a bar, which costs little. */
  readonly row: Row<typeof logbookFeatures, LogRow> | null
  /** Whether the line is in the tab order. */
  readonly active: boolean
  readonly selected: boolean
  /** Whether its trade is open; null for what does not open. */
  readonly expanded: boolean | null
  /** Null in a list without levels. */
  readonly level: 1 | 2 | null
}

/** Marks the box that selects a row. */
const selectsRow = 'data-selects-row'

/** One line of the logbook; clicks and keys are the list's. */
const LogbookRow = memo(
  ({ line, columns, row, active, selected, expanded, level }: RowProps) => (
    <tr
      data-line={line}
      aria-rowindex={line + 2}
      aria-level={level ?? undefined}
      aria-selected={selected}
      aria-expanded={expanded ?? undefined}
      tabIndex={active ? 0 : -1}
      className="h-9 cursor-pointer -outline-offset-2 hover:bg-raised aria-selected:bg-accent-tint aria-selected:[&_.text-faint]:text-muted"
    >
      {row === null ? (
        <td colSpan={columns.length + 1} className="h-9 border-b border-hairline px-4 in-[tr:last-child]:border-0">
          <span aria-hidden className="block h-2.5 rounded-sm bg-line opacity-40" />
        </td>
      ) : (
        <>
          {/* The row itself has the keys for it, and says whether it is selected. */}
          <td {...{ [selectsRow]: '' }} className="h-9 border-b border-hairline pl-4 in-[tr:last-child]:border-0">
            <span aria-hidden className={classNames('grid size-4.5 place-items-center rounded-sm border', selected ? 'border-accent bg-accent text-accent-ink' : 'border-field bg-surface')}>
              {selected && <Check className="size-3.5" strokeWidth={2.5} />}
            </span>
          </td>
          {row.getAllCells().map((cell) => (
            <Cell key={cell.column.id} end={cell.column.columnDef.meta?.end ?? false} quiet={cell.column.columnDef.meta?.quiet ?? false} className="truncate">
              <FlexRender cell={cell} />
            </Cell>
          ))}
        </>
      )}
    </tr>
  ),
  // The table makes new rows with every scroll: a line is drawn again only if what it shows has changed.
  (before, after) =>
    before.line === after.line &&
    before.columns === after.columns &&
    before.active === after.active &&
    before.selected === after.selected &&
    before.expanded === after.expanded &&
    before.level === after.level &&
    before.row?.original.shown === after.row?.original.shown &&
    before.row?.original.unsaved === after.row?.original.unsaved,
)
LogbookRow.displayName = 'LogbookRow'

/** The sticky headers, after the `box` that selects all rows; sortable ones are buttons. */
const LogbookHead = ({ headers, box }: { headers: readonly Header<typeof logbookFeatures, LogRow>[]; box: ReactNode }) => {
  const { i18n } = useTranslation()
  // Longer words than English has room for.
  const small = useNarrow() && i18n.language !== 'en'
  return (
    <thead className="sticky top-0 z-1 bg-surface">
      <tr aria-rowindex={1}>
        <th scope="col" className="h-9 border-b border-hairline pl-4 text-left">{box}</th>
        {headers.map((header) => {
          const end = header.column.columnDef.meta?.end ?? false
          const name = <FlexRender header={header} />
          const looks = small ? classNames('text-xs!', end && 'pl-0!') : ''
          const { header: words } = header.column.columnDef
          const title = typeof words === 'string' ? words : undefined
          return header.column.getCanSort() ? (
            <SortHeaderCell key={header.id} end={end} title={title} className={looks} direction={header.column.getIsSorted() || null} onSort={() => { header.column.toggleSorting() }}>
              {name}
            </SortHeaderCell>
          ) : (
            <HeaderCell key={header.id} end={end} title={title} className={classNames('truncate', looks)}>
              {header.column.columnDef.meta?.sign === true ? <span className="max-xl:sr-only">{name}</span> : name}
            </HeaderCell>
          )
        })}
      </tr>
    </thead>
  )
}

const none: ReadonlySet<string> = new Set()

/**
 * Which of these to render fully: those that were rendered before, and of the others the first `most`; the rest follow
 * in the next frames. So no frame renders much, however much comes into view at once.
 */
const useFewAtOnce = (keys: readonly string[], most: number): ReadonlySet<string> => {
  const drawn = useRef(none)
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  const left = new Set(keys.filter((key) => !drawn.current.has(key)).slice(most))
  const whole = new Set(keys.filter((key) => !left.has(key)))
  useLayoutEffect(() => {
    drawn.current = whole
  })
  useEffect(() => {
    if (left.size === 0) return
    const frame = requestAnimationFrame(drawAgain)
    return () => { cancelAnimationFrame(frame) }
  })
  return whole
}
