import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { ReconciledFees } from '#shared/api/reconciliation.ts'
import { useTranslation } from 'react-i18next'
import { Difference, Money } from './money.tsx'

/** The fees of a day contract by contract, on the day of their fills. */
export const ProofFees = ({ fees }: { fees: readonly ReconciledFees[] }) => {
  const { t } = useTranslation('reconciliation')
  if (fees.length === 0) return null
  const severalCurrencies = new Set(fees.map(({ currency }) => currency)).size > 1
  return (
    <section aria-label={t('fees-by-contract')}>
      <h3 className="mb-1 font-semibold">{t('fees-by-contract')}</h3>
      <p className="mb-1 text-sm text-muted">{fees.some(({ broker }) => broker !== null) ? t('fees-text') : t('fees-untold')}</p>
      <Table className="max-w-xl [&_td]:h-8 [&_th]:h-8">
        <thead>
          <tr>
            <HeaderCell>{t('contract')}</HeaderCell>
            <HeaderCell end>{t('fillbook')}</HeaderCell>
            <HeaderCell end>{t('broker')}</HeaderCell>
            <HeaderCell end>{t('difference')}</HeaderCell>
          </tr>
        </thead>
        <tbody>
          {fees.map(({ contract, currency, fillbook, broker, difference }) => (
            <tr key={`${contract ?? ''} ${currency ?? ''}`}>
              <Cell>
                {contract ?? <span className="text-faint">{t('no-contract')}</span>}
                {severalCurrencies && <span className="ml-1.5 text-faint">{currency}</span>}
              </Cell>
              <Cell end><Money value={fillbook} /></Cell>
              <Cell end><Money value={broker} /></Cell>
              <Cell end><Difference value={difference} checked /></Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  )
}
