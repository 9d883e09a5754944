import { useFormat } from '#renderer/lib/use-format.ts'
import { restoredShare } from '#renderer/lib/use-mirror.ts'
import { Progress } from '#renderer/ui/progress.tsx'
import type { MirrorState } from '#shared/api/mirror-state.ts'
import { CloudDownload } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** Progress of a restore from the cloud: the whole page while there is no trade yet, then a line above the figures. Says so if the cloud stops answering. */
export const Restoring = ({ mirror, whole }: { mirror: MirrorState; whole: boolean }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const share = restoredShare(mirror)
  const away = mirror.state !== 'restoring'
  const known = mirror.restoring !== null && mirror.restoring.total > 0 ? mirror.restoring : null
  const percent = t('restoring.percent', { percent: format.count(Math.floor(share * 100)) })
  if (!whole) {
    return (
      <div className="flex shrink-0 items-center gap-2 rounded-md border border-line bg-surface px-3 py-2">
        <CloudDownload aria-hidden className="size-4 shrink-0 text-accent" />
        <span>{t(away ? 'restoring.growing-away' : 'restoring.growing')}</span>
        {known !== null && (
          <>
            <Progress value={share} label={t('restoring.name')} className="mx-2 grow" />
            <span className="tabular-nums">{percent}</span>
          </>
        )}
      </div>
    )
  }
  return (
    <section aria-label={t('restoring.title')} className="flex grow flex-col items-center justify-center gap-1.5 rounded-lg border border-line bg-surface px-6 py-12 text-center">
      <CloudDownload aria-hidden className="mb-1 size-6 text-accent" />
      <h2 className="text-title font-semibold">{t('restoring.title')}</h2>
      <p className="max-w-lg text-balance text-muted">{t(away ? 'restoring.away' : 'restoring.text')}</p>
      {known !== null && (
        <>
          <Progress value={share} label={t('restoring.name')} className="mt-5 w-full max-w-3xl" />
          <p className="mt-1 tabular-nums">
            <span className="font-semibold">{percent}</span>
            <span className="ml-2 text-muted">{t('restoring.count', { done: format.count(known.done), total: format.count(known.total) })}</span>
          </p>
        </>
      )}
    </section>
  )
}
