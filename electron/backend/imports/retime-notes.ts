import type { AccountKey, Side } from '#shared/fills/fill.ts'
import { keyOf, type RetimedFill } from '#shared/imports/assembly.ts'
import { bestAgreement, factsKey, momentsOf, secondOf, type Moment } from '#shared/imports/fill-facts.ts'
import { isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { NoteEnd, NotePlace } from '#shared/notes/place.ts'
import { query, type Reader, type Writer } from '../db/database.ts'
import { mintStamp } from '../db/stamps.ts'
import { zoneOf } from '../db/zone.ts'
import { deriveTripsOf } from '../fills/derive-again.ts'
import type { FillChange } from '../fills/settle-group.ts'
import { noteChange } from '../mirror/outbox.ts'
import { writeEdit } from '../trades/edits.ts'
import { settleNotesOfAll } from '../trades/settle-notes.ts'

/** The fills of all trades that the user wrote on, when that was. */
export const writtenFills = (reader: Reader, userId: string): ReadonlySet<string> => {
  const sql = "SELECT place ->> '$.opening.fill' AS opening, place ->> '$.closing.fill' AS closing FROM trade_edits WHERE user_id = ? AND place IS NOT NULL AND place <> 'null'"
  return new Set(query<{ opening: string; closing: string }>(reader, sql).all(userId).flatMap(({ opening, closing }) => [opening, closing]))
}

/**
 * Lets what the user wrote on trades follow fills whose times turn out to be wrong: a better source has these fills under
 * other ids, and only their price and second say which they are. Runs in the caller's transaction, before the changes are made.
 */
export const retimeNotes = (writer: Writer, userId: string, at: number, corrected: readonly RetimedFill[], changes: readonly FillChange[]): void => {
  const retimed = [...replacedFills(writer, userId, changes), ...corrected]
  if (retimed.length === 0) return
  const clock = zoneClock(zoneOf(writer, userId))
  const timeOf = timesOf(writer, userId, retimed, changes)
  const moved: string[] = []
  for (const { id, text } of query<{ id: string; text: string }>(writer, "SELECT trade_id AS id, place AS text FROM trade_edits WHERE user_id = ? AND place IS NOT NULL AND place <> 'null'").all(userId)) {
    const place = JSON.parse(text) as NotePlace
    const inTime = (end: NoteEnd): NoteEnd => {
      const time = timeOf(place.account as AccountKey, end.fill)
      return time === undefined || (end.time !== null && secondOf(time) === secondOf(end.time)) ? end : { ...end, time }
    }
    const [opening, closing] = [inTime(place.opening), inTime(place.closing)]
    if (opening === place.opening && closing === place.closing) continue
    const days = closing === place.closing || closing.time === null ? {} : { date: isoDate(clock.dayOf(closing.time)), tradingDay: tradingDay(closing.time) }
    writeEdit(writer, userId, id, { place: JSON.stringify({ ...place, ...days, opening, closing }) }, { place: mintStamp(writer, at) })
    noteChange(writer, userId, at, 'edit', id)
    moved.push(id)
  }
  deriveTripsOf(writer, userId, at, settleNotesOfAll(writer, userId, moved))
}

/** Finds a fill's corrected time: of its account, or of the only account that has it now. */
const timesOf = (writer: Writer, userId: string, retimed: readonly RetimedFill[], changes: readonly FillChange[]): ((account: AccountKey, fill: string) => number | undefined) => {
  const byFill = new Map<string, Map<AccountKey, number>>()
  for (const { account, id, time } of retimed) byFill.set(id, (byFill.get(id) ?? new Map<AccountKey, number>()).set(account, time))
  const going = new Set(changes.flatMap(({ account, id, fill }) => (fill === null ? [keyOf(account, id)] : [])))
  const standing = query(writer, 'SELECT 1 FROM fills WHERE user_id = ? AND account = ? AND id = ?')
  return (account, fill) => {
    const times = byFill.get(fill)
    if (times === undefined || times.has(account)) return times?.get(account)
    const stands = standing.get(userId, account, fill) !== undefined && !going.has(keyOf(account, fill))
    return stands || times.size > 1 ? undefined : [...times.values()][0]
  }
}

type FillRow = { id: string; contract: string; side: Side; time: number; price: Ticks; tickSize: string }

/** A fill by what every source has of it. */
type Known = Moment & { readonly id: string }

const knownFill = ({ id, time, contract, side, price, tickSize }: FillRow): Known => ({ id, time, key: factsKey({ contract, side, qty: 1, priceSum: price, tickSize }) })

/**
 * Fills that the user wrote on and that go, with the times of those that come in their place: once a better import is
 * undone, no import says any more which of the fills of the other one they were.
 */
const replacedFills = (writer: Writer, userId: string, changes: readonly FillChange[]): readonly RetimedFill[] => {
  const written = writtenFills(writer, userId)
  const rows = query<FillRow>(writer, 'SELECT id, contract, side, time, price, tick_size AS tickSize FROM fills WHERE user_id = ? AND account = ? AND id IN (SELECT value FROM json_each(?))')
  return [...Map.groupBy(changes, ({ account }) => account)].flatMap(([account, own]) => {
    const gone = new Set(own.flatMap(({ id, fill }) => (fill === null ? [id] : [])))
    if (gone.size === own.length || ![...gone].some((id) => written.has(id))) return []
    const known = rows.all(userId, account, JSON.stringify(own.map(({ id }) => id)))
    const before = new Set(known.map(({ id }) => id))
    const came = own.flatMap(({ id, fill }) => (fill === undefined || fill === null || before.has(id) ? [] : [knownFill(fill)]))
    return replacements(known.filter(({ id }) => gone.has(id)).map(knownFill), came).flatMap(({ id, time }) => (written.has(id) ? [{ account, id, time }] : []))
  })
}

/** Each fill that goes with the one time of those that come and that differ from it by the shift that most agree on, then by that of most others. */
const replacements = (going: readonly Known[], coming: readonly Known[]): readonly Pick<RetimedFill, 'id' | 'time'>[] => {
  const { best } = bestAgreement(coming, momentsOf(going))
  if (best.matched < 2 || best.matched * 2 < Math.min(best.of, going.length)) return []
  const byKey = Map.groupBy(coming, ({ key }) => key)
  const apart = (one: Known, other: Known): number => Math.abs(secondOf(one.time + best.shift) - secondOf(other.time))
  const found = going.map((fill) => {
    const near = (byKey.get(fill.key) ?? []).filter((one) => apart(one, fill) <= 1)
    const same = near.filter((one) => apart(one, fill) === 0)
    return { fill, as: same.length > 0 ? same : near }
  })
  const taken = new Set(found.flatMap(({ as }) => as))
  if (taken.size === 0) return []
  const sure = found.flatMap(({ fill: { id }, as: [first, ...more] }) => (first === undefined || more.some(({ time }) => secondOf(time) !== secondOf(first.time)) ? [] : [{ id, time: first.time }]))
  return [...sure, ...replacements(found.flatMap(({ fill, as }) => (as.length === 0 ? [fill] : [])), coming.filter((one) => !taken.has(one)))]
}
