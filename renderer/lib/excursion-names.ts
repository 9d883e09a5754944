import type { ExcursionFigure } from '#shared/stats/filter.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** Traders' abbreviations, in every language. */
export const excursionNames = { mae: 'MAE', mfe: 'MFE' } as const

/** Whether a figure is a share, and not money. */
export const isEfficiency = (figure: ExcursionFigure): figure is 'entryEfficiency' | 'exitEfficiency' => figure === 'entryEfficiency' || figure === 'exitEfficiency'

/** Names the figures that trades are filtered and sorted by. */
export const useFigureName = (): ((figure: ExcursionFigure) => string) => {
  const { t } = useTranslation('filter')
  return useCallback((figure) => (figure === 'entryEfficiency' ? t('entry-efficiency') : figure === 'exitEfficiency' ? t('exit-efficiency') : excursionNames[figure]), [t])
}
