import { classNames } from '#renderer/lib/class-names.ts'
import { useDayNotes } from '#renderer/lib/day-notes.ts'
import { useLeftOver } from '#renderer/lib/left-over.ts'
import { toneOf } from '#renderer/lib/format.ts'
import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import { DayNoteButton } from '#renderer/ui/day-note-button.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import type { Unit } from '#shared/api/statistics.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { CalendarDay, TradedDay } from './calendar-month.ts'

// The button lies over the whole cell.
const wholeCell = '-mr-1 after:absolute after:inset-0 after:rounded-md hover:after:ring-1 hover:after:ring-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent'
const grounds = { gain: 'bg-gain-tint', loss: 'bg-loss-tint', even: 'bg-accent-tint' } as const

/** One day of the calendar: what it came to, as a link to its trades, and its note; where nothing was traded the whole cell opens the note. A day that is still to come has none. */
export const CalendarCell = ({ day: { tradingDay, inMonth, traded }, unit, mixed, slim, today }: { day: CalendarDay; unit: Unit; mixed: boolean; slim: boolean; today: string }) => {
  const format = useFormat()
  const hasLeft = useLeftOver().some((left) => left.tradingDay === tradingDay)
  const noted = useDayNotes()?.has(tradingDay) === true || hasLeft
  const number = String(Number(tradingDay.slice(8)))
  // A day of two currencies is neither gain nor loss as a whole.
  const [only, ...others] = traded?.money ?? []
  const tone = only === undefined || others.length > 0 ? 'even' : toneOf(only.netPnl)
  return (
    <td className={classNames('group relative h-20 rounded-md p-0 align-top', !inMonth ? 'border border-hairline' : traded === null ? 'bg-raised' : grounds[tone])}>
      <div className={classNames('flex h-full flex-col pt-1 pb-1.5', slim ? 'px-1.5' : 'px-2')}>
        <div className={classNames('flex justify-between', slim ? 'flex-col' : 'h-6 items-center')}>
          <time dateTime={tradingDay} className="flex h-6 items-center text-sm text-muted">{inMonth || slim ? number : format.day(tradingDay)}</time>
          {(traded !== null || noted || tradingDay <= today) && (
            <DayNoteButton
              tradingDay={tradingDay}
              className={classNames(traded === null ? wholeCell : 'relative z-1 -mr-1', !noted && '[&>svg]:opacity-0 group-focus-within:[&>svg]:opacity-100 group-hover:[&>svg]:opacity-100 pointer-coarse:[&>svg]:opacity-100')}
            />
          )}
        </div>
        {traded !== null && <Traded day={traded} unit={unit} mixed={mixed} />}
      </div>
    </td>
  )
}

const Traded = ({ day, unit, mixed }: { day: TradedDay; unit: Unit; mixed: boolean }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  const { filter } = useTradeFilter()
  const [from, to] = [day.tradingDay, day.tradingDay]
  return (
    // The link lies over the whole cell, below the button of the note.
    <Link
      to={`${paths.tradeLogbook}${searchOf({ ...filter, from, to }, unit)}`}
      className="flex grow flex-col justify-end rounded-md after:absolute after:inset-0 after:rounded-md hover:after:ring-1 hover:after:ring-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
    >
      <span className="sr-only">{t('calendar.open-day', { day: format.fullDay(day.tradingDay) })}</span>
      {day.money.map(({ currency, netPnl }) => (
        <span key={currency} className="font-semibold tabular-nums">
          <Pnl value={netPnl} />
          <span className={mixed ? 'ml-1 text-sm font-normal text-muted' : 'sr-only'}>{currency}</span>
        </span>
      ))}
      <span className="flex flex-wrap gap-x-2 text-sm text-muted">
        <span>{t(`count.${unit}`, { count: day.count })}</span>
        {day.winRate !== null && <span>{t('calendar.won', { rate: format.wholePercent(day.winRate) })}</span>}
      </span>
    </Link>
  )
}
