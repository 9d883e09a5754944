import { callApi } from '#renderer/lib/api.ts'
import { saveBlob } from '#renderer/lib/save-blob.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { Copy, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { toast } from './toast-store.ts'

/** Shows a recovery code to copy or save as a text file. It replaces the previous code once the user confirms that it is saved, which calls `onKept`. */
export const RecoveryCodePanel = ({ code, email, onKept }: { code: string; email: string; onKept: () => void }) => {
  const { t } = useTranslation('recovery')
  const words = useProblemText()
  const confirming = useMutation({ mutationFn: () => callApi(sessionRoutes.confirmRecoveryCode, { body: { email, recoveryCode: code } }), onSuccess: onKept })
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(code)
      toast({ title: t('copied') })
    } catch {
      toast({ tone: 'error', title: t('not-copied') })
    }
  }
  const download = (): void => {
    saveBlob('fillbook-recovery-code.txt', new Blob([`${t('file', { email, code })}\n`], { type: 'text/plain' }))
  }
  return (
    <div className="flex flex-col gap-3.5">
      <p data-testid="recovery-code" className="rounded-md border border-line bg-raised px-3 py-3.5 text-center font-mono text-title leading-relaxed break-words select-all">
        {code}
      </p>
      <Notice tone="warn">{t('until')}</Notice>
      {confirming.error !== null && <Notice tone="error">{words(confirming.error)}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" size="lg" onClick={() => void copy()}>
          <Copy aria-hidden />
          {t('copy')}
        </Button>
        <Button variant="outline" size="lg" onClick={download}>
          <Download aria-hidden />
          {t('download')}
        </Button>
        <Button size="lg" className="grow" busy={confirming.isPending} onClick={() => { confirming.mutate() }}>
          {t('kept')}
        </Button>
      </div>
    </div>
  )
}
