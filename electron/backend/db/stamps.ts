import { randomBytes } from 'node:crypto'
import { laterStamp, movesClock, nextStamp, type Stamp } from '#shared/mirror/stamp.ts'
import { sql } from 'drizzle-orm'
import { perConnection, type Reader, type Writer } from './database.ts'
import { storeFault } from './fault.ts'
import { device } from './schema/mirror.ts'

const selectLatest = perConnection(({ orm }: Reader) => orm.select({ lastStamp: device.lastStamp }).from(device).prepare())
const saveLatest = perConnection(({ orm }: Writer) => orm.update(device).set({ id: sql`${sql.placeholder('id')}`, lastStamp: sql`${sql.placeholder('lastStamp')}` }).prepare())

/** The latest stamp that this computer made or saw. */
const latestStamp = (reader: Reader): Stamp => {
  const row = selectLatest(reader).get()
  if (row === undefined) throw storeFault('internal', 'The journal does not know its latest stamp')
  return row.lastStamp
}

/**
 * Names each start of the program on the stamps' clock, so that a journal that was copied by hand makes other stamps
 * than the original. Nothing is written before the first stamp: a rejected start leaves the file unchanged.
 */
const names = new WeakMap<Writer, string>()

const nameOf = (writer: Writer): string => {
  const name = names.get(writer) ?? randomBytes(4).toString('hex')
  names.set(writer, name)
  return name
}

/** Makes the stamp of a user's change at `at` (UTC ms): later than all that this computer made or saw. */
export const mintStamp = (writer: Writer, at: number): Stamp => {
  const name = nameOf(writer)
  const stamp = nextStamp(latestStamp(writer), at, name)
  saveLatest(writer).run({ id: name, lastStamp: stamp })
  return stamp
}

/** Records stamps of other computers, so that those made here are later. */
export const observeStamps = (writer: Writer, stamps: readonly Stamp[]): void => {
  const seen = latestStamp(writer)
  const latest = stamps.filter(movesClock).reduce(laterStamp, seen)
  if (latest !== seen) writer.orm.update(device).set({ lastStamp: latest }).run()
}
