import { candleAt, isTickSize, type CandleSize } from '#shared/prices/candles.ts'

/** The UTC seconds of the candle that contains a moment in UTC ms. For tick candles the moment itself: only the chart knows their candles. */
export const candleOf = (at: number, size: CandleSize): number => (isTickSize(size) ? at / 1000 : candleAt(at * 1000, size).from / 1_000_000)
