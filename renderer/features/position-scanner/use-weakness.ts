import { useFormat } from '#renderer/lib/use-format.ts'
import { useTranslation } from 'react-i18next'
import { priceAgeMs } from './freshness.ts'
import type { OpenSum } from './grouping.ts'

/** Gives the words for what weakens a sum of open P&L at a time (UTC ms): how many figures it lacks, and how old its oldest one is where that is not fresh; null where nothing does. */
export const useWeakness = (): ((sum: OpenSum, now: number) => string | null) => {
  const { t } = useTranslation('position-scanner')
  const format = useFormat()
  return ({ unknown, at }, now) => {
    const age = at === null ? null : priceAgeMs(at, now)
    const said = [...(unknown === 0 ? [] : [t('without', { count: unknown })]), ...(age === null ? [] : [t('oldest', { age: format.duration(age) })])]
    return said.length === 0 ? null : said.join(', ')
  }
}
