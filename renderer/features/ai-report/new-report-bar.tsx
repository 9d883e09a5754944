import { apiQuery } from '#renderer/lib/api.ts'
import { datesOf } from '#renderer/lib/date-presets.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { DayInput } from '#renderer/ui/day-input.tsx'
import { Field } from '#renderer/ui/field.tsx'
import { PanelButton } from '#renderer/ui/filter-panel.tsx'
import { accountChoices, MultiChoice } from '#renderer/ui/multi-choice.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Popover } from '#renderer/ui/popover.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { periodKind, type PeriodKind, type Report } from '#shared/api/reports.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Sparkles } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { latestTradeQuery } from './latest-trade.ts'
import { useReportWords } from './report-words.ts'
import { useMakeReport } from './use-report-calls.ts'

// The program's limit: ten years.
const longest = 3_660

/** The days and accounts of a new report, and the button that makes it; `onMade` gets its id. */
export const NewReportBar = ({ onMade }: { onMade: (id: string) => void }) => {
  const { t } = useTranslation('ai-report')
  const words = useProblemText()
  const usual = useUsualPeriod()
  const [chosen, choose] = useState<Period | null>(null)
  const [accounts, setAccounts] = useState<readonly string[]>([])
  const make = useMakeReport()
  const period = chosen ?? usual
  const tooLong = period !== null && daysOf(period) > longest
  return (
    <form
      aria-label={t('make.name')}
      className="flex shrink-0 flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (period !== null && !tooLong && !make.isPending) make.mutate({ period, accounts: [...accounts] }, { onSuccess: ({ report }) => { onMade(report.id) } })
      }}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2">
        <Segmented label={t('make.kind')} value={period?.kind ?? 'week'} onChange={(kind) => { if (period !== null) choose(turnedPeriod(period, kind)) }} options={periodKind.options.map((value) => ({ value, label: t(`period.${value}`) }))} />
        <Days period={period} onChange={choose} />
        <Accounts chosen={accounts} onChange={setAccounts} />
        <Button type="submit" busy={make.isPending} disabled={period === null || tooLong}>
          {!make.isPending && <Sparkles aria-hidden />}
          {t('make.go')}
        </Button>
      </div>
      {make.isPending && (
        <div className="flex flex-col gap-1.5">
          <div role="progressbar" aria-label={t('make.running')} className="h-1.25 animate-pulse rounded-full bg-accent" />
          <p role="status" className="text-sm text-muted">{t('make.running')}</p>
        </div>
      )}
      {tooLong && <Notice tone="warn">{t('make.too-long')}</Notice>}
      {make.isError && !make.isPending && <Notice tone="error">{words(make.error)}</Notice>}
    </form>
  )
}

// The week of the last trade is known only after it has loaded.
const useUsualPeriod = (): Period | null => {
  const { data, isError } = useQuery(latestTradeQuery)
  if (data === undefined && !isError) return null
  return usualPeriod(tradingDay(Date.now()), data?.rows[0]?.tradingDay ?? null)
}

const Days = ({ period, onChange }: { period: Period | null; onChange: (period: Period) => void }) => {
  const { t } = useTranslation('ai-report')
  const words = useReportWords([])
  if (period === null) return <Button variant="outline" disabled className="w-52">{t('make.days')}</Button>
  const step = (by: 1 | -1): void => { onChange(steppedPeriod(period, by)) }
  const shown = words.period(period)
  return (
    <div role="group" aria-label={t('make.days')} className="flex items-center gap-1">
      <Button variant="ghost" size="icon" aria-label={t('make.before')} onClick={() => { step(-1) }}>
        <ChevronLeft aria-hidden />
      </Button>
      <Popover
        label={t('make.days')}
        trigger={
          <PanelButton aria-label={t('make.days-of', { shown })} className="min-w-44">
            {shown}
          </PanelButton>
        }
      >
        <div className="flex flex-col gap-2">
          {period.kind === 'free' ? (
            <div className="grid grid-cols-2 gap-2">
              <Day label={t('make.from')} day={period.from} onChange={(from) => { onChange({ ...period, from, to: from > period.to ? from : period.to }) }} />
              <Day label={t('make.to')} day={period.to} onChange={(to) => { onChange({ ...period, to, from: to < period.from ? to : period.from }) }} />
            </div>
          ) : (
            <Day label={t(`make.day-in.${period.kind}`)} day={period.from} onChange={(day) => { onChange(periodOf(period.kind, day)) }} />
          )}
          <p className="text-sm text-faint">{t('make.days-note')}</p>
        </div>
      </Popover>
      <Button variant="ghost" size="icon" aria-label={t('make.after')} onClick={() => { step(1) }}>
        <ChevronRight aria-hidden />
      </Button>
    </div>
  )
}

const Day = ({ label, day, onChange }: { label: string; day: string; onChange: (day: string) => void }) => (
  <Field label={label}>{(field) => <DayInput {...field} required value={day} onChange={onChange} />}</Field>
)

const Accounts = ({ chosen, onChange }: { chosen: readonly string[]; onChange: (chosen: string[]) => void }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const { data } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  const choices = accountChoices(data?.accounts ?? [], t('no-firm'), t('copy'))
  const shown = chosen.length === 0 ? t('all-accounts') : t('accounts', { count: chosen.length, accounts: format.count(chosen.length) })
  return (
    <Popover
      label={t('make.accounts')}
      trigger={<PanelButton>{shown}</PanelButton>}
    >
      {choices.length === 0 ? <p className="text-sm text-faint">{t('make.no-accounts')}</p> : <MultiChoice label={t('make.accounts')} options={choices} chosen={chosen} onChange={onChange} />}
      <p className="mt-2 max-w-60 text-sm text-faint">{t('make.accounts-note')}</p>
    </Popover>
  )
}

/** First and last trading day of a report, both included. */
type Period = Report['period']

/** The day, week or month that contains a day; a custom period of only that day. A week is Monday to Friday, because no session has a weekend's date. */
export const periodOf = (kind: PeriodKind, day: string): Period => {
  if (kind === 'week') {
    const monday = dayOfDate(datesOf('week', day).from ?? day)
    return { kind, from: isoDate(monday), to: isoDate(monday + 4) }
  }
  if (kind === 'month') {
    const { from, to } = datesOf('month', day)
    return { kind, from: from ?? day, to: to ?? day }
  }
  return { kind, from: day, to: day }
}

/** Calendar days of a period, including the last. */
const daysOf = ({ from, to }: Period): number => dayOfDate(to) - dayOfDate(from) + 1

/** The period before or after one, of the same kind; skips weekends, and a custom period moves by its own length. */
export const steppedPeriod = (period: Period, by: 1 | -1): Period => {
  const [first, last] = [dayOfDate(period.from), dayOfDate(period.to)]
  switch (period.kind) {
    case 'day':
      return periodOf('day', isoDate(nextWeekday(first, by)))
    case 'week':
      return periodOf('week', isoDate(first + 7 * by))
    case 'month':
      return periodOf('month', isoDate(by === 1 ? last + 1 : first - 1))
    case 'free': {
      const length = daysOf(period)
      return { kind: 'free', from: isoDate(first + length * by), to: isoDate(last + length * by) }
    }
  }
}

/** The same time as another kind of period: around its last day, or for a custom period with its days. */
export const turnedPeriod = (period: Period, kind: PeriodKind): Period => (kind === 'free' ? { ...period, kind } : periodOf(kind, period.to))

/** The current week, or the week of the last trade if that is over; `lastDay` null means a journal without trades, which gets the last finished week. */
export const usualPeriod = (today: string, lastDay: string | null): Period => {
  const week = periodOf('week', today)
  if (lastDay === null) return steppedPeriod(week, -1)
  return lastDay >= week.from ? week : periodOf('week', lastDay)
}

// Day 0, 1 January 1970, was a Thursday.
const isWeekend = (day: number): boolean => (day + 3) % 7 > 4

const nextWeekday = (day: number, by: 1 | -1): number => {
  const next = day + by
  return isWeekend(next) ? nextWeekday(next, by) : next
}
