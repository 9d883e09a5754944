import type { ListedTrip, Trade } from '#shared/api/records.ts'

/** One row of the logbook: a trade (a FIFO pair, or one entered by hand), or a trip, which shows its pairs below it where it has several. */
export type LogRow = {
  /** Unique in the list. */
  readonly key: string
  /** What both kinds have and the columns show. */
  readonly shown: Trade | ListedTrip
  readonly trade: Trade | null
  readonly trip: ListedTrip | null
  /** 2 for a pair below its trip. */
  readonly level: 1 | 2
  /** True if a change could not be saved and is on this screen only. */
  readonly unsaved: boolean
}

/** The row of a trade, with its changes laid over it. */
export const tradeRow = (trade: Trade, unsaved: boolean, level: 1 | 2 = 1): LogRow => ({ key: `${String(level)} ${trade.id}`, shown: trade, trade, trip: null, level, unsaved })

/** The row of a trip, with the changes of its pairs laid over it. */
export const tripRow = (trip: ListedTrip, unsaved: boolean): LogRow => ({ key: `trip ${trip.id}`, shown: trip, trade: null, trip, level: 1, unsaved })
