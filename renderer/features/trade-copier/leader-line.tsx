import type { CopyGroup, LiveGroup } from '#shared/api/copier.ts'
import { Crown, Hourglass } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LineMark } from './state-mark.tsx'
import { useAccountNames } from './use-account-names.ts'
import { useFigures } from './use-figures.ts'

/** Whom a group follows and what that account holds, whether its exits are mirrored, and what waits for calls to the broker. */
export const LeaderLine = ({ group, live }: { group: CopyGroup; live: LiveGroup | null }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf, accountOf } = useAccountNames()
  const figures = useFigures()
  const open = (live?.leader ?? []).filter(({ net }) => net !== 0)
  const waiting = (['reduce', 'enter', 'exits'] as const).filter((kind) => (live?.waiting[kind] ?? 0) > 0)
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
      <span className="text-sm text-faint">{group.exits ? t('exits-mirrored') : t('exits-not-mirrored')}</span>
      {live !== null && waiting.length > 0 && (
        <span className="ml-auto flex items-center gap-1.5 text-sm text-warn">
          <Hourglass aria-hidden className="size-3.5" />
          {t('waiting', { what: waiting.map((kind) => t(`waiting-${kind}`, { count: live.waiting[kind] })).join(', ') })}
        </span>
      )}
    </div>
  )
}
