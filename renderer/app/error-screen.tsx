import { markOf } from '#renderer/lib/address-owner.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useGoBack } from '#renderer/lib/use-go-back.ts'
import { Button } from '#renderer/ui/button.tsx'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useRouteError } from 'react-router-dom'

const Failure = ({ thrown, way, onWay }: { thrown: unknown; way: string; onWay: () => void }) => {
  const { t } = useTranslation('error')
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  return (
    <main className="flex min-h-screen flex-col items-center justify-center gap-4 bg-ground p-8">
      <h1 className="text-headline font-semibold tracking-[-0.015em]">{t('title')}</h1>
      <p className="max-w-2xl text-center wrap-anywhere text-loss">{error.message}</p>
      {error.stack && <pre tabIndex={0} className="max-h-80 w-full max-w-3xl overflow-auto wrap-anywhere whitespace-pre-wrap rounded-lg border border-line bg-surface p-4 font-mono text-sm text-muted">{error.stack}</pre>}
      <Button onClick={onWay}>{way}</Button>
    </main>
  )
}

/** Shown when a page crashes: the unchanged error, and a way back. */
export const ErrorScreen = () => {
  const { t } = useTranslation('error')
  const goBack = useGoBack()
  const navigate = useNavigate()
  const thrown = useRouteError()
  const { currentUser } = useSession()
  const mark = currentUser === null ? null : markOf(currentUser)
  const [brokeFor] = useState(mark)
  // An error may quote what its user wrote: the next user begins with a page of their own.
  const isOfAnother = brokeFor !== null && mark !== brokeFor
  useEffect(() => {
    if (isOfAnother) void navigate(paths.overview, { replace: true })
  }, [isOfAnother, navigate])
  if (isOfAnother) return null
  return <Failure thrown={thrown} way={t('back')} onWay={goBack} />
}

/** Shown when the page cannot start: the unchanged error, and a retry. */
export const StartFailure = ({ thrown }: { thrown: unknown }) => {
  const { t } = useTranslation('error')
  return <Failure thrown={thrown} way={t('again')} onWay={() => { location.reload() }} />
}
