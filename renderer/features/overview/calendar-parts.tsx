import { classNames } from '#renderer/lib/class-names.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ShownCalendar } from './use-calendar.ts'

/** The two buttons that lead to the month before and after. */
export const CalendarSteps = ({ earlier, later, className }: Pick<ShownCalendar, 'earlier' | 'later'> & { className?: string }) => {
  const { t } = useTranslation('statistics')
  const step = (go: (() => void) | null, label: string, Icon: typeof ChevronLeft) => (
    <Button variant="outline" size="icon" className={className} aria-label={label} disabled={go === null} onClick={() => { go?.() }}>
      <Icon aria-hidden />
    </Button>
  )
  return (
    <>
      {step(earlier, t('calendar.before'), ChevronLeft)}
      {step(later, t('calendar.after'), ChevronRight)}
    </>
  )
}

/** Five weeks of quiet shapes in place of a month; `cell` is the height of a day. */
export const CalendarSkeleton = ({ className, cell }: { className: string; cell: string }) => (
  <div aria-hidden className={classNames('grid grid-cols-6', className)}>
    {Array.from({ length: 30 }, (_, at) => <Skeleton key={at} className={classNames('opacity-40', cell)} />)}
  </div>
)
