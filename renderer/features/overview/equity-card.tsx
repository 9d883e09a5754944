import { useFormat } from '#renderer/lib/use-format.ts'
import { Card } from '#renderer/ui/card.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import type { Overview } from '#shared/api/journal.ts'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mostUsedFirst } from './most-used-first.ts'

// The chart is most of this screen's code, and the figures can be read before it has come.
const EquityChart = lazy(async () => ({ default: (await import('./equity-chart.tsx')).EquityChart }))

/** The running total of net P&L by trading day; where there are two currencies, one at a time. */
export const EquityCard = ({ overview }: { overview: Overview | null }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const [chosen, setChosen] = useState<string | null>(null)
  const curves = overview === null ? [] : mostUsedFirst(overview.equity, overview)
  const curve = curves.find(({ currency }) => currency === chosen) ?? curves[0]
  const last = curve?.points.at(-1)
  return (
    <Card
      title={t('equity')}
      note={overview?.unit === 'pairs' ? t('equity-note-pairs') : t('equity-note-trips')}
      className="flex min-h-76 flex-col"
      actions={
        <>
          {/* The chart library asks for this line where its curves are shown. */}
          <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" className="text-sm text-faint hover:text-ink">
            {t('chart-by')}
          </a>
          {curve !== undefined && curves.length > 1 && (
            <Segmented label={t('currency')} value={curve.currency} onChange={setChosen} options={curves.map(({ currency }) => ({ value: currency, label: currency }))} />
          )}
        </>
      }
    >
      {curve === undefined || last === undefined ? (
        <Waiting />
      ) : (
        <Suspense fallback={<Waiting />}>
          <EquityChart
            points={curve.points}
            label={t('equity-name', { count: curve.points.length, days: format.count(curve.points.length), total: format.signedMoney(last.cumulative), currency: curve.currency, day: format.fullDay(last.tradingDay) })}
          />
        </Suspense>
      )}
    </Card>
  )
}

const Waiting = () => (
  <div className="flex grow flex-col justify-end p-4">
    <Skeleton className="h-3/5 min-h-24 w-full opacity-50" />
  </div>
)
