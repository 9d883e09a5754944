import { useFormat } from '#renderer/lib/use-format.ts'
import type { Measure } from '#shared/api/reports.ts'
import type { MeasureChange } from '#shared/reports/compare.ts'
import { useTranslation } from 'react-i18next'
import type { ReportWords } from './report-words.ts'

// Floating point may miss a half by a hair.
const rounded = (value: number, step: number): number => Math.round(Number((value / step).toFixed(6)))
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const
/** A time shows its two largest units. */
const timeStep = (ms: number): number => (ms >= day ? hour : ms >= hour ? minute : second)

/** A later figure less an earlier one, both as they are shown, so that it is what a reader who subtracts them gets: 52.6% and 52.6% differ by none. Shares and chances in points; null where every digit is shown. */
export const shownDifference = (unit: Measure['unit'], was: string, is: string): number | null => {
  const [before, now] = [Number(was), Number(is)]
  const less = (step: number): number => rounded(now, step) - rounded(before, step)
  switch (unit) {
    case 'share':
    case 'chance':
      return less(0.001) / 10
    case 'ratio':
    case 'contracts':
      return less(0.01) / 100
    case 'time': {
      const [one, other] = [timeStep(now), timeStep(before)]
      return rounded(now, one) * one - rounded(before, other) * other
    }
    case 'count':
    case 'days':
      return less(1)
    case 'money':
      return null
  }
}

/** How much a figure rose or fell, with its sign; shares in points. */
export const useChangeWords = (words: ReportWords): { readonly differenceOf: (change: MeasureChange) => string } => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  return {
    differenceOf: ({ name, unit, currency, was, is, difference }) => {
      if (difference === null || was === null || is === null) return t('none')
      const shown = shownDifference(unit, was, is)
      // Points have the decimals of the percentages beside them.
      if (unit === 'share' || unit === 'chance') return t('compare.points', { points: format.signedPoints((shown ?? 0) / 100) })
      // Costs are stored as negative and shown as what was paid.
      const number = (shown ?? Number(difference)) * (name === 'commission' ? -1 : 1)
      const size = (shown === null ? difference : String(shown)).replace(/^-/, '')
      const text = unit === 'money' ? words.money(size, currency ?? 'USD') : words.value({ name, unit, currency, value: size })
      return number === 0 ? text : `${number > 0 ? '+' : '−'}${text}`
    },
  }
}
