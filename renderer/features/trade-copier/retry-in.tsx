import { useNow } from '#renderer/lib/use-now.ts'
import { useTranslation } from 'react-i18next'
import { useFigures } from './use-figures.ts'

/** Counts down to the next try (UTC ms). */
export const RetryIn = ({ at }: { at: number }) => {
  const { t } = useTranslation('trade-copier')
  const figures = useFigures()
  const seconds = Math.ceil((at - useNow(1_000)) / 1_000)
  return <span className="block truncate text-sm text-muted">{seconds > 0 ? t('retry-in', { seconds: figures.count(seconds) }) : t('retry-now')}</span>
}
