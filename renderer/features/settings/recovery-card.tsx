import { callApi } from '#renderer/lib/api.ts'
import { sessionQuery } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { RecoveryCode } from '#renderer/ui/recovery-code.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordDialog } from './password-dialog.tsx'

/** The recovery code of a local profile: renewed with the password, and shown again until the user has saved it. */
export const RecoveryCard = ({ email, unsaved }: { email: string; unsaved: boolean }) => {
  const { t } = useTranslation('recovery')
  const [open, setOpen] = useState(false)
  return (
    <Card title={t('heading')}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-4 py-3">
        {unsaved ? <Notice tone="warn" className="min-w-64 flex-1">{t('unsaved')}</Notice> : <p className="min-w-64 flex-1 text-muted">{t('about')}</p>}
        <Button variant={unsaved ? 'default' : 'outline'} onClick={() => { setOpen(true) }}>
          {unsaved ? t('show') : t('renew')}
        </Button>
      </div>
      {open && <RecoveryDialog email={email} unsaved={unsaved} onClose={() => { setOpen(false) }} />}
    </Card>
  )
}

const RecoveryDialog = ({ email, unsaved, onClose }: { email: string; unsaved: boolean; onClose: () => void }) => {
  const { t } = useTranslation('recovery')
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const renewal = useMutation({ mutationFn: () => callApi(sessionRoutes.renewRecoveryCode, { body: { password } }), gcTime: 0 })
  const code = renewal.data?.recoveryCode ?? null
  const close = (): void => {
    onClose()
    // Until the code is confirmed, every page shows a reminder.
    if (code !== null) void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  if (code !== null) {
    return (
      <Dialog open keptOpen onClose={close} title={t('title')} description={t('text')}>
        <RecoveryCode
          code={code}
          email={email}
          onKept={() => {
            toast({ title: t('saved') })
            close()
          }}
        />
      </Dialog>
    )
  }
  return (
    <PasswordDialog
      title={unsaved ? t('show-title') : t('renew-title')}
      description={unsaved ? t('show-text') : t('renew-text')}
      cancel={t('cancel')}
      confirm={unsaved ? t('show-confirm') : t('renew-confirm')}
      sending={renewal}
      password={{ label: t('password'), wrong: t('password-wrong'), value: password, onChange: setPassword }}
      onClose={onClose}
    />
  )
}
