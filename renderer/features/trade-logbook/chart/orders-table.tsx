import { useFormat } from '#renderer/lib/use-format.ts'
import type { TradeChart } from '#shared/api/prices.ts'
import type { Ticks } from '#shared/money/price.ts'
import { formatPrice } from '#shared/money/price.ts'
import { useTranslation } from 'react-i18next'
import { ChartTable } from './chart-table.tsx'

/** The stop and limit orders of a trade's chart in words: each price with its time; nothing if none are known. */
export const OrdersTable = ({ facts }: { facts: TradeChart }) => {
  const { t } = useTranslation('trade-chart')
  const format = useFormat()
  if (facts.orders.length === 0) return null
  const iso = (ms: number): string => new Date(ms).toISOString()
  return (
    <ChartTable caption={t('orders')} head={[t('order'), t('worked'), t('contracts'), t('price')]} figuresFrom={2} className="mt-3">
      {facts.orders.flatMap(({ side, kind, steps, until }, order) =>
        steps.map(({ at, price, qty }, index) => (
          <tr key={`${String(order)}/${String(index)}`}>
            <td>{t(`order-kind.${side}-${kind}`)}</td>
            <td>{format.dateTime(iso(at))} – {format.clock(iso(steps[index + 1]?.at ?? until))}</td>
            <td className="text-right">{format.count(qty)}</td>
            <td className="text-right">{format.price(formatPrice(price as Ticks, facts.tickSize))}</td>
          </tr>
        )),
      )}
    </ChartTable>
  )
}
