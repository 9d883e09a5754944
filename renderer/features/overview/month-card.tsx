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
import type { DayMoney, StatisticsAnswer, Unit } from '#shared/api/statistics.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isSlim, type CalendarDay, type CalendarMonth, type CalendarWeek } from './calendar-month.ts'
import { CalendarSkeleton, CalendarSteps } from './calendar-parts.tsx'
import { useCalendar } from './use-calendar.ts'

/** One month at a glance: the net of each trading day and week without cents, each day a link to its trades, or to its note where it has none. */
export const MonthCard = ({ statistics }: { statistics: StatisticsAnswer | null }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  const { month, calendar, today, earlier, later } = useCalendar(statistics)
  return (
    <Card
      title={month === null ? t('view.calendar') : format.month(month)}
      note={t('calendar.by-day')}
      className="flex flex-col"
      actions={<CalendarSteps earlier={earlier} later={later} className="size-7" />}
    >
      <div className="flex grow flex-col p-3">{calendar === null || statistics === null || month === null ? <CalendarSkeleton className="grow gap-0.75" cell="min-h-11" /> : <Month calendar={calendar} today={today} unit={statistics.unit} name={format.month(month)} />}</div>
    </Card>
  )
}

const Month = ({ calendar, today, unit, name }: { calendar: CalendarMonth; today: string; unit: Unit; name: string }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  return (
    <table className="h-full w-full table-fixed border-separate border-spacing-0.5">
      <caption className="sr-only">{t('calendar.caption', { month: name })}</caption>
      <thead>
        <tr className="text-sm text-faint [&>th]:h-6 [&>th]:px-1 [&>th]:font-[450]">
          {calendar.weekdays.map((weekday) => (
            <th key={weekday} scope="col" abbr={format.weekday(weekday)} className={classNames('text-left', isSlim(weekday, calendar) && 'w-6')}>{isSlim(weekday, calendar) ? <span className="sr-only">{format.shortWeekday(weekday)}</span> : format.shortWeekday(weekday)}</th>
          ))}
          <th scope="col" className="text-right">{t('calendar.week')}</th>
        </tr>
      </thead>
      <tbody>
        {calendar.weeks.map((week) => (
          <tr key={week.monday}>
            {week.days.map((day, at) => <Day key={day.tradingDay} day={day} unit={unit} slim={isSlim(at + 1, calendar)} today={today} />)}
            <Week week={week} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const grounds = { gain: 'bg-gain-tint text-gain', loss: 'bg-loss-tint text-loss', even: 'bg-accent-tint' } as const

const Day = ({ day: { tradingDay, inMonth, traded }, unit, slim, today }: { day: CalendarDay; unit: Unit; slim: boolean; today: string }) => {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  const { filter } = useTradeFilter()
  const hasLeft = useLeftOver().some((left) => left.tradingDay === tradingDay)
  const noted = useDayNotes()?.has(tradingDay) === true || hasLeft
  const [only, ...others] = traded?.money ?? []
  const tone = only === undefined || others.length > 0 ? 'even' : toneOf(only.netPnl)
  const number = inMonth ? String(Number(tradingDay.slice(8))) : ''
  return (
    <td className={classNames('group relative h-11 rounded-md py-0.5 align-top', slim ? 'px-0 text-center' : 'px-1', traded === null ? (inMonth ? 'bg-raised' : '') : grounds[tone])}>
      <time dateTime={tradingDay} className="block text-xs text-muted">{traded === null ? number : number || format.day(tradingDay)}</time>
      {traded !== null && (
        <Link
          to={`${paths.tradeLogbook}${searchOf({ ...filter, from: tradingDay, to: tradingDay }, unit)}`}
          className="block after:absolute after:inset-0 after:rounded-md hover:after:ring-1 hover:after:ring-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          <span className="sr-only">{t('calendar.open-day', { day: format.fullDay(tradingDay) })}</span>
          <Sums money={traded.money} />
        </Link>
      )}
      {traded === null && inMonth && (noted || tradingDay <= today) && (
        // The button lies over the whole cell.
        <DayNoteButton
          tradingDay={tradingDay}
          className={classNames(
            'h-4! min-w-0! after:absolute after:inset-0 after:rounded-md hover:after:ring-1 hover:after:ring-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent',
            !noted && '[&>svg]:opacity-0 group-focus-within:[&>svg]:opacity-100 group-hover:[&>svg]:opacity-100',
          )}
        />
      )}
    </td>
  )
}

const Week = ({ week: { money } }: { week: CalendarWeek }) => {
  const [only, ...others] = money
  const tone = only === undefined || others.length > 0 ? 'even' : toneOf(only.netPnl)
  return (
    <td className={classNames('px-1 text-right align-middle font-semibold', tone === 'gain' && 'text-gain', tone === 'loss' && 'text-loss')}>
      <Sums money={money} />
    </td>
  )
}

// Different currencies are never added: they stand below each other, with their names.
const Sums = ({ money }: { money: readonly DayMoney[] }) => {
  const format = useFormat()
  return money.map(({ currency, netPnl }) => (
    <span key={currency} className="block truncate text-sm leading-4 tabular-nums">
      {format.signedWhole(netPnl)}
      {money.length > 1 && <span className="ml-0.5 text-xs text-muted">{currency}</span>}
    </span>
  ))
}
