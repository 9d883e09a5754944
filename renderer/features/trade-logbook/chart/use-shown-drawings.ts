import type { Drawing } from '#shared/api/drawings.ts'
import type { CandleSize } from '#shared/prices/candles.ts'
import { useEffect } from 'react'
import { shapeOf } from './drawn.ts'
import type { PriceChart } from './price-chart.ts'

/** Shows the drawings of a trade in a chart where nothing is drawn. */
export const useShownDrawings = (chart: PriceChart | null, drawings: readonly Drawing[] | undefined, size: CandleSize): void => {
  useEffect(() => { chart?.setDrawings((drawings ?? []).map((one) => shapeOf(one, size)), null) }, [chart, drawings, size])
}
