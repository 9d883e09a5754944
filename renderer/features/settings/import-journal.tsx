import { ApiFailure, callApi, failureOf, invalidateAll } from '#renderer/lib/api.ts'
import { fetchAdmitted } from '#renderer/lib/browser-key.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { setDragging } from '#renderer/lib/dropped-files.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Progress } from '#renderer/ui/progress.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { journalFilePath, journalFileRoutes, largestJournalFile, receivedJournal, type JournalFileProgress, type ReceivedJournal } from '#shared/api/journal-file.ts'
import type { ProblemCode } from '#shared/api/problems.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, FileUp } from 'lucide-react'
import { useEffect, useRef, useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'

/** Takes a journal file, says what it would add, and imports it. */
export const ImportJournal = () => {
  const { t } = useTranslation('journal-file')
  const intake = useJournalFile()
  const { now } = intake
  return (
    <Card title={t('import')} note={t('import-note')}>
      {now.step === 'choosing' && <Choosing failure={now.failure} onChoose={intake.choose} />}
      {(now.step === 'sending' || now.step === 'importing') && <Working step={now.step} progress={now.progress} />}
      {now.step === 'asking' && <Asking file={now.file} intake={intake} />}
      {now.step === 'done' && <Done totals={now.totals} onMore={intake.giveUp} />}
    </Card>
  )
}

const Choosing = ({ failure, onChoose }: { failure: unknown; onChoose: (file: File) => void }) => {
  const { t } = useTranslation('journal-file')
  const words = useProblemText()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [several, setSeveral] = useState(false)
  const take = (files: readonly File[]): void => {
    const [file, ...others] = files
    setSeveral(others.length > 0)
    if (file !== undefined && others.length === 0) onChoose(file)
  }
  // A file dropped here is not a broker's export: the rest of the window, which takes those, must not get it.
  const dropped = (event: DragEvent, isOver: boolean): void => {
    event.preventDefault()
    setDragging(false)
    setOver(isOver)
  }
  return (
    <div className="flex flex-col gap-3 p-4">
      {(several || failure !== null) && <Notice tone="error">{several ? t('several') : words(failure)}</Notice>}
      <section
        aria-label={t('drop')}
        className={classNames('flex flex-col items-center gap-1.5 rounded-lg border border-dashed px-6 py-8 text-center transition-colors duration-100', over ? 'border-accent bg-accent-tint' : 'border-field')}
        onDragOver={(event) => { dropped(event, true) }}
        onDragLeave={() => { setOver(false) }}
        onDrop={(event) => {
          dropped(event, false)
          take([...event.dataTransfer.files])
        }}
      >
        <FileUp aria-hidden className={classNames('mb-1 size-6', over ? 'text-accent' : 'text-faint')} />
        <p className="font-semibold">{t('drop')}</p>
        <p className="max-w-xl text-balance text-muted">{t('drop-text')}</p>
        <Button variant="outline" className="mt-3" onClick={() => { input.current?.click() }}>
          {t('choose')}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t('choose')}
          accept=".fillbook"
          onChange={({ target }) => {
            take([...(target.files ?? [])])
            // Allows choosing the same file again.
            target.value = ''
          }}
        />
      </section>
    </div>
  )
}

const Working = ({ step, progress }: { step: 'sending' | 'importing'; progress: JournalFileProgress | null }) => {
  const { t } = useTranslation('journal-file')
  const phase = progress?.phase ?? step
  const share = phase === 'settling' ? 1 : (progress?.share ?? 0)
  return (
    <div role="status" className="flex flex-col gap-3 p-4">
      <p className="flex items-center gap-2">
        <Spinner />
        {t(`phase.${phase}`)}
      </p>
      <Progress value={share} label={t(`phase.${phase}`)} className="w-full" />
      <p className="text-muted">{t(step === 'sending' ? 'unchanged' : 'stay')}</p>
    </div>
  )
}

const shown = ['pairs', 'fills', 'entered', 'annotated', 'accounts', 'finances', 'imports', 'pictures', 'other'] as const satisfies readonly (keyof ReceivedJournal['holds'])[]

const Asking = ({ file, intake }: { file: ReceivedJournal; intake: JournalFileIntake }) => {
  const { t } = useTranslation('journal-file')
  const format = useFormat()
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that had the focus is gone.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col gap-4 p-4">
      <div>
        <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
          {t('holds')}
        </h3>
        <p className="text-muted">{t('written', { at: format.fullDateTime(file.at), zone: file.timeZone })}</p>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 md:grid-cols-3">
        {shown.map((kind) => (
          <div key={kind} className="flex items-baseline justify-between gap-3 border-t border-hairline py-1.5">
            <dt className="text-muted">{t(`count.${kind}`)}</dt>
            <dd className="tabular-nums">{format.count(file.holds[kind])}</dd>
          </div>
        ))}
      </dl>
      <p className="max-w-3xl text-muted">{t('merge-text')}</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={intake.confirm}>{t('import-now')}</Button>
        <Button variant="ghost" onClick={intake.giveUp}>
          {t('not-now')}
        </Button>
      </div>
    </div>
  )
}

const Done = ({ totals: { before, after }, onMore }: { totals: Extract<JournalFileStep, { step: 'done' }>['totals']; onMore: () => void }) => {
  const { t } = useTranslation('journal-file')
  const format = useFormat()
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex items-start gap-3 p-4">
      <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-gain" />
      <div className="flex flex-col gap-1">
        <p ref={heading} tabIndex={-1} role="status" className="font-semibold outline-none">
          {t('done')}
        </p>
        {(['pairs', 'fills'] as const).map((kind) => (
          <p key={kind} className="text-muted tabular-nums">
            {t(`change.${kind}`, { before: format.count(before[kind]), after: format.count(after[kind]) })}
          </p>
        ))}
        <Button variant="link" className="mt-1 self-start" onClick={onMore}>
          {t('another')}
        </Button>
      </div>
    </div>
  )
}

const { importJournal, dropJournalFile } = journalFileRoutes

/** Progress of importing a journal; `failure` is why it stopped. */
type JournalFileStep =
  | { readonly step: 'choosing'; readonly failure: unknown }
  | { readonly step: 'sending' | 'importing'; readonly progress: JournalFileProgress | null }
  | { readonly step: 'asking'; readonly file: ReceivedJournal }
  | { readonly step: 'done'; readonly totals: AnswerOf<typeof importJournal> }

/** A journal file from its choice to the end of its import. */
type JournalFileIntake = { readonly now: JournalFileStep; readonly choose: (file: File) => void; readonly confirm: () => void; readonly giveUp: () => void }

const refused = (status: number, code: ProblemCode): ApiFailure => new ApiFailure(status, { success: false, code, error: code })

const send = async (file: File): Promise<ReceivedJournal> => {
  if (file.size > largestJournalFile) throw refused(413, 'journal-file-too-large')
  // A dropped folder looks like a file until it is read.
  await file.slice(0, 1).arrayBuffer().catch(() => { throw refused(400, 'journal-file-foreign') })
  const answer = await fetchAdmitted(journalFilePath, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: file }).catch(() => {
    throw new ApiFailure(0, null)
  })
  if (!answer.ok) throw await failureOf(answer)
  return receivedJournal.parse(await answer.json())
}

/** Uploads a file to be checked, and merges it into the journal after the user has seen what it would add. */
const useJournalFile = (): JournalFileIntake => {
  const client = useQueryClient()
  const [progress, setProgress] = useState<JournalFileProgress | null>(null)
  usePushed('journal-file-progress', (pushed) => { setProgress(pushed.progress) })
  const receiving = useMutation({ mutationFn: send })
  const importing = useMutation({
    mutationFn: (id: string) => callApi(importJournal, { body: { id } }),
    // Everything loaded from the journal may have changed, even the time zone of its days.
    onSettled: () => invalidateAll(client),
  })
  const begin = (): void => {
    setProgress(null)
    importing.reset()
  }
  const stepOf = (): JournalFileStep => {
    if (importing.isPending) return { step: 'importing', progress }
    if (importing.data !== undefined) return { step: 'done', totals: importing.data }
    if (receiving.isPending) return { step: 'sending', progress }
    if (receiving.data !== undefined && importing.error === null) return { step: 'asking', file: receiving.data }
    return { step: 'choosing', failure: importing.error ?? receiving.error }
  }
  return {
    now: stepOf(),
    choose: (file) => {
      begin()
      receiving.mutate(file)
    },
    confirm: () => {
      begin()
      if (receiving.data !== undefined) importing.mutate(receiving.data.id)
    },
    giveUp: () => {
      // If that fails, the next upload or the end of the program deletes the file.
      if (receiving.data !== undefined) callApi(dropJournalFile, { body: { id: receiving.data.id } }).catch(() => undefined)
      begin()
      receiving.reset()
    },
  }
}
