import { neverStamped, type Stamp } from '#shared/mirror/stamp.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import { putRate, rateOf } from '../own-data/commissions.ts'
import { dayFields, dayOf, writeDay, type DayField, type DayFields } from '../trades/day-notes.ts'
import { pointValueOf, putPointValue } from '../own-data/point-values.ts'
import { putStop, stopOf } from '../own-data/default-stops.ts'
import type { Merging } from './merge-ground.ts'
import { tellCloud } from './outbox.ts'

/** The later stamp wins; what the rate changes is marked to be derived again. */
export const mergeCommission = ({ writer, userId, at }: Merging, id: string, came: ContentOf<'commission'>): void => {
  const known = rateOf(writer, userId, came)
  const standsHere = known !== null && known.stamp > came.stamp
  tellCloud(writer, { userId, at, entity: 'commission', id, standsHere })
  if (!standsHere) putRate(writer, userId, at, came)
}

/** The later stamp stands; what the worth of a point changes is derived again. */
export const mergePoint = ({ writer, userId, at }: Merging, product: string, came: ContentOf<'point'>): void => {
  const known = pointValueOf(writer, userId, product)
  const standsHere = known !== null && known.stamp > came.stamp
  tellCloud(writer, { userId, at, entity: 'point', id: product, standsHere })
  if (!standsHere) putPointValue(writer, userId, at, product, came)
}

/** The later stamp stands. */
export const mergeStop = ({ writer, userId, at }: Merging, product: string, came: ContentOf<'stop'>): void => {
  const known = stopOf(writer, userId, product)
  const standsHere = known !== null && known.stamp > came.stamp
  tellCloud(writer, { userId, at, entity: 'stop', id: product, standsHere })
  if (!standsHere) putStop(writer, userId, product, came)
}

type Told = Partial<Record<DayField, { readonly value: string; readonly stamp: Stamp }>>

const toldOf = ({ notes, tags }: ContentOf<'day'>): Told => ({
  ...(notes === undefined ? {} : { notes }),
  ...(tags === undefined ? {} : { tags: { stamp: tags.stamp, value: JSON.stringify(tags.value) } }),
})

/** Each field by itself: the later stamp stands. */
export const mergeDay = ({ writer, userId, at }: Merging, tradingDay: string, came: ContentOf<'day'>): void => {
  const { stamps } = dayOf(writer, userId, tradingDay)
  const told = toldOf(came)
  const stands = (field: DayField): boolean => (stamps[field] ?? neverStamped) > (told[field]?.stamp ?? neverStamped) || (stamps[field] !== undefined && told[field] === undefined)
  const taken = dayFields.filter((field) => told[field] !== undefined && !stands(field))
  const values: Partial<DayFields> = Object.fromEntries(taken.map((field) => [field, told[field]?.value]))
  if (taken.length > 0) writeDay(writer, userId, tradingDay, values, Object.fromEntries(taken.map((field) => [field, told[field]?.stamp])))
  tellCloud(writer, { userId, at, entity: 'day', id: tradingDay, standsHere: dayFields.some(stands) })
}
