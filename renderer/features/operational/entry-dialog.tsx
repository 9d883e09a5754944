import { ApiFailure } from '#renderer/lib/api.ts'
import { useSession } from '#renderer/lib/session.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { recordRoutes, type BookedPayout } from '#shared/api/journal.ts'
import type { Finance } from '#shared/api/records.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import type { BookEntry } from '#shared/stats/books-filter.ts'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { entryFields, newEntry, payoutEntry, typedEntry, type EntryOwner, type TypedEntry } from './entry-fields.ts'
import { EntryForm } from './entry-form.tsx'
import { ChangedElsewhere, useSaveEntry } from './use-entry-calls.ts'

/** The entry in the dialog: an existing one, a new one of a type, or the payout of a withdrawal that the broker booked. */
export type Asked = { readonly entry: BookEntry } | { readonly type: BookEntry['type'] } | { readonly payout: BookedPayout }

type Dated = { readonly today: string; readonly accounts: readonly Finance[]; readonly before: EntryOwner | null }

const firstTyped = (asked: Asked, { today, accounts, before }: Dated): TypedEntry => ('entry' in asked ? typedEntry(asked.entry) : 'payout' in asked ? payoutEntry(asked.payout) : newEntry(asked.type, today, accounts, before))

const resolver = resolverOf(entryFields)

/** An earning or an expense; the dialog stays open until the program has confirmed it, and shows errors. */
export const EntryDialog = ({ asked, accounts, currencies, before = null, left = null, onAdded, onClose }: { asked: Asked; accounts: readonly Finance[]; currencies: readonly string[]; /** Owner of the entry added before. */ before?: EntryOwner | null; /** What was typed when the dialog was left before. */ left?: TypedEntry | null; onAdded?: (owner: EntryOwner) => void; /** Gets what was typed if the dialog is left by Escape or its close button; null once it is saved or canceled. */ onClose: (left: TypedEntry | null) => void }) => {
  const { t } = useTranslation('operational')
  const words = useProblemText()
  const formId = useId()
  const zone = useSession().session?.timeZone ?? 'UTC'
  const [id] = useState(() => ('entry' in asked ? asked.entry.id : 'payout' in asked ? asked.payout.id : crypto.randomUUID()))
  const form = useForm({ resolver, shouldFocusError: false, defaultValues: firstTyped(asked, { today: localDate(Date.now(), zone), accounts, before }), ...(left !== null && { values: left, resetOptions: { keepDefaultValues: true } }) })
  const { isDirty } = form.formState
  const save = useSaveEntry('entry' in asked ? asked.entry : null)
  const submit = form.handleSubmit((entry) => {
    if (save.isPending) return
    save.mutate(
      { id, entry },
      {
        onSuccess: () => {
          onAdded?.({ type: entry.type, account: entry.account, firm: entry.firm })
          onClose(null)
        },
      },
    )
  })
  return (
    <Dialog
      open
      keptOpen={isDirty}
      onClose={() => { onClose(isDirty ? form.getValues() : null) }}
      title={'entry' in asked ? t('edit-title') : t('add-title')}
      footer={
        <>
          <Button variant="outline" onClick={() => { onClose(null) }}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={formId} busy={save.isPending}>
            {'entry' in asked ? t('save') : form.watch('type') === 'earning' ? t('add-earning') : t('add-expense')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        autoComplete="off"
        className="flex flex-col gap-3.5"
        // Before a select takes Enter for itself.
        onKeyDownCapture={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.stopPropagation()
          event.currentTarget.requestSubmit()
        }}
        onSubmit={submit}
      >
        <EntryForm form={form} accounts={accounts} currencies={currencies} amountHint={'payout' in asked ? t('booked.hint') : undefined} />
        {save.isError && (
          <Notice tone="error">
            <span className="font-semibold">{save.error instanceof ApiFailure ? save.error.message : recordRoutes.addFinance.failure}.</span> {save.error instanceof ChangedElsewhere ? t('changed-elsewhere') : words(save.error)}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}
