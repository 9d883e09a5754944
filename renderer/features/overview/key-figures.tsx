import { toneOf } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { OtherFees } from '#renderer/ui/other-fees.tsx'
import { Stat, StatStrip } from '#renderer/ui/stat.tsx'
import type { StatCurve, StatisticsAnswer, StatMoney } from '#shared/api/statistics.ts'
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

type Part = { readonly money: StatMoney | null; readonly statistics: StatisticsAnswer | null; readonly leading?: boolean }

const CurrencyFigures = ({ money, statistics, leading = false }: Part) => (
  <div className="flex shrink-0 flex-col gap-px overflow-hidden rounded-lg border border-line bg-hairline">
    <Sums money={money} statistics={statistics} leading={leading} />
    <Single money={money} statistics={statistics} leading={leading} />
  </div>
)

const bare = 'rounded-none border-0'

const Sums = ({ money, statistics, leading }: Part) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  // Where there are several currencies each has wins of its own.
  const counted = statistics === null ? null : leading && statistics.all.money.length < 2 ? statistics.all : money
  const rate = counted === null || counted.count === 0 ? null : counted.wins / counted.count
  const curve = statistics?.equity.find(({ currency }) => currency === money?.currency)
  return (
    <StatStrip className={bare}>
      <Stat
        large={leading === true}
        label={t('net')}
        value={statistics === null ? null : format.signedMoney(money?.netPnl ?? 0)}
        note={money?.currency}
        tone={money === null ? 'even' : toneOf(money.netPnl)}
      />
      {leading === true && <Reconciled />}
      <Stat label={t('gross')} value={statistics === null ? null : format.signedMoney(money?.grossPnl ?? 0)} />
      <Stat label={t('fees')} value={statistics === null ? null : format.money(money?.commission ?? 0)} note={money?.otherFees && <OtherFees of={money.otherFees} />} />
      <Stat label={t('win-rate')} value={statistics === null ? null : rate === null ? t('none') : format.percent(rate)} note={counted === null ? null : t('of', { total: format.count(counted.count) })} />
      <Stat label={t('profit-factor')} value={statistics === null ? null : typeof money?.profitFactor === 'number' ? format.ratio(money.profitFactor) : t('none')} note={t('gross-quiet')} />
      <Stat
        className="[&>dd]:flex-wrap [&>dd]:gap-y-0"
        label={t('drawdown')}
        value={statistics === null ? null : format.money(drop(curve?.deepestByTrade ?? null))}
        note={t('drawdown-of-day', { depth: format.money(drop(curve?.deepest ?? null)) })}
        tone={curve?.deepestByTrade ? 'loss' : 'even'}
      />
    </StatStrip>
  )
}

const Single = ({ money, statistics, leading }: Part) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const units = statistics?.unit === 'pairs' ? t('pairs-quiet') : t('trips-quiet')
  const gross = t('gross-quiet')
  const figure = (value: string | null | undefined) => (statistics === null ? null : typeof value === 'string' ? format.signedMoney(value) : t('none'))
  return (
    <StatStrip className={bare}>
      <Stat quiet label={t('expectancy')} value={statistics === null ? null : money === null ? t('none') : format.signedMoney(money.expectancy)} note={t('net-quiet')} tone={money === null ? 'even' : toneOf(money.expectancy)} />
      <Stat quiet label={t('average-win')} value={figure(money?.averageWin)} note={gross} />
      <Stat quiet label={t('average-loss')} value={figure(money?.averageLoss)} note={gross} />
      <Stat quiet label={t('largest-win')} value={figure(money?.largestWin)} note={gross} />
      <Stat quiet label={t('largest-loss')} value={figure(money?.largestLoss)} note={gross} />
      {leading && (
        <>
          <Stat quiet label={t('winning-streak')} value={statistics === null ? null : format.count(statistics.streaks.longestWins)} note={units} />
          <Stat quiet label={t('losing-streak')} value={statistics === null ? null : format.count(statistics.streaks.longestLosses)} note={units} />
          <Stat quiet label={t('hold')} value={statistics === null ? null : statistics.all.hold.all === null ? t('none') : format.duration(statistics.all.hold.all)} />
        </>
      )}
    </StatStrip>
  )
}

// A drawdown is a loss, and shown as one.
const drop = (deepest: Pick<NonNullable<StatCurve['deepest']>, 'depth'> | null): string => (deepest === null ? '0' : `-${deepest.depth}`)
