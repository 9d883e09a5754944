import { useFormat } from '#renderer/lib/use-format.ts'
import { FilterBar } from '#renderer/ui/filter-bar.tsx'
import { LeftOverNotice } from '#renderer/ui/left-over-notice.tsx'
import type { Unit } from '#shared/api/statistics.ts'
import { useTranslation } from 'react-i18next'

/** The area above the logbook's rows: the filter, how many rows meet it, and notes whose trades are gone. */
export const LogbookFilter = ({ unit, count }: { unit: Unit; count: number | null }) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  return (
    <div className="flex flex-col gap-2 border-b border-hairline px-4 py-2">
      <FilterBar>
        <span role="status" className="text-sm text-faint">
          {count === null ? null : t(`count.${unit}`, { count, shown: format.count(count) })}
        </span>
      </FilterBar>
      <LeftOverNotice />
    </div>
  )
}
