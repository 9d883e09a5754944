import type { Trade, Trip } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'

/** Says where multiplier and fee of a trade came from. */
export const SourceWords = ({ shown }: { shown: Trade | Trip }) => {
  const { t } = useTranslation('trade-logbook')
  return (
    <>
      {t(`multiplier-from.${shown.multiplierSource}`)} {t(`fee-from.${shown.feeSource}`)}
    </>
  )
}
