import type { AccountKey } from '#shared/fills/fill.ts'
import { sourceRank } from '#shared/fills/source.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { noAmounts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import { zero, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { query, type Reader } from '../db/database.ts'
import type { PricedFill } from '../fills/fill-rows.ts'
import { importsOfHistory } from '../sync/history-queries.ts'
import type { KeptReading } from './queries.ts'

/** Fills without imports, by account and id. */
export type FillsByAccount = ReadonlyMap<AccountKey, ReadonlyMap<string, PricedFill>>

/** Whether a fill is of a sure source: the API, or one as good. */
export const isSure = ({ source }: PricedFill): boolean => sourceRank(source) === sourceRank('api')

/** When each import was made, UTC ms. */
const importMoments = (reader: Reader, userId: string): ReadonlyMap<string, number> =>
  new Map(query<{ id: string; at: number }>(reader, 'SELECT id, at FROM imports WHERE user_id = ?').all(userId).map(({ id, at }) => [id, at]))

/** What a file says of a fill of a sure source; `price` is in ticks of `tickSize`, `time` UTC ms. */
type Correction = { readonly fee?: Amount; readonly otherFees?: CurrencyAmounts; readonly feeFrom?: string; readonly price?: Ticks; readonly tickSize?: string; readonly time?: number }
/** By `correctionKey`. */
export type Corrections = ReadonlyMap<string, Correction>

/** The name under which the word on a fill is kept. */
export const correctionKey = (account: string | null, fillId: string): string => `${String(account)}/${fillId}`

/**
 * Corrections of fills of a sure source by the latest file that was imported after their session ended: fees are booked
 * late, prices and times are corrected, and the API shows it only while it lists the fill. What a user hands in has a word on
 * fees alone, since nobody knows what happened to it; the reports that the program fetched itself have it on all.
 */
export const latestCorrections = (reader: Reader, userId: string, kept: readonly KeptReading[], placed: readonly { readonly reading: Reading }[], base: FillsByAccount): Corrections => {
  const [moments, ofBroker] = [importMoments(reader, userId), importsOfHistory(reader, userId)]
  const words = new Map<string, Correction>()
  const latest = new Map<string, { fee: number; price: number }>()
  const largest = new Map<string, Amount>()
  const ends = new Map<string, number>()
  const endOf = (day: string): number => {
    const end = ends.get(day) ?? sessionOf(day).closes
    ends.set(day, end)
    return end
  }
  for (const [index, { reading: row, file }] of kept.entries()) {
    const key = placed[index]?.reading.account.name as AccountKey
    const fill = row.says === 'fill' ? base.get(key)?.get(row.fillId) : undefined
    if (row.says !== 'fill' || fill === undefined || !isSure(fill)) continue
    const importId = file.key.split('\n')[0] ?? ''
    // What is not kept yet is read now.
    const at = moments.get(importId) ?? Infinity
    if (at < endOf(fill.tradeDate ?? tradingDay(fill.time))) continue
    const name = correctionKey(key, row.fillId)
    const before = latest.get(name) ?? { fee: -Infinity, price: -Infinity }
    const word = words.get(name)
    const fees = correctedFees(row.fee, fill)
    const isLaterFee = row.fee !== null && fees !== null && (at > before.fee || (at === before.fee && row.fee > (largest.get(name) ?? -Infinity)))
    const isLaterPrice = ofBroker.has(importId) && at > before.price
    if (!isLaterFee && !isLaterPrice) continue
    if (isLaterFee) largest.set(name, row.fee)
    words.set(name, { ...word, ...(isLaterFee ? { ...fees, feeFrom: file.name } : {}), ...(isLaterPrice ? { price: row.price, tickSize: row.tickSize, time: row.time } : {}) })
    latest.set(name, { fee: isLaterFee ? at : before.fee, price: isLaterPrice ? at : before.price })
  }
  return words
}

/**
 * What a column of fees says of a fill: it names no currency, so it means the one in which the fill is known to be charged.
 * Null if it says nothing, or if the fill was charged in several currencies, which no single figure can say.
 */
const correctedFees = (fee: Amount | null, { fee: known, otherFees = noAmounts }: PricedFill): Pick<Correction, 'fee' | 'otherFees'> | null => {
  const [other, ...more] = otherFees
  if (fee === null) return null
  if (other === undefined) return { fee }
  return (known ?? 0) === 0 && more.length === 0 ? { fee: zero, otherFees: fee === 0 ? noAmounts : [{ currency: other.currency, amount: fee }] } : null
}
