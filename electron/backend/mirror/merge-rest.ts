import { isDeepStrictEqual } from 'node:util'
import { and, eq } from 'drizzle-orm'
import type { ContentOf } from '#shared/mirror/record.ts'
import { neverStamped, type Stamp } from '#shared/mirror/stamp.ts'
import { amountOf, type Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { alignFinance } from '../finances/account-finance.ts'
import { deriveTripsOf } from '../fills/derive-contract.ts'
import { takeRemoved } from '../fills/gone-fills.ts'
import { keepRemoval, removalOf } from '../fills/removed-fills.ts'
import type { Taking } from '../db/barrier.ts'
import { settleNotesOf } from '../trades/settle-notes.ts'
import { editFields, editOf, writeEdit, type EditField, type EditFields } from '../trades/edits.ts'
import type { Merging } from './merge-ground.ts'
import { pairContents } from './mirror-content.ts'
import { isWaiting, noteChange, queueForCloud } from './outbox.ts'
import { finances, trades } from '../db/schema/journal.ts'
import { pictures } from '../db/schema/mirror.ts'
import { repricing } from '../fills/stale-batches.ts'

/** The later stamp wins; deletes fills that are now known to be removed. */
export const mergeRemovals = (taking: Taking, { writer, userId, at }: Merging, came: readonly { readonly id: string; readonly content: ContentOf<'removal'> }[]): void => {
  const gone: string[] = []
  for (const { id: name, content } of came) {
    const known = removalOf(writer, userId, name)
    const localWins = known !== null && known.stamp > content.stamp
    queueForCloud(writer, { userId, at, entity: 'removal', id: name, localWins })
    if (localWins) continue
    keepRemoval(writer, userId, name, content)
    if (content.removed && known?.removed !== true) gone.push(name)
  }
  if (gone.length > 0) takeRemoved(taking, { userId, at, names: gone })
}

/** Which local removals override the cloud's fills: all of them if two histories are compared, else those not sent yet. */
export type CountedRemovals = 'all' | 'unsent'

/** Whether the cloud's version of a fill contradicts its local removal, which is then queued. */
export const isRefused = ({ writer, userId, at }: Merging, { id: name, content }: { readonly id: string; readonly content: ContentOf<'fill'> }, standing: CountedRemovals): boolean => {
  const known = removalOf(writer, userId, name)
  if (known?.removed !== (content !== null)) return false
  if (standing === 'unsent' && !isWaiting(writer, userId, 'removal', name)) return false
  // A removed fill is sent before its removal, one that stays after it.
  for (const entity of known.removed ? (['fill', 'removal'] as const) : (['removal', 'fill'] as const)) noteChange(writer, userId, at, entity, name)
  return true
}

/** The later stamp wins; the name, the balance and the tombstone of an account's finance are the account's. Marks what its firm's rates change to be derived again. */
export const mergeFinance = ({ writer, userId, at }: Merging, id: string, came: ContentOf<'finance'>): void => {
  const known = writer.orm.select({ stamp: finances.stamp, firm: finances.firm }).from(finances).where(and(eq(finances.userId, userId), eq(finances.id, id))).get()
  const localWins = known !== undefined && known.stamp > came.stamp
  queueForCloud(writer, { userId, at, entity: 'finance', id, localWins })
  if (localWins) return
  const row = { ...came, amount: amountOf(came.amount), balance: amountOf(came.balance), currency: came.currency as Currency }
  const put = () => writer.orm.insert(finances).values({ userId, id, ...row }).onConflictDoUpdate({ target: [finances.userId, finances.id], set: row }).run()
  if ((known?.firm ?? null) === came.firm) put()
  else repricing(writer, userId, at, put)
  alignFinance(writer, userId, id)
}

/** A picture's name is the hash of its content: the same name is the same picture. */
export const mergePicture = ({ writer, userId, at }: Merging, name: string, came: ContentOf<'picture'>): void => {
  writer.orm.insert(pictures).values({ userId, name, ...came }).onConflictDoNothing().run()
  queueForCloud(writer, { userId, at, entity: 'picture', id: name, localWins: false })
}

/** The later stamp wins. A broker's trade is never replaced by an entered one. */
export const mergeTrade = ({ writer, userId, at }: Merging, id: string, came: ContentOf<'trade'>): void => {
  const known = writer.orm.select({ stamp: trades.stamp, origin: trades.origin }).from(trades).where(and(eq(trades.userId, userId), eq(trades.id, id))).get()
  if (known?.origin === 'synced') return
  const localWins = known !== undefined && (known.stamp ?? '') > came.stamp
  queueForCloud(writer, { userId, at, entity: 'trade', id, localWins })
  if (localWins) return
  const { gross, commission, net, entryPrice, exitPrice, currency, warnings, ...rest } = came
  const money = { gross: amountOf(gross), commission: amountOf(commission), net: amountOf(net), currency: currency as Currency }
  const row = { ...rest, ...money, entryPrice: entryPrice as Ticks, exitPrice: exitPrice as Ticks, origin: 'manual' as const, warnings: JSON.stringify(warnings) }
  writer.orm.insert(trades).values({ userId, id, ...row }).onConflictDoUpdate({ target: [trades.userId, trades.id], set: row }).run()
  // Its annotations may have arrived before it.
  settleNotesOf(writer, userId, id)
}

type IncomingField = { readonly value: string | number | null; readonly stamp: Stamp }

const incomingFields = (came: ContentOf<'edit'>): Partial<Record<EditField, IncomingField | undefined>> => {
  const { tags, drawings, place, ...others } = came
  const asText = <V>(field: { readonly value: V; readonly stamp: Stamp }): IncomingField => ({ value: JSON.stringify(field.value), stamp: field.stamp })
  return { ...others, ...(tags === undefined ? {} : { tags: asText(tags) }), ...(drawings === undefined ? {} : { drawings: asText(drawings) }), ...(place === undefined ? {} : { place: asText(place) }) }
}

/** Field by field: the later stamp wins. */
export const mergeEdit = ({ writer, userId, at }: Merging, tradeId: string, came: ContentOf<'edit'>): void => {
  const { stamps } = editOf(writer, userId, tradeId)
  const incoming = incomingFields(came)
  const kept = editFields.filter((field) => (stamps[field] ?? neverStamped) > (incoming[field]?.stamp ?? neverStamped) || (stamps[field] !== undefined && incoming[field] === undefined))
  const taken = editFields.filter((field) => incoming[field] !== undefined && !kept.includes(field))
  const pick = (part: keyof IncomingField) => Object.fromEntries(taken.map((field) => [field, incoming[field]?.[part]]))
  const values: Partial<EditFields> = pick('value')
  if (taken.length > 0) writeEdit(writer, userId, tradeId, values, pick('stamp'))
  if (taken.length > 0) deriveTripsOf(writer, userId, at, settleNotesOf(writer, userId, tradeId))
  queueForCloud(writer, { userId, at, entity: 'edit', id: tradeId, localWins: kept.length > 0 })
}

/** Compares the cloud's fill pairs with those derived here, which win. */
export const comparePairs = ({ writer, userId, at }: Merging, came: readonly { readonly id: string; readonly content: ContentOf<'pair'> }[]): void => {
  const derived = pairContents(writer, userId, came.map(({ id }) => id))
  for (const { id, content } of came) queueForCloud(writer, { userId, at, entity: 'pair', id, localWins: !isDeepStrictEqual(derived.get(id) ?? null, content) })
}
