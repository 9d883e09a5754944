import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import type { LivePositionAccount } from '#shared/api/positions.ts'
import { ArrowLeftRight, Ban, Landmark, LoaderCircle, Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** An account's connection state, if it is not normal, and since when. */
export const LineMark = ({ line, downSince }: Pick<LivePositionAccount, 'line' | 'downSince'>) => {
  const { t } = useTranslation('position-scanner')
  const format = useFormat()
  if (line === 'up') return null
  const Icon = line === 'connecting' ? LoaderCircle : Unplug
  const since = downSince === null ? '' : format.time(new Date(downSince).toISOString())
  return (
    <span className={classNames('inline-flex items-center gap-1 text-sm whitespace-nowrap', line === 'none' ? 'text-faint' : 'font-medium text-warn')}>
      <Icon aria-hidden className="size-3.5" />
      {since === '' || line === 'none' ? t(`line.${line}`) : t(`line-since.${line}`, { since })}
    </span>
  )
}

/** Shows that the broker allows an account only to reduce, or nothing at all. */
export const RestrictedMark = () => {
  const { t } = useTranslation('position-scanner')
  return (
    <Badge tone="warn" title={t('restricted-text')}>
      <Ban aria-hidden />
      {t('restricted')}
    </Badge>
  )
}

/** Shows that this login may not read prices, and what is shown instead. */
export const DeniedMark = ({ reachable }: { reachable: boolean }) => {
  const { t } = useTranslation('position-scanner')
  return (
    <Tooltip text={t('denied-text')}>
      <button type="button" tabIndex={reachable ? 0 : -1} className="inline-flex items-center gap-1 rounded-sm text-sm whitespace-nowrap text-faint underline decoration-dotted underline-offset-3">
        <Landmark aria-hidden className="size-3.5" />
        {t('denied')}
      </button>
    </Tooltip>
  )
}

/** Shows which other accounts hold the opposite in the same market; `brief` has only the icon. */
export const AgainstMark = ({ names, count, reachable, brief = false }: { names: string; count: number; reachable: boolean; brief?: boolean }) => {
  const { t } = useTranslation('position-scanner')
  return (
    <Tooltip text={t('against-text', { names, count })}>
      <button type="button" tabIndex={reachable ? 0 : -1} aria-label={t('against-text', { names, count })} className="inline-flex shrink-0 items-center gap-1 rounded-sm bg-warn-tint px-1.5 py-0.5 text-sm font-medium whitespace-nowrap text-warn">
        <ArrowLeftRight aria-hidden className="size-3.5" />
        {!brief && t('against', { count })}
      </button>
    </Tooltip>
  )
}
