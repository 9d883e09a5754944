import { useFormat } from '#renderer/lib/use-format.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { ReconciledDay } from '#shared/api/reconciliation.ts'
import { useTranslation } from 'react-i18next'
import { Difference, Money } from './money.tsx'
import { NextStep } from './next-step.tsx'
import { StateMark } from './state-mark.tsx'

type FiguresProps = { readonly day: ReconciledDay; readonly fileOnly: boolean; readonly severalCurrencies: boolean; readonly isExplained: boolean }

/** A day's gross, fees and net on either side in one currency, and what they say: equal, different, or why it was not checked and what to do. */
export const DayFigures = ({ day, fileOnly, severalCurrencies, isExplained }: FiguresProps) => {
  const { t } = useTranslation('reconciliation')
  const { fillbook, broker } = day
  const between = (own: string, told: string | null): string | null => (day.reason === null ? centsBetween(own, told) : null)
  return (
    <section aria-label={severalCurrencies && day.currency !== null ? t('figures-in', { currency: day.currency }) : t('figures')} className="flex flex-col gap-2.5">
      {day.reason === null ? (
        <p className="flex flex-wrap items-center gap-2">
          <StateMark state={day.state} />
          <Verdict day={day} isExplained={isExplained} />
        </p>
      ) : (
        <Notice
          tone="warn"
          action={
            <span className="flex gap-2">
              <NextStep day={day} fileOnly={fileOnly} roomy />
            </span>
          }
        >
          {t(`why.${day.reason}`)}
        </Notice>
      )}
      {day.removed > 0 && <Notice>{t('removed-pairs', { count: day.removed })}</Notice>}
      {day.entered > 0 && <Notice>{t('entered-pairs', { count: day.entered })}</Notice>}
      <Table className="max-w-xl [&_td]:h-8 [&_th]:h-8">
        <thead>
          <tr>
            <td className="border-b border-hairline px-4 text-sm text-faint">{day.currency}</td>
            <HeaderCell end>{t('fillbook')}</HeaderCell>
            <HeaderCell end>{t('broker')}</HeaderCell>
            <HeaderCell end>{t('difference')}</HeaderCell>
          </tr>
        </thead>
        <tbody>
          <FigureRow name={t('gross')} own={fillbook.grossPnl} told={broker.grossPnl} difference={between(fillbook.grossPnl, broker.grossPnl)} signed />
          <FigureRow name={t('fees')} own={fillbook.commission} told={broker.commission} difference={between(fillbook.commission, broker.commission)} />
          <FigureRow name={t('net')} own={fillbook.netPnl} told={broker.netPnl} difference={day.difference} signed />
        </tbody>
      </Table>
    </section>
  )
}

const Verdict = ({ day, isExplained }: { day: ReconciledDay; isExplained: boolean }) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  if (day.state === 'equal') return <span>{t(day.broker.netFrom === 'cash' ? 'equal-to-cash' : 'equal-to-balance')}</span>
  const amount = format.signedMoney(day.difference ?? 0)
  return (
    <span>
      {Number(day.difference) === 0 ? t('differs-inside') : t('differs-by', { amount })} {t(isExplained ? 'explained' : 'unexplained')}
    </span>
  )
}

const FigureRow = ({ name, own, told, difference, signed = false }: { name: string; own: string; told: string | null; difference: string | null; signed?: boolean }) => (
  <tr>
    <th scope="row" className="border-b border-hairline px-4 text-left font-normal text-muted in-[tr:last-child]:border-0">
      {name}
    </th>
    <Cell end><Money value={own} signed={signed} /></Cell>
    <Cell end><Money value={told} signed={signed} /></Cell>
    <Cell end><Difference value={difference} /></Cell>
  </tr>
)

const centsBetween = (own: string, told: string | null): string | null => {
  if (told === null) return null
  const cents = (text: string): bigint => BigInt(text.replace('.', ''))
  const between = cents(own) - cents(told)
  const digits = String(between < 0n ? -between : between).padStart(3, '0')
  return `${between < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
