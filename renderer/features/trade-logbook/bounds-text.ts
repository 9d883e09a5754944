import type { ListedExcursions } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'

type Bounds = ListedExcursions['mae']

// One unit of the last of four places, by which bounds of an exact figure are rounded outward.
const roundedApart = 0.0001

/** Whether two ends are those of one exact figure that four places cannot hold. */
const isOneFigure = (least: string, most: string): boolean => /\.\d{4}$/.test(least) && /\.\d{4}$/.test(most) && Number(most) - Number(least) < 1.5 * roundedApart

/** Words for a figure, or for from which to which it can be; `shown` words one end. */
export const useBoundsText = (): ((bounds: Bounds, shown: (value: string) => string) => string) => {
  const { t } = useTranslation('trade-logbook')
  return ({ least, most }, shown) => {
    if (least === null) return most === null ? t('excursion.unknown') : t('excursion.at-most', { most: shown(most) })
    if (most === null) return t('excursion.at-least', { least: shown(least) })
    return shown(least) === shown(most) || isOneFigure(least, most) ? shown(least) : t('excursion.between', { least: shown(least), most: shown(most) })
  }
}
