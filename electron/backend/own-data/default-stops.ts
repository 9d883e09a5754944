import { and, eq } from 'drizzle-orm'
import type { OwnDefaultStop } from '#shared/api/own-data.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import type { Reader, Writer } from '../db/database.ts'
import { defaultStops as table } from '../db/schema/own-data.ts'
import { queueChange } from '../db/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import type { At, OfUser } from '../db/rows.ts'

/** A product's stored stop, removed or not; null if none was ever set. */
export const stopOf = ({ orm }: Reader, userId: string, product: string): ContentOf<'stop'> | null =>
  orm.select({ distance: table.distance, unit: table.unit, stamp: table.stamp }).from(table).where(and(eq(table.userId, userId), eq(table.product, product))).get() ?? null

/** Saves a product's stop. */
export const upsertStop = ({ orm }: Writer, userId: string, product: string, { distance, unit, stamp }: ContentOf<'stop'>): void => {
  const row = { distance, unit, stamp }
  orm.insert(table).values({ userId, product, ...row }).onConflictDoUpdate({ target: [table.userId, table.product], set: row }).run()
}

export const defaultStops = ({ orm }: Reader, { userId }: OfUser): OwnDefaultStop[] =>
  orm.select().from(table).where(eq(table.userId, userId)).orderBy(table.product).all().flatMap(({ product, distance, unit }) => (distance === null ? [] : [{ product, distance, unit }]))

/** All or nothing; null removes a product's stop. */
export const setDefaultStops = (writer: Writer, { userId, at, stops }: OfUser & At & { readonly stops: readonly (Omit<OwnDefaultStop, 'distance'> & { readonly distance: string | null })[] }): void => {
  for (const { product, distance, unit } of stops) {
    const known = stopOf(writer, userId, product)
    // Saving the same value changes nothing; and a removed stop has no unit.
    if ((known?.distance ?? null) === distance && (distance === null || known?.unit === unit)) continue
    upsertStop(writer, userId, product, { distance, unit, stamp: mintStamp(writer, at) })
    queueChange(writer, userId, at, 'stop', product)
  }
}
