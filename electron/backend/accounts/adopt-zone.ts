import { and, eq, sql } from 'drizzle-orm'
import { isoDate, isTimeZone, zoneClock } from '#shared/market/zone-clock.ts'
import { eachRow, type Writer } from '../db/database.ts'
import { openDeriving } from '../fills/derive-contract.ts'
import { openOutbox } from '../db/outbox.ts'
import { fills } from '../db/schema/journal.ts'
import { profiles } from '../db/schema/people.ts'
import { specOf } from '../fills/specs.ts'
import { zoneOf } from '../db/zone.ts'

type DatedFill = Pick<typeof fills.$inferSelect, 'account' | 'id' | 'contract' | 'localDate' | 'time'>
type Moved = { readonly fill: DatedFill; readonly date: string }

const movedFills = (writer: Writer, userId: string, zone: string): Moved[] => {
  const clock = zoneClock(zone)
  const { account, id, contract, localDate, time } = fills
  const moved: Moved[] = []
  for (const fill of eachRow(writer, writer.orm.select({ account, id, contract, localDate, time }).from(fills).where(eq(fills.userId, userId)))) {
    const date = isoDate(clock.dayOf(fill.time))
    if (date !== fill.localDate) moved.push({ fill, date })
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
  const put = writer.orm
    .update(fills)
    .set({ localDate: sql`${sql.placeholder('date')}` })
    .where(and(eq(fills.userId, userId), eq(fills.account, sql.placeholder('account')), eq(fills.id, sql.placeholder('id'))))
    .prepare()
  for (const { fill, date } of moved) put.run({ date, account: fill.account, id: fill.id })
  const outbox = openOutbox(writer, userId, at)
  const deriving = openDeriving(writer, userId, outbox)
  for (const ofContract of Map.groupBy(moved, ({ fill }) => `${fill.account}\n${fill.contract}`).values()) {
    const [first] = ofContract
    if (first === undefined) continue
    const { account, contract } = first.fill
    const dates = new Set(ofContract.flatMap(({ fill, date }) => [fill.localDate, date]))
    deriving.derive({ account, spec: specOf(writer, userId, contract), dates, fresh: new Map() })
  }
  deriving.flush()
  outbox.flush()
}
