import { useFormat } from '#renderer/lib/use-format.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Cell, RowHeaderCell, Table } from '#renderer/ui/table.tsx'
import type { ReconciledCash, ReconciledMovement } from '#shared/api/reconciliation.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addCents, centsBetween } from './cents.ts'
import { Money } from './money.tsx'

/** A day's cash in one currency: the balance at the start, every row of the broker's cash by name, and the balance at the end. Nothing if the Cash History does not have the day. */
export const ProofCash = ({ cash: { currency, balance, movements, broken }, severalCurrencies }: { cash: ReconciledCash; severalCurrencies: boolean }) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  if (balance === null) return null
  const name = severalCurrencies && currency !== null ? t('cash-in', { currency: format.currencyName(currency) }) : t('cash')
  const missing = centsBetween(balance.end, movements.reduce((sum, { amount }) => addCents(sum, amount), balance.start))
  return (
    <section aria-label={name} className="flex flex-col gap-1">
      <h3 className="font-semibold">{name}</h3>
      <p className="text-sm text-muted">{t('cash-text')}</p>
      {broken !== null && (
        <Notice tone="warn">
          {t('break', { row: broken.transactionId, time: format.dateTime(broken.time), found: format.money(broken.found), after: broken.after, expected: format.money(broken.expected) })}
        </Notice>
      )}
      <Table className="max-w-xl [&_td]:h-8 [&_th]:h-8">
        <tbody>
          <Line name={t('balance-start')} amount={balance.start} />
          {movements.map((movement) => <Movement key={`${movement.of} ${movement.name ?? ''}`} movement={movement} />)}
          {Number(missing) !== 0 && <Line name={<span className="font-medium text-loss">{t('rows-missing')}</span>} amount={missing} signed />}
          <Line name={t('balance-end')} amount={balance.end} />
        </tbody>
      </Table>
    </section>
  )
}

const Movement = ({ movement: { of, name, amount, rows } }: { movement: ReconciledMovement }) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  return (
    <Line
      name={
        <span className="flex items-center gap-2">
          {name ?? t(`movement.${of}`)}
          <span className="text-sm text-faint">{t('rows', { count: rows, shown: format.count(rows) })}</span>
          {of === 'other' && <Badge tone="warn">{t('other-type')}</Badge>}
          {of === 'transfer' && <Badge tone="quiet">{t('transfer-type')}</Badge>}
        </span>
      }
      amount={amount}
      signed
    />
  )
}

const Line = ({ name, amount, signed = false }: { name: ReactNode; amount: string; signed?: boolean }) => (
  <tr>
    <RowHeaderCell>{name}</RowHeaderCell>
    <Cell end><Money value={amount} signed={signed} /></Cell>
  </tr>
)
