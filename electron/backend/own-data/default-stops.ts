import type { OwnDefaultStop } from '#shared/api/own-data.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { noteChange } from '../mirror/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import type { At, OfUser } from '../db/rows.ts'

type StopRow = { product: string; distance: string | null; unit: OwnDefaultStop['unit']; stamp: Stamp }

/** What is kept of a product's stop, taken back or not; null where nothing ever was said. */
export const stopOf = (reader: Reader, userId: string, product: string): ContentOf<'stop'> | null => {
  const row = query<StopRow>(reader, 'SELECT * FROM default_stops WHERE user_id = ? AND product = ?').get(userId, product)
  return row === undefined ? null : { distance: row.distance, unit: row.unit, stamp: row.stamp }
}

/** Writes a product's stop. */
export const putStop = (writer: Writer, userId: string, product: string, { distance, unit, stamp }: ContentOf<'stop'>): void => {
  change(writer, 'INSERT OR REPLACE INTO default_stops (user_id, product, distance, unit, stamp) VALUES (?, ?, ?, ?, ?)').run(userId, product, distance, unit, stamp)
}

export const defaultStops = (reader: Reader, { userId }: OfUser): OwnDefaultStop[] =>
  query<StopRow & { distance: string }>(reader, 'SELECT * FROM default_stops WHERE user_id = ? AND distance IS NOT NULL ORDER BY product')
    .all(userId)
    .map(({ product, distance, unit }) => ({ product, distance, unit }))

/** All of these or none; null takes a product's stop back. */
export const setDefaultStops = (writer: Writer, { userId, at, stops }: OfUser & At & { readonly stops: readonly (Omit<OwnDefaultStop, 'distance'> & { readonly distance: string | null })[] }): void => {
  for (const { product, distance, unit } of stops) {
    const known = stopOf(writer, userId, product)
    // Said again is not changed; and what is taken back has no unit.
    if ((known?.distance ?? null) === distance && (distance === null || known?.unit === unit)) continue
    putStop(writer, userId, product, { distance, unit, stamp: mintStamp(writer, at) })
    noteChange(writer, userId, at, 'stop', product)
  }
}
