import { sqliteFault } from '../db/sqlite-fault.ts'
import type { Reader } from '../db/database.ts'
import { excursionsOf, extremeTimes, type PricedTrade } from '#shared/prices/excursions.ts'
import { threadBody } from '../threads/thread-body.ts'
import type { ContractFacts } from './fill-prices.ts'
import { readingPrices, writingPrices, type PricePlace } from './price-file.ts'
import { importPriceFile, previewPriceFile, seePriceFile, type PriceFile } from './price-imports.ts'
import { readTape } from './read-tape.ts'
import { priceBytes, priceLimits, removeSeries, setPriceLimits, storedSeries, usualLimits, type PriceLimits, type StoredSeries } from './queries.ts'

/** Files of prices, each with what the journal knows of its contract. `now` is UTC ms. */
export type PriceWork = { readonly place: PricePlace; readonly files: readonly { readonly file: PriceFile; readonly facts: ContractFacts | null }[]; readonly zone: string; readonly now: number }

/** What the thread can be asked. */
export type PriceCalls = typeof calls

const none = 'no-rows'

const calls = {
  preview: ({ place, files, zone, now }: PriceWork) => {
    const look = (reader: Reader | null) => files.map(({ file, facts }) => previewPriceFile(file, seePriceFile(file, now) ?? none, facts, { zone, reader }))
    return readingPrices(place, undefined, look) ?? look(null)
  },
  add: ({ place, files, zone, now }: PriceWork) => writingPrices(place, (writer) => files.map(({ file, facts }) => importPriceFile(writer, file, seePriceFile(file, now) ?? none, facts, { zone, now }))),
  stored: ({ place }: { readonly place: PricePlace }) =>
    readingPrices(place, { series: [] as readonly StoredSeries[], bytes: 0, limits: usualLimits }, (reader) => ({ series: storedSeries(reader), bytes: priceBytes(reader), limits: priceLimits(reader) })),
  excursions: ({ place, contract, tickSize, trade }: { readonly place: PricePlace; readonly contract: string; readonly tickSize: string; readonly trade: PricedTrade }) =>
    readingPrices(place, null, (reader) => {
      const tape = readTape(reader, contract, tickSize)
      const found = excursionsOf(trade, tape)
      const times = found && extremeTimes(trade, tape)
      return found === null || times === null ? null : { found, times }
    }),
  remove: ({ place, series }: { readonly place: PricePlace; readonly series: Pick<StoredSeries, 'contract' | 'source' | 'grain'> }) => writingPrices(place, (writer) => removeSeries(writer, series)),
  limit: ({ place, limits, now }: { readonly place: PricePlace; readonly limits: PriceLimits; readonly now: number }) => writingPrices(place, (writer) => setPriceLimits(writer, limits, now)),
}

threadBody().serve(calls, { faultOf: sqliteFault })
