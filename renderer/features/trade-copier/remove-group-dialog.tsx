import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { copierRoutes, type CopyGroup } from '#shared/api/copier.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

/** Asks before a group is removed; its positions and its ledger stay, and working exits are listed. */
export const RemoveGroupDialog = ({ group, left, onClose }: { group: CopyGroup; left: number; onClose: () => void }) => {
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
      footer={<AskButtons cancel={t('cancel')} onCancel={onClose} confirm={t('remove')} variant="destructive" busy={isPending} onClick={() => { mutate() }} />}
    >
      {left > 0 && <Notice tone="warn">{t('remove-left', { count: left })}</Notice>}
      {error !== null && <Notice tone="error">{words(error)}</Notice>}
      {data?.removed === false && <Notice tone="error">{t('remove-refused')}</Notice>}
    </Dialog>
  )
}
