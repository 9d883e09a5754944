import { ApiFailure } from '#renderer/lib/api.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { recordRoutes } from '#shared/api/journal.ts'
import type { Finance } from '#shared/api/records.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import type { BookEntry } from '#shared/stats/books-filter.ts'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { draftOf, emptyDraft, readEntry } from './entry-draft.ts'
import { EntryForm } from './entry-form.tsx'
import { useSaveEntry } from './use-entry-calls.ts'

/** Which entry the dialog is about: one that is there, or a new one of a type. */
export type Asked = { readonly entry: BookEntry } | { readonly type: BookEntry['type'] }

/** An earning or an expense; the dialog stays until the program has confirmed it, and says where it could not. */
export const EntryDialog = ({ asked, accounts, currencies, onClose }: { asked: Asked; accounts: readonly Finance[]; currencies: readonly string[]; onClose: () => void }) => {
  const { t } = useTranslation('operational')
  const words = useProblemText()
  const formId = useId()
  const zone = useSession().session?.timeZone ?? 'UTC'
  const [id] = useState(() => ('entry' in asked ? asked.entry.id : crypto.randomUUID()))
  const [draft, setDraft] = useState(() => ('entry' in asked ? draftOf(asked.entry) : emptyDraft(asked.type, localDate(Date.now(), zone))))
  const [checked, setChecked] = useState(false)
  const save = useSaveEntry()
  const { entry, problems } = readEntry(draft)
  const submit = (): void => {
    setChecked(true)
    if (entry !== null) save.mutate({ id, ...entry }, { onSuccess: onClose })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={'entry' in asked ? t('edit-title') : t('add-title')}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={formId} busy={save.isPending}>
            {'entry' in asked ? t('save') : draft.type === 'earning' ? t('add-earning') : t('add-expense')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-3.5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) submit()
        }}
      >
        <EntryForm draft={draft} problems={checked ? problems : {}} accounts={accounts} currencies={currencies} onChange={setDraft} />
        {save.isError && (
          <Notice tone="error">
            <span className="font-semibold">{save.error instanceof ApiFailure ? save.error.message : recordRoutes.addFinance.failure}.</span> {words(save.error)}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}
