import { Button } from '#renderer/ui/button.tsx'
import { useTranslation } from 'react-i18next'
import { useNavigate, useRouteError } from 'react-router-dom'

/** What shows when a page breaks: the error as it is, and the way back. */
export const ErrorScreen = () => {
  const { t } = useTranslation('app')
  const navigate = useNavigate()
  const thrown = useRouteError()
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  return (
    <main className="flex min-h-screen flex-col items-center justify-center gap-4 bg-ground p-8">
      <h1 className="text-headline font-semibold tracking-[-0.015em]">{t('error.title')}</h1>
      <p className="max-w-2xl text-center text-loss">{error.message}</p>
      {error.stack && <pre tabIndex={0} className="max-h-80 w-full max-w-3xl overflow-auto rounded-lg border border-line bg-surface p-4 font-mono text-sm text-muted">{error.stack}</pre>}
      <Button onClick={() => void navigate(-1)}>{t('error.back')}</Button>
    </main>
  )
}
