import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRemoveReport } from './use-report-calls.ts'

/** Removes a report after one confirmation: its narrative cannot be recreated. */
export const RemoveButton = ({ id, period, onRemoved }: { id: string; period: string; onRemoved: () => void }) => {
  const { t } = useTranslation('ai-report')
  const words = useProblemText()
  const [asks, ask] = useState(false)
  const remove = useRemoveReport()
  const close = (): void => {
    ask(false)
    remove.reset()
  }
  return (
    <>
      <Button variant="ghost" size="icon" aria-label={t('remove.open', { period })} onClick={() => { ask(true) }}>
        <Trash2 aria-hidden />
      </Button>
      <Dialog
        open={asks}
        onClose={close}
        title={t('remove.title', { period })}
        description={t('remove.text')}
        width="sm"
        footer={<AskButtons cancel={t('cancel')} onCancel={close} confirm={t('remove.go')} variant="destructive" busy={remove.isPending} onClick={() => { remove.mutate(id, { onSuccess: () => { close(); onRemoved() } }) }} />}
      >
        {remove.isError && <Notice tone="error">{words(remove.error)}</Notice>}
      </Dialog>
    </>
  )
}
