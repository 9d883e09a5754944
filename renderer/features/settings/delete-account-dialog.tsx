import { setAccountDeleted } from '#renderer/lib/account-deleted.ts'
import { callApi } from '#renderer/lib/api.ts'
import { useRenewSession } from '#renderer/lib/session.ts'
import { dropUnsentOf } from '#renderer/lib/unsent-prefix.ts'
import { Button } from '#renderer/ui/button.tsx'
import { DownloadLink } from '#renderer/ui/download-link.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import { journalFilePath } from '#shared/api/journal-file.ts'
import { sessionRoutes, type SessionAnswer, type SignedInUser } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordDialog } from './password-dialog.tsx'

/** Says what is deleted with an account, asks for the password, if there is one, and for its email, and deletes it permanently. */
export const DeleteAccountDialog = ({ session, user, onClose }: { session: SessionAnswer; user: SignedInUser; onClose: () => void }) => {
  const { t } = useTranslation('account')
  const renewSession = useRenewSession()
  const [password, setPassword] = useState('')
  const [saysNone, setSaysNone] = useState(false)
  const [typed, setTyped] = useState('')
  const account = session.identity === 'firebase'
  const email = user.email ?? ''
  const mayHaveOne = !account || user.providerData.some(({ providerId }) => providerId === 'password')
  const withPassword = mayHaveOne && !saysNone
  const deletion = useMutation({
    mutationFn: () => callApi(sessionRoutes.deleteAccount, { body: withPassword ? { password } : {} }),
    // The program notifies every window, including this one, that its user is gone.
    onMutate: () => { setAccountDeleted('account') },
    onError: () => { setAccountDeleted(null) },
    onSuccess: () => {
      dropUnsentOf(user.uid)
      return renewSession()
    },
  })
  return (
    <PasswordDialog
      title={t('delete.title')}
      description={t('delete.goes')}
      cancel={t('delete.cancel')}
      confirm={t('delete.confirm')}
      variant="destructive"
      sending={deletion}
      ready={typed.trim().toLowerCase() === email.toLowerCase()}
      password={withPassword ? { label: t('delete.password'), wrong: t('delete.password-wrong'), value: password, onChange: setPassword } : null}
      onClose={onClose}
      about={
        <>
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
        </>
      }
    >
      {/* The provider reports the same for users with an emailed link as for those with a password. */}
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
    </PasswordDialog>
  )
}
