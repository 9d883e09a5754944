import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PictureFieldsForm } from './picture-fields-form.tsx'
import { usePictureIntake } from './use-picture-intake.ts'
import { readUserDraft, type UserDraft, type UserFields } from './user-fields.ts'
import { UserFieldsForm } from './user-fields-form.tsx'

type Props = {
  readonly title: string
  readonly text: string
  readonly submit: string
  /** What else can be done, at the other end of the footer. */
  readonly aside?: ReactNode
  /** The user's own fields as they are at first. */
  readonly own: UserDraft
  /** `fields` is null where something in them is wrong. */
  readonly onSubmit: (fields: UserFields | null) => void
  readonly onClose: () => void
  /** What stands over the user's own fields, and below them, by what they say; null where something in them is wrong. */
  readonly children: ReactNode
  readonly below?: (fields: UserFields | null) => ReactNode
}

/** The dialog of one trade, a new one or one that is there: its facts, the user's own fields and pictures, and the way out. */
export const TradeDialogFrame = ({ title, text, submit, aside, own, onSubmit, onClose, children, below }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const formId = useId()
  const [draft, setDraft] = useState(own)
  const change = (part: Partial<UserDraft>): void => {
    setDraft((known) => ({ ...known, ...part }))
  }
  const intake = usePictureIntake(draft, change)
  const read = readUserDraft(draft)
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={text}
      width="lg"
      footer={
        <>
          {aside}
          <Button variant="outline" onClick={onClose}>
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
        onSubmit={(event) => {
          event.preventDefault()
          // A picture on its way would be left out.
          if (intake.busy.size === 0) onSubmit(read.fields)
        }}
      >
        {children}
        <UserFieldsForm draft={draft} problems={read.problems} onChange={change} />
        {below?.(read.fields)}
        <PictureFieldsForm draft={draft} intake={intake} onChange={change} />
      </form>
    </Dialog>
  )
}
