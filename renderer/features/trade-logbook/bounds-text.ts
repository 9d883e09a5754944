import type { ListedExcursions } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'

type Bounds = ListedExcursions['mae']

/** Words for a figure, or for from which to which it can be; `shown` words one end. */
export const useBoundsText = (): ((bounds: Bounds, shown: (value: string) => string) => string) => {
  const { t } = useTranslation('trade-logbook')
  return ({ least, most }, shown) => {
    if (least === null) return most === null ? t('excursion.unknown') : t('excursion.at-most', { most: shown(most) })
    if (most === null) return t('excursion.at-least', { least: shown(least) })
    return shown(least) === shown(most) ? shown(least) : t('excursion.between', { least: shown(least), most: shown(most) })
  }
}
