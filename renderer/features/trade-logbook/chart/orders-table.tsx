import { useFormat } from '#renderer/lib/use-format.ts'
import type { TradeChart } from '#shared/api/prices.ts'
import type { Ticks } from '#shared/money/price.ts'
import { formatPrice } from '#shared/money/price.ts'
import { useTranslation } from 'react-i18next'

/** What a trade's chart shows of its stop and limit orders, in words: each price with its time; nothing where none are known. */
export const OrdersTable = ({ chart }: { chart: TradeChart }) => {
  const { t } = useTranslation('trade-chart')
  const format = useFormat()
  if (chart.orders.length === 0) return null
  const iso = (ms: number): string => new Date(ms).toISOString()
  return (
    <table className="mt-3 w-full text-sm tabular-nums">
      <caption className="sr-only">{t('orders')}</caption>
      <thead className="text-left text-muted">
        <tr>
          <th scope="col" className="py-1 font-normal">{t('order')}</th>
          <th scope="col" className="py-1 font-normal">{t('worked')}</th>
          <th scope="col" className="py-1 text-right font-normal">{t('contracts')}</th>
          <th scope="col" className="py-1 text-right font-normal">{t('price')}</th>
        </tr>
      </thead>
      <tbody>
        {chart.orders.flatMap(({ side, kind, steps, until }, order) =>
          steps.map(({ at, price, qty }, index) => (
            <tr key={`${String(order)}/${String(index)}`} className="border-t border-hairline">
              <td className="py-1">{t(`order-kind.${side}-${kind}`)}</td>
              <td className="py-1">{format.dateTime(iso(at))} – {format.clock(iso(steps[index + 1]?.at ?? until))}</td>
              <td className="py-1 text-right">{format.count(qty)}</td>
              <td className="py-1 text-right">{format.price(formatPrice(price as Ticks, chart.tickSize))}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  )
}
