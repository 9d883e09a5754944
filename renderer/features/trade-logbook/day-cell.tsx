import type { Format } from '#renderer/lib/format.ts'
import { DayNoteMark } from '#renderer/ui/day-note-button.tsx'

/** A row's trading day, and the way to what is noted of it. */
export const DayCell = ({ tradingDay, format, onDay }: { tradingDay: string; format: Format; onDay: (tradingDay: string) => void }) => (
  <span className="flex items-center gap-1">
    {format.fullDay(tradingDay)}
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
