import type { AccountKey } from '#shared/fills/fill.ts'
import { keyOf, type RetimedFill } from '#shared/imports/assembly.ts'
import { secondOf } from '#shared/imports/fill-facts.ts'
import { isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
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
export const retimeNotes = (writer: Writer, userId: string, at: number, retimed: readonly RetimedFill[], changes: readonly FillChange[]): void => {
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
