import { apiQuery, invalidateRoutes } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { journalRoutes, type BookedPayout } from '#shared/api/journal.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { entryFields } from './entry-fields.ts'
import { useSaveEntry } from './use-entry-calls.ts'

/** Withdrawals that the broker booked and that are no entry yet, each to add as a payout with one click; nothing if there are none. */
export const BookedPayoutsCard = () => {
  const { t } = useTranslation('operational')
  const format = useFormat()
  const words = useProblemText()
  const client = useQueryClient()
  const { data } = useQuery(apiQuery(journalRoutes.bookedPayouts))
  const save = useSaveEntry(null)
  if (data === undefined || data.payouts.length === 0) return null
  const add = ({ account, firm, date, amount, currency }: BookedPayout): void => {
    save.mutate(
      { id: crypto.randomUUID(), entry: entryFields.parse({ type: 'earning', category: 'payout', amount, currency, date, firm, account, name: t('booked.name'), note: '' }) },
      {
        onSuccess: () => invalidateRoutes(client, journalRoutes.bookedPayouts),
        onError: (failure) => { toast({ title: t('booked.failed'), text: words(failure), tone: 'error' }) },
      },
    )
  }
  return (
    <Card title={t('booked.title')} note={t('booked.note')} className="shrink-0 overflow-hidden">
      <ul aria-label={t('booked.title')} className="flex max-h-60 flex-col divide-y divide-hairline overflow-y-auto">
        {data.payouts.map((payout, index) => (
          <li key={`${payout.account} ${payout.date} ${payout.amount} ${String(index)}`} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
            <span className="w-28 text-muted tabular-nums">{format.fullDay(payout.date)}</span>
            <span className="min-w-0 grow break-words">{payout.name} <span className="text-muted">{payout.firm}</span></span>
            <span className="font-medium tabular-nums">{format.fullMoney(payout.amount, payout.currency)}</span>
            <Button variant="outline" size="sm" disabled={save.isPending} aria-label={t('booked.add-of', { amount: format.fullMoney(payout.amount, payout.currency), account: payout.name })} onClick={() => { add(payout) }}>
              <Plus aria-hidden />
              {t('booked.add')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
