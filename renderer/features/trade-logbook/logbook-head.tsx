import { classNames } from '#renderer/lib/class-names.ts'
import { useNarrow } from '#renderer/lib/use-narrow.ts'
import { HeaderCell, SortHeaderCell } from '#renderer/ui/table.tsx'
import { FlexRender, type Header } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { logbookFeatures } from './columns.tsx'
import type { LogRow } from './rows.ts'

/** The names of the columns, which stay in sight, behind the `box` that selects all rows; those that sort ask for it when pressed. */
export const LogbookHead = ({ headers, box }: { headers: readonly Header<typeof logbookFeatures, LogRow>[]; box: ReactNode }) => {
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
