import { isDeepStrictEqual } from 'node:util'
import { and, eq } from 'drizzle-orm'
import type { ContentOf } from '#shared/mirror/record.ts'
import { neverStamped, type Stamp } from '#shared/mirror/stamp.ts'
import { amountOf, type Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { alignFinance } from '../finances/account-finance.ts'
import { deriveTripsOf } from '../fills/derive-again.ts'
import { takeRemoved } from '../fills/gone-fills.ts'
import { keepRemoval, removalOf } from '../fills/removed-fills.ts'
import type { Taking } from '../db/barrier.ts'
import { settleNotesOf } from '../trades/settle-notes.ts'
import { editFields, editOf, writeEdit, type EditField, type EditFields } from '../trades/edits.ts'
import type { Merging } from './merge-ground.ts'
import { pairContents } from './mirror-content.ts'
import { isWaiting, noteChange, tellCloud } from './outbox.ts'
import { finances, trades } from '../db/schema/journal.ts'
import { pictures } from '../db/schema/mirror.ts'
import { repricing } from '../fills/stale-batches.ts'

/** The later stamp stands; fills that are now known as removed go. */
export const mergeRemovals = (taking: Taking, { writer, userId, at }: Merging, came: readonly { readonly id: string; readonly content: ContentOf<'removal'> }[]): void => {
  const gone: string[] = []
  for (const { id: name, content } of came) {
    const known = removalOf(writer, userId, name)
    const standsHere = known !== null && known.stamp > content.stamp
    tellCloud(writer, { userId, at, entity: 'removal', id: name, standsHere })
    if (standsHere) continue
    keepRemoval(writer, userId, name, content)
    if (content.removed && known?.removed !== true) gone.push(name)
  }
  if (gone.length > 0) takeRemoved(taking, { userId, at, names: gone })
}

/** Removals that stand against the cloud: all of them where two histories are compared, else those of which nobody was told yet. */
export type StandingRemovals = 'all' | 'untold'

/** Whether what the cloud says of a fill is contradicted by what is known here of its removal; that is then told. */
export const isRefused = ({ writer, userId, at }: Merging, { id: name, content }: { readonly id: string; readonly content: ContentOf<'fill'> }, standing: StandingRemovals): boolean => {
  const known = removalOf(writer, userId, name)
  if (known?.removed !== (content !== null)) return false
  if (standing === 'untold' && !isWaiting(writer, userId, 'removal', name)) return false
  // A fill that goes is told before its removal, one that stands behind it.
  for (const entity of known.removed ? (['fill', 'removal'] as const) : (['removal', 'fill'] as const)) noteChange(writer, userId, at, entity, name)
  return true
}

/** The later stamp wins; of an account's finance the name, the balance and the tombstone are the account's. What its firm's rates change is marked to be derived again. */
export const mergeFinance = ({ writer, userId, at }: Merging, id: string, came: ContentOf<'finance'>): void => {
  const known = writer.orm.select({ stamp: finances.stamp, firm: finances.firm }).from(finances).where(and(eq(finances.userId, userId), eq(finances.id, id))).get()
  const standsHere = known !== undefined && known.stamp > came.stamp
  tellCloud(writer, { userId, at, entity: 'finance', id, standsHere })
  if (standsHere) return
  const row = { ...came, amount: amountOf(came.amount), balance: amountOf(came.balance), currency: came.currency as Currency }
  const put = () => writer.orm.insert(finances).values({ userId, id, ...row }).onConflictDoUpdate({ target: [finances.userId, finances.id], set: row }).run()
  if ((known?.firm ?? null) === came.firm) put()
  else repricing(writer, userId, at, put)
  alignFinance(writer, userId, id)
}

/** A picture's name tells its content: known is known. */
export const mergePicture = ({ writer, userId, at }: Merging, name: string, came: ContentOf<'picture'>): void => {
  writer.orm.insert(pictures).values({ userId, name, ...came }).onConflictDoNothing().run()
  tellCloud(writer, { userId, at, entity: 'picture', id: name, standsHere: false })
}

/** The later stamp stands. A trade of the broker never gives way to one that was entered. */
export const mergeTrade = ({ writer, userId, at }: Merging, id: string, came: ContentOf<'trade'>): void => {
  const known = writer.orm.select({ stamp: trades.stamp, origin: trades.origin }).from(trades).where(and(eq(trades.userId, userId), eq(trades.id, id))).get()
  if (known?.origin === 'synced') return
  const standsHere = known !== undefined && (known.stamp ?? '') > came.stamp
  tellCloud(writer, { userId, at, entity: 'trade', id, standsHere })
  if (standsHere) return
  const { gross, commission, net, entryPrice, exitPrice, currency, warnings, ...rest } = came
  const money = { gross: amountOf(gross), commission: amountOf(commission), net: amountOf(net), currency: currency as Currency }
  const row = { ...rest, ...money, entryPrice: entryPrice as Ticks, exitPrice: exitPrice as Ticks, origin: 'manual' as const, warnings: JSON.stringify(warnings) }
  writer.orm.insert(trades).values({ userId, id, ...row }).onConflictDoUpdate({ target: [trades.userId, trades.id], set: row }).run()
  // What was written on it may have come before it.
  settleNotesOf(writer, userId, id)
}

type ToldField = { readonly value: string | number | null; readonly stamp: Stamp }

const toldFields = (came: ContentOf<'edit'>): Partial<Record<EditField, ToldField | undefined>> => {
  const { tags, place, ...others } = came
  const asText = <V>(field: { readonly value: V; readonly stamp: Stamp }): ToldField => ({ value: JSON.stringify(field.value), stamp: field.stamp })
  return { ...others, ...(tags === undefined ? {} : { tags: asText(tags) }), ...(place === undefined ? {} : { place: asText(place) }) }
}

/** Each field by itself: the later stamp stands. */
export const mergeEdit = ({ writer, userId, at }: Merging, tradeId: string, came: ContentOf<'edit'>): void => {
  const { stamps } = editOf(writer, userId, tradeId)
  const told = toldFields(came)
  const standing = editFields.filter((field) => (stamps[field] ?? neverStamped) > (told[field]?.stamp ?? neverStamped) || (stamps[field] !== undefined && told[field] === undefined))
  const taken = editFields.filter((field) => told[field] !== undefined && !standing.includes(field))
  const pick = (part: keyof ToldField) => Object.fromEntries(taken.map((field) => [field, told[field]?.[part]]))
  const values: Partial<EditFields> = pick('value')
  if (taken.length > 0) writeEdit(writer, userId, tradeId, values, pick('stamp'))
  if (taken.length > 0) deriveTripsOf(writer, userId, at, settleNotesOf(writer, userId, tradeId))
  tellCloud(writer, { userId, at, entity: 'edit', id: tradeId, standsHere: standing.length > 0 })
}

/** Compares pairs that the cloud has with those that were derived here, which stand. */
export const comparePairs = ({ writer, userId, at }: Merging, came: readonly { readonly id: string; readonly content: ContentOf<'pair'> }[]): void => {
  const derived = pairContents(writer, userId, came.map(({ id }) => id))
  for (const { id, content } of came) tellCloud(writer, { userId, at, entity: 'pair', id, standsHere: !isDeepStrictEqual(derived.get(id) ?? null, content) })
}
