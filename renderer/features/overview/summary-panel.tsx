import { useUnit, useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import type { StatisticsAnswer, Unit } from '#shared/api/statistics.ts'
import { AccountsCard } from './accounts-card.tsx'
import { EquityCard } from './equity-card.tsx'
import { KeyFigures } from './key-figures.tsx'
import { MonthCard } from './month-card.tsx'
import { RecentTrades } from './recent-trades.tsx'
import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

/** Says that some figures rest on something uncertain, and leads to these trades. */
const WarnedTrades = ({ count, unit }: { count: number; unit: Unit }) => {
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
      {unit === 'pairs' ? t('warned-pairs', { count }) : t('warned-trades', { count })}
    </Notice>
  )
}

const cell = 'grid min-w-0'

/** The key figures, the equity curve beside the accounts, and the latest trades beside the month. */
export const SummaryPanel = ({ statistics }: { statistics: StatisticsAnswer | null }) => {
  const [unit] = useUnit()
  return (
    <>
      {statistics !== null && statistics.warned > 0 && <WarnedTrades count={statistics.warned} unit={statistics.unit} />}
      <KeyFigures statistics={statistics} />
      {/* Without accounts the month takes their place. */}
      <div className="grid grid-flow-dense gap-3.5 @5xl:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)]">
        <div className={`${cell} @5xl:col-start-1`}><EquityCard statistics={statistics} /></div>
        <div className={`${cell} empty:hidden @5xl:col-start-2`}><AccountsCard expected={statistics?.accounts ?? 0} /></div>
        <div className={`${cell} @5xl:col-start-1`}><RecentTrades trades={statistics?.recent ?? null} unit={statistics?.unit ?? unit} /></div>
        <div className={`${cell} @5xl:col-start-2`}><MonthCard statistics={statistics} /></div>
      </div>
    </>
  )
}
