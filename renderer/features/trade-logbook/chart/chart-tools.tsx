import { Segmented } from '#renderer/ui/segmented.tsx'
import type { TradeChart } from '#shared/api/prices.ts'
import type { CandleSize } from '#shared/prices/candles.ts'
import { useTranslation } from 'react-i18next'
import { sizeNames, sizesOf, tickSizesOf, timeSizesOf } from './chart-window.ts'

/** The choice of a candle's size. */
export const SizeChoice = ({ facts, size, onSize }: { facts: TradeChart; size: CandleSize; onSize: (size: CandleSize) => void }) => {
  const { t } = useTranslation('trade-chart')
  const sizes = sizesOf(facts)
  return <Segmented label={t('size')} value={String(size)} onChange={(value) => { onSize(sizes.find((one) => String(one) === value) ?? size) }} options={sizes.map((one) => ({ value: String(one), label: sizeNames[one] }))} />
}

/** The size that a digit chooses, `1` the finest in time, `0` the next one of tick candles; null for any other key. */
export const sizeByKey = (facts: TradeChart, key: string, now: CandleSize): CandleSize | null => {
  if (/^[1-9]$/.test(key)) return timeSizesOf(facts)[Number(key) - 1] ?? null
  const ticks = tickSizesOf(facts)
  return key === '0' ? (ticks[ticks.findIndex((one) => one === now) + 1] ?? ticks[0] ?? null) : null
}

/** The link that the license of the chart library requires wherever its charts are shown. */
export const ChartBy = () => {
  const { t } = useTranslation('trade-chart')
  return (
    <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" className="text-sm text-faint hover:text-ink">
      {t('by')}
    </a>
  )
}
