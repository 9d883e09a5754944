import { useFormat } from '#renderer/lib/use-format.ts'
import type { ListedExcursions } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'
import { useBoundsText } from './bounds-text.ts'

/** An excursion in the list; a dash if it is not known. */
export const ExcursionCell = ({ bounds, as }: { bounds: ListedExcursions['mae'] | null; as: 'money' | 'share' }) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const boundsText = useBoundsText()
  if (bounds === null || (bounds.least === null && bounds.most === null)) return <span className="text-faint">{t('none')}</span>
  const text = boundsText(bounds, as === 'money' ? format.money : (value) => format.percent(Number(value)))
  return <span title={text}>{text}</span>
}
