import type { Side } from '#shared/fills/fill.ts'
import { keyOf, type RetimedFill } from '#shared/imports/assembly.ts'
import { bestAgreement, factsKey, momentsOf, secondOf, type Moment } from '#shared/imports/fill-facts.ts'
import { isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { NoteEnd, NotePlace } from '#shared/notes/place.ts'
import { query, type Reader, type Writer } from '../db/database.ts'
import { mintStamp } from '../db/stamps.ts'
import { zoneOf } from '../db/zone.ts'
import { deriveTradesOf } from '../fills/derive-contract.ts'
import type { FillChange } from '../fills/settle-group.ts'
import { queueChange } from '../db/outbox.ts'
import { writeEdit } from '../notes/edits.ts'
import { hasPlace, placeNotesOfAll } from '../notes/place-notes.ts'

// Raw SQL in this file: the benchmark `import` looks for such notes before each group of its changes.
/** The ids of the opening and closing fills of all fill pairs that the user wrote on, as they were then. */
export const writtenFills = (reader: Reader, userId: string): ReadonlySet<string> => {
  const sql = `SELECT place ->> '$.opening.fill' AS opening, place ->> '$.closing.fill' AS closing FROM pair_edits WHERE user_id = ? AND ${hasPlace}`
  return new Set(query<{ opening: string; closing: string }>(reader, sql).all(userId).flatMap(({ opening, closing }) => [opening, closing]))
}

/**
 * Lets what the user wrote on fill pairs follow fills whose times turn out to be wrong: a better source has these fills under
 * other ids, and only their price and second say which they are. Runs in the caller's transaction, before the changes are made.
 */
export const retimeNotes = (writer: Writer, userId: string, at: number, corrected: readonly RetimedFill[], changes: readonly FillChange[]): void => {
  const times = new Map([...changedFills(writer, userId, changes), ...corrected].map(({ account, id, time }) => [keyOf(account, id), time]))
  if (times.size === 0) return
  const clock = zoneClock(zoneOf(writer, userId))
  const moved: string[] = []
  for (const { id, text } of query<{ id: string; text: string }>(writer, `SELECT pair_id AS id, place AS text FROM pair_edits WHERE user_id = ? AND ${hasPlace}`).all(userId)) {
    const place = JSON.parse(text) as NotePlace
    const inTime = (end: NoteEnd): NoteEnd => {
      const time = times.get(keyOf(place.account, end.fill))
      return time === undefined || (end.time !== null && secondOf(time) === secondOf(end.time)) ? end : { ...end, time }
    }
    const [opening, closing] = [inTime(place.opening), inTime(place.closing)]
    if (opening === place.opening && closing === place.closing) continue
    const days = closing === place.closing || closing.time === null ? {} : { date: isoDate(clock.dayOf(closing.time)), tradingDay: tradingDay(closing.time) }
    writeEdit(writer, userId, id, { place: JSON.stringify({ ...place, ...days, opening, closing }) }, { place: mintStamp(writer, at) })
    queueChange(writer, userId, at, 'edit', id)
    moved.push(id)
  }
  deriveTradesOf(writer, userId, at, placeNotesOfAll(writer, userId, moved))
}

type TimedFill = { id: string; contract: string; side: Side; time: number; price: Ticks; tickSize: string }

/** A fill by what every source has of it. */
type FactsOfFill = Moment & { readonly id: string }

const knownFill = ({ id, time, contract, side, price, tickSize }: TimedFill): FactsOfFill => ({ id, time, key: factsKey({ contract, side, qty: 1, priceSum: price, tickSize }) })

/**
 * The times of fills that the user wrote on: their own where they come, and those of the fills that come in their place
 * where they go, since no import that still counts may say which these are.
 */
const changedFills = (writer: Writer, userId: string, changes: readonly FillChange[]): readonly RetimedFill[] => {
  const written = changes.length === 0 ? new Set<string>() : writtenFills(writer, userId)
  const own = changes.filter(({ id }) => written.has(id))
  const rows = query<TimedFill>(writer, 'SELECT id, contract, side, time, price, tick_size AS tickSize FROM fills WHERE user_id = ? AND account = ? AND id IN (SELECT value FROM json_each(?))')
  const replaced = [...new Set(own.flatMap(({ account, fill }) => (fill === null ? [account] : [])))].flatMap((account) => {
    const all = changes.filter((change) => change.account === account)
    const known = new Map(rows.all(userId, account, JSON.stringify(all.map(({ id }) => id))).map((row) => [row.id, knownFill(row)]))
    const going = all.flatMap(({ id, fill }) => (fill === null ? (known.get(id) ?? []) : []))
    const coming = all.flatMap(({ id, fill }) => (fill === undefined || fill === null || known.has(id) ? [] : [knownFill(fill)]))
    return replacements(going, coming).flatMap(({ id, time }) => (written.has(id) ? [{ account, id, time }] : []))
  })
  return [...replaced, ...own.flatMap(({ account, id, fill }) => (fill === undefined || fill === null ? [] : [{ account, id, time: fill.time }]))]
}

/** Pairs each fill that goes with its replacement, and gives the replacement's time: a fill of the same contract, side, and price, at most a second from the shift that most agree on. */
const replacements = (going: readonly FactsOfFill[], coming: readonly FactsOfFill[]): readonly Pick<RetimedFill, 'id' | 'time'>[] => {
  // The smaller side is searched for in the larger one.
  const [fewer, more, sign] = going.length < coming.length ? [going, coming, -1] : [coming, going, 1]
  const { best, unshifted } = bestAgreement(fewer, momentsOf(more))
  const { matched, of, shift } = unshifted.matched * 2 > best.matched ? unshifted : best
  if (matched < 2 || matched * 2 < of) return []
  const byKey = Map.groupBy(coming, ({ key }) => key)
  return going.flatMap(({ id, key, time: gone }) => {
    const apart = ({ time }: FactsOfFill): number => Math.abs(secondOf(time + sign * shift) - secondOf(gone))
    const near = (byKey.get(key) ?? []).filter((one) => apart(one) <= 1)
    const same = near.filter((one) => apart(one) === 0)
    const [first, ...others] = same.length > 0 ? same : near
    // If candidates are in different seconds, nothing tells which one it is.
    return first === undefined || others.some(({ time }) => secondOf(time) !== secondOf(first.time)) ? [] : [{ id, time: first.time }]
  })
}
