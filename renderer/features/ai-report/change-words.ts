import { useFormat } from '#renderer/lib/use-format.ts'
import type { MeasureChange } from '#shared/reports/compare.ts'
import { useTranslation } from 'react-i18next'
import type { ReportWords } from './report-words.ts'

// Shares are shown in tenths of a percent; floating point may miss a half by a hair.
const tenths = (share: string): number => Math.round(Number((Number(share) * 1000).toFixed(6)))

/** The difference of two shares in percentage points, as displayed: 52.6% and 52.6% differ by none. */
export const pointsShown = (was: string, is: string): number => (tenths(is) - tenths(was)) / 10

/** How much a figure rose or fell, with its sign; shares in points. */
export const useChangeWords = (words: ReportWords): { readonly differenceOf: (change: MeasureChange) => string } => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  return {
    differenceOf: ({ name, unit, currency, was, is, difference }) => {
      if (difference === null || was === null || is === null) return t('none')
      // Costs are stored as negative and shown as what was paid.
      const number = Number(difference) * (name === 'commission' ? -1 : 1)
      if (unit === 'share') return t('compare.points', { points: format.signedRatio(pointsShown(was, is)) })
      if (unit === 'chance') return t('compare.points', { points: format.signedRatio(number * 100) })
      const size = difference.replace(/^-/, '')
      const text = unit === 'money' ? words.money(size, currency ?? 'USD') : words.value({ name, unit, currency, value: size })
      return number === 0 ? text : `${number > 0 ? '+' : '−'}${text}`
    },
  }
}
