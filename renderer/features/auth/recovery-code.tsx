import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AuthCard } from './auth-card.tsx'

/** Shows the only way back into a profile whose password is lost, once. */
export const RecoveryCode = ({ code, onKept }: { code: string; onKept: () => void }) => {
  const { t } = useTranslation('auth')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(code)
      toast({ title: t('recovery.copied') })
    } catch {
      toast({ tone: 'error', title: t('recovery.not-copied') })
    }
  }
  return (
    <AuthCard title={t('recovery.title')} text={t('recovery.text')}>
      <div className="flex flex-col gap-3.5">
        <p data-testid="recovery-code" className="rounded-md border border-line bg-raised px-3 py-3.5 text-center font-mono text-title leading-relaxed break-words select-all">
          {code}
        </p>
        <Notice tone="warn">{t('recovery.once')}</Notice>
        <div className="flex gap-2">
          <Button variant="outline" size="lg" onClick={() => void copy()}>
            <Copy aria-hidden />
            {t('recovery.copy')}
          </Button>
          <Button size="lg" className="grow" onClick={onKept}>
            {t('recovery.kept')}
          </Button>
        </div>
      </div>
    </AuthCard>
  )
}
