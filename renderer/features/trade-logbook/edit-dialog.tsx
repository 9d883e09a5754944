import { Button } from '#renderer/ui/button.tsx'
import { Trash2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AskedFields } from './asked-fields.tsx'
import { SaveState } from './save-state.tsx'
import { TradeDialogFrame } from './trade-dialog-frame.tsx'
import { canUndo, doubtedSide, entryOf } from './trade-editing.ts'
import { TradeWalk, type Beside } from './trade-walk.tsx'
import { isStopBeyond } from './user-fields.ts'
import type { TradeForm } from './use-trade-form.ts'
import { typedNumber } from '#shared/money/typed-number.ts'

/** What a closed dialog leaves: nothing to say, changes that are saved, or some that are not. */
export type Leaving = 'unchanged' | 'saved' | 'unsaved'

type Props = {
  readonly title: string
  readonly text: string
  readonly form: TradeForm
  readonly beside: Beside
  readonly focusNotes: boolean
  readonly workingStop: string | null
  readonly onClose: (leaving: Leaving) => void
  readonly onRemove: () => void
  readonly children: ReactNode
  readonly below: ReactNode
}

/** The dialog of a trade that is there, which saves itself: its state and the ways out stand in the footer. */
export const EditDialog = ({ title, text, form, beside, focusNotes, workingStop, onClose, onRemove, children, below }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const { editing } = form.form
  const entry = entryOf(editing)
  const stop = typedNumber(editing.draft.own.stop)
  const isDoubted = stop !== '' && isStopBeyond(stop, entry)
  const done = (): void => {
    if (form.keep()) onClose(form.form.failure === null ? 'unchanged' : 'unsaved')
  }
  const close = (): void => {
    // What is wrong or asked stays with the trade, and is said.
    const changed = form.isChanged()
    onClose(form.blocked() !== null || form.form.failure !== null ? 'unsaved' : changed ? 'saved' : 'unchanged')
  }
  return (
    <TradeDialogFrame
      title={title}
      text={text}
      symbol={entry.symbol}
      draft={editing.draft.own}
      onChange={(change) => { form.change((draft) => ({ ...draft, own: { ...draft.own, ...change } })) }}
      doubted={isDoubted ? entry.side : null}
      onAllowStop={doubtedSide(editing, entry) === null ? undefined : () => { form.allowStop(editing.draft.own.stop) }}
      workingStop={workingStop}
      focusNotes={focusNotes}
      keptOpen={false}
      onSubmit={done}
      onClose={close}
      onBlur={form.saveSoon}
      below={below}
      footer={(formId, busy) => (
        <>
          <SaveState form={form} busy={busy} />
          <Button variant="ghost" size="icon" aria-label={t('remove')} title={t('remove')} onClick={onRemove}>
            <Trash2 aria-hidden />
          </Button>
          <Button variant="ghost" size="icon" aria-label={t('undo-changes')} title={t('undo-changes')} disabled={!canUndo(editing)} onClick={form.undo}>
            <Undo2 aria-hidden />
          </Button>
          <TradeWalk beside={beside} onLeave={form.keep} />
          <Button type="submit" form={formId} busy={busy}>
            {t('done')}
          </Button>
        </>
      )}
    >
      <AskedFields form={form} />
      {children}
    </TradeDialogFrame>
  )
}
