import { apiQuery } from '#renderer/lib/api.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { useSetCarry } from '#renderer/lib/use-set-carry.ts'
import { Button } from '#renderer/ui/button.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import type { Trade, Trip } from '#shared/api/records.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

/** Says what every warning of a trade means and what to do; a position over midnight offers to carry positions of its account. */
export const WarningWords = ({ shown }: { shown: Trade | Trip }) => {
  const { t } = useTranslation('trade-logbook')
  return (
    <ul className="flex flex-col gap-2">
      {shown.warnings.map((warning) => (
        <li key={warning}>
          <p className="font-semibold">{t(`warning.${warning}`)}</p>
          <p className="text-muted">{t(`warning-text.${warning}`, { symbol: shown.symbol })}</p>
          {warning === 'crosses-midnight' && <CarryOffer accountId={shown.accountId} account={shown.account} />}
        </li>
      ))}
    </ul>
  )
}

const CarryOffer = ({ accountId, account }: { accountId: string; account: string }) => {
  const { t } = useTranslation('trade-logbook')
  const words = useProblemText()
  const { data } = useQuery(apiQuery(brokerageRoutes.connectedAccounts))
  const { mutate, isPending } = useSetCarry((failure) => { toast({ title: t('carry-failed'), text: words(failure), tone: 'error' }) })
  if (data?.accounts.find((one) => one.id === accountId)?.carry !== false) return null
  return (
    <Button variant="outline" size="sm" className="mt-2" busy={isPending} onClick={() => { mutate({ accountId, carry: true }) }}>
      {t('carry-on', { account })}
    </Button>
  )
}
