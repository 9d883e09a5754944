import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import type { Unit } from '#shared/api/statistics.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

/** Says how many trades the multiples of risk leave out for want of a stop, and leads to where one is set for all of a product. */
export const NoStops = ({ missing, unit }: { missing: number; unit: Unit }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  if (missing <= 0) return null
  return (
    <Notice
      action={
        <Button asChild variant="link" size="sm">
          <Link to={`${paths.settings}?section=stops`}>{t('risk.set-stops')}</Link>
        </Button>
      }
    >
      {t(`risk.no-stop.${unit}`, { count: missing, shown: format.count(missing) })}
    </Notice>
  )
}
