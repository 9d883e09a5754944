import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useEnterDemo } from '#renderer/lib/use-enter-demo.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'

/** The visitor's next step: to the journal, into the demo or to a new profile; or the reason if the program does not admit this browser. */
export const Entry = () => (
  <div className="mt-6 flex min-h-16 flex-col items-start gap-2">
    <Step />
  </div>
)

const Step = (): ReactNode => {
  const { t } = useTranslation('landing')
  const { loading, session, currentUser, failure, retry } = useSession()
  const words = useProblemText()
  if (loading) return null
  if (failure) {
    return (
      <Notice tone="error" action={<Button size="sm" variant="outline" onClick={retry}>{t('ui:try-again')}</Button>}>
        {words(failure)}
      </Notice>
    )
  }
  if (currentUser) {
    return (
      <Button size="lg" asChild>
        <Link to={paths.overview}>{t('app:legal.open-journal')}</Link>
      </Button>
    )
  }
  const own = session?.identity === 'firebase' ? t('sign-up-account') : t('sign-up')
  if (session?.demoOffered !== true) {
    return (
      <Button size="lg" asChild>
        <Link to={paths.signUp}>{own}</Link>
      </Button>
    )
  }
  return <DemoOrOwn own={own} />
}

// In a narrow window a long name wraps to a second line.
const mayWrap = 'max-sm:h-auto max-sm:min-h-10 max-sm:shrink max-sm:py-2 max-sm:text-left max-sm:whitespace-normal'

const DemoOrOwn = ({ own }: { own: string }) => {
  const { t } = useTranslation('landing')
  const navigate = useNavigate()
  const words = useProblemText()
  const demo = useEnterDemo()
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button size="lg" className={mayWrap} busy={demo.isPending} onClick={() => { demo.mutate(undefined, { onSuccess: () => void navigate(paths.overview) }) }}>
          {t('auth:demo.button')}
        </Button>
        <Button size="lg" variant="outline" className={mayWrap} asChild>
          <Link to={paths.signUp}>{own}</Link>
        </Button>
      </div>
      <p className="text-sm text-muted">{t('auth:demo.text')}</p>
      {demo.error && <Notice tone="error">{words(demo.error)}</Notice>}
    </>
  )
}
