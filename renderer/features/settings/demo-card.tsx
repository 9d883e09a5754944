import { setAccountDeleted } from '#renderer/lib/account-deleted.ts'
import { callApi } from '#renderer/lib/api.ts'
import { useRenewSession, useUserId } from '#renderer/lib/session.ts'
import { dropUnsentOf } from '#renderer/lib/unsent-prefix.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** What the demo profile is, and a button to remove it. */
export const DemoCard = () => {
  const { t } = useTranslation('account')
  const [removing, setRemoving] = useState(false)
  return (
    <Card title={t('demo.title')}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-4 py-3">
        <p className="min-w-64 flex-1 text-muted">{t('demo.text')}</p>
        <Button variant="destructive" onClick={() => { setRemoving(true) }}>
          {t('demo.open')}
        </Button>
      </div>
      {removing && <RemoveDemoDialog onClose={() => { setRemoving(false) }} />}
    </Card>
  )
}

const RemoveDemoDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('account')
  const words = useProblemText()
  const renewSession = useRenewSession()
  const userId = useUserId()
  const removal = useMutation({
    mutationFn: () => callApi(sessionRoutes.deleteAccount, { body: {} }),
    // The program notifies every window, including this one, that its user is gone.
    onMutate: () => { setAccountDeleted('demo') },
    onError: () => { setAccountDeleted(null) },
    onSuccess: () => {
      dropUnsentOf(userId)
      toast({ title: t('demo.removed'), stays: true })
      return renewSession()
    },
  })
  return (
    <Dialog
      open
      onClose={() => { if (!removal.isPending) onClose() }}
      title={t('demo.confirm-title')}
      description={t('delete.goes')}
      footer={<AskButtons cancel={t('delete.cancel')} onCancel={onClose} locked={removal.isPending} confirm={t('demo.confirm')} variant="destructive" busy={removal.isPending} onClick={() => { removal.mutate() }} />}
    >
      <ul className="flex list-disc flex-col gap-1 pl-5">
        <li>{t('demo.goes-journal')}</li>
        <li>{t('demo.goes-copier')}</li>
        <li>{t('demo.goes-backups')}</li>
      </ul>
      <p className="mt-3 text-muted">{t('demo.stays')}</p>
      {removal.error && <Notice tone="error" className="mt-3">{words(removal.error)}</Notice>}
    </Dialog>
  )
}
