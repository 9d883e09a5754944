import { paths } from '#renderer/lib/paths.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { useSetCarry } from '#renderer/lib/use-set-carry.ts'
import { Button } from '#renderer/ui/button.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import type { DayReason, ReconciledDay } from '#shared/api/reconciliation.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

const importable: readonly (DayReason | null)[] = ['no-broker-figures', 'no-fills', 'contradicting-balances', 'other-currency']

/** What can be done so that a day that was not checked will be: bring the broker's files, or carry positions over midnight. Nothing where nothing helps. */
export const NextStep = ({ day, name, fileOnly, roomy = false }: { day: Pick<ReconciledDay, 'account' | 'reason'>; name: string; fileOnly: boolean; roomy?: boolean }) => {
  const { t } = useTranslation('reconciliation')
  const words = useProblemText()
  const { mutate, isPending } = useSetCarry((failure) => { toast({ title: t('carry-failed'), text: words(failure), tone: 'error' }) })
  const looks = roomy ? ({ variant: 'outline', size: 'sm' } as const) : ({ variant: 'link', size: 'sm' } as const)
  if (day.reason === 'crosses-midnight') {
    return (
      <Button {...looks} busy={isPending} title={t('carry-of', { account: name })} onClick={() => { mutate({ accountId: day.account, carry: true }) }}>
        {t('carry')}
      </Button>
    )
  }
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
