import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { useShortMoment } from '#renderer/lib/use-sync.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Progress } from '#renderer/ui/progress.tsx'
import type { MirrorState } from '#shared/api/mirror-state.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { comparedShare, restoredShare, useMirrorNow, useMirrorState, useMirrorToNewAccount } from '#renderer/lib/use-mirror.ts'
import { Popover } from '#renderer/ui/popover.tsx'
import { Cloud, CloudAlert, CloudCheck, CloudDownload, CloudOff, CloudSync, CloudUpload, Monitor } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

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

type PlaceState = keyof typeof icons
/** The cloud does not take the journal now; the mirror retries. */
const stuck: readonly PlaceState[] = ['offline', 'refused', 'full', 'no-room']
const troubles: readonly PlaceState[] = [...stuck, 'pictures-waiting', 'account-gone']

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
      <Icon aria-hidden className={classNames('size-4 shrink-0', troubles.includes(state) && 'text-warn')} />
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
const usePlaceLine = (mirror: MirrorState | null, demo: boolean): ((state: PlaceState) => string) => {
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

/** The state of the cloud mirror: pending records and since when, the next retry, the progress of a restore. */
const MirrorFact = ({ mirror, line }: { mirror: MirrorState; line: string }) => {
  const { t } = useTranslation('app')
  const format = useFormat()
  const shortMoment = useShortMoment()
  const words = useProblemText()
  const megabytes = (bytes: number): string => format.count(Math.ceil(bytes / 1_000_000))
  const again = useMirrorNow(() => undefined)
  const toNewAccount = useMirrorToNewAccount()
  const { state, storage, waiting, waitingSince, setAside, lastSentAt, nextTryAt, restoring, comparing, pictures } = mirror
  const isStuck = stuck.includes(state)
  return (
    <Fact
      name={t('place.copy')}
      value={line}
      text={
        <div className="mt-0.5 flex flex-col items-start gap-1">
          {(state === 'up-to-date' || state === 'account-gone' || isStuck) && <p>{t(`place.${state}-text`)}</p>}
          {restoring !== null && restoring.total > 0 && <p>{t('place.restoring-text', { done: format.count(restoring.done), total: format.count(restoring.total) })}</p>}
          {state === 'restoring' && <Progress value={restoredShare(mirror)} label={t('place.restoring-name')} className="my-1 w-full" />}
          {pictures !== null && <p>{t('place.pictures-refused', { count: pictures.waiting, shown: format.count(pictures.waiting), size: megabytes(pictures.bytes), status: String(pictures.status) })}</p>}
          {pictures?.status === 413 && <p>{t('place.pictures-limit')}</p>}
          {pictures !== null && <p>{t('place.next-try', { time: format.clock(pictures.nextTryAt) })}</p>}
          {comparing !== null && <p>{t('place.comparing-text')}</p>}
          {comparing !== null && comparing.total > 0 && <p className="tabular-nums">{t('place.compared', { done: format.count(comparing.done), total: format.count(comparing.total) })}</p>}
          {state === 'comparing' && <Progress value={comparedShare(mirror)} label={t('place.comparing-name')} className="my-1 w-full" />}
          {storage !== null && <p className="tabular-nums">{t('place.storage', { used: megabytes(storage.bytes), limit: megabytes(storage.limit) })}</p>}
          {waiting > 0 && state !== 'account-gone' && <p>{waitingSince === null ? t('place.waiting', { count: waiting, shown: format.count(waiting) }) : t('place.waiting-since', { count: waiting, shown: format.count(waiting), time: shortMoment(waitingSince) })}</p>}
          {setAside > 0 && <p>{t('place.set-aside', { count: setAside, shown: format.count(setAside) })}</p>}
          {lastSentAt !== null && <p>{t('place.last-sent', { time: shortMoment(lastSentAt) })}</p>}
          {isStuck && nextTryAt !== null && <p>{t('place.next-try', { time: format.clock(nextTryAt) })}</p>}
          {isStuck && (
            <Button variant="outline" size="sm" className="mt-1" busy={again.isPending} onClick={() => { again.mutate() }}>
              {t('place.try-now')}
            </Button>
          )}
          {state === 'account-gone' && (
            <Button variant="outline" size="sm" className="mt-1" busy={toNewAccount.isPending} onClick={() => { toNewAccount.mutate() }}>
              {t('place.to-new-account')}
            </Button>
          )}
          {(again.isError || toNewAccount.isError) && (
            <p role="alert" className="text-loss">
              {words(again.error ?? toNewAccount.error)}
            </p>
          )}
        </div>
      }
    />
  )
}

/** A fact in a list, with an explanation and its actions below. */
const Fact = ({ name, value, text }: { name: string; value: string; text?: ReactNode }) => (
  <div>
    <dt className="text-sm text-faint">{name}</dt>
    <dd>
      {value}
      {text && <div className="text-sm text-muted">{text}</div>}
    </dd>
  </div>
)
