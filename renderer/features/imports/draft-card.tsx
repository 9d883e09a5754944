import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Progress } from '#renderer/ui/progress.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import type { ImportProgress, ImportWarningShown } from '#shared/api/imports.ts'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askedFiles, Choices, type Chosen } from './choices.tsx'
import { DateChoices, datesAsked } from './date-choices.tsx'
import { FilesTable, isMappable } from './files-table.tsx'
import { Outcome } from './outcome.tsx'
import { removeFiles, sendAgain, type useDraft } from './use-draft.ts'
import { usePreview, useDebouncedRequest, type useImport, type ImportRequest } from './use-import.ts'

const Mapping = lazy(async () => ({ default: (await import('./mapping.tsx')).Mapping }))

/** Warnings of trades that may count twice. */
const mayDouble = new Set<ImportWarningShown['code']>(['beside-broker', 'files-apart', 'dates-turned', 'accounts-alike', 'accounts-spelled'])

/** The files of the next import: their kinds, the choices that they need, the preview, and the import button. */
export const DraftCard = ({ draft, chosen, onChange, likely, accounts, works, importing }: {
  draft: ReturnType<typeof useDraft>
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  likely: readonly string[]
  accounts: readonly string[]
  works: ReadonlyMap<string, ImportProgress>
  importing: ReturnType<typeof useImport>
}) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  const words = useProblemText()
  const sent = draft.files.flatMap(({ upload }) => upload ?? [])
  const sending = draft.files.filter(({ upload, failure }) => upload === null && failure === null).length
  const accountOf = (id: string): string | null => chosen.accounts.get(id)?.trim() || null
  const request: ImportRequest = {
    uploads: sent.map(({ id, name }) => {
      const dates = chosen.dates.get(id)
      return { id, name, ...(dates === undefined ? {} : { dates }), account: accountOf(id) }
    }),
    zone: chosen.zone,
  }
  const preview = usePreview(useDebouncedRequest(sending > 0 ? { ...request, uploads: [] } : request))
  const answer = sent.length > 0 ? (preview.data?.answer ?? null) : null
  const readById = new Map(preview.data?.request.uploads.map(({ id }, index) => [id, preview.data.answer.files[index] ?? null]))
  const busy = draft.work !== null
  const dateQuestions = datesAsked(sent, answer, chosen.dates)
  const waiting = sending > 0 || preview.isFetching
  const stale = preview.data?.request.zone !== chosen.zone || preview.data.request.uploads.length !== sent.length
  const asked = answer === null ? [] : askedFiles(answer, preview.data?.request.uploads ?? [])
  const doubts = answer?.outcome?.known === false ? answer.outcome.warnings.filter(({ code }) => mayDouble.has(code)) : []
  // What was confirmed counts for just these warnings.
  const [confirmed, setConfirmed] = useState('')
  const isConfirmed = doubts.length === 0 || confirmed === JSON.stringify(doubts)
  const firstNeed = (): string | null => {
    if (dateQuestions.some((question) => question.chosen === null)) return t('needs-dates')
    if (asked.some(({ upload, found }) => found === null && accountOf(upload) === null)) return t('needs-account')
    return isConfirmed ? null : t('needs-confirmation')
  }
  const need = firstNeed()
  const isEmpty = answer === null || answer.without === 'nothing-read' || answer.without === 'figures-too-large' || answer.outcome?.known === true
  const accepted = answer?.files.reduce((sum, file) => sum + file.accepted, 0) ?? 0
  const progress = [...works.values()].find(({ work, of }) => (draft.work === null ? of === 'preview' && preview.isFetching : work === draft.work))
  const isMatching = progress?.step === 'matching'
  const status = (): string => {
    if (busy) return t(isMatching ? 'matching' : 'reading')
    if (sending > 0) return t('sending-count', { count: sending })
    if (preview.isFetching) return t(isMatching ? 'matching-preview' : 'reading')
    return need ?? (answer?.without === 'nothing-read' ? t('nothing-read') : '')
  }

  const unknown = sent.filter(({ id }) => isMappable(readById.get(id) ?? null))
  const [mapping, setMapping] = useState<string | null>(null)
  // The mapping of the first unknown file is open until the user closes it.
  const mapped = (mapping === null ? unknown[0] : sent.find(({ id }) => id === mapping)) ?? null

  const forgotten = preview.error?.code === 'not-found'
  useEffect(() => {
    if (forgotten) sendAgain()
  }, [forgotten])

  return (
    <Card title={t(waiting || busy || isEmpty || stale || need !== null ? 'draft' : 'draft-ready')} note={t('draft-note', { count: draft.files.length })} className="shrink-0 overflow-hidden">
      <FilesTable files={draft.files} readOf={({ upload }) => (upload === null ? null : (readById.get(upload.id) ?? null))} disabled={busy} onMap={({ upload }) => { setMapping(upload?.id ?? null) }} onRemove={(key) => { removeFiles([key]) }} />
      {mapped !== null && (
        <Suspense fallback={<Skeleton className="m-4 h-40" />}>
          <Mapping key={mapped.id} upload={mapped} zone={chosen.zone} likely={likely} disabled={busy} onZone={(zone) => { onChange({ ...chosen, zone }) }} onClose={() => { setMapping('closed') }} />
        </Suspense>
      )}
      {draft.surplus > 0 && <Notice tone="warn" className="m-4">{t('surplus', { count: draft.surplus })}</Notice>}
      {preview.isError && (
        <Notice tone="error" className="m-4" action={<Button variant="outline" size="sm" onClick={() => void preview.refetch()}>{t('read-again')}</Button>}>
          <span className="font-semibold">{t('preview-failed')}</span> {words(preview.error)}
        </Notice>
      )}
      <DateChoices asked={dateQuestions} disabled={busy} onChange={(id, order) => { onChange({ ...chosen, dates: new Map(chosen.dates).set(id, order) }) }} />
      {answer !== null && answer.without !== 'nothing-read' && (
        <div className="border-t border-hairline">
          <Choices answer={answer} asked={asked} chosen={chosen} likely={likely} accounts={accounts} disabled={busy} onChange={onChange} />
          <Outcome answer={answer} />
          {doubts.length > 0 && (
            <label className="mx-4 mb-3.5 flex cursor-pointer items-center gap-2.5 rounded-md border border-line bg-ground px-3 py-2.5">
              <Checkbox checked={isConfirmed} disabled={busy} onChange={(on) => { setConfirmed(on ? JSON.stringify(doubts) : '') }} aria-label={t('confirm-doubts')} />
              <span>{t('confirm-doubts')}</span>
            </label>
          )}
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 border-t border-hairline px-4 py-3">
        <p role="status" className="mr-auto text-muted">{status()}</p>
        {(busy || waiting) && <Progress value={progress?.overall ?? 0} label={t('progress')} className="w-40" />}
        {/* What is being matched and saved cannot be stopped half-way. */}
        <Button variant="outline" disabled={busy && isMatching} onClick={() => { if (busy) importing.cancel(); else removeFiles(draft.files.map(({ key }) => key)) }}>
          {t('cancel')}
        </Button>
        <Button busy={busy} disabled={isEmpty || stale || need !== null || sending > 0} onClick={() => { importing.start(request) }}>
          {t('import', { count: accepted, shown: format.count(accepted) })}
        </Button>
      </div>
    </Card>
  )
}
