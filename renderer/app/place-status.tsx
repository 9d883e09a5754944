import type { MirrorState } from '#shared/api/mirror-state.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { comparedShare, restoredShare, useMirrorState } from '#renderer/lib/use-mirror.ts'
import { Popover } from '#renderer/ui/popover.tsx'
import { Cloud, CloudAlert, CloudCheck, CloudDownload, CloudOff, CloudSync, CloudUpload, Monitor } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Fact } from './fact.tsx'
import { MirrorFact } from './mirror-fact.tsx'

const icons = {
  'this-computer-only': Monitor,
  'up-to-date': CloudCheck,
  sending: CloudUpload,
  restoring: CloudDownload,
  comparing: CloudSync,
  'pictures-waiting': CloudAlert,
  offline: CloudOff,
  refused: CloudAlert,
  'account-gone': CloudOff,
  full: CloudAlert,
  'no-room': CloudAlert,
  unknown: Cloud,
} as const

/** Where the journal is stored, the state of its cloud mirror, and how its secrets are stored, in a quiet line that opens. */
export const PlaceStatus = ({ minimised }: { minimised: boolean }) => {
  const { t } = useTranslation('app')
  const { session } = useSession()
  const mirror = useMirrorState()
  const line = usePlaceLine(mirror, session?.demo === true)
  if (!session) return null
  // Until the mirror reports, only the session knows whether there is one.
  const state = mirror?.state ?? (session.cloud === 'mirrored' ? 'unknown' : 'this-computer-only')
  const Icon = icons[state]
  const text = line(state)
  const trigger = (
    <button
      type="button"
      aria-label={minimised ? text : undefined}
      className={classNames('flex min-h-8 w-full items-center gap-2.5 rounded-md px-2 text-sm text-muted transition-colors duration-100 hover:bg-raised hover:text-ink', minimised && 'justify-center')}
    >
      <Icon aria-hidden className={classNames('size-4 shrink-0', (state === 'pictures-waiting' || state === 'offline' || state === 'refused' || state === 'account-gone' || state === 'full' || state === 'no-room') && 'text-warn')} />
      {!minimised && <span title={text} className="truncate tabular-nums">{text}</span>}
    </button>
  )
  return (
    <Popover trigger={trigger} label={t('place.title')}>
      <dl className="flex w-72 flex-col gap-3">
        {mirror === null || mirror.state === 'this-computer-only' ? (
          <Fact name={t('place.journal')} value={line(state)} text={state === 'this-computer-only' ? t('place.journal-text') : undefined} />
        ) : (
          <MirrorFact mirror={mirror} line={text} />
        )}
        {session.demo && <Fact name={t('place.demo')} value={t('place.demo-value')} text={t('place.demo-text')} />}
        {session.secrets === 'keychain' ? (
          <Fact name={t('place.tokens')} value={t('place.keychain')} />
        ) : (
          <Fact name={t('place.tokens')} value={t('place.file')} text={t('place.file-text')} />
        )}
        <Fact name={t('place.time-zone')} value={session.timeZone} />
        <Fact name={t('place.version')} value={session.version} />
      </dl>
    </Popover>
  )
}

/** Returns the line for the journal's storage, with the figure that matters in that state. */
const usePlaceLine = (mirror: MirrorState | null, demo: boolean): ((state: keyof typeof icons) => string) => {
  const { t } = useTranslation('app')
  const format = useFormat()
  const waiting = mirror?.waiting ?? 0
  return (state) => {
    switch (state) {
      case 'restoring':
        return t('place.restoring', { percent: format.count(mirror === null ? 0 : Math.floor(restoredShare(mirror) * 100)) })
      case 'comparing':
        return t('place.comparing', { percent: format.count(mirror === null ? 0 : Math.floor(comparedShare(mirror) * 100)) })
      case 'sending':
      case 'offline':
      case 'refused':
      case 'full':
      case 'no-room':
        return waiting === 0 ? t(`place.${state}`) : t('place.with-waiting', { state: t(`place.${state}`), waiting: format.count(waiting) })
      case 'up-to-date':
        return demo ? t('place.demo-up-to-date') : t('place.up-to-date')
      case 'this-computer-only':
      case 'account-gone':
      case 'pictures-waiting':
      case 'unknown':
        return t(`place.${state}`)
    }
  }
}
