import { paths } from '#renderer/lib/paths.ts'
import { useShortMoment } from '#renderer/lib/use-sync.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import type { AccountSync } from '#shared/api/brokerage.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

/** An account's sync state, its last success, and what to do if it waits for the trader. */
export const SyncCell = ({ sync: { state, lastGoodAt, nextTryAt }, account, onConnect }: { sync: AccountSync; account: string; onConnect: () => void }) => {
  const { t } = useTranslation('auto-sync')
  const shortMoment = useShortMoment()
  const times = [
    ...(state === 'waiting' && nextTryAt !== null ? [t('sync.next-try', { time: shortMoment(nextTryAt) })] : []),
    ...(state === 'good' || lastGoodAt === null ? [] : [t('sync.last-good', { time: shortMoment(lastGoodAt) })]),
  ]
  return (
    <>
      <span className={state === 'login-needed' ? 'flex flex-wrap items-center gap-x-2 text-warn' : 'flex flex-wrap items-center gap-x-2'}>
        {state === 'running' && <Spinner />}
        {state === 'good' && lastGoodAt !== null ? t('sync.good-at', { time: shortMoment(lastGoodAt) }) : t(`sync.${state}`)}
        {state === 'from-files' && (
          <Button asChild variant="link" size="sm">
            <Link to={paths.import} aria-label={t('sync.import-more-of', { account })}>
              {t('sync.import-more')}
            </Link>
          </Button>
        )}
        {(state === 'login-needed' || state === 'elsewhere') && (
          <Button variant="link" size="sm" onClick={onConnect} aria-label={state === 'elsewhere' ? t('sync.connect-here-of', { account }) : t('sync.connect-again-of', { account })}>
            {state === 'elsewhere' ? t('sync.connect-here') : t('sync.connect-again')}
          </Button>
        )}
      </span>
      {times.map((text) => (
        <span key={text} className="block text-sm text-faint">
          {text}
        </span>
      ))}
    </>
  )
}
