import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Cell } from '#renderer/ui/table.tsx'
import type { ReconciledDay } from '#shared/api/reconciliation.ts'
import { useTranslation } from 'react-i18next'
import type { ReconciliationLine } from './lines.ts'
import { Difference, Money } from './money.tsx'
import { NextStep } from './next-step.tsx'
import { StateMark } from './state-mark.tsx'

type Props<Kind> = { readonly line: number; readonly row: Extract<ReconciliationLine, { kind: Kind }>; readonly active: boolean; readonly narrow: boolean; readonly currencies: boolean }

/** One account's day: Fillbook's figures, the broker's, and their difference. */
export const DayRow = ({ line, row: { day, name, fileOnly }, active, narrow, currencies }: Props<'day'>) => {
  const format = useFormat()
  const { fillbook, broker } = day
  return (
    <tr data-line={line} aria-rowindex={line + 3} tabIndex={active ? 0 : -1} className="h-9 cursor-pointer -outline-offset-2 hover:bg-raised">
      <Cell>
        {format.fullDay(day.tradingDay)}
        {currencies && day.currency !== null && <span className="ml-1.5 text-sm text-faint">{format.currencyName(day.currency)}</span>}
      </Cell>
      <Cell quiet className="truncate">
        <CutName name={name} />
      </Cell>
      {!narrow && <Cell end><Money value={fillbook.grossPnl} signed /></Cell>}
      {!narrow && <Cell end quiet><Money value={fillbook.commission} /></Cell>}
      <Cell end><Money value={fillbook.netPnl} signed /></Cell>
      {!narrow && <Cell end><Money value={broker.grossPnl} signed /></Cell>}
      {!narrow && <Cell end quiet><Money value={broker.commission} /></Cell>}
      <Cell end><Money value={broker.netPnl} signed /></Cell>
      <Cell end><Difference value={day.difference} checked={day.state !== 'unchecked'} /></Cell>
      <Cell className="truncate">
        <State day={day} fileOnly={fileOnly} />
      </Cell>
    </tr>
  )
}

const State = ({ day, fileOnly }: { day: ReconciledDay; fileOnly: boolean }) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  if (day.reason === null) {
    return (
      <span className="flex items-center gap-2">
        <StateMark state={day.state} />
        {day.openings !== null && (
          <span title={t('openings')} className="truncate text-sm text-faint">
            {t('openings-short', { amount: format.signedMoney(day.openings) })}
          </span>
        )}
      </span>
    )
  }
  const reason = t(`reason.${day.reason}`)
  return (
    <span className="flex items-center gap-2">
      <span title={reason} className="truncate text-faint">
        {reason}
      </span>
      <NextStep day={day} fileOnly={fileOnly} />
    </span>
  )
}

/** The totals of an account's month over its days. */
export const MonthRow = ({ line, row: { month, name }, active, narrow, currencies }: Props<'month'>) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  const { fillbook, days, daysEqual, daysDiffer, daysUnchecked } = month
  const headline = t('month-headline', { count: days, equal: format.count(daysEqual), differ: t('headline-differ', { count: daysDiffer, shown: format.count(daysDiffer) }), unchecked: format.count(daysUnchecked) })
  return (
    <tr data-line={line} aria-rowindex={line + 3} tabIndex={active ? 0 : -1} className="h-9 bg-raised font-medium -outline-offset-2">
      <Cell>
        {narrow && currencies ? `${format.shortMonth(`${month.month}-01`)} ${month.month.slice(0, 4)}` : format.month(`${month.month}-01`)}
        {currencies && month.currency !== null && <span className="ml-1.5 text-sm font-normal text-faint">{format.currencyName(month.currency)}</span>}
      </Cell>
      <Cell className="truncate">
        <CutName name={name} />
      </Cell>
      {!narrow && <Cell end><Money value={fillbook.grossPnl} signed /></Cell>}
      {!narrow && <Cell end><Money value={fillbook.commission} /></Cell>}
      <Cell end><Money value={fillbook.netPnl} signed /></Cell>
      <Cell colSpan={narrow ? 1 : 3} />
      <Cell end><Difference value={month.difference} checked={daysUnchecked === 0} /></Cell>
      <Cell className={classNames('truncate font-normal', daysEqual === days ? 'text-gain' : daysDiffer > 0 ? 'text-loss' : 'text-muted')}>
        <span title={headline} className="text-sm">{headline}</span>
      </Cell>
    </tr>
  )
}
