import { Segmented } from '#renderer/ui/segmented.tsx'
import type { TradeChart } from '#shared/api/prices.ts'
import type { CandleSize } from '#shared/prices/candles.ts'
import { useTranslation } from 'react-i18next'
import { sizeNames, sizesOf } from './chart-window.ts'

/** The choice of a candle's size. */
export const SizeChoice = ({ chart, size, onSize }: { chart: TradeChart; size: CandleSize; onSize: (size: CandleSize) => void }) => {
  const { t } = useTranslation('trade-chart')
  const sizes = sizesOf(chart)
  return <Segmented label={t('size')} value={String(size)} onChange={(value) => { onSize(Number(value) as CandleSize) }} options={sizes.map((one) => ({ value: String(one), label: sizeNames[one] }))} />
}

/** The size that a digit chooses, `1` the finest; null for any other key. */
export const sizeByKey = (chart: TradeChart, key: string): CandleSize | null => (/^[1-9]$/.test(key) ? (sizesOf(chart)[Number(key) - 1] ?? null) : null)

/** The link that the license of the chart library requires wherever its charts are shown. */
export const ChartBy = () => {
  const { t } = useTranslation('trade-chart')
  return (
    <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" className="text-sm text-faint hover:text-ink">
      {t('by')}
    </a>
  )
}
