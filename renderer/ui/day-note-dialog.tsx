import { apiQuery } from '#renderer/lib/api.ts'
import { useDayNote, type ShownDayNote } from '#renderer/lib/day-notes.ts'
import { tagProblem, tagsOf, type TagDraft } from '#renderer/lib/tags.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import type { DayNote } from '#shared/api/own-data.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field, Textarea } from './field.tsx'
import { LeftOverList } from './left-over-list.tsx'
import { Notice } from './notice.tsx'
import { Skeleton } from './skeleton.tsx'
import { ErrorState } from './states.tsx'
import { TagsInput } from './tags-input.tsx'

/** What the user says of a trading day: notes and tags, saved when a field is left and when the dialog closes. */
export const DayNoteDialog = ({ tradingDay, onClose }: { tradingDay: string; onClose: () => void }) => {
  const { t } = useTranslation('day-note')
  const format = useFormat()
  const { note, loadFailure, reload, saving, save } = useDayNote(tradingDay)
  const title = t('title', { day: format.fullDay(tradingDay) })
  if (note !== null) return <Editor title={title} note={note} saving={saving} save={save} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={title} description={t('text')}>
      {loadFailure === null ? <Skeleton className="h-40 w-full" /> : <ErrorState failure={loadFailure} onRetry={reload} />}
    </Dialog>
  )
}

type Change = Partial<Pick<DayNote, 'notes' | 'tags'>>

const Editor = ({ title, note, saving, save, onClose }: { title: string; note: ShownDayNote; saving: boolean; save: (change: Change) => void; onClose: () => void }) => {
  const { t } = useTranslation('day-note')
  const words = useProblemText()
  const { data: choices } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  const [notes, setNotes] = useState(note.notes)
  const [draft, setDraft] = useState<TagDraft>({ tags: note.tags, typed: '' })
  const tags = tagsOf(draft)
  const problem = tagProblem(tags)
  const changed: Change = {
    ...(notes === note.notes ? {} : { notes }),
    ...(problem !== null || JSON.stringify(tags) === JSON.stringify(note.tags) ? {} : { tags }),
  }
  const keep = (): void => {
    if (Object.keys(changed).length > 0) save(changed)
  }
  return (
    <Dialog
      open
      onClose={() => {
        // A tag that cannot be kept is not lost without a word.
        if (problem !== null) return
        keep()
        onClose()
      }}
      title={title}
      description={t('text')}
      footer={
        <span role="status" className="mr-auto text-sm text-faint">
          {saving ? t('saving') : Object.keys(changed).length > 0 ? t('not-yet') : note.failure === null ? t('saved') : null}
        </span>
      }
    >
      <div className="flex flex-col gap-3.5">
        {note.failure !== null && !saving && (
          <Notice
            tone="error"
            action={
              <Button variant="outline" size="sm" onClick={() => { save(changed) }}>
                {t('try-again')}
              </Button>
            }
          >
            <p className="font-semibold">{t('failed')}</p>
            <p className="text-muted">{words(note.failure)}</p>
          </Notice>
        )}
        <Field label={t('notes')}>
          {(attributes) => <Textarea {...attributes} prose rows={8} autoFocus maxLength={20_000} value={notes} onChange={({ target }) => { setNotes(target.value) }} onBlur={keep} />}
        </Field>
        <Field label={t('tags')} hint={t('tags-hint')} error={problem === null ? null : t(`problem.${problem}`)}>
          {(attributes) => <TagsInput {...attributes} draft={draft} known={choices?.tags ?? []} onChange={setDraft} onBlur={() => { setDraft({ tags, typed: '' }); keep() }} />}
        </Field>
        <LeftOverList tradingDay={note.tradingDay} />
      </div>
    </Dialog>
  )
}
