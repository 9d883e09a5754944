import { useFormat } from '#renderer/lib/use-format.ts'
import { Segmented } from '#renderer/ui/segmented.tsx'
import type { TradeExcursions } from '#shared/api/prices.ts'
import { latestExits } from '#shared/prices/latest-exits.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBoundsText } from './bounds-text.ts'
import { Fact } from './source-facts.tsx'

/** What leaving a trade later, at the best price of the next minutes, would have brought beyond its exit. */
export const BestExit = ({ found: { bestExits, currency } }: { found: TradeExcursions }) => {
  const { t } = useTranslation('trade-chart')
  const format = useFormat()
  const said = useBoundsText()
  const [minutes, setMinutes] = useState<number>(latestExits[1])
  const best = bestExits.find((one) => one.minutes === minutes)
  const { least, most } = best?.ticks ?? { least: null, most: null }
  const ticks = { least: least === null ? null : String(least), most: most === null ? null : String(most) }
  return (
    <Fact name={t('excursion.best-exit')}>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{best === undefined ? t('trade-logbook:excursion.unknown') : said(best.amount, (value) => format.fullMoney(value, currency))}</span>
        {best !== undefined && <span className="text-muted">{t('excursion.ticks', { ticks: said(ticks, (value) => format.count(Number(value))) })}</span>}
        <Segmented label={t('excursion.best-exit-within')} value={String(minutes)} onChange={(value) => { setMinutes(Number(value)) }} options={latestExits.map((one) => ({ value: String(one), label: t('excursion.minutes', { minutes: format.count(one) }) }))} />
      </span>
    </Fact>
  )
}
