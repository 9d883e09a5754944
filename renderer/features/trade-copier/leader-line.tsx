import type { CopyGroup, LiveGroup } from '#shared/api/copier.ts'
import { Crown, Hourglass } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LineMark } from './state-mark.tsx'
import { pendingOf } from './follower-status.ts'
import { useAccountNames } from './use-account-names.ts'
import { useFigures } from './use-figures.ts'

const kinds = ['reduce', 'enter', 'exits'] as const

/** A group's leader and its positions, how the group copies, and what is pending with its cause. */
export const LeaderLine = ({ group, live }: { group: CopyGroup; live: LiveGroup | null }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf, accountOf } = useAccountNames()
  const figures = useFigures()
  const open = (live?.leader ?? []).filter(({ net }) => net !== 0)
  const pending = live === null || live.state === 'off' ? [] : pendingOf(live.followers)
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-b border-hairline px-4 py-2 text-muted">
      <span className="flex items-center gap-2">
        <Crown aria-hidden className="size-4 text-faint" />
        <span className="text-sm text-faint">{t('leader')}</span>
        <span className="font-medium text-ink proportional-nums">{nameOf(group.leader)}</span>
        {accountOf(group.leader)?.environment === 'live' && <span className="text-sm text-faint">{t('environment.live')}</span>}
        {live !== null && live.state !== 'off' && <LineMark line={live.leaderLine} />}
      </span>
      {live !== null && live.state !== 'off' && (
        <span className="flex flex-wrap items-center gap-2">
          {open.length === 0 && <span className="text-sm text-faint">{t('flat')}</span>}
          {open.map(({ contract, net }) => (
            <span key={contract} className="rounded-sm border border-line px-1.75 py-0.5 text-sm text-ink">
              {contract} <span className="font-semibold">{figures.position(net)}</span>
            </span>
          ))}
        </span>
      )}
      <span className="text-sm text-faint">{[t(`editor.mode.${group.mode}`), group.exits ? t('exits-mirrored') : t('exits-not-mirrored')].join(' · ')}</span>
      {pending.length > 0 && (
        <span className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-warn">
          {pending.map(({ cause, pending: counts }) => (
            <span key={cause} className="flex items-center gap-1.5">
              <Hourglass aria-hidden className="size-3.5" />
              {t(`pending.${cause}`, { what: kinds.filter((kind) => counts[kind] > 0).map((kind) => t(`pending-${kind}`, { count: counts[kind] })).join(', ') })}
            </span>
          ))}
        </span>
      )}
    </div>
  )
}
