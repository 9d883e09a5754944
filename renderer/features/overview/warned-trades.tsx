import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import type { Unit } from '#shared/api/statistics.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

/** Says that some figures rest on something uncertain, and leads to these trades. */
export const WarnedTrades = ({ count, unit }: { count: number; unit: Unit }) => {
  const { t } = useTranslation('overview')
  const { filter } = useTradeFilter()
  return (
    <Notice
      tone="warn"
      action={
        <Button asChild variant="link" size="sm">
          <Link to={`${paths.tradeLogbook}${searchOf({ ...filter, warnedOnly: true }, unit)}`}>{t('see-warned', { count })}</Link>
        </Button>
      }
    >
      {unit === 'pairs' ? t('warned-pairs', { count }) : t('warned-trips', { count })}
    </Notice>
  )
}
