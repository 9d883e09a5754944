import { paths } from '#renderer/lib/paths.ts'
import { useGoBack } from '#renderer/lib/use-go-back.ts'
import { Button } from '#renderer/ui/button.tsx'
import { DocumentTitle } from '#renderer/ui/document-title.tsx'
import { Wordmark } from '#renderer/ui/wordmark.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

/** The page for every unknown path: a link back and a link home. */
export const NotFoundPage = () => {
  const { t } = useTranslation('not-found')
  const goBack = useGoBack()
  return (
    <main className="flex min-h-screen flex-col items-center justify-center gap-3 bg-ground p-8">
      <DocumentTitle shows={t('heading')} />
      <Wordmark large />
      <h1 className="mt-4 text-headline font-semibold tracking-[-0.015em]">{t('heading')}</h1>
      <p className="text-muted">{t('text')}</p>
      <div className="mt-3 flex gap-2">
        <Button variant="outline" onClick={goBack}>
          {t('back')}
        </Button>
        <Button asChild>
          <Link to={paths.home}>{t('home')}</Link>
        </Button>
      </div>
    </main>
  )
}
