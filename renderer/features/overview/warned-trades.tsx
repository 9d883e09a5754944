import { paths } from '#renderer/lib/paths.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import type { Unit } from '#shared/api/journal.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

/** Says that some figures rest on something uncertain, and leads to the trades. */
export const WarnedTrades = ({ count, unit }: { count: number; unit: Unit }) => {
  const { t } = useTranslation('overview')
  return (
    <Notice
      tone="warn"
      action={
        <Button asChild variant="link" size="sm">
          <Link to={unit === 'pairs' ? paths.tradeLogbook : `${paths.tradeLogbook}?unit=trips`}>{t('see-warned')}</Link>
        </Button>
      }
    >
      {unit === 'pairs' ? t('warned-pairs', { count }) : t('warned-trips', { count })}
    </Notice>
  )
}
