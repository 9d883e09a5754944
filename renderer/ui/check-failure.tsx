import { classNames } from '#renderer/lib/class-names.ts'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'

/** Shown in place of content whose subscription check failed: the product's fixed text, and a retry. */
export const CheckFailure = ({ text, onRetry, className }: { text: string; onRetry: () => void; className?: string }) => {
  const { t } = useTranslation('ui')
  return (
    <div className={classNames('flex flex-col items-center justify-center gap-4 px-6 py-12 text-center', className)}>
      <p role="alert" className="text-title text-loss">
        {text}
      </p>
      <Button variant="outline" onClick={onRetry}>
        {t('try-again')}
      </Button>
    </div>
  )
}
