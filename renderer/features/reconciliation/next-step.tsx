import { paths } from '#renderer/lib/paths.ts'
import { Button } from '#renderer/ui/button.tsx'
import type { DayReason, ReconciledDay } from '#shared/api/reconciliation.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

const importable: readonly (DayReason | null)[] = ['incomplete', 'row-refused', 'contradicting-rows', 'fees-uncertain', 'fees-uneven', 'broken-chain', 'unexplained-balance', 'ambiguous-order', 'approximate', 'no-broker-figures', 'cash-cut-off', 'no-fills', 'contradicting-balances', 'other-currency']

/** How to make an unchecked day checkable: import the broker's files or fetch its history. Nothing if neither helps. */
export const NextStep = ({ day, fileOnly, roomy = false }: { day: Pick<ReconciledDay, 'reason'>; fileOnly: boolean; roomy?: boolean }) => {
  const { t } = useTranslation('reconciliation')
  const looks = { variant: roomy ? 'outline' : 'link', size: 'sm' } as const
  if (!importable.includes(day.reason)) return null
  return (
    <>
      <Button asChild {...looks}>
        <Link to={paths.import}>{t('import')}</Link>
      </Button>
      {roomy && !fileOnly && (
        <Button asChild {...looks}>
          <Link to={paths.autoSync}>{t('history')}</Link>
        </Button>
      )}
    </>
  )
}
