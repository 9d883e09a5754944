import { candleAt, isTickSize, type CandleSize } from '#shared/prices/candles.ts'

/** The candle, by its UTC seconds, of a moment in UTC ms. Of tick candles it is the moment itself: only the chart knows which candle that is in. */
export const candleOf = (at: number, size: CandleSize): number => (isTickSize(size) ? at / 1000 : candleAt(at * 1000, size).from / 1_000_000)
