import { callApi } from '#renderer/lib/api.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { demoMarketRoutes, demoProducts, type DemoOrder } from '#shared/api/demo-market.ts'
import { useMutation } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureToast } from './use-copier-acts.ts'

/** Trades as the leader on the demo brokerage, which has no trading platform of its own. */
export const DemoMarket = ({ leader }: { leader: string }) => {
  const { t } = useTranslation('trade-copier')
  const [product, setProduct] = useState<DemoOrder['product']>(demoProducts[0])
  const toastFailure = useFailureToast()
  const { mutate, isPending } = useMutation({
    mutationFn: (side: DemoOrder['side']) => callApi(demoMarketRoutes.demoTrade, { body: { account: leader, product, side, qty: 1 } }),
    onSuccess: ({ refused }) => { if (refused !== null) toast({ title: t('not-done'), text: t('demo-market.refused', { text: refused }), tone: 'error' }) },
    onError: toastFailure,
  })
  return (
    <div role="group" aria-label={t('demo-market.title')} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-hairline px-4 py-2">
      <span className="flex items-center gap-2 text-sm text-muted">
        <FlaskConical aria-hidden className="size-4 text-faint" />
        {t('demo-market.text')}
      </span>
      <span className="flex items-center gap-2">
        <Select value={product} onChange={setProduct} options={demoProducts.map((each) => ({ value: each, label: each }))} aria-label={t('demo-market.product')} />
        {(['buy', 'sell'] as const).map((side) => (
          <Button key={side} variant="outline" size="sm" aria-disabled={isPending} onClick={() => { if (!isPending) mutate(side) }}>
            {t(`demo-market.${side}`, { product })}
          </Button>
        ))}
      </span>
    </div>
  )
}
