import type { ListedExcursions } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'

type Bounds = ListedExcursions['mae']

const inFourPlaces = /\.\d{4}$/

/** Joins bounds that are one unit of their fourth place apart: they are an exact figure, rounded outward. Takes the one nearer zero, which rounds as the exact figure does. */
export const oneFigure = ({ least, most }: Bounds): Bounds => {
  if (least === null || most === null) return { least, most }
  const isOne = inFourPlaces.test(least) && inFourPlaces.test(most) && Math.round((Number(most) - Number(least)) * 10_000) === 1
  if (!isOne) return { least, most }
  const figure = Number(least) < 0 ? most : least
  return { least: figure, most: figure }
}

/** Words bounds, or the one figure that they are; `shown` formats a value. */
export const useBoundsText = (): ((bounds: Bounds, shown: (value: string) => string) => string) => {
  const { t } = useTranslation('trade-logbook')
  return (bounds, shown) => {
    const { least, most } = oneFigure(bounds)
    if (least === null) return most === null ? t('excursion.unknown') : t('excursion.at-most', { most: shown(most) })
    if (most === null) return t('excursion.at-least', { least: shown(least) })
    return shown(least) === shown(most) ? shown(least) : t('excursion.between', { least: shown(least), most: shown(most) })
  }
}
