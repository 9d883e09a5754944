import { apiQuery } from '#renderer/lib/api.ts'
import { tagsOf } from '#renderer/lib/tags.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Field, Input, Textarea } from '#renderer/ui/field.tsx'
import { TagsInput } from '#renderer/ui/tags-input.tsx'
import type { FillPairRecord } from '#shared/api/records.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PictureFieldsForm } from './picture-fields-form.tsx'
import { missedTick } from './trade-risk.ts'
import { usePictureIntake } from './use-picture-intake.ts'
import { userProblems, type UserDraft } from './user-fields.ts'

type Props = {
  readonly title: string
  readonly text: string
  /** The buttons; `busy` while a picture is being stored. */
  readonly footer: (formId: string, busy: boolean) => ReactNode
  readonly symbol: string
  readonly draft: UserDraft
  readonly onChange: (change: Partial<UserDraft>) => void
  /** The side of a trade whose stop lies on the wrong side of its entry; null if it does not. */
  readonly doubted: FillPairRecord['side'] | null
  /** Confirms that stop; missing if there is nothing to confirm. */
  readonly onAllowStop?: (() => void) | undefined
  /** The stop that worked at the broker, offered where none is noted; null if none is known. */
  readonly workingStop?: string | null | undefined
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

/** The dialog of one trade, new or in the journal: its facts, the user's own fields, and its pictures. */
export const TradeDialogFrame = ({ title, text, footer, symbol, draft, onChange, doubted, onAllowStop, workingStop, focusNotes, keptOpen, onSubmit, onClose, onBlur, children, below }: Props) => {
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
          // A picture that is still loading would be left out.
          if (!busy) onSubmit()
        }}
      >
        {children}
        <UserFieldsForm symbol={symbol} focusNotes={focusNotes} draft={draft} doubted={doubted} onAllowStop={onAllowStop} workingStop={workingStop} onChange={onChange} />
        {below}
        <PictureFieldsForm draft={draft} intake={intake} onChange={onChange} />
      </form>
    </Dialog>
  )
}

/** What the user notes on a trade: text, tags and stop. */
export const UserFieldsForm = ({ symbol, draft, doubted, onAllowStop, workingStop = null, focusNotes, onChange }: Pick<Props, 'symbol' | 'draft' | 'doubted' | 'onAllowStop' | 'workingStop' | 'focusNotes' | 'onChange'>) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const { data: choices } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  const problems = userProblems(draft)
  const words = (field: keyof UserDraft): string | null => {
    const problem = problems[field]
    return problem === undefined ? null : t(`problem.${problem}`)
  }
  const tick = missedTick(draft.stop, symbol)
  const stopHint = doubted !== null ? t(`stop-doubt.${doubted}`) : tick !== null ? t('stop-off-tick', { tick }) : t('stop-hint')
  const type = (field: 'notes' | 'stop') => (event: { target: { value: string } }) => {
    onChange({ [field]: event.target.value })
  }
  return (
    <div className="grid gap-3.5 sm:grid-cols-2">
      <Field label={t('notes')} className="sm:col-span-2">
        {(attributes) => <Textarea {...attributes} prose autoFocus={focusNotes} rows={4} maxLength={20_000} value={draft.notes} onChange={type('notes')} />}
      </Field>
      <Field label={t('tags')} hint={t('tags-hint')} error={words('tags')}>
        {(attributes) => <TagsInput {...attributes} draft={draft.tags} known={choices?.tags ?? []} onChange={(tags) => { onChange({ tags }) }} onBlur={() => { if (draft.tags.typed.trim() !== '') onChange({ tags: { tags: tagsOf(draft.tags), typed: '' } }) }} />}
      </Field>
      <Field label={t('stop')} hint={stopHint} error={words('stop')} tone={doubted === null && tick === null ? 'faint' : 'warn'}>
        {(attributes) => (
          <>
            <span className="flex gap-2">
              <Input {...attributes} inputMode="decimal" value={draft.stop} onChange={type('stop')} />
              {onAllowStop !== undefined && (
                <Button variant="outline" onClick={onAllowStop}>
                  {t('stop-allow')}
                </Button>
              )}
            </span>
            {workingStop !== null && draft.stop.trim() === '' && (
              <span className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
                {t('working-stop', { price: format.price(workingStop) })}
                <Button
                  variant="link"
                  size="sm"
                  onClick={() => {
                    onChange({ stop: workingStop })
                    // The button goes, and the field is saved when it is left.
                    document.getElementById(attributes.id)?.focus()
                  }}
                >
                  {t('use-working-stop')}
                </Button>
              </span>
            )}
          </>
        )}
      </Field>
    </div>
  )
}
