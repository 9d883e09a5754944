import { useFormat } from '#renderer/lib/use-format.ts'
import type { MeasureChange } from '#shared/reports/compare.ts'
import { useTranslation } from 'react-i18next'
import type { ReportWords } from './report-words.ts'

/** Says by how much a figure grew or fell, with its sign; shares in points. */
export const useChangeWords = (words: ReportWords): { readonly differenceOf: (change: MeasureChange) => string } => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  return {
    differenceOf: ({ name, unit, currency, difference }) => {
      if (difference === null) return t('none')
      const number = Number(difference)
      if (unit === 'share' || unit === 'chance') return t('compare.points', { points: format.signedRatio(number * 100) })
      const text = words.value({ name, unit, currency, value: difference.replace(/^-/, '') })
      return number === 0 ? text : `${number > 0 ? '+' : '−'}${text}`
    },
  }
}
