import { callApi, type ApiFailure } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { priceRoutes } from '#shared/api/prices.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

type Cost = AnswerOf<typeof priceRoutes.databentoCost>

/** What Databento would charge, before anything is fetched. `others`: there are feeds that cost nothing. */
export const CostDialog = ({ others, onClose, onFetch }: { others: boolean; onClose: () => void; onFetch: (spend: string | null) => void }) => {
  const { t } = useTranslation('prices')
  const words = useProblemText()
  const format = useFormat()
  const { data: cost, error } = useQuery<Cost, ApiFailure>({ queryKey: ['databento-cost'], queryFn: () => callApi(priceRoutes.databentoCost), staleTime: 0, gcTime: 0, retry: false, refetchOnWindowFocus: false })
  const price = (amount: string): string => format.fullMoney(amount, 'USD')
  const isGood = cost !== undefined && cost.failure === null && cost.sessions > 0
  return (
    <Dialog
      open
      width="sm"
      title={t('cost.title')}
      onClose={onClose}
      footer={
        <>
          {others && <Button variant="outline" className="mr-auto" onClick={() => { onFetch(null) }}>{t('cost.without')}</Button>}
          <AskButtons cancel={t('cancel')} onCancel={onClose} confirm={t('cost.fetch')} disabled={!isGood} onClick={() => { if (cost !== undefined) onFetch(cost.amount) }} />
        </>
      }
    >
      {error !== null ? (
        <Notice tone="error">{words(error)}</Notice>
      ) : cost === undefined ? (
        <p role="status" className="flex items-center gap-2 text-muted"><Spinner />{t('cost.asks')}</p>
      ) : cost.failure !== null ? (
        <Notice tone="warn">{t(`failure.${cost.failure}`, { contract: '' })}</Notice>
      ) : cost.of === 0 ? (
        <p>{t('cost.nothing')}</p>
      ) : cost.sessions === 0 ? (
        <Notice tone="warn">{t('cost.too-dear', { limit: price(cost.limit) })}</Notice>
      ) : (
        <>
          <p>{t('cost.charges', { amount: price(cost.amount), count: cost.sessions })}</p>
          {cost.sessions < cost.of && <p className="mt-2 text-muted">{t('cost.newest', { limit: price(cost.limit), total: format.count(cost.of) })}</p>}
        </>
      )}
    </Dialog>
  )
}
