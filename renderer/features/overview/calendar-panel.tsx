import { classNames } from '#renderer/lib/class-names.ts'
import { useDayNotes } from '#renderer/lib/day-notes.ts'
import { toneOf } from '#renderer/lib/format.ts'
import { useLeftOver } from '#renderer/lib/left-over.ts'
import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import { Card } from '#renderer/ui/card.tsx'
import { DayNoteButton } from '#renderer/ui/day-note-button.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { ScrollArea } from '#renderer/ui/scroll-area.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import type { StatisticsAnswer, Unit } from '#shared/api/statistics.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isSlim, type CalendarDay, type CalendarMonth, type CalendarWeek, type TradedDay } from './calendar-month.ts'
import { CalendarSkeleton, CalendarSteps } from './calendar-parts.tsx'
import { mostUsedFirst } from './most-used-first.ts'
import { useCalendar } from './use-calendar.ts'

/** Months by trading day, with the result of each day and week; a day leads to its trades. */
export const CalendarPanel = ({ statistics }: { statistics: StatisticsAnswer | null }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  const { month, calendar, today, earlier, later } = useCalendar(statistics)
  return (
    <Card className="flex grow flex-col">
      <div className="flex min-h-13 flex-wrap items-center gap-x-4 gap-y-1 border-b border-hairline px-4 py-2">
        <div className="flex items-center gap-1.5">
          <CalendarSteps earlier={earlier} later={later} />
          <h2 aria-live="polite" className="ml-2 min-w-36 font-semibold">{month === null ? <Skeleton className="h-3 w-28" /> : format.month(month)}</h2>
        </div>
        {calendar !== null && statistics !== null && <MonthSums calendar={calendar} statistics={statistics} />}
      </div>
      <ScrollArea label={t('calendar.name')} className="grow p-3">
        {calendar === null || statistics === null ? <CalendarSkeleton className="gap-1" cell="h-20" /> : <Month calendar={calendar} today={today} statistics={statistics} name={format.month(month ?? '')} />}
      </ScrollArea>
    </Card>
  )
}

const MonthSums = ({ calendar, statistics: { unit, all } }: { calendar: CalendarMonth; statistics: StatisticsAnswer }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  return (
    <dl className="ml-auto flex flex-wrap items-baseline gap-x-5 gap-y-1">
      {mostUsedFirst(calendar.money, all.money).map(({ currency, netPnl, commission }) => (
        <div key={currency} className="flex items-baseline gap-1.5">
          <dt className="text-sm text-muted">{t('calendar.net')}</dt>
          <dd className="font-semibold"><Pnl value={netPnl} /> <span className="text-sm font-normal text-faint">{currency}, {t('calendar.after-fees', { fees: format.money(commission) })}</span></dd>
        </div>
      ))}
      <div className="flex items-baseline gap-1.5">
        <dt className="text-sm text-muted">{t(`figures:count.${unit}`)}</dt>
        <dd className="font-semibold">{format.count(calendar.count)} <span className="text-sm font-normal text-faint">{t('calendar.days', { count: calendar.tradedDays })}</span></dd>
      </div>
    </dl>
  )
}

const Month = ({ calendar, today, statistics: { unit, all }, name }: { calendar: CalendarMonth; today: string; statistics: StatisticsAnswer; name: string }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  return (
    <table className="h-full w-full min-w-2xl table-fixed border-separate border-spacing-1">
      <caption className="sr-only">{t('calendar.caption', { month: name })}</caption>
      <thead>
        <tr>
          {calendar.weekdays.map((weekday) => (
            <th key={weekday} scope="col" abbr={format.weekday(weekday)} className={classNames('h-7 text-left text-sm font-[450] text-faint', isSlim(weekday, calendar) ? 'w-13 px-1 text-xs!' : 'px-2')}>{format.shortWeekday(weekday)}</th>
          ))}
          <th scope="col" className="h-7 px-2 text-right text-sm font-[450] text-faint">{t('calendar.week')}</th>
        </tr>
      </thead>
      <tbody>
        {calendar.weeks.map((week) => (
          <tr key={week.monday}>
            {week.days.map((day, at) => <CalendarCell key={day.tradingDay} day={day} unit={unit} mixed={all.money.length > 1} slim={isSlim(at + 1, calendar)} today={today} />)}
            <WeekSum week={week} unit={unit} mixed={all.money.length > 1} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const WeekSum = ({ week, unit, mixed }: { week: CalendarWeek; unit: Unit; mixed: boolean }) => {
  const { t } = useTranslation('statistics')
  return (
    <td className="h-20 px-2 text-right align-middle">
      {week.money.map(({ currency, netPnl }) => (
        <p key={currency} className="font-semibold">
          <Pnl value={netPnl} />
          {mixed && <span className="ml-1 text-sm font-normal text-faint">{currency}</span>}
        </p>
      ))}
      {week.count > 0 && <p className="text-sm text-faint">{t(`count.${unit}`, { count: week.count })}</p>}
    </td>
  )
}

// The button lies over the whole cell.
const wholeCell = '-mr-1 after:absolute after:inset-0 after:rounded-md hover:after:ring-1 hover:after:ring-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent'
const grounds = { gain: 'bg-gain-tint', loss: 'bg-loss-tint', even: 'bg-accent-tint' } as const

/** One day of the calendar: what it came to, as a link to its trades, and its note; where nothing was traded the whole cell opens the note. A day that is still to come has none. */
const CalendarCell = ({ day: { tradingDay, inMonth, traded }, unit, mixed, slim, today }: { day: CalendarDay; unit: Unit; mixed: boolean; slim: boolean; today: string }) => {
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
