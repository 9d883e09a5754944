import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Popover } from '#renderer/ui/popover.tsx'
import { Switch } from '#renderer/ui/toggles.tsx'
import type { ReportSchedule, ReportSettings } from '#shared/api/reports.ts'
import { CalendarClock } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaveSchedule } from './use-report-calls.ts'

/** Which reports are made automatically after the close, and when the next one is. */
export const ScheduleButton = ({ settings }: { settings: ReportSettings }) => {
  const { t } = useTranslation('ai-report')
  const { day, week, month } = settings.schedule
  return (
    <Popover
      label={t('schedule.title')}
      align="end"
      trigger={
        <Button variant="outline" aria-label={t('schedule.title')} className="gap-1.5 px-2.5">
          <CalendarClock aria-hidden />
          <span className="max-xl:sr-only">{t('schedule.title')}</span>
          {(day || week || month) && <span aria-hidden className="size-1.5 rounded-full bg-accent" />}
        </Button>
      }
    >
      <SchedulePanel settings={settings} />
    </Popover>
  )
}

const SchedulePanel = ({ settings }: { settings: ReportSettings }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const words = useProblemText()
  const { mutate, isPending, error } = useSaveSchedule()
  const { schedule, model, nextAt } = settings
  const any = schedule.day || schedule.week || schedule.month
  const change = (more: Partial<ReportSchedule>): void => { mutate({ ...schedule, ...more }) }
  return (
    <div className="flex w-72 flex-col gap-3">
      <p className="text-sm text-muted">{t('schedule.text')}</p>
      {(['day', 'week', 'month'] as const).map((name) => (
        <Choice key={name} label={t(`schedule.${name}`)} checked={schedule[name]} disabled={isPending} onChange={(on) => { change({ [name]: on }) }} />
      ))}
      <div className="border-t border-hairline pt-3">
        <Choice label={t('schedule.narrative')} note={model === null ? t('schedule.narrative-no-model') : t('schedule.narrative-text', { model: model.model })} checked={schedule.narrative} disabled={isPending || !any || (model === null && !schedule.narrative)} onChange={(narrative) => { change({ narrative }) }} />
      </div>
      <p role="status" className="text-sm text-faint">{nextAt === null ? t('schedule.none') : t('schedule.next', { time: format.fullDateTime(nextAt) })}</p>
      {error !== null && <Notice tone="error">{words(error)}</Notice>}
    </div>
  )
}

const Choice = ({ label, note, checked, disabled, onChange }: { label: string; note?: string; checked: boolean; disabled: boolean; onChange: (checked: boolean) => void }) => {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <Switch id={id} checked={checked} disabled={disabled} onChange={onChange} aria-describedby={note === undefined ? undefined : `${id}-note`} />
      <span className="min-w-0">
        <label htmlFor={id} className="block cursor-pointer">{label}</label>
        {note !== undefined && <span id={`${id}-note`} className="block text-sm text-faint">{note}</span>}
      </span>
    </div>
  )
}
