import { useFormat } from '#renderer/lib/use-format.ts'
import { useTranslation } from 'react-i18next'
import { priceAgeMs } from './freshness.ts'
import type { OpenSum } from './grouping.ts'

/** Returns the text for the limitations of a sum of open P&L at a time (UTC ms): how many figures are missing, and the age of the oldest if it is not fresh; null if there are none. */
export const useWeakness = (): ((sum: OpenSum, now: number) => string | null) => {
  const { t } = useTranslation('position-scanner')
  const format = useFormat()
  return ({ unknown, at }, now) => {
    const age = at === null ? null : priceAgeMs(at, now)
    const notes = [...(unknown === 0 ? [] : [t('without', { count: unknown })]), ...(age === null ? [] : [t('oldest', { age: format.duration(age) })])]
    return notes.length === 0 ? null : notes.join(', ')
  }
}
