import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import { DayCard } from './day-card.tsx'
import { EquityCard } from './equity-card.tsx'
import { KeyFigures } from './key-figures.tsx'
import { RecentTrades } from './recent-trades.tsx'
import { WarnedTrades } from './warned-trades.tsx'

/** The key figures, the equity curve beside its days, and the latest trades. */
export const SummaryPanel = ({ statistics }: { statistics: StatisticsAnswer | null }) => (
  <>
    {statistics !== null && statistics.warned > 0 && <WarnedTrades count={statistics.warned} unit={statistics.unit} />}
    <KeyFigures statistics={statistics} />
    <div className="grid grow gap-3.5 @5xl:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)] @5xl:grid-rows-[minmax(21rem,1fr)_auto]">
      <EquityCard statistics={statistics} />
      <DayCard statistics={statistics} />
      <RecentTrades trades={statistics?.recent ?? null} />
    </div>
  </>
)
