import type { MirrorState } from '#shared/api/mirror-state.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { comparedShare, restoredShare, useMirrorNow, useMirrorToNewAccount } from '#renderer/lib/use-mirror.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { useShortMoment } from '#renderer/lib/use-sync.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Progress } from '#renderer/ui/progress.tsx'
import { useTranslation } from 'react-i18next'
import { Fact } from './fact.tsx'

/** The state of the cloud mirror: pending records and since when, the next retry, the progress of a restore. */
export const MirrorFact = ({ mirror, line }: { mirror: MirrorState; line: string }) => {
  const { t } = useTranslation('app')
  const format = useFormat()
  const shortMoment = useShortMoment()
  const words = useProblemText()
  const megabytes = (bytes: number): string => format.count(Math.ceil(bytes / 1_000_000))
  const again = useMirrorNow(() => undefined)
  const toNewAccount = useMirrorToNewAccount()
  const { state, storage, waiting, waitingSince, setAside, lastSentAt, nextTryAt, restoring, comparing, pictures } = mirror
  const stuck = state === 'offline' || state === 'refused' || state === 'full' || state === 'no-room'
  return (
    <Fact
      name={t('place.copy')}
      value={line}
      text={
        <div className="mt-0.5 flex flex-col items-start gap-1">
          {state === 'up-to-date' && <p>{t('place.up-to-date-text')}</p>}
          {state === 'offline' && <p>{t('place.offline-text')}</p>}
          {state === 'refused' && <p>{t('place.refused-text')}</p>}
          {state === 'account-gone' && <p>{t('place.account-gone-text')}</p>}
          {state === 'full' && <p>{t('place.full-text')}</p>}
          {state === 'no-room' && <p>{t('place.no-room-text')}</p>}
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
          {stuck && nextTryAt !== null && <p>{t('place.next-try', { time: format.clock(nextTryAt) })}</p>}
          {stuck && (
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
