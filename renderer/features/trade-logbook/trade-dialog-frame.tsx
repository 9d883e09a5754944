import { Dialog } from '#renderer/ui/dialog.tsx'
import type { Trade } from '#shared/api/records.ts'
import { useId, type ReactNode } from 'react'
import { PictureFieldsForm } from './picture-fields-form.tsx'
import { usePictureIntake } from './use-picture-intake.ts'
import { userProblems, type UserDraft } from './user-fields.ts'
import { UserFieldsForm } from './user-fields-form.tsx'

type Props = {
  readonly title: string
  readonly text: string
  /** The ways out; `busy` while a picture is on its way into the form that `formId` names. */
  readonly footer: (formId: string, busy: boolean) => ReactNode
  readonly symbol: string
  readonly draft: UserDraft
  readonly onChange: (change: Partial<UserDraft>) => void
  /** The side of a trade whose stop lies on the wrong side of its entry. */
  readonly doubted: Trade['side'] | null
  readonly onAllowStop?: (() => void) | undefined
  /** The stop that worked at the broker, which is offered where none is noted. */
  readonly workingStop?: string | null
  /** Where nothing is said of the facts, one begins with the notes. */
  readonly focusNotes: boolean
  /** Whether a click beside the dialog leaves it open. */
  readonly keptOpen: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  /** Called when the focus leaves a field. */
  readonly onBlur?: (() => void) | undefined
  /** Content above the user's own fields, and below them. */
  readonly children: ReactNode
  readonly below?: ReactNode
}

/** The dialog of one trade, a new one or one that is there: its facts, the user's own fields and pictures, and the way out. */
export const TradeDialogFrame = ({ title, text, footer, symbol, draft, onChange, doubted, onAllowStop, workingStop = null, focusNotes, keptOpen, onSubmit, onClose, onBlur, children, below }: Props) => {
  const formId = useId()
  const intake = usePictureIntake(draft, onChange)
  const busy = intake.busy.size > 0
  return (
    <Dialog open onClose={onClose} keptOpen={keptOpen || busy} title={title} description={text} width="lg" footer={footer(formId, busy)}>
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-5"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
        }}
        onBlur={onBlur}
        onSubmit={(event) => {
          event.preventDefault()
          // A picture on its way would be left out.
          if (!busy) onSubmit()
        }}
      >
        {children}
        <UserFieldsForm symbol={symbol} focusNotes={focusNotes} draft={draft} problems={userProblems(draft)} doubted={doubted} onAllowStop={onAllowStop} workingStop={workingStop} onChange={onChange} />
        {below}
        <PictureFieldsForm draft={draft} intake={intake} onChange={onChange} />
      </form>
    </Dialog>
  )
}
