import { apiQuery } from '#renderer/lib/api.ts'
import type { ShownDayNote } from '#renderer/lib/day-notes.ts'
import { tagProblem, tagsOf, type TagDraft } from '#renderer/lib/tags.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useDayNote } from '#renderer/lib/use-day-note.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import type { DayNote } from '#shared/api/own-data.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field, Textarea } from './field.tsx'
import { LeftOverList } from './left-over-list.tsx'
import { Notice } from './notice.tsx'
import { Skeleton } from './skeleton.tsx'
import { ErrorState } from './states.tsx'
import { TagsInput } from './tags-input.tsx'

const pauseMs = 800

/** A trading day's annotations: notes and tags, saved after a pause, when a field is left, and when the dialog closes. If the notes were changed elsewhere meanwhile, the user chooses. */
export const DayNoteDialog = ({ tradingDay, onClose }: { tradingDay: string; onClose: () => void }) => {
  const { t } = useTranslation('day-note')
  const format = useFormat()
  const { note, kept, loadFailure, reload, saving, save, decide } = useDayNote(tradingDay)
  const title = t('title', { day: format.fullDay(tradingDay) })
  if (note !== null) return <Editor title={title} note={note} kept={kept} saving={saving} save={save} decide={decide} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={title} description={t('text')}>
      {loadFailure === null ? <Skeleton className="h-40 w-full" /> : <ErrorState failure={loadFailure} onRetry={reload} />}
    </Dialog>
  )
}

type Change = Partial<Pick<DayNote, 'notes' | 'tags'>>
type Props = Pick<ReturnType<typeof useDayNote>, 'kept' | 'saving' | 'save' | 'decide'> & { readonly title: string; readonly note: ShownDayNote; readonly onClose: () => void }

const sameTags = (one: readonly string[], other: readonly string[]): boolean => JSON.stringify(one) === JSON.stringify(other)

const Editor = ({ title, note, kept, saving, save, decide, onClose }: Props) => {
  const { t } = useTranslation('day-note')
  const words = useProblemText()
  const { data: choices } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  const [notes, setNotes] = useState(note.notes)
  const [draft, setDraft] = useState<TagDraft>({ tags: note.tags, typed: '' })
  // What the user saw before typing: the save is compared with it.
  const [seen, setSeen] = useState({ notes: kept.notes, tags: kept.tags })
  const tags = tagsOf(draft)
  const problem = tagProblem(tags)
  // An untouched field shows what arrives from elsewhere.
  if (kept.notes !== seen.notes && (notes === seen.notes || notes === kept.notes)) {
    setNotes(kept.notes)
    setSeen({ ...seen, notes: kept.notes })
  }
  if (!sameTags(kept.tags, seen.tags) && draft.typed === '' && (sameTags(tags, seen.tags) || sameTags(tags, kept.tags))) {
    setDraft({ tags: kept.tags, typed: '' })
    setSeen({ ...seen, tags: kept.tags })
  }
  const changed: Change = {
    ...(notes === note.notes ? {} : { notes }),
    ...(problem !== null || sameTags(tags, note.tags) ? {} : { tags }),
  }
  const isChanged = Object.keys(changed).length > 0
  const [touched, setTouched] = useState(false)
  if (isChanged && !touched) setTouched(true)
  const keep = (): void => {
    if (isChanged) save(changed, { ...('notes' in changed ? { notes: seen.notes } : {}), ...('tags' in changed ? { tags: seen.tags } : {}) })
  }
  const keepLater = useEffectEvent(keep)
  // Half a tag is another tag: tags wait until they are complete.
  const keepNotes = useEffectEvent(() => {
    if (changed.notes !== undefined) save({ notes: changed.notes }, { notes: seen.notes })
  })
  useEffect(() => {
    const pause = setTimeout(keepNotes, pauseMs)
    return () => {
      clearTimeout(pause)
    }
  }, [notes])
  // The page, or a navigation, may unmount the dialog.
  useEffect(() => {
    addEventListener('pagehide', keepLater)
    return () => {
      removeEventListener('pagehide', keepLater)
      keepLater()
    }
  }, [])
  return (
    <Dialog
      open
      onClose={() => {
        // Do not lose an invalid tag silently.
        if (problem !== null) return
        keep()
        onClose()
      }}
      title={title}
      description={t('text')}
      footer={
        <span role="status" className="mr-auto text-sm text-faint">
          {saving ? t('saving') : isChanged || note.theirs !== null ? t('not-yet') : note.failure === null ? t(touched ? 'saved' : 'self') : null}
        </span>
      }
    >
      <div className="flex flex-col gap-3.5">
        {note.failure !== null && !saving && (
          <Notice
            tone="error"
            action={
              <Button variant="outline" size="sm" onClick={() => { save(changed, {}) }}>
                {t('try-again')}
              </Button>
            }
          >
            <p className="font-semibold">{t('failed')}</p>
            <p className="text-muted">{words(note.failure)}</p>
          </Notice>
        )}
        {note.theirs !== null && (
          <Notice tone="warn">
            <p role="alert" className="font-semibold">{t('asked.title')}</p>
            <p className="mt-1 max-h-32 overflow-y-auto break-words whitespace-pre-wrap">{note.theirs || t('asked.nothing')}</p>
            <div className="mt-2 flex flex-wrap gap-2">
              <Button
                variant="outline"
                size="sm"
                onClick={() => {
                  keep()
                  decide('mine')
                }}
              >
                {t('asked.keep')}
              </Button>
              <Button
                variant="outline"
                size="sm"
                onClick={() => {
                  decide('theirs')
                  setNotes(kept.notes)
                  setSeen({ ...seen, notes: kept.notes })
                }}
              >
                {t('asked.take')}
              </Button>
            </div>
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
