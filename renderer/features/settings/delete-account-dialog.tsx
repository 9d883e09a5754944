import { setAccountDeleted } from '#renderer/lib/account-deleted.ts'
import { ApiFailure, callApi } from '#renderer/lib/api.ts'
import { useRenewSession } from '#renderer/lib/session.ts'
import { dropUnsentOf } from '#renderer/lib/unsent-prefix.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { DownloadLink } from '#renderer/ui/download-link.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import { journalFilePath } from '#shared/api/journal-file.ts'
import { sessionRoutes, type SessionAnswer, type SignedInUser } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Says what goes with an account, asks for the password, where there is one, and for its e-mail, and deletes it for good. */
export const DeleteAccountDialog = ({ session, user, onClose }: { session: SessionAnswer; user: SignedInUser; onClose: () => void }) => {
  const { t } = useTranslation('account')
  const words = useProblemText()
  const renewSession = useRenewSession()
  const formId = useId()
  const [password, setPassword] = useState('')
  const [saysNone, setSaysNone] = useState(false)
  const [typed, setTyped] = useState('')
  const account = session.identity === 'firebase'
  const email = user.email ?? ''
  const mayHaveOne = !account || user.providerData.some(({ providerId }) => providerId === 'password')
  const withPassword = mayHaveOne && !saysNone
  const ready = typed.trim().toLowerCase() === email.toLowerCase() && (!withPassword || password !== '')
  const deletion = useMutation({
    mutationFn: () => callApi(sessionRoutes.deleteAccount, { body: withPassword ? { password } : {} }),
    // The program tells every window at once that its user is gone, this one too.
    onMutate: () => { setAccountDeleted('account') },
    onError: () => { setAccountDeleted(null) },
    onSuccess: () => {
      dropUnsentOf(user.uid)
      return renewSession()
    },
  })
  const wrongPassword = withPassword && deletion.error instanceof ApiFailure && deletion.error.code === 'wrong-credentials'

  return (
    <Dialog
      open
      onClose={() => { if (!deletion.isPending) onClose() }}
      title={t('delete.title')}
      description={t('delete.goes')}
      footer={
        <>
          <Button variant="outline" disabled={deletion.isPending} onClick={onClose}>
            {t('delete.cancel')}
          </Button>
          <Button variant="destructive" type="submit" form={formId} disabled={!ready} busy={deletion.isPending}>
            {t('delete.confirm')}
          </Button>
        </>
      }
    >
      <ul className="flex list-disc flex-col gap-1 pl-5">
        <li>{account ? t('delete.goes-account', { email }) : t('delete.goes-profile', { email })}</li>
        <li>{t('delete.goes-journal')}</li>
        {session.cloud === 'mirrored' && <li>{t('delete.goes-cloud')}</li>}
      </ul>
      <p className="mt-3 text-muted">
        {t('delete.for-good')}{' '}
        <Button variant="link" asChild>
          <DownloadLink path={journalFilePath}>{t('delete.export')}</DownloadLink>
        </Button>
      </p>
      <form
        id={formId}
        noValidate
        className="mt-4 flex flex-col gap-3.5"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) deletion.mutate()
        }}
      >
        {withPassword && (
          <Field label={t('delete.password')} error={wrongPassword ? t('delete.password-wrong') : null}>
            {(field) => (
              <Input
                {...field}
                type="password"
                autoComplete="current-password"
                value={password}
                onChange={({ target }) => {
                  setPassword(target.value)
                  deletion.reset()
                }}
              />
            )}
          </Field>
        )}
        {/* The provider says of whoever signs in by mailed links what it says of whoever has a password. */}
        {account && mayHaveOne && (
          <label className="flex cursor-pointer items-center gap-2">
            <Checkbox
              checked={saysNone}
              onChange={(on) => {
                setSaysNone(on)
                deletion.reset()
              }}
            />
            {t('delete.no-password')}
          </label>
        )}
        {!withPassword && <p className="text-sm text-faint">{t('delete.recent')}</p>}
        <Field label={t('delete.type', { email })}>
          {(field) => <Input {...field} type="email" autoComplete="off" value={typed} onChange={({ target }) => { setTyped(target.value) }} />}
        </Field>
        {deletion.error && !wrongPassword && <Notice tone="error">{words(deletion.error)}</Notice>}
      </form>
    </Dialog>
  )
}
