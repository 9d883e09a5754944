import { classNames } from '#renderer/lib/class-names.ts'
import { monogram } from '#renderer/lib/monogram.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useNarrow } from '#renderer/lib/use-narrow.ts'
import { Monogram } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { Cell, HeaderCell, SkeletonRows, SortHeaderCell, Table } from '#renderer/ui/table.tsx'
import type { Finance } from '#shared/api/records.ts'
import type { BookEntry } from '#shared/stats/books-filter.ts'
import { Pencil, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { entryColumns, kindOf, signed, sortEntries, type EntryColumn, type EntryOrder } from './entry-rows.ts'
import { useAccountName } from './use-account-name.ts'
import { useKindWords } from './use-kind-words.ts'

// Few users have more; the rest is one click away.
const shownAtFirst = 100

type Props = { readonly entries: readonly BookEntry[] | null; readonly accounts: readonly Finance[]; readonly leaving: string | null; readonly onEdit: (entry: BookEntry) => void; readonly onRemove: (entry: BookEntry) => void }

/** All earnings and expenses that pass the filter, to sort, edit and remove; `leaving` is the one being removed. */
export const EntriesCard = ({ entries, accounts, leaving, onEdit, onRemove }: Props) => {
  const { t } = useTranslation('operational')
  const format = useFormat()
  const nameOf = useAccountName(accounts)
  const kindWords = useKindWords()
  const list = useRef<HTMLDivElement>(null)
  const [order, setOrder] = useState<EntryOrder>({ column: 'date', direction: 'desc' })
  const [all, setAll] = useState(false)
  const rows = sortEntries(
    (entries ?? []).map((entry) => ({ entry, words: { kind: kindWords(kindOf(entry)), whose: [entry.firm ?? '', entry.account === null ? '' : nameOf(entry.account)].filter((name) => name !== '').join(' ') } })),
    order,
  )
  const sort = (column: EntryColumn): void => {
    const first = column === 'date' || column === 'amount' ? 'desc' : 'asc'
    setOrder(order.column === column ? { column, direction: order.direction === 'asc' ? 'desc' : 'asc' } : { column, direction: first })
  }
  const shown = all ? rows : rows.slice(0, shownAtFirst)
  return (
    <Card title={t('entries')} {...(entries === null ? {} : { note: t('entries-note', { count: entries.length, shown: format.count(entries.length) }) })} className="shrink-0 overflow-hidden">
      <div ref={list} tabIndex={-1} role="group" aria-label={t('entries')} className="overflow-x-auto -outline-offset-2 outline-none">
        <Table className="[&_td:not(:first-child)]:pl-1 [&_th:not(:first-child)]:pl-1">
          <thead>
            <tr>
              {entryColumns.map((column) => (
                <SortHeaderCell key={column} end={column === 'amount'} direction={order.column === column ? order.direction : null} onSort={() => { sort(column) }}>
                  {t(`column.${column}`)}
                </SortHeaderCell>
              ))}
              <HeaderCell unseen className="w-20">{t('acts')}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            {entries === null && <SkeletonRows rows={6} columns={6} figures={1} after={1} />}
            {shown.map(({ entry, words }) => (
              <EntryRow
                key={entry.id}
                entry={entry}
                kind={words.kind}
                account={entry.account === null ? null : nameOf(entry.account)}
                leaving={leaving === entry.id}
                onEdit={() => { onEdit(entry) }}
                onRemove={() => {
                  // The button disappears with its row: keep the focus in the list.
                  list.current?.focus()
                  onRemove(entry)
                }}
              />
            ))}
          </tbody>
        </Table>
      </div>
      {shown.length < rows.length && (
        <div className="flex justify-center border-t border-hairline py-2">
          <Button variant="ghost" size="sm" onClick={() => { setAll(true) }}>
            {t('show-all', { count: rows.length, shown: format.count(rows.length) })}
          </Button>
        </div>
      )}
    </Card>
  )
}

type RowProps = { readonly entry: BookEntry; readonly kind: string; readonly account: string | null; readonly leaving: boolean; readonly onEdit: () => void; readonly onRemove: () => void }

/** One entry; a click opens it. While it is being removed it stays and says so. */
const EntryRow = ({ entry, kind, account, leaving, onEdit, onRemove }: RowProps) => {
  const { t } = useTranslation('operational')
  const format = useFormat()
  const narrow = useNarrow()
  const { date, name, note, firm, currency } = entry
  const names = { what: name === '' ? kind : name, day: format.fullDay(date) }
  return (
    <tr
      aria-busy={leaving || undefined}
      className={classNames('cursor-pointer hover:bg-raised', leaving && 'opacity-60')}
      onClick={(event) => {
        if (!leaving && !(event.target instanceof Element && event.target.closest('button') !== null)) onEdit()
      }}
    >
      <Cell quiet>{format.fullDay(date)}</Cell>
      <Cell>{kind}</Cell>
      <Cell className="max-w-0 min-w-32 xl:w-[32%]">
        <span className="flex gap-2">
          {name !== '' && <span title={name} className="max-w-full truncate">{name}</span>}
          {note !== '' && <span title={note} className="min-w-0 shrink-4 truncate text-faint">{note}</span>}
        </span>
      </Cell>
      <Cell className="max-w-96 max-xl:max-w-44">
        <span className={classNames('flex gap-2', narrow ? 'items-center' : 'items-baseline')}>
          {firm !== null && narrow && account !== null && (
            <span title={firm}>
              <Monogram letters={monogram(firm)} />
              <span className="sr-only">{firm}</span>
            </span>
          )}
          {firm !== null && !(narrow && account !== null) && <span title={firm} className="min-w-0 truncate">{firm}</span>}
          {account !== null && (
            <span className={classNames('min-w-0 shrink-2', firm !== null && !narrow && 'text-muted')}>
              <CutName name={account} />
            </span>
          )}
        </span>
      </Cell>
      <Cell end>
        <Pnl value={signed(entry)} />
        <span className="ml-1.5 text-sm text-faint">{currency}</span>
      </Cell>
      <Cell end>
        <span className="-mr-2 flex justify-end">
          <Button variant="ghost" size="icon" disabled={leaving} title={t('edit')} aria-label={t('edit-of', names)} onClick={onEdit}>
            <Pencil aria-hidden />
          </Button>
          <Button variant="ghost" size="icon" disabled={leaving} title={t('remove')} aria-label={t('remove-of', names)} onClick={onRemove}>
            {leaving ? <Spinner /> : <Trash2 aria-hidden />}
          </Button>
        </span>
      </Cell>
    </tr>
  )
}
