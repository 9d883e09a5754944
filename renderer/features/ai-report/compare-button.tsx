import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import type { Report, ReportHead } from '#shared/api/reports.ts'
import { ChevronDown, GitCompareArrows } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from './report-words.ts'

// A longer menu would not be read: older reports are compared from their own place.
const offered = 20

/** Chooses another report that this one is compared with. */
export const CompareButton = ({ report, reports, onCompare }: { report: Report; reports: readonly ReportHead[]; onCompare: (id: string) => void }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const words = useReportWords([])
  const others = reports.filter(({ id }) => id !== report.id).slice(0, offered)
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="ghost" disabled={others.length === 0} title={others.length === 0 ? t('compare.none') : undefined}>
          <GitCompareArrows aria-hidden />
          {t('compare.title')}
          <ChevronDown aria-hidden className="text-faint" />
        </Button>
      }
    >
      {others.map(({ id, period, accounts, trades }) => (
        <MenuItem key={id} onSelect={() => { onCompare(id) }}>
          <span>{words.period(period)}</span>
          <span className="ml-auto pl-4 text-sm text-faint">
            {accounts.length === 0 ? t('trades', { count: trades, trades: format.count(trades) }) : t('accounts', { count: accounts.length, accounts: format.count(accounts.length) })}
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}
