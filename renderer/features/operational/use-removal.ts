import { ApiFailure } from '#renderer/lib/api.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import type { BookEntry } from '#shared/stats/books-filter.ts'
import { useTranslation } from 'react-i18next'
import { useRemoveEntry, useSaveEntry } from './use-entry-calls.ts'

/** Removes an entry once the program has done so, with an undo under the same id; `leaving` is the one being removed. */
export const useRemoval = (): { readonly remove: (entry: BookEntry) => void; readonly leaving: string | null } => {
  const { t } = useTranslation('operational')
  const words = useProblemText()
  const removal = useRemoveEntry()
  const back = useSaveEntry(null)
  const failed = (text: string) => (failure: unknown) => { toast({ title: failure instanceof ApiFailure ? failure.message : text, text: words(failure), tone: 'error' }) }
  const remove = (entry: BookEntry): void => {
    // Promises, because the toast may outlive this page, and another removal may begin before this one ends.
    const undo = (): void => { back.mutateAsync({ id: entry.id, entry }).catch(failed(recordRoutes.addFinance.failure)) }
    removal.mutateAsync(entry.id).then(() => {
      toast({ title: entry.type === 'earning' ? t('earning-removed') : t('expense-removed'), text: entry.name, action: { label: t('undo'), run: undo } })
    }, failed(recordRoutes.removeFinance.failure))
  }
  return { remove, leaving: removal.isPending ? removal.variables : null }
}
