import type { Decimal } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import type { StatCurve, StatGroup, StatisticsAnswer, StatMoney, Unit } from '#shared/api/statistics.ts'
import { useTranslation } from 'react-i18next'
import { Pnl } from './figures.tsx'

/** What the statistics answer of trades in one currency; `money` is null without any. `group` and `streaks` count all currencies together. */
export type Counted = {
  readonly money: StatMoney | null
  readonly curve?: StatCurve | undefined
  readonly group?: StatGroup | undefined
  readonly streaks?: StatisticsAnswer['streaks'] | undefined
}

type Figure = {
  /** Its value, or the least that it can be; null where it is unknown. */
  readonly of: (counted: Counted) => Decimal | null
  /** The most that it can be, of one that is known as a range. */
  readonly upTo?: (counted: Counted) => number | null
  /** `pnl` and `amount` have a sign, `pnl` also the color of a gain or a loss. */
  readonly as: 'pnl' | 'amount' | 'cost' | 'count' | 'percent' | 'ratio' | 'duration'
  readonly basis?: 'net' | 'gross'
  /** Of all trades, not of those in one currency. */
  readonly whole?: true
}

// A loss, and shown as one.
const drawdownOf = ({ money, curve }: Counted): string | null => (money === null ? null : curve?.deepestByTrade ? `-${curve.deepestByTrade.depth}` : '0.00')

const list = {
  net: { as: 'pnl', of: ({ money }) => money?.netPnl ?? '0.00' },
  gross: { as: 'amount', of: ({ money }) => money?.grossPnl ?? '0.00' },
  fees: { as: 'cost', of: ({ money }) => money?.commission ?? '0.00' },
  count: { as: 'count', of: ({ money }) => money?.count ?? 0 },
  'win-rate': { as: 'percent', of: ({ money }) => money && money.wins / money.count },
  'profit-factor': { as: 'ratio', of: ({ money }) => money && money.profitFactor, basis: 'gross' },
  drawdown: { as: 'pnl', of: drawdownOf },
  expectancy: { as: 'pnl', of: ({ money }) => money && money.expectancy, basis: 'net' },
  'average-win': { as: 'amount', of: ({ money }) => money && money.averageWin, basis: 'gross' },
  'average-loss': { as: 'amount', of: ({ money }) => money && money.averageLoss, basis: 'gross' },
  'largest-win': { as: 'amount', of: ({ money }) => money && money.largestWin, basis: 'gross' },
  'largest-loss': { as: 'amount', of: ({ money }) => money && money.largestLoss, basis: 'gross' },
  'winning-streak': { as: 'count', of: ({ streaks }) => streaks?.longestWins ?? null, whole: true },
  'losing-streak': { as: 'count', of: ({ streaks }) => streaks?.longestLosses ?? null, whole: true },
  hold: { as: 'duration', of: ({ group }) => group?.hold.all ?? null, whole: true },
  'exit-efficiency': { as: 'percent', of: ({ group }) => group?.exitEfficiency?.least ?? null, upTo: ({ group }) => group?.exitEfficiency?.most ?? null, whole: true },
} as const satisfies Record<string, Figure>

export type FigureKey = keyof typeof list

/** Every figure of the statistics, by the key of its label in the locale file `figures`. */
export const figures: Readonly<Record<FigureKey, Figure>> = list

/** Which figures each place shows, in its order. */
export const shownFigures = {
  /** The key figures of the Overview: a strip of the main ones over one of the others. */
  key: {
    main: ['net', 'gross', 'fees', 'win-rate', 'profit-factor', 'drawdown'],
    more: ['expectancy', 'average-win', 'average-loss', 'largest-win', 'largest-loss', 'winning-streak', 'losing-streak', 'hold'],
  },
  breakdown: ['count', 'win-rate', 'profit-factor', 'net', 'expectancy', 'exit-efficiency', 'hold'],
  /** The sides of a comparison, above and below the verdict on them. */
  compared: { above: ['net', 'count', 'win-rate', 'profit-factor', 'expectancy'], below: ['average-win', 'average-loss', 'drawdown', 'fees'] },
  /** The rows of the TradeLogbook; `roomy` ones only in a wide window. */
  logbook: { always: ['net', 'fees', 'win-rate', 'profit-factor'], roomy: ['expectancy'] },
  /** Selected rows; those of several currencies have the first alone. */
  selected: ['net', 'win-rate', 'profit-factor'],
} as const satisfies Record<string, readonly FigureKey[] | Record<string, readonly FigureKey[]>>

/** The names and the texts of figures. */
export const useFigures = () => {
  const { t } = useTranslation('figures')
  const format = useFormat()
  const written = (as: Figure['as'], value: Decimal): string => (as === 'pnl' || as === 'amount' ? format.signedMoney(value) : as === 'cost' ? format.money(value) : format[as](Number(value)))
  return {
    nameOf: (key: FigureKey, unit: Unit): string => (key === 'count' ? t(`count.${unit}`) : t(`figures:${key}`)),
    /** Whether the figure is net or gross, where its name does not say so. */
    basisOf: (key: FigureKey): string | undefined => figures[key].basis && t(`basis.${figures[key].basis}`),
    /** A dash where the figure is unknown. */
    textOf: (key: FigureKey, counted: Counted): string => {
      const { of, upTo, as } = figures[key]
      const [value, most] = [of(counted), upTo?.(counted) ?? null]
      if (value === null) return t('none')
      const [least, up] = [written(as, value), written(as, most ?? value)]
      return least === up ? least : t('between', { least, most: up })
    },
  }
}

/** A figure of trades in a table or a list, a gain or a loss in its color. */
export const FigureText = ({ of: key, counted, className = '' }: { of: FigureKey; counted: Counted; className?: string }) => {
  const { textOf } = useFigures()
  const value = figures[key].of(counted)
  return figures[key].as === 'pnl' && value !== null ? <Pnl value={value} className={className} /> : textOf(key, counted)
}
