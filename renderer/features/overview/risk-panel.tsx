import { classNames } from '#renderer/lib/class-names.ts'
import { toneOf } from '#renderer/lib/format.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { ScrollArea } from '#renderer/ui/scroll-area.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { Stat, StatStrip } from '#renderer/ui/stat.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { StatCurve, StatisticsAnswer, Unit } from '#shared/api/statistics.ts'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { mostUsedFirst } from './most-used-first.ts'

// Fetched with the first look at this panel: most journals have no prices.
const ExcursionsCard = lazy(async () => ({ default: (await import('./excursions-card.tsx')).ExcursionsCard }))

/** Risk: results as R-multiples where a stop is known, the drawdowns of the equity curve, and MAE and MFE. */
export const RiskPanel = ({ statistics }: { statistics: StatisticsAnswer | null }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  const unit = statistics?.unit ?? 'trades'
  const { count: stopped, sum, average } = statistics?.all.r ?? { count: 0, sum: 0, average: null }
  const figure = (text: string): string | null => (statistics === null ? null : text)
  return (
    <div className="flex flex-col gap-3.5">
      {statistics !== null && <NoStops missing={statistics.all.count - stopped} unit={unit} />}
      <StatStrip className="shrink-0">
        <Stat label={t(`risk.with-stop.${unit}`)} value={figure(format.count(stopped))} note={t('of', { total: format.count(statistics?.all.count ?? 0) })} />
        <Stat label={t('risk.sum')} value={figure(stopped === 0 ? t('none') : t('risk.r', { value: format.signedRatio(sum) }))} note={t('risk.net')} tone={toneOf(sum)} />
        <Stat label={t('risk.average')} value={figure(average === null ? t('none') : t('risk.r', { value: format.signedRatio(average) }))} note={t('risk.net')} tone={toneOf(average ?? 0)} />
      </StatStrip>
      <div className="grid items-start gap-3.5 @5xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Distribution statistics={statistics} />
        <Drawdowns statistics={statistics} />
      </div>
      <Suspense><ExcursionsCard unit={unit} /></Suspense>
    </div>
  )
}

const Distribution = ({ statistics }: { statistics: StatisticsAnswer | null }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  const unit = statistics?.unit ?? 'trades'
  const buckets = trimmed(statistics?.rDistribution ?? [])
  const most = Math.max(1, ...buckets.map(({ count }) => count))
  return (
    <Card title={t('risk.distribution')} note={t(`risk.distribution-note.${unit}`)} className="overflow-hidden">
      {statistics === null ? (
        <Waiting />
      ) : buckets.length === 0 ? (
        <Nothing>{t('risk.no-r')}</Nothing>
      ) : (
        <Table>
          <thead>
            <tr>
              <HeaderCell>{t('risk.r-multiple')}</HeaderCell>
              <HeaderCell unseen className="w-full">{t('risk.bar')}</HeaderCell>
              <HeaderCell end>{t(`figures:count.${unit}`)}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ from, to, count }) => (
              <tr key={from ?? 'below'}>
                <Cell quiet className="h-7">{from === null ? t('risk.below', { to: format.signedRatio(to ?? 0) }) : to === null ? t('risk.from', { from: format.signedRatio(from) }) : t('risk.bucket', { from: format.signedRatio(from), to: format.signedRatio(to) })}</Cell>
                <Cell className="h-7">
                  <div aria-hidden className={classNames('h-1.5 rounded-full', (from ?? -1) < 0 ? 'bg-loss' : 'bg-gain')} style={{ width: `${String((count / most) * 100)}%` }} />
                </Cell>
                <Cell end className="h-7">{format.count(count)}</Cell>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

const Drawdowns = ({ statistics }: { statistics: StatisticsAnswer | null }) => {
  const { t } = useTranslation('statistics')
  const unit = statistics?.unit ?? 'trades'
  const curves = statistics === null ? [] : mostUsedFirst(statistics.equity, statistics.all.money)
  return (
    <Card title={t('risk.drawdowns')} note={t(`risk.drawdowns-note.${unit}`)} className="overflow-hidden">
      {statistics === null ? (
        <Waiting />
      ) : (
        <ScrollArea label={t('risk.drawdowns')}>
          <Table className="[&_td:not(:first-child,:last-child)]:px-2 [&_th:not(:first-child,:last-child)]:px-2">
            <thead>
              <tr>
                <HeaderCell unseen>{t('risk.which')}</HeaderCell>
                <HeaderCell end>{t('risk.depth')}</HeaderCell>
                <HeaderCell>{t('risk.high')}</HeaderCell>
                <HeaderCell>{t('risk.bottom')}</HeaderCell>
                <HeaderCell>{t('risk.recovery')}</HeaderCell>
              </tr>
            </thead>
            <tbody>
              {curves.map((curve) => <CurveFalls key={curve.currency} curve={curve} mixed={curves.length > 1} />)}
            </tbody>
          </Table>
        </ScrollArea>
      )}
    </Card>
  )
}

const CurveFalls = ({ curve: { currency, deepest, deepestByTrade, present }, mixed }: { curve: StatCurve; mixed: boolean }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  const moment = (time: number): string => format.dateTime(new Date(time).toISOString())
  const fall = <At,>(name: string, drawdown: { readonly start: At | null; readonly bottom: At; readonly recovery: At | null } | null, depth: ReactNode, none: string, at: (point: At) => string) => (
    <tr>
      <Cell className="whitespace-normal!">
        {name}
        {mixed && <span className="ml-1.5 text-sm text-faint">{currency}</span>}
      </Cell>
      {drawdown === null ? (
        <Cell quiet colSpan={4}>{none}</Cell>
      ) : (
        <>
          <Cell end className="py-1.5">{depth}</Cell>
          <Cell quiet className="whitespace-normal!">{drawdown.start === null ? t('risk.start') : at(drawdown.start)}</Cell>
          <Cell quiet className="whitespace-normal!">{at(drawdown.bottom)}</Cell>
          <Cell quiet className="whitespace-normal!">{drawdown.recovery === null ? t('risk.not-yet') : at(drawdown.recovery)}</Cell>
        </>
      )}
    </tr>
  )
  const loss = (value: string) => <span className="text-loss">{format.money(`-${value}`)}</span>
  return (
    <>
      {fall(t('risk.deepest-by-trade'), deepestByTrade, deepestByTrade && loss(deepestByTrade.depth), t('risk.never-fell'), moment)}
      {fall(t('risk.deepest'), deepest, deepest && loss(deepest.depth), t('risk.never-fell'), format.fullDay)}
      {fall(t('risk.present'), present, present && <>{loss(present.below)}{present.below !== present.depth && <span className="block text-sm text-faint">{t('risk.was', { depth: format.money(`-${present.depth}`) })}</span>}</>, t('risk.at-high'), format.fullDay)}
    </>
  )
}

// Empty buckets at either end are left out.
const trimmed = (buckets: StatisticsAnswer['rDistribution']): StatisticsAnswer['rDistribution'] => {
  const first = buckets.findIndex(({ count }) => count > 0)
  return first === -1 ? [] : buckets.slice(first, buckets.findLastIndex(({ count }) => count > 0) + 1)
}

const Nothing = ({ children }: { children: string }) => <p className="px-4 py-8 text-center text-muted">{children}</p>

const Waiting = () => (
  <div className="flex flex-col gap-3 p-4">
    {Array.from({ length: 6 }, (_, at) => <Skeleton key={at} className="h-3 w-full" />)}
  </div>
)

/** Says how many trades have no stop, so that the R-multiples leave them out, and links to the default stops. */
const NoStops = ({ missing, unit }: { missing: number; unit: Unit }) => {
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
