import { classNames } from '#renderer/lib/class-names.ts'
import type { Format } from '#renderer/lib/format.ts'
import type { TFunction } from 'i18next'
import { ChevronRight, Copy } from 'lucide-react'
import type { LogRow } from './rows.ts'

/** The first cell: the exit time, whether the copier opened it, and for a trip whether it is open and how many pairs it opens to. */
export const LeadCell = ({ row, open, format, t }: { row: LogRow; open: boolean; format: Format; t: TFunction<'trade-logbook'> }) => (
  <span className={classNames('flex items-center gap-1.5', row.level === 2 && 'pl-5.5')}>
    {row.trip !== null && <ChevronRight aria-hidden className={classNames('size-4 shrink-0 text-faint transition-transform duration-100', open && 'rotate-90')} />}
    <span className="shrink-0">{format.dateTime(row.shown.exitTime)}</span>
    {row.shown.copied === true && (
      <span title={t('copied')}>
        <Copy role="img" aria-label={t('copied')} className="size-3.5 shrink-0 text-faint" />
      </span>
    )}
    {row.trip !== null && row.trip.pairs > 1 && <span title={t('times', { count: row.trip.pairs })} className="min-w-0 truncate text-sm text-faint max-xl:hidden">{t('times', { count: row.trip.pairs })}</span>}
  </span>
)
