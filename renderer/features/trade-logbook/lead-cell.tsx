import { classNames } from '#renderer/lib/class-names.ts'
import type { Format } from '#renderer/lib/format.ts'
import type { TFunction } from 'i18next'
import { ChevronRight, Copy } from 'lucide-react'
import type { LogRow } from './use-log-rows.ts'

/** Marks the button that shows a trade's pairs; a click elsewhere in the row opens the dialog. */
export const opensPairs = 'data-opens-pairs'

/** The first cell: the exit time, a mark of copied trades, and for a trade of several pairs their number and the button that shows them. */
export const LeadCell = ({ row, open, format, narrow, t }: { row: LogRow; open: boolean; format: Format; narrow: boolean; t: TFunction<'trade-logbook'> }) => (
  <span className={classNames('flex items-center gap-1.5', row.level === 2 && 'pl-9')}>
    {row.trade !== null &&
      (row.trade.pairs > 1 ? (
        // The row itself has the keys for it, and says whether it is open.
        <button type="button" tabIndex={-1} {...{ [opensPairs]: '' }} title={t(open ? 'hide-pairs' : 'show-pairs')} aria-label={t(open ? 'hide-pairs' : 'show-pairs')} className="-m-1 shrink-0 rounded-sm p-1 text-faint hover:text-ink">
          <ChevronRight aria-hidden className={classNames('size-4 transition-transform duration-100', open && 'rotate-90')} />
        </button>
      ) : (
        <span aria-hidden className="w-4 shrink-0" />
      ))}
    <span title={format.dateTime(row.shown.exitTime)} className="shrink-0">{narrow ? format.shortMoment(row.shown.exitTime) : format.dateTime(row.shown.exitTime)}</span>
    {row.shown.copied === true && (
      <span title={t('copied')}>
        <Copy role="img" aria-label={t('copied')} className="size-3.5 shrink-0 text-faint" />
      </span>
    )}
    {row.trade !== null && row.trade.pairs > 1 && (
      <span title={t('times', { count: row.trade.pairs })} className="ml-auto shrink-0 rounded-sm bg-raised px-1 text-xs text-muted max-xl:sr-only">
        <span aria-hidden>{format.count(row.trade.pairs)}</span>
        <span className="sr-only">{t('times', { count: row.trade.pairs })}</span>
      </span>
    )}
  </span>
)
