import { useFormat } from '#renderer/lib/use-format.ts'
import { Card } from '#renderer/ui/card.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { ChartSkeleton } from '#renderer/ui/skeleton.tsx'
import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DaysTable } from './days-table.tsx'
import { mostUsedFirst } from './most-used-first.ts'

// The chart is most of this screen's code, and the figures can be read before it has loaded.
const EquityChart = lazy(async () => ({ default: (await import('./equity-chart.tsx')).EquityChart }))

/** The running total of net P&L by trading day, as a curve (where there are two currencies, one at a time) or as a table. */
export const EquityCard = ({ statistics }: { statistics: StatisticsAnswer | null }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const [chosen, setChosen] = useState<string | null>(null)
  const [as, setAs] = useState<'chart' | 'table'>('chart')
  const curves = statistics === null ? [] : mostUsedFirst(statistics.equity, statistics.all.money)
  const curve = curves.find(({ currency }) => currency === chosen) ?? curves[0]
  const last = curve?.points.at(-1)
  const days = statistics?.days.filter(({ money }) => money.some(({ currency }) => currency === curve?.currency)).length ?? 0
  return (
    <Card
      title={t('equity')}
      note={statistics?.unit === 'pairs' ? t('equity-note-pairs') : t('equity-note-trades')}
      className="flex min-h-76 flex-col"
      actions={
        <>
          {as === 'chart' && (
            <>
              <span aria-hidden className="flex items-center gap-3 text-sm whitespace-nowrap text-muted max-xl:hidden">
                <Key className="bg-accent">{t('equity')}</Key>
                <Key className="bg-loss">{t('below-high')}</Key>
              </span>
              {/* The chart library asks for this line where its curves are shown. */}
              <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" className="text-sm whitespace-nowrap text-faint hover:text-ink">
                {t('chart-by')}
              </a>
              {curve !== undefined && curves.length > 1 && (
                <Segmented label={t('currency')} value={curve.currency} onChange={setChosen} options={curves.map(({ currency }) => ({ value: currency, label: currency }))} />
              )}
            </>
          )}
          <Segmented
            label={t('equity-as')}
            value={as}
            onChange={setAs}
            options={[
              { value: 'chart', label: t('as-chart') },
              { value: 'table', label: t('as-table') },
            ]}
          />
        </>
      }
    >
      {curve === undefined || last === undefined ? (
        <ChartSkeleton />
      ) : as === 'table' && statistics !== null ? (
        <DaysTable statistics={statistics} />
      ) : (
        <Suspense fallback={<ChartSkeleton />}>
          <EquityChart
            points={curve.points}
            label={[
              t('equity-name', { count: days, days: format.count(days), total: format.signedMoney(last.cumulative), currency: curve.currency, day: format.fullDay(last.tradingDay) }),
              curve.deepest === null ? t('equity-never-fell') : t('equity-fell', { depth: format.money(curve.deepest.depth), day: format.fullDay(curve.deepest.bottom) }),
            ].join(' ')}
          />
        </Suspense>
      )}
    </Card>
  )
}

const Key = ({ className, children }: { className: string; children: string }) => (
  <span className="flex items-center gap-1.5">
    <span className={`h-0.5 w-3 rounded-full ${className}`} />
    {children}
  </span>
)
