import type { FillPairRecord, TradeRecord } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'

/** Says what each warning of a trade means and what to do. */
export const WarningWords = ({ shown }: { shown: FillPairRecord | TradeRecord }) => {
  const { t } = useTranslation('trade-logbook')
  return (
    <ul className="flex flex-col gap-2">
      {shown.warnings.map((warning) => (
        <li key={warning}>
          <p className="font-semibold">{t(`warning.${warning}`)}</p>
          <p className="text-muted">{warning === 'incomplete' && (shown.missing ?? 0) > 0 ? t('incomplete-text', { count: shown.missing ?? 0, symbol: shown.symbol }) : t(`warning-text.${warning}`, { symbol: shown.symbol })}</p>
        </li>
      ))}
    </ul>
  )
}
