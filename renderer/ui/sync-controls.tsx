import { useFormat } from '#renderer/lib/use-format.ts'
import { useShortcutKeys } from '#renderer/lib/use-shortcut.ts'
import { useShortMoment, useSyncState } from '#renderer/lib/use-sync.ts'
import { useTranslation } from 'react-i18next'
import { Chip } from './badge.tsx'
import { Button } from './button.tsx'
import { Keys } from './keys.tsx'
import { Progress } from './progress.tsx'
import { Tooltip } from './tooltip.tsx'
import { useSyncTrades } from './use-sync-trades.ts'

/** When trades were last and will next be synced, or the progress of a running sync, with Sync Trades beside it, `quiet` if something else comes first. */
export const SyncControls = ({ quiet = false }: { quiet?: boolean }) => {
  const { t } = useTranslation('sync')
  const { start, running } = useSyncTrades()
  const { caps, aria } = useShortcutKeys('sync')
  return (
    <>
      {running ? <SyncProgressLine /> : <SyncTimes />}
      <Tooltip text={caps.length === 0 ? null : <Keys caps={caps} />} side="bottom">
        <Button variant={quiet ? 'outline' : 'default'} onClick={start} busy={running} aria-keyshortcuts={aria}>
          {running ? t('syncing') : t('sync-trades')}
        </Button>
      </Tooltip>
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

/** Progress of the running sync, with its current step. */
const SyncProgressLine = () => {
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
