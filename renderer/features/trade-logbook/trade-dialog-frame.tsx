import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import type { Trade } from '#shared/api/records.ts'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { holdSame } from './left-draft.ts'
import { PictureFieldsForm } from './picture-fields-form.tsx'
import { usePictureIntake } from './use-picture-intake.ts'
import { isStopBeyond, readUserDraft, type UserDraft, type UserFields } from './user-fields.ts'
import { UserFieldsForm } from './user-fields-form.tsx'

type Props = {
  readonly title: string
  readonly text: string
  readonly submit: string
  /** What else can be done, at the other end of the footer, by the user's own fields where something was changed. */
  readonly aside?: (changed: UserDraft | null) => ReactNode
  /** The user's own fields as they are kept, and as they were left where the dialog comes back. */
  readonly own: UserDraft
  readonly left: UserDraft | undefined
  /** Of which its stop is judged; null while that is not known. */
  readonly entry: Pick<Trade, 'side' | 'entryPrice'> | null
  /** Leads to the trades beside it in the list, keeping what the user's own fields say; null where something in them is wrong. */
  readonly walk?: (fields: UserFields | null) => ReactNode
  /** Whether something else than the user's own fields was changed. */
  readonly changed: boolean
  /** Where nothing is said of the facts, one begins with the notes. */
  readonly focusNotes: boolean
  /** `fields` is null where something in them is wrong. */
  readonly onSubmit: (fields: UserFields | null) => void
  /** Told the user's own fields where something was changed and is not saved, otherwise null. */
  readonly onClose: (changed: UserDraft | null) => void
  /** What stands over the user's own fields, and below them, by what they say; null where something in them is wrong. */
  readonly children: ReactNode
  readonly below?: (fields: UserFields | null) => ReactNode
}

/** The dialog of one trade, a new one or one that is there: its facts, the user's own fields and pictures, and the way out. */
export const TradeDialogFrame = ({ title, text, submit, aside, own, left, entry, walk, changed, focusNotes, onSubmit, onClose, children, below }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const formId = useId()
  const [draft, setDraft] = useState(left ?? own)
  const change = (part: Partial<UserDraft>): void => {
    setDraft((known) => ({ ...known, ...part }))
  }
  const intake = usePictureIntake(draft, change)
  const read = readUserDraft(draft)
  const unsaved = changed || !holdSame(draft, own) ? draft : null
  const close = (): void => {
    onClose(unsaved)
  }
  return (
    <Dialog
      open
      onClose={close}
      keptOpen={unsaved !== null || intake.busy.size > 0}
      title={title}
      description={text}
      width="lg"
      footer={
        <>
          {aside?.(unsaved)}
          {walk?.(read.fields)}
          <Button variant="outline" onClick={close}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={formId} busy={intake.busy.size > 0}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-5"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
        }}
        onSubmit={(event) => {
          event.preventDefault()
          // A picture on its way would be left out.
          if (intake.busy.size === 0) onSubmit(read.fields)
        }}
      >
        {children}
        <UserFieldsForm focusNotes={focusNotes} draft={draft} problems={read.problems} doubted={entry !== null && isStopBeyond(read.fields?.stop ?? null, entry) ? entry.side : null} onChange={change} />
        {below?.(read.fields)}
        <PictureFieldsForm draft={draft} intake={intake} onChange={change} />
      </form>
    </Dialog>
  )
}
