import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Trash2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TradeDraft } from './draft.ts'
import { PictureFrame } from './picture-frame.tsx'
import { SaveState } from './save-state.tsx'
import { TradeDialogFrame } from './trade-dialog-frame.tsx'
import { canUndo, doubtedSide, entryOf, journalDraft, type FieldGroup } from './trade-editing.ts'
import { TradeWalk, type Neighbors } from './trade-walk.tsx'
import { isStopBeyond } from './user-fields.ts'
import type { TradeForm } from './trade-saving.ts'
import { momentOf } from './wall-time.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { typedNumber } from '#shared/money/typed-number.ts'

/** How a dialog was closed: without changes, with saved ones, or with some that are not saved. */
export type Leaving = 'unchanged' | 'saved' | 'unsaved'

type Props = {
  readonly title: string
  readonly text: string
  readonly form: TradeForm
  readonly neighbors: Neighbors
  readonly focusNotes: boolean
  readonly workingStop: string | null
  readonly onClose: (leaving: Leaving) => void
  readonly onRemove: () => void
  readonly children: ReactNode
  readonly below: ReactNode
}

/** The dialog of a trade in the journal, which saves itself. */
export const EditDialog = ({ title, text, form, neighbors, focusNotes, workingStop, onClose, onRemove, children, below }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const { editing } = form
  const entry = entryOf(editing)
  const stop = typedNumber(editing.draft.own.stop)
  const isDoubted = stop !== '' && isStopBeyond(stop, entry)
  const done = (): void => {
    if (form.keep()) onClose(form.failure === null ? 'unchanged' : 'unsaved')
  }
  const close = (): void => {
    // Invalid or conflicting fields stay with the trade, and a message says so.
    const changed = form.isChanged()
    const isKept = form.keep()
    onClose(!isKept || form.failure !== null ? 'unsaved' : changed ? 'saved' : 'unchanged')
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
          <TradeWalk neighbors={neighbors} onLeave={form.keep} />
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

/** Asks which version stays of each field that was changed here and elsewhere. */
const AskedFields = ({ form: { editing, decide } }: { form: TradeForm }) => {
  const { t } = useTranslation('trade-logbook')
  const journal = journalDraft(editing)
  return editing.asked.map((unit) => (
    <Notice key={unit} tone="warn">
      <div role="group" aria-label={t('asked.title', { field: t(`asked.field.${unit}`) })} className="flex flex-col gap-2">
        <p role="alert" className="font-semibold">{t('asked.title', { field: t(`asked.field.${unit}`) })}</p>
        <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          {(['theirs', 'mine'] as const).map((side) => (
            <div key={side} className="flex min-w-0 flex-col items-start gap-1">
              <span className="text-sm text-muted">{t(`asked.${side}`)}</span>
              <div className="max-h-32 w-full grow overflow-y-auto break-words whitespace-pre-wrap">
                <Version unit={unit} draft={side === 'mine' ? editing.draft : journal} zone={editing.zone} />
              </div>
              <Button variant="outline" size="sm" onClick={() => { decide(unit, side) }}>
                {t(`asked.${side === 'mine' ? 'keep' : 'take'}`)}
              </Button>
            </div>
          ))}
        </div>
      </div>
    </Notice>
  ))
}

const Version = ({ unit, draft, zone }: { unit: FieldGroup; draft: TradeDraft; zone: string }) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  if (unit === 'screenshot' || unit === 'screenshot2') {
    const [name, headline] = [draft.own[unit], draft.own[`${unit}Headline`]]
    return name === '' ? <>{headline || t('asked.nothing')}</> : <><PictureFrame name={name} label={t(`picture.${unit}`)} />{headline}</>
  }
  if (unit === 'entryTime' || unit === 'exitTime') {
    const moment = momentOf(draft.facts?.[unit] ?? '', zone)
    return <>{moment === null ? t('asked.nothing') : format.dateTime(moment)}</>
  }
  if (unit === 'drawings') return <>{format.count(draft.own.drawings?.length ?? 0)}</>
  if (unit === 'side') return <>{t(`side.${draft.facts?.side ?? 'long'}`)}</>
  if (unit === 'tags') return <>{draft.own.tags.tags.join(', ') || t('asked.nothing')}</>
  return <>{(unit === 'notes' || unit === 'stop' ? draft.own[unit] : draft.facts?.[unit]) || t('asked.nothing')}</>
}
