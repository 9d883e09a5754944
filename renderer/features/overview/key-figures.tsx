import { toneOf } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Stat, StatStrip } from '#renderer/ui/stat.tsx'
import type { MoneySummary, Overview } from '#shared/api/journal.ts'
import { useTranslation } from 'react-i18next'
import { mostUsedFirst } from './most-used-first.ts'

/** The key figures: one strip for each currency, since different currencies are never added; what counts trades stands in the first. */
export const KeyFigures = ({ overview }: { overview: Overview | null }) => {
  const [first = null, ...others] = overview === null ? [] : mostUsedFirst(overview.money, overview)
  return (
    <>
      <MoneyStrip money={first} overview={overview} leading />
      {others.map((money) => (
        <MoneyStrip key={money.currency} money={money} overview={overview} />
      ))}
    </>
  )
}

const MoneyStrip = ({ money, overview, leading = false }: { money: MoneySummary | null; overview: Overview | null; leading?: boolean }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const figure = (value: string | undefined): string | null => (value === undefined ? null : format.money(value))
  return (
    <StatStrip className="shrink-0">
      <Stat
        large={leading}
        label={t('net')}
        value={money === null ? null : format.signedMoney(money.netPnl)}
        note={money?.currency}
        tone={money === null ? 'even' : toneOf(money.netPnl)}
      />
      <Stat label={t('gross')} value={money === null ? null : format.signedMoney(money.grossPnl)} />
      <Stat label={t('fees')} value={figure(money?.commission)} />
      {leading && <CountedFigures overview={overview} />}
      <Stat label={t('drawdown')} value={money === null ? null : format.money(drop(money.maxDrawdown))} note={t('by-day-quiet')} tone={money !== null && Number(money.maxDrawdown) !== 0 ? 'loss' : 'even'} />
    </StatStrip>
  )
}

const CountedFigures = ({ overview }: { overview: Overview | null }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  return (
    <>
      <Stat
        label={overview?.unit === 'pairs' ? t('win-rate-pairs') : t('win-rate-trips')}
        value={overview === null ? null : overview.winRate === null ? t('none') : format.percent(overview.winRate)}
        note={overview === null ? null : t('of', { total: format.count(overview.count) })}
      />
      <Stat label={t('profit-factor')} value={overview === null ? null : overview.profitFactor === null ? t('none') : format.ratio(overview.profitFactor)} />
    </>
  )
}

// A drawdown is a loss whichever way it is counted.
const drop = (text: string): string => (text.startsWith('-') || Number(text) === 0 ? text : `-${text}`)
