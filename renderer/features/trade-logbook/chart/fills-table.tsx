import { useFormat } from '#renderer/lib/use-format.ts'
import type { TradeChart } from '#shared/api/prices.ts'
import { exactMoney } from '#shared/money/money.ts'
import { formatPrice } from '#shared/money/price.ts'
import { openPnl } from '#shared/prices/position-path.ts'
import { useTranslation } from 'react-i18next'
import { pathOf } from './chart-fills.ts'

/** What a trade's chart says of its fills, in words: each with the position and the P&L behind it. */
export const FillsTable = ({ id, chart }: { id: string; chart: TradeChart }) => {
  const { t } = useTranslation('trade-chart')
  const format = useFormat()
  const path = pathOf(chart)
  return (
    <table id={id} className="w-full text-sm tabular-nums">
      <caption className="sr-only">{t('fills')}</caption>
      <thead className="text-left text-muted">
        <tr>
          <th scope="col" className="py-1 font-normal">{t('time')}</th>
          <th scope="col" className="py-1 text-right font-normal">{t('fill')}</th>
          <th scope="col" className="py-1 text-right font-normal">{t('price')}</th>
          <th scope="col" className="py-1 text-right font-normal">{t('position')}</th>
          <th scope="col" className="py-1 text-right font-normal">{t('open-pnl')}</th>
        </tr>
      </thead>
      <tbody>
        {path.fills.map(({ at, qty, price }, index) => {
          const held = path.after(index + 1)
          return (
            <tr key={index} className="border-t border-hairline">
              <td className="py-1">{format.dateTime(new Date(at / 1000).toISOString())}</td>
              <td className="py-1 text-right">{format.signedWhole(qty)}</td>
              <td className="py-1 text-right">{format.price(formatPrice(price, chart.tickSize))}</td>
              <td className="py-1 text-right">{format.signedWhole(held.qty)}</td>
              <td className="py-1 text-right">{format.signedMoney(exactMoney(openPnl(held, price, chart.tickValue)))}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
