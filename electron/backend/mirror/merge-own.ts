import { neverStamped, type Stamp } from '#shared/mirror/stamp.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import { putRate, rateOf } from '../own-data/commissions.ts'
import { dayFields, dayOf, writeDay, type DayField, type DayFields } from '../trades/day-notes.ts'
import { pointValueOf, putPointValue } from '../own-data/point-values.ts'
import { putStop, stopOf } from '../own-data/default-stops.ts'
import type { Merging } from './merge-ground.ts'
import { queueForCloud } from './outbox.ts'

/** The later stamp wins; marks what the rate changes to be derived again. */
export const mergeCommission = ({ writer, userId, at }: Merging, id: string, came: ContentOf<'commission'>): void => {
  const known = rateOf(writer, userId, came)
  const localWins = known !== null && known.stamp > came.stamp
  queueForCloud(writer, { userId, at, entity: 'commission', id, localWins })
  if (!localWins) putRate(writer, userId, at, came)
}

/** The later stamp wins; derives the affected trades again. */
export const mergePoint = ({ writer, userId, at }: Merging, product: string, came: ContentOf<'point'>): void => {
  const known = pointValueOf(writer, userId, product)
  const localWins = known !== null && known.stamp > came.stamp
  queueForCloud(writer, { userId, at, entity: 'point', id: product, localWins })
  if (!localWins) putPointValue(writer, userId, at, product, came)
}

/** The later stamp wins. */
export const mergeStop = ({ writer, userId, at }: Merging, product: string, came: ContentOf<'stop'>): void => {
  const known = stopOf(writer, userId, product)
  const localWins = known !== null && known.stamp > came.stamp
  queueForCloud(writer, { userId, at, entity: 'stop', id: product, localWins })
  if (!localWins) putStop(writer, userId, product, came)
}

type IncomingDay = Partial<Record<DayField, { readonly value: string; readonly stamp: Stamp }>>

const incomingOf = ({ notes, tags }: ContentOf<'day'>): IncomingDay => ({
  ...(notes === undefined ? {} : { notes }),
  ...(tags === undefined ? {} : { tags: { stamp: tags.stamp, value: JSON.stringify(tags.value) } }),
})

/** Field by field: the later stamp wins. */
export const mergeDay = ({ writer, userId, at }: Merging, tradingDay: string, came: ContentOf<'day'>): void => {
  const { stamps } = dayOf(writer, userId, tradingDay)
  const incoming = incomingOf(came)
  const isKept = (field: DayField): boolean => (stamps[field] ?? neverStamped) > (incoming[field]?.stamp ?? neverStamped) || (stamps[field] !== undefined && incoming[field] === undefined)
  const taken = dayFields.filter((field) => incoming[field] !== undefined && !isKept(field))
  const values: Partial<DayFields> = Object.fromEntries(taken.map((field) => [field, incoming[field]?.value]))
  if (taken.length > 0) writeDay(writer, userId, tradingDay, values, Object.fromEntries(taken.map((field) => [field, incoming[field]?.stamp])))
  queueForCloud(writer, { userId, at, entity: 'day', id: tradingDay, localWins: dayFields.some(isKept) })
}
