import { ApiFailure, apiQuestion } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import { reportRoutes, type ModelSettings } from '#shared/api/reports.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { costOf } from './model-fields.ts'
import { useWriteNarrative } from './use-report-calls.ts'

/** Shows exactly what a model will be sent, and to whom, before anything is; includes notes only if ticked. */
export const PreviewDialog = ({ reportId, model, onClose }: { reportId: string; model: ModelSettings; onClose: () => void }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const words = useProblemText()
  const boxId = useId()
  const [notes, setNotes] = useState(false)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({ ...apiQuestion(reportRoutes.previewNarrative, { body: { id: reportId, notes } }), placeholderData: keepPreviousData, staleTime: 0, gcTime: 0, refetchOnWindowFocus: false })
  const write = useWriteNarrative()
  const ready = data !== undefined && !isPlaceholderData && !isFetching && error === null
  const cost = data === undefined || model.prices === null ? null : costOf(data.tokens, model.prices.input)
  const send = (): void => {
    if (!ready) return
    write.mutate(
      { id: reportId, notes, digest: data.digest },
      {
        onSuccess: onClose,
        onError: (failure) => { if (failure instanceof ApiFailure && failure.code === 'preview-changed') void refetch() },
      },
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      width="lg"
      title={t('preview.title')}
      description={data === undefined ? t('preview.loading') : t('preview.text', { host: data.host, model: model.model })}
      footer={
        <>
          <label htmlFor={boxId} className="mr-auto flex cursor-pointer items-center gap-2">
            <Checkbox id={boxId} checked={notes} onChange={setNotes} disabled={write.isPending} />
            {t('preview.notes')}
          </label>
          <Button variant="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button busy={write.isPending} disabled={!ready} onClick={send}>
            {!write.isPending && <Send aria-hidden />}
            {data === undefined ? t('preview.send') : t('preview.send-to', { host: data.host })}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {write.isError && <Notice tone="error">{words(write.error)}</Notice>}
        {error !== null ? (
          <ErrorState failure={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton className="h-72 w-full opacity-50" />
        ) : (
          <>
            <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
              <span>{t('preview.tokens', { count: data.tokens, tokens: format.count(data.tokens) })}</span>
              {cost !== null && model.prices !== null && <span>{t('preview.cost', { cost: format.fullMoney(cost, model.prices.currency) })}</span>}
              <span role="status">{data.notes === 0 ? t(notes ? 'preview.no-notes' : 'preview.without-notes') : t('preview.with-notes', { count: data.notes, notes: format.count(data.notes) })}</span>
            </p>
            {data.messages.map(({ role, content }, at) => (
              <section key={at} aria-label={t(`preview.role.${role}`)} className="flex flex-col gap-1">
                <h3 className="text-sm font-medium text-muted">{t(`preview.role.${role}`)}</h3>
                <pre tabIndex={0} className="max-h-72 overflow-auto rounded-md border border-line bg-ground px-3 py-2 font-mono text-sm whitespace-pre-wrap wrap-anywhere">{content}</pre>
              </section>
            ))}
          </>
        )}
      </div>
    </Dialog>
  )
}
