import type { Format } from '#renderer/lib/format.ts'
import { tradingDay as tradingDayNow } from '#shared/market/trading-day.ts'
import { DayNoteMark } from '#renderer/ui/day-note-button.tsx'

/** A row's trading day, without the year where it is this one, and the way to what is noted of it. */
export const DayCell = ({ tradingDay, format, onDay }: { tradingDay: string; format: Format; onDay: (tradingDay: string) => void }) => (
  <span className="flex min-w-0 items-center gap-1">
    <span title={format.fullDay(tradingDay)} className="truncate">{tradingDay.slice(0, 4) === tradingDayNow(Date.now()).slice(0, 4) ? format.day(tradingDay) : format.fullDay(tradingDay)}</span>
    <DayNoteMark
      tradingDay={tradingDay}
      // The row answers to keys and clicks of its own, and its trade's dialog leads there too.
      tabIndex={-1}
      className="-my-1 data-[state=none]:opacity-0 in-[tr:hover]:data-[state=none]:opacity-100 in-[tr:focus-within]:data-[state=none]:opacity-100"
      onClick={(event) => {
        event.stopPropagation()
        onDay(tradingDay)
      }}
    />
  </span>
)
