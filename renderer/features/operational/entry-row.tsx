import { classNames } from '#renderer/lib/class-names.ts'
import { monogram } from '#renderer/lib/monogram.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useNarrow } from '#renderer/lib/use-narrow.ts'
import { Monogram } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { Cell } from '#renderer/ui/table.tsx'
import type { BookEntry } from '#shared/stats/books-filter.ts'
import { Pencil, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { signed } from './entry-rows.ts'

type Props = { readonly entry: BookEntry; readonly kind: string; readonly account: string | null; readonly leaving: boolean; readonly onEdit: () => void; readonly onRemove: () => void }

/** One entry; a click opens it. While it is being removed it stays and says so. */
export const EntryRow = ({ entry, kind, account, leaving, onEdit, onRemove }: Props) => {
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
