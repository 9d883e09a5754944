import { toneOf } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { OtherFees } from '#renderer/ui/other-fees.tsx'
import { Stat, StatStrip } from '#renderer/ui/stat.tsx'
import { figures, shownFigures, useFigures, type Counted, type FigureKey } from '#renderer/ui/statistics.tsx'
import type { StatisticsAnswer, StatMoney } from '#shared/api/statistics.ts'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { mostUsedFirst } from './most-used-first.ts'
import { Reconciled } from './reconciled.tsx'

/** The key figures: two strips for each currency, since different currencies are never added; figures that are not money are with the first. */
export const KeyFigures = ({ statistics }: { statistics: StatisticsAnswer | null }) => {
  const [first = null, ...others] = statistics === null ? [] : mostUsedFirst(statistics.all.money, statistics.all.money)
  return (
    <>
      <CurrencyFigures money={first} statistics={statistics} leading />
      {others.map((money) => (
        <CurrencyFigures key={money.currency} money={money} statistics={statistics} />
      ))}
    </>
  )
}

const CurrencyFigures = ({ money, statistics, leading = false }: { money: StatMoney | null; statistics: StatisticsAnswer | null; leading?: boolean }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const { nameOf, basisOf, textOf } = useFigures()
  const unit = statistics?.unit ?? 'trades'
  const curve = statistics?.equity.find(({ currency }) => currency === money?.currency)
  const counted: Counted = { money, curve, group: statistics?.all, streaks: statistics?.streaks }
  const units = unit === 'pairs' ? t('pairs-quiet') : t('trades-quiet')
  const notes: Partial<Record<FigureKey, ReactNode>> = {
    net: money?.currency,
    fees: money?.otherFees && <OtherFees of={money.otherFees} />,
    'win-rate': t('of', { total: format.count(money?.count ?? 0) }),
    drawdown: t('drawdown-of-day', { depth: format.money(curve?.deepest ? `-${curve.deepest.depth}` : '0') }),
    'winning-streak': units,
    'losing-streak': units,
  }
  const stat = (key: FigureKey, quiet: boolean) => {
    const { of, as, whole } = figures[key]
    if (whole && !leading) return null
    return (
      <Fragment key={key}>
        <Stat
          quiet={quiet}
          large={leading && key === 'net'}
          label={nameOf(key, unit)}
          value={statistics === null ? null : textOf(key, counted)}
          note={notes[key] ?? basisOf(key)}
          tone={as === 'pnl' ? toneOf(of(counted) ?? 0) : 'even'}
          {...(key === 'drawdown' && { className: '[&>dd]:flex-wrap [&>dd]:gap-y-0' })}
        />
        {leading && key === 'net' && <Reconciled />}
      </Fragment>
    )
  }
  return (
    <div className="flex shrink-0 flex-col gap-px overflow-hidden rounded-lg border border-line bg-hairline">
      <StatStrip className="rounded-none border-0">{shownFigures.key.main.map((key) => stat(key, false))}</StatStrip>
      <StatStrip className="rounded-none border-0">{shownFigures.key.more.map((key) => stat(key, true))}</StatStrip>
    </div>
  )
}
