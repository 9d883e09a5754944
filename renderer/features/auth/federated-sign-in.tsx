import { useSession } from '#renderer/lib/session.ts'
import { Monogram } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Divider } from './divider.tsx'
import { useAuthText } from './use-auth-text.ts'
import { useFederated } from './use-federated.ts'

/** Sign-in with other providers, below a line; nothing if none is set up. */
export const FederatedSignIn = () => {
  const { t } = useTranslation('auth')
  const { session } = useSession()
  if (!session?.federated.includes('google')) return null
  return (
    <>
      <Divider text={t('sign-in.or')} />
      <Google />
    </>
  )
}

const Google = () => {
  const { t } = useTranslation('auth')
  const words = useAuthText()
  const { popup, begin, cancel } = useFederated('google')
  const button = useRef<HTMLButtonElement>(null)
  const cancelButton = useRef<HTMLButtonElement>(null)
  const busy = popup.step !== 'idle'
  const wasBusy = useRef(false)
  // The two buttons replace each other, and the focus must follow.
  useEffect(() => {
    if (busy) cancelButton.current?.focus()
    else if (wasBusy.current) button.current?.focus()
    wasBusy.current = busy
  }, [busy])

  if (popup.step !== 'idle') {
    const closed = popup.step === 'waiting' && popup.closedAtMs !== null
    return (
      <div className="flex min-h-10 items-center gap-2.5 rounded-md border border-line bg-raised py-1 pr-1 pl-3">
        <Spinner className="text-muted" />
        <p role="status" className="min-w-0 grow">
          {closed ? t('google.closed') : t('google.waiting')}
        </p>
        <Button ref={cancelButton} variant="ghost" onClick={cancel} disabled={popup.step === 'entered'}>
          {t('google.cancel')}
        </Button>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <Button ref={button} variant="outline" size="lg" onClick={begin}>
        <Monogram letters="G" />
        {t('google.button')}
      </Button>
      {popup.failure !== null && <Notice tone="error">{words(popup.failure)}</Notice>}
    </div>
  )
}
