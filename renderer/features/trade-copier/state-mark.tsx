import { Badge } from '#renderer/ui/badge.tsx'
import type { LiveGroup } from '#shared/api/copier.ts'
import { CircleCheck, CircleDashed, CircleHelp, CirclePause, CirclePlay, FlaskConical, Lock, LoaderCircle, ShieldAlert, TriangleAlert, Unplug, Wifi, type LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { FollowerStatus } from './follower-status.ts'

type Tone = NonNullable<ComponentProps<typeof Badge>['tone']>

const statuses: Record<FollowerStatus, { readonly tone: Tone; readonly Icon: LucideIcon }> = {
  'in-sync': { tone: 'gain', Icon: CircleCheck },
  pending: { tone: 'accent', Icon: LoaderCircle },
  asks: { tone: 'warn', Icon: CircleHelp },
  'out-of-sync': { tone: 'warn', Icon: TriangleAlert },
  unprotected: { tone: 'loss', Icon: ShieldAlert },
  locked: { tone: 'loss', Icon: Lock },
  off: { tone: 'quiet', Icon: CircleDashed },
}

const groupStates: Record<LiveGroup['state'], { readonly tone: Tone; readonly Icon: LucideIcon }> = {
  armed: { tone: 'gain', Icon: CirclePlay },
  paused: { tone: 'warn', Icon: CirclePause },
  off: { tone: 'quiet', Icon: CircleDashed },
}

/** A follower's state: an icon, a word, and a color last. */
export const StandingMark = ({ status }: { status: FollowerStatus }) => {
  const { t } = useTranslation('trade-copier')
  const { tone, Icon } = statuses[status]
  return (
    <Badge tone={tone} className="max-w-full text-left whitespace-normal! [&_svg]:shrink-0">
      <Icon aria-hidden />
      {t(`standing.${status}`)}
    </Badge>
  )
}

/** Whether a group is armed, paused or off. */
export const GroupMark = ({ state }: { state: LiveGroup['state'] }) => {
  const { t } = useTranslation('trade-copier')
  const { tone, Icon } = groupStates[state]
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {t(`group-state.${state}`)}
    </Badge>
  )
}

/** Shows that a group sends nothing. */
export const DryRunMark = () => {
  const { t } = useTranslation('trade-copier')
  return (
    <Badge tone="accent">
      <FlaskConical aria-hidden />
      {t('dry-run')}
    </Badge>
  )
}

/** The connection state of an account's login. */
export const LineMark = ({ line }: { line: LiveGroup['leaderLine'] }) => {
  const { t } = useTranslation('trade-copier')
  const Icon = line === 'up' ? Wifi : line === 'connecting' ? LoaderCircle : Unplug
  return (
    <span className={line === 'up' ? 'inline-flex items-center gap-1 text-sm text-faint' : 'inline-flex items-center gap-1 text-sm font-medium text-warn'}>
      <Icon aria-hidden className="size-3.5" />
      {t(`line.${line}`)}
    </span>
  )
}
