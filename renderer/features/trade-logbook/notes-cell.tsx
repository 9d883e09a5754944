import type { Trade } from '#shared/api/records.ts'
import type { TFunction } from 'i18next'
import { NotebookText } from 'lucide-react'

/** What the user noted on a trade or its pairs, in one line: whether there are words, its first tag, and how many more there are. */
export const NotesCell = ({ noted, t }: { noted: Pick<Trade, 'notes' | 'tags'>; t: TFunction<'trade-logbook'> }) => {
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
