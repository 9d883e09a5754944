import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { copierRoutes, type CopyGroup } from '#shared/api/copier.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

/** Asks before a group goes; what its accounts hold and what the ledger tells of it stays. */
export const RemoveGroupDialog = ({ group, onClose }: { group: CopyGroup; onClose: () => void }) => {
  const { t } = useTranslation('trade-copier')
  const words = useProblemText()
  const client = useQueryClient()
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => callApi(copierRoutes.removeGroup, { body: { id: group.id } }),
    onSuccess: ({ removed }) => {
      if (removed) onClose()
      return invalidateRoutes(client, copierRoutes.copier)
    },
  })
  return (
    <Dialog
      open
      width="sm"
      onClose={onClose}
      title={t('remove-title', { group: group.name })}
      description={t('remove-text')}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="destructive" busy={isPending} onClick={() => { mutate() }}>
            {t('remove')}
          </Button>
        </>
      }
    >
      {error !== null && <Notice tone="error">{words(error)}</Notice>}
      {data?.removed === false && <Notice tone="error">{t('remove-refused')}</Notice>}
    </Dialog>
  )
}
