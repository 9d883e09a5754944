import { datePresets, datesOf, presetOf, type DateSpan } from '#renderer/lib/date-presets.ts'
import type { ChangeFilter } from '#renderer/lib/use-trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { latestTradingDay } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { classNames } from '#renderer/lib/class-names.ts'
import { DayInput } from './day-input.tsx'
import { Field } from './field.tsx'
import { PanelButton } from './filter-panel.tsx'
import { Popover } from './popover.tsx'

/** A filter of days: by name, or from and to a day; `note` says which kind of days, trading days by default. */
export const FilterDates = ({ span, onChange, note }: { span: DateSpan; onChange: ChangeFilter; note?: string }) => {
  const { t } = useTranslation('filter')
  const today = latestTradingDay(Date.now())
  const words = useSpanWords()
  const preset = presetOf(span, today)
  return (
    <Popover
      label={t('dates')}
      trigger={
        <PanelButton aria-label={t('dates-of', { span: words(span) })}>
          {t('dates')}
          {preset !== 'all' && <span aria-hidden className="size-1.5 rounded-full bg-accent" />}
        </PanelButton>
      }
    >
      <div role="group" aria-label={t('presets')} className="grid grid-cols-2 gap-1.5">
        {datePresets.map((name) => (
          <Button
            key={name}
            variant="ghost"
            size="sm"
            aria-pressed={preset === name}
            onClick={() => { onChange(datesOf(name, today)) }}
            className={classNames('justify-start border', preset === name ? 'border-accent bg-accent-tint text-ink' : 'border-line')}
          >
            {name === 'today' && isBetweenSessions() ? t('preset.latest') : t(`preset.${name}`)}
          </Button>
        ))}
      </div>
      <div className="mt-3 grid grid-cols-2 gap-2">
        <Day label={t('from')} value={span.from} onChange={(from) => { onChange({ from, ...(from !== null && span.to !== null && from > span.to && { to: from }) }, { replace: true }) }} />
        <Day label={t('to')} value={span.to} onChange={(to) => { onChange({ to, ...(to !== null && span.from !== null && to < span.from && { from: to }) }, { replace: true }) }} />
      </div>
      <p className="mt-2 text-sm text-faint">{note ?? t('dates-note')}</p>
    </Popover>
  )
}

const Day = ({ label, value, onChange }: { label: string; value: string | null; onChange: (day: string | null) => void }) => (
  <Field label={label}>{(field) => <DayInput {...field} value={value ?? ''} onChange={(day) => { onChange(day === '' ? null : day) }} />}</Field>
)

// Then the day that is meant is the one just closed.
const isBetweenSessions = (): boolean => latestTradingDay(Date.now()) !== tradingDay(Date.now())

/** Names a range of trading days: by its preset today, otherwise by its days. */
export const useSpanWords = (): ((span: DateSpan) => string) => {
  const { t } = useTranslation('filter')
  const format = useFormat()
  return ({ from, to }) => {
    const preset = presetOf({ from, to }, latestTradingDay(Date.now()))
    if (preset !== null) return preset === 'today' && isBetweenSessions() ? t('preset.latest') : t(`preset.${preset}`)
    if (from === to && from !== null) return format.fullDay(from)
    const sameYear = from?.slice(0, 4) === to?.slice(0, 4)
    if (from !== null && to !== null) return t('from-to', { from: sameYear ? format.day(from) : format.fullDay(from), to: format.fullDay(to) })
    return from !== null ? t('since', { day: format.fullDay(from) }) : t('until', { day: format.fullDay(to ?? '') })
  }
}
