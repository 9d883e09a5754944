import type { ListedExcursions } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'

type Bounds = ListedExcursions['mae']

const inFourPlaces = /\.\d{4}$/

/** Bounds one unit of their fourth place apart become one figure: the exact one between them was only rounded outward. The end nearer zero rounds like it. */
export const oneFigure = ({ least, most }: Bounds): Bounds => {
  if (least === null || most === null || ![least, most].every((end) => inFourPlaces.test(end)) || Math.round((Number(most) - Number(least)) * 10_000) !== 1) return { least, most }
  const figure = Number(least) < 0 ? most : least
  return { least: figure, most: figure }
}

/** The text of a figure, or of its range; `shown` formats one end. */
export const useBoundsText = (): ((bounds: Bounds, shown: (value: string) => string) => string) => {
  const { t } = useTranslation('trade-logbook')
  return (bounds, shown) => {
    const { least, most } = oneFigure(bounds)
    if (least === null) return most === null ? t('excursion.unknown') : t('excursion.at-most', { most: shown(most) })
    if (most === null) return t('excursion.at-least', { least: shown(least) })
    return shown(least) === shown(most) ? shown(least) : t('excursion.between', { least: shown(least), most: shown(most) })
  }
}
