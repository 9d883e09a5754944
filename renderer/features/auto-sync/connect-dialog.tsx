import { callApi } from '#renderer/lib/api.ts'
import { monogram } from '#renderer/lib/monogram.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useRenewSession, useSession } from '#renderer/lib/session.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Monogram } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { DatabaseForm } from './database-form.tsx'
import { KeyForm } from './key-form.tsx'

const platforms = ['Tradovate', 'NinjaTrader'] as const
const topstepx = 'TopstepX'

/** How accounts are connected: a consent in the browser, a key, or a database on this computer. */
type Connection = 'tradovate' | 'topstepx' | 'ninjatrader'

/** Says what connecting does and sends the browser to the brokerage; `another` offers a second login beside the connected ones. */
export const ConnectDialog = ({ open, onClose, another }: { open: boolean; onClose: () => void; another: boolean }) => {
  const { t } = useTranslation('auto-sync')
  const words = useProblemText()
  const { session } = useSession()
  const ready = session !== null && (session.brokerageReady || session.demo)
  const [history, setHistory] = useState(true)
  const [broker, setBroker] = useState<Connection>('tradovate')
  const boxId = useId()
  const consent = useMutation({
    mutationFn: (anotherLogin: boolean) => callApi(brokerageRoutes.beginConsent, { body: { returnTo: 'autosync', anotherLogin, history } }),
    onSuccess: ({ url }) => {
      window.location.assign(url)
    },
  })
  const consented = (
    <>
      <ul className="flex gap-5">
        {platforms.map((platform) => (
          <li key={platform} className="flex items-center gap-2">
            <Monogram letters={monogram(platform)} />
            {platform}
          </li>
        ))}
      </ul>
      <p className="text-muted">{t('connect-updates')}</p>
      {session?.secrets === 'file' && <p className="text-sm text-faint">{t('secrets-file')}</p>}
      {consent.isError && <Notice tone="error">{words(consent.error)}</Notice>}
      {session?.demo === true && <p className="text-sm text-faint">{t('demo-ways', { platform: topstepx })}</p>}
      {ready ? (
        <div className="flex flex-col gap-1.5">
          <div className="mb-2 flex gap-2.5">
            <Checkbox id={boxId} checked={history} onChange={setHistory} aria-describedby={`${boxId}-text`} />
            <div className="-mt-0.5">
              <label htmlFor={boxId} className="font-medium">
                {t('connect-history')}
              </label>
              <p id={`${boxId}-text`} className="text-sm text-muted">
                {t('connect-history-text')}
              </p>
            </div>
          </div>
          <Button size="lg" busy={consent.isPending || consent.isSuccess} onClick={() => { consent.mutate(false) }}>
            {t('add-here')}
          </Button>
          {another && (
            <Button variant="outline" disabled={consent.isPending || consent.isSuccess} onClick={() => { consent.mutate(true) }}>
              {t('another-login')}
            </Button>
          )}
          {another && <p className="text-sm text-faint">{t('another-login-text')}</p>}
        </div>
      ) : (
        <NotConfigured demoOffered={session?.demoOffered ?? false} />
      )}
    </>
  )
  return (
    <Dialog open={open} onClose={onClose} title={t(broker === 'topstepx' ? 'key.title' : broker === 'ninjatrader' ? 'database.title' : 'connect-title')} description={t(broker === 'topstepx' ? 'key.text' : broker === 'ninjatrader' ? 'database.text' : 'connect-text')}>
      <div className="flex flex-col gap-3.5">
        {/* The demo profile never meets real accounts. */}
        {session?.demo === false && (
          <Segmented label={t('platform')} value={broker} onChange={setBroker} options={[{ value: 'tradovate', label: platforms.join(', ') }, { value: 'topstepx', label: topstepx }, { value: 'ninjatrader', label: t('database.way') }]} className="self-start" />
        )}
        {broker === 'topstepx' ? (
          <>
            {session?.secrets === 'file' && <p className="text-sm text-faint">{t('secrets-file')}</p>}
            <KeyForm onConnected={onClose} />
          </>
        ) : broker === 'ninjatrader' ? (
          <DatabaseForm onConnected={onClose} />
        ) : (
          consented
        )}
      </div>
    </Dialog>
  )
}

const NotConfigured = ({ demoOffered }: { demoOffered: boolean }) => {
  const { t } = useTranslation('auto-sync')
  const words = useProblemText()
  const renewSession = useRenewSession()
  const navigate = useNavigate()
  const demo = useMutation({
    mutationFn: () => callApi(sessionRoutes.signInDemo),
    onSuccess: async () => {
      await renewSession()
      await navigate(paths.overview)
    },
  })
  return (
    <Notice tone="warn">
      <p className="font-semibold">{t('not-configured')}</p>
      <p className="mt-1">{t('not-configured-text')}</p>
      <ul className="mt-1.5 font-mono text-sm">
        <li>{'FILLBOOK_TRADOVATE_CLIENT_ID'}</li>
        <li>{'FILLBOOK_TRADOVATE_CLIENT_SECRET'}</li>
      </ul>
      {demoOffered && (
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <Button variant="outline" busy={demo.isPending} onClick={() => { demo.mutate() }}>
            {t('try-demo')}
          </Button>
          <span className="text-sm text-muted">{t('try-demo-text')}</span>
        </div>
      )}
      {demo.isError && <p className="mt-2 text-loss">{words(demo.error)}</p>}
    </Notice>
  )
}
