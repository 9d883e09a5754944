import { apiQuery } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { journalRoutes } from '#shared/api/journal.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { EntryToOpen } from './entry-dialog.tsx'

/** Withdrawals that the broker booked and that are no entry yet, each to enter as a payout; nothing if there are none. */
export const BookedPayoutsCard = ({ onAdd }: { onAdd: (asked: EntryToOpen) => void }) => {
  const { t } = useTranslation('operational')
  const format = useFormat()
  const { data } = useQuery(apiQuery(journalRoutes.bookedPayouts))
  if (data === undefined || data.payouts.length === 0) return null
  return (
    <Card title={t('booked.title')} note={t('booked.note')} className="shrink-0 overflow-hidden">
      {/* Takes the focus of an entered withdrawal, whose line is gone. */}
      <ul tabIndex={-1} aria-label={t('booked.title')} className="flex max-h-60 flex-col divide-y divide-hairline overflow-y-auto">
        {data.payouts.map((payout, index) => (
          <li key={`${payout.account} ${payout.date} ${payout.amount} ${String(index)}`} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
            <span className="w-28 text-muted tabular-nums">{format.fullDay(payout.date)}</span>
            <span className="min-w-0 grow break-words">{payout.name} <span className="text-muted">{payout.firm}</span></span>
            <span className="font-medium tabular-nums">{format.fullMoney(payout.amount, payout.currency)}</span>
            <Button variant="outline" size="sm" aria-label={t('booked.add-of', { amount: format.fullMoney(payout.amount, payout.currency), account: payout.name })} onClick={() => { onAdd({ payout }) }}>
              <Plus aria-hidden />
              {t('booked.add')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
