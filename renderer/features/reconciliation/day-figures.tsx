import { useFormat } from '#renderer/lib/use-format.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { Cell, HeaderCell, RowHeaderCell, Table } from '#renderer/ui/table.tsx'
import type { ReconciledCash, ReconciledDay } from '#shared/api/reconciliation.ts'
import { useTranslation } from 'react-i18next'
import { centsBetween, isPartOfCent } from './cents.ts'
import { Difference, Money } from './money.tsx'
import { NextStep } from './next-step.tsx'
import { StateMark } from './state-mark.tsx'

type FiguresProps = {
  readonly day: ReconciledDay
  readonly cash: ReconciledCash | null
  readonly fileOnly: boolean
  readonly statedBy: string | null
  readonly severalCurrencies: boolean
  readonly isExplained: boolean
}

/** A day's gross, fees, other cash and net on both sides in one currency, and the result: equal, different, or why it cannot be checked and what to do. */
export const DayFigures = ({ day, cash, fileOnly, statedBy, severalCurrencies, isExplained }: FiguresProps) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  const { fillbook, broker, openings } = day
  const terms = cash?.terms ?? []
  const between = (own: string, stated: string | null): string | null => {
    const left = stated === null ? null : centsBetween(own, stated)
    return left !== null && isPartOfCent(left) ? '0.00' : left
  }
  const feesToClosings = broker.commission === null || openings === null ? broker.commission : centsBetween(broker.commission, openings)
  const hasPartLeft = broker.netPnl !== null && isPartOfCent(centsBetween(centsBetween(fillbook.netPnl, broker.netPnl), openings ?? '0.00'))
  const checked = day.state !== 'unchecked'
  const fee = terms.find(({ of }) => of === 'fees')?.name ?? null
  return (
    <section aria-label={severalCurrencies && day.currency !== null ? t('figures-in', { currency: format.currencyName(day.currency) }) : t('figures')} className="flex flex-col gap-2.5">
      {day.reason === null ? (
        <p className="flex flex-wrap items-center gap-2">
          <StateMark state={day.state} />
          <Verdict day={day} statedBy={statedBy} isExplained={isExplained} />
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
          {day.reason === 'no-broker-figures' && statedBy !== null ? t('no-figures-of', { broker: statedBy }) : t(`why.${day.reason}`, { amount: format.signedMoney(cash?.unexplained ?? 0) })}
          {day.difference !== null && ` ${t('known-difference', { amount: format.signedMoney(day.difference) })}`}
          {openings !== null && ` ${t('but-openings', { amount: format.signedMoney(openings) })}`}
        </Notice>
      )}
      {hasPartLeft && <p className="text-muted">{t('part-of-cent')}</p>}
      {day.removed > 0 && <Notice>{t('removed-pairs', { count: day.removed })}</Notice>}
      {day.entered > 0 && <Notice>{t('entered-trades', { count: day.entered })}</Notice>}
      <Table className="max-w-xl [&_td]:h-8 [&_th]:h-8">
        <thead>
          <tr>
            <td className="border-b border-hairline px-4 text-sm text-faint">{day.currency !== null && format.currencyName(day.currency)}</td>
            <HeaderCell end>{t('fillbook')}</HeaderCell>
            <HeaderCell end>{statedBy ?? t('broker')}</HeaderCell>
            <HeaderCell end>{t('difference')}</HeaderCell>
          </tr>
        </thead>
        <tbody>
          <FigureRow name={t('gross')} own={fillbook.grossPnl} stated={broker.grossPnl} difference={between(fillbook.grossPnl, broker.grossPnl)} checked={checked} signed />
          <FigureRow name={fee === null ? t('fees') : t('fees-with', { fee })} own={fillbook.commission} stated={broker.commission} difference={between(fillbook.commission, feesToClosings)} checked={checked} />
          {terms.map(({ of, name, amount }) => of === 'other' && <FigureRow key={name ?? ''} name={name ?? t('movement.other')} own={null} stated={centsBetween('0.00', amount)} difference={amount} checked={checked} signed />)}
          {openings !== null && <OpeningsRow amount={openings} />}
          <FigureRow name={t('net')} own={fillbook.netPnl} stated={broker.netPnl} difference={day.difference} checked={checked} signed />
        </tbody>
      </Table>
    </section>
  )
}

const Verdict = ({ day, statedBy, isExplained }: Pick<FiguresProps, 'day' | 'statedBy' | 'isExplained'>) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  const { openings } = day
  if (day.state === 'equal' && openings !== null) return <span>{t('equal-but-openings', { amount: format.signedMoney(openings) })}</span>
  if (day.state === 'equal') return <span>{t(`equal-to-${day.broker.netFrom ?? 'balance'}`, { broker: statedBy })}</span>
  const amount = format.signedMoney(day.difference ?? 0)
  return (
    <span>
      {Number(day.difference) === 0 ? t('differs-inside') : t('differs-by', { amount })} {t(isExplained ? 'explained' : 'unexplained')}
      {openings !== null && ` ${t('but-openings', { amount: format.signedMoney(openings) })}`}
    </span>
  )
}

/** What makes the nets differ without being a difference. */
const OpeningsRow = ({ amount }: { amount: string }) => {
  const { t } = useTranslation('reconciliation')
  return (
    <tr>
      <RowHeaderCell colSpan={3}>{t('openings')}</RowHeaderCell>
      <Cell end><Money value={amount} signed /></Cell>
    </tr>
  )
}

type FigureProps = { readonly name: string; readonly own: string | null; readonly stated: string | null; readonly difference: string | null; readonly checked: boolean; readonly signed?: boolean }

const FigureRow = ({ name, own, stated, difference, checked, signed = false }: FigureProps) => (
  <tr>
    <RowHeaderCell>{name}</RowHeaderCell>
    <Cell end><Money value={own} signed={signed} /></Cell>
    <Cell end><Money value={stated} signed={signed} /></Cell>
    <Cell end><Difference value={difference} checked={checked} /></Cell>
  </tr>
)
