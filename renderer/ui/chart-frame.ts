import type { AutoscaleInfo, IChartApi } from 'lightweight-charts'

/** Shows a chart's axes, grid and crosshair in these colors, in CSS syntax. */
export const paintFrame = (chart: IChartApi, { accent, faint, hairline }: Readonly<Record<'accent' | 'faint' | 'hairline', string>>): void => {
  const hair = { color: faint, labelBackgroundColor: accent }
  chart.applyOptions({
    layout: { textColor: faint, fontFamily: getComputedStyle(document.body).fontFamily, panes: { enableResize: false, separatorColor: hairline, separatorHoverColor: hairline } },
    grid: { vertLines: { visible: false }, horzLines: { color: hairline } },
    crosshair: { vertLine: hair, horzLine: hair },
  })
}

/** Scales a series so that zero is visible: totals, P&L and positions mean something against zero only. */
export const withZero = (seen: () => AutoscaleInfo | null): AutoscaleInfo | null => {
  const info = seen()
  if (!info?.priceRange) return info
  const { minValue, maxValue } = info.priceRange
  return { ...info, priceRange: { minValue: Math.min(0, minValue), maxValue: Math.max(0, maxValue) } }
}
