import { classNames } from '#renderer/lib/class-names.ts'
import { Cell } from '#renderer/ui/table.tsx'
import { FlexRender, type Row } from '@tanstack/react-table'
import { Check } from 'lucide-react'
import { memo } from 'react'
import type { logbookFeatures } from './columns.tsx'
import type { LogRow } from './rows.ts'

type Props = {
  readonly line: number
  /** Others draw every line again. */
  readonly columns: readonly unknown[]
  /** Null while the row is being fetched, or waits for its turn to be drawn: then it is one quiet bar, which costs little. */
  readonly row: Row<typeof logbookFeatures, LogRow> | null
  /** Whether the line is in the tab order. */
  readonly active: boolean
  readonly selected: boolean
  /** Whether its trip is open; null for what does not open. */
  readonly expanded: boolean | null
  /** Null in a list without levels. */
  readonly level: 1 | 2 | null
}

/** Marks the box that selects a row. */
export const selectsRow = 'data-selects-row'

/** One line of the logbook; clicks and keys are the list's. */
export const LogbookRow = memo(
  ({ line, columns, row, active, selected, expanded, level }: Props) => (
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
