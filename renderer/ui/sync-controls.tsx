import { ApiFailure } from '#renderer/lib/api.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { paths } from '#renderer/lib/paths.ts'
import { receiptParts } from '#renderer/lib/receipt-words.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { useShortMoment, useStartSync, useSyncState } from '#renderer/lib/use-sync.ts'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { Chip } from './badge.tsx'
import { Button } from './button.tsx'
import { Progress } from './progress.tsx'
import { toast } from './toast-store.ts'

/** When trades were last synced and will be next, or how far the run under way is; beside it Sync Trades, whose result comes as a toast. */
export const SyncControls = () => {
  const { t } = useTranslation('sync')
  const words = useProblemText()
  const tell = useReceiptToast()
  const state = useSyncState()
  const navigate = useNavigate()
  const { start, starting } = useStartSync((failure) => {
    const lacksPlan = failure instanceof ApiFailure && failure.code === 'plan-needed'
    const toPlans = { label: t('plans:see-plans'), run: () => void navigate(paths.manageSubscription) }
    toast({ title: t('could-not-start'), text: words(failure), tone: 'error', ...(lacksPlan ? { action: toPlans } : {}) })
  })
  usePushed('sync-ended', ({ receipt }) => {
    // A run of the schedule is no answer to anything that the user did: its result stands in the chip.
    if (receipt.trigger === 'manual' || receipt.trigger === 'connect') tell(receipt)
  })
  const running = starting || (state?.running ?? null) !== null
  return (
    <>
      {running ? <SyncProgressLine /> : <SyncTimes />}
      <Button onClick={start} busy={running}>
        {running ? t('syncing') : t('sync-trades')}
      </Button>
    </>
  )
}

const SyncTimes = () => {
  const { t } = useTranslation('sync')
  const shortMoment = useShortMoment()
  const state = useSyncState()
  if (state === null) return null
  const parts = [
    state.lastGoodAt === null ? t('never') : t('synced', { time: shortMoment(state.lastGoodAt) }),
    ...(state.nextAt === null ? [] : [t('next', { time: shortMoment(state.nextAt) })]),
  ]
  return <Chip>{parts.join(' · ')}</Chip>
}

/** How far the run under way is, with the step that it is at. */
export const SyncProgressLine = () => {
  const { t } = useTranslation('sync')
  const format = useFormat()
  const running = useSyncState()?.running ?? null
  const overall = running?.overall ?? 0
  return (
    <div className="flex items-center gap-2.5 text-sm text-muted">
      <span className="max-w-52 truncate max-xl:hidden">{running === null ? t('starting') : t(`phase.${running.phase}`)}</span>
      <Progress value={overall} label={t('progress')} className="w-30" />
      <span className="w-9 text-right text-ink tabular-nums">{t('percent', { percent: format.count(Math.floor(overall * 100)) })}</span>
    </div>
  )
}

const useReceiptToast = (): ((receipt: SyncReceipt) => void) => {
  const { t } = useTranslation('sync')
  return (receipt) => {
    const counts = receiptParts(receipt).map(({ key, count }) => t(`part.${key}`, { count }))
    const text = receipt.outcome === 'complete' ? counts.join(' · ') : `${counts.join(' · ')}. ${t('see-auto-sync')}`
    toast({ title: t(`outcome.${receipt.outcome}`), text, tone: receipt.outcome === 'failed' ? 'error' : 'info' })
  }
}
