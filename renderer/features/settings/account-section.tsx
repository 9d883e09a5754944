import { callApi } from '#renderer/lib/api.ts'
import { useKnowUser, useSession } from '#renderer/lib/session.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { sessionRoutes } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { DemoCard } from './demo-card.tsx'
import { RecoveryCard } from './recovery-card.tsx'

/** The signed-in user, whether the email is verified, and deleting the account; for the demo profile, removing it. */
export const AccountSection = () => {
  const { t } = useTranslation('account')
  const { session } = useSession()
  const [deleting, setDeleting] = useState(false)
  if (!session?.currentUser) return null
  if (session.demo) return <DemoCard />
  const { currentUser } = session
  const account = session.identity === 'firebase'
  return (
    <div className="flex flex-col gap-4">
      <Card title={t('signed-in')} note={account ? t('kind.account') : t('kind.profile')}>
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 px-4 py-3">
          <dt className="text-muted">{t('name')}</dt>
          <dd className="min-w-0 truncate">{currentUser.displayName ?? t('no-name')}</dd>
          <dt className="text-muted">{t('email')}</dt>
          <dd className="flex min-w-0 flex-wrap items-center gap-2.5">
            <span className="truncate">{currentUser.email}</span>
            {account && <Badge tone={currentUser.emailVerified ? 'gain' : 'warn'}>{currentUser.emailVerified ? t('verified') : t('unverified')}</Badge>}
          </dd>
        </dl>
        {account && !currentUser.emailVerified && currentUser.email !== null && <VerifyEmail email={currentUser.email} />}
      </Card>
      {!account && currentUser.email !== null && <RecoveryCard email={currentUser.email} unsaved={session.recoveryCodeUnsaved} />}
      <Card title={t('delete.title')} note={t('delete.note')}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-4 py-3">
          <p className="min-w-64 flex-1 text-muted">{account ? t('delete.text-account') : t('delete.text-profile')}</p>
          <Button variant="destructive" onClick={() => { setDeleting(true) }}>
            {t('delete.open')}
          </Button>
        </div>
      </Card>
      {deleting && <DeleteAccountDialog session={session} user={currentUser} onClose={() => { setDeleting(false) }} />}
    </div>
  )
}

/** Asks the user to verify the email, sends the link again, and checks whether it was followed; nothing waits for it. */
const VerifyEmail = ({ email }: { email: string }) => {
  const { t } = useTranslation('account')
  const words = useProblemText()
  const knowUser = useKnowUser()
  const mailing = useMutation({ mutationFn: () => callApi(sessionRoutes.mailVerification), onMutate: () => { looking.reset() } })
  const looking = useMutation({
    mutationFn: () => callApi(sessionRoutes.reloadUser),
    onMutate: () => { mailing.reset() },
    onSuccess: ({ currentUser }) => { knowUser(currentUser) },
  })
  const failure = mailing.error ?? looking.error
  return (
    <div className="border-t border-hairline px-4 py-3">
      <h3 className="font-medium">{t('verify.title')}</h3>
      <p className="max-w-2xl text-muted">{t('verify.text')}</p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button variant="outline" busy={looking.isPending} onClick={() => { looking.mutate() }}>
          {t('verify.done')}
        </Button>
        <Button variant="ghost" busy={mailing.isPending} onClick={() => { mailing.mutate() }}>
          {t('verify.again')}
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {mailing.isSuccess && <Notice className="mt-2.5">{t('verify.mailed', { email })}</Notice>}
        {looking.data?.currentUser.emailVerified === false && <Notice className="mt-2.5">{t('verify.not-yet')}</Notice>}
      </div>
      {failure !== null && (
        <Notice tone="error" className="mt-2.5">
          {words(failure)}
        </Notice>
      )}
    </div>
  )
}
