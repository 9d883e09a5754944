import { classNames } from '#renderer/lib/class-names.ts'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'

/** A full-width table; rows are 36 px. In a small window the column names wrap, because a language may have words longer than the figures. */
export const Table = ({ className, ...rest }: ComponentProps<'table'>) => <table className={classNames('w-full border-collapse max-md:[&_th]:whitespace-normal', className)} {...rest} />

/** A column's name; `end` for figures, `unseen` for one that is only read aloud. In a table with fixed widths a long one takes a second line, and the tooltip has the whole name. */
export const HeaderCell = ({ end = false, unseen = false, className, children, ...rest }: ComponentProps<'th'> & { end?: boolean; unseen?: boolean }) => {
  const text = typeof children === 'string' && !unseen ? children : undefined
  return (
    <th
      scope="col"
      title={text}
      className={classNames(
        'h-9 border-b border-hairline px-4 text-sm font-[450] whitespace-nowrap text-faint',
        text !== undefined && 'truncate in-[.table-fixed]:leading-tight in-[.table-fixed]:whitespace-normal',
        end ? 'text-right' : 'text-left',
        className,
      )}
      {...rest}
    >
      {unseen ? <span className="sr-only">{children}</span> : children}
    </th>
  )
}

/** The name of a row. */
export const RowHeaderCell = ({ className, ...rest }: ComponentProps<'th'>) => (
  <th scope="row" className={classNames('border-b border-hairline px-4 text-left font-normal text-muted in-[tr:last-child]:border-0', className)} {...rest} />
)

/** The name of a sortable column: shows and announces the direction, and requests the next one when clicked. */
export const SortHeaderCell = ({
  direction,
  onSort,
  end = false,
  className,
  children,
  ...rest
}: ComponentProps<'th'> & { direction: 'asc' | 'desc' | null; onSort: () => void; end?: boolean }) => {
  const Arrow = direction === 'asc' ? ArrowUp : direction === 'desc' ? ArrowDown : ChevronsUpDown
  return (
    <HeaderCell end={end} className={className} aria-sort={direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending'} {...rest}>
      <button type="button" onClick={onSort} className={classNames('group relative -mx-1 inline-flex max-w-[calc(100%+0.5rem)] items-center gap-1 rounded-sm px-1 py-0.5 hover:text-ink', direction && 'text-ink')}>
        <span className="truncate max-md:whitespace-normal">{children}</span>
        {/* Outside the line, so that the name has all the room and aligns with the figures below. */}
        <Arrow aria-hidden className={classNames('absolute size-3.5', end ? 'right-full' : 'left-full', direction === null && 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100')} />
      </button>
    </HeaderCell>
  )
}

/** A cell; `end` for figures, `quiet` for minor content. */
export const Cell = ({ end = false, quiet = false, className, ...rest }: ComponentProps<'td'> & { end?: boolean; quiet?: boolean }) => (
  <td className={classNames('h-9 border-b border-hairline px-4 whitespace-nowrap in-[tr:last-child]:border-0', end && 'text-right', quiet && 'text-muted', className)} {...rest} />
)

/** Placeholder rows while loading, with the last `figures` columns before the last `after` aligned as figures; inside a `tbody`. */
export const SkeletonRows = ({ rows, columns, figures = 0, after = 0 }: { rows: number; columns: number; figures?: number; after?: number }): ReactNode =>
  Array.from({ length: rows }, (_, row) => (
    <tr key={row} aria-hidden>
      {Array.from({ length: columns }, (__, column) => (
        <Cell key={column}>
          <Skeleton className={classNames('h-3 w-4/5', column >= columns - after - figures && column < columns - after && 'ml-auto')} />
        </Cell>
      ))}
    </tr>
  ))

/** The number of the row of a long list that an event came from; null outside of rows. */
export const lineOf = (target: EventTarget): number | null => {
  const line = target instanceof Element ? target.closest('tr')?.dataset['line'] : undefined
  return line === undefined ? null : Number(line)
}

/** Takes the space of the rows out of view, so that the scroll bar is right. */
export const Spacer = ({ height, columns }: { height: number; columns: number }) =>
  height <= 0 ? null : (
    <tr aria-hidden style={{ height }}>
      <td colSpan={columns} />
    </tr>
  )
