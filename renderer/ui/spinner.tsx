import { classNames } from '#renderer/lib/class-names.ts'
import { LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Wordmark } from './wordmark.tsx'

/** A spinning ring in the current color; not announced, because the waiting content announces itself. */
export const Spinner = ({ className }: { className?: string }) => <LoaderCircle aria-hidden className={classNames('size-4 animate-spin', className)} />

/** A spinner in the middle of the whole window, while nothing else can be shown. */
export const FullScreenSpinner = () => {
  const { t } = useTranslation('ui')
  return (
    <div role="status" className="fixed inset-0 z-30 grid place-items-center bg-ground text-muted">
      <Spinner className="size-7" />
      <span className="sr-only">{t('loading')}</span>
    </div>
  )
}

/** The loading image in place of a page. */
export const LoadingImage = () => {
  const { t } = useTranslation('ui')
  return (
    <div role="status" className="grid h-full min-h-60 place-items-center">
      <Wordmark moving />
      <span className="sr-only">{t('loading')}</span>
    </div>
  )
}
