import { eq } from 'drizzle-orm'
import { isoDate, isTimeZone, zoneClock } from '#shared/market/zone-clock.ts'
import { change, query, type Writer } from '../db/database.ts'
import { openDeriving } from '../fills/derive-contract.ts'
import { openOutbox } from '../mirror/outbox.ts'
import type { fills } from '../db/schema/journal.ts'
import { profiles } from '../db/schema/people.ts'
import type { SqlRow } from '../db/tables.ts'
import { specOf } from '../fills/specs.ts'
import { zoneOf } from '../db/zone.ts'

type DatedFill = Pick<SqlRow<typeof fills>, 'account' | 'id' | 'contract' | 'local_date' | 'time'>
type Moved = { readonly fill: DatedFill; readonly date: string }

// Raw SQL: drizzle cannot read row by row, and a journal may have a million fills.
const movedFills = (writer: Writer, userId: string, zone: string): Moved[] => {
  const clock = zoneClock(zone)
  const sql = `SELECT account, id, contract, local_date, time FROM fills WHERE user_id = ?`
  const moved: Moved[] = []
  for (const fill of query<DatedFill>(writer, sql).iterate(userId)) {
    const date = isoDate(clock.dayOf(fill.time))
    if (date !== fill.local_date) moved.push({ fill, date })
  }
  return moved
}

/**
 * Gives a profile the zone that its journal has on its other computers: fills move to their dates there, and what that
 * changes is derived again; runs in the caller's transaction. A zone that this program does not know is not taken.
 */
export const adoptZone = (writer: Writer, userId: string, at: number, zone: string): void => {
  if (zoneOf(writer, userId) === zone || !isTimeZone(zone)) return
  writer.orm.update(profiles).set({ timeZone: zone }).where(eq(profiles.id, userId)).run()
  const moved = movedFills(writer, userId, zone)
  const put = change(writer, 'UPDATE fills SET local_date = ? WHERE user_id = ? AND account = ? AND id = ?')
  for (const { fill, date } of moved) put.run(date, userId, fill.account, fill.id)
  const outbox = openOutbox(writer, userId, at)
  const deriving = openDeriving(writer, userId, outbox)
  for (const ofContract of Map.groupBy(moved, ({ fill }) => `${fill.account}\n${fill.contract}`).values()) {
    const [first] = ofContract
    if (first === undefined) continue
    const { account, contract } = first.fill
    const dates = new Set(ofContract.flatMap(({ fill, date }) => [fill.local_date, date]))
    deriving.derive({ account, spec: specOf(writer, userId, contract), dates, fresh: new Map() })
  }
  deriving.flush()
  outbox.flush()
}
