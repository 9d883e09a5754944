import { useFormat } from '#renderer/lib/use-format.ts'
import type { TradeChart } from '#shared/api/prices.ts'
import { exactMoney } from '#shared/money/money.ts'
import { formatPrice } from '#shared/money/price.ts'
import { openPnl } from '#shared/prices/position-path.ts'
import { useTranslation } from 'react-i18next'
import { pathOf } from './chart-fills.ts'
import { ChartTable } from './chart-table.tsx'

/** The fills of a trade's chart in words, each with the position and the P&L after it. */
export const FillsTable = ({ id, facts }: { id: string; facts: TradeChart }) => {
  const { t } = useTranslation('trade-chart')
  const format = useFormat()
  const path = pathOf(facts)
  return (
    <ChartTable id={id} caption={t('fills')} head={[t('time'), t('fill'), t('price'), t('position'), t('open-pnl')]} figuresFrom={1}>
      {path.fills.map(({ at, qty, price }, index) => {
        const held = path.after(index + 1)
        return (
          <tr key={index}>
            <td>{format.dateTime(new Date(at / 1000).toISOString())}</td>
            <td className="text-right">{format.signedWhole(qty)}</td>
            <td className="text-right">{format.price(formatPrice(price, facts.tickSize))}</td>
            <td className="text-right">{format.signedWhole(held.qty)}</td>
            <td className="text-right">{format.signedMoney(exactMoney(openPnl(held, price, facts.tickValue)))}</td>
          </tr>
        )
      })}
    </ChartTable>
  )
}
