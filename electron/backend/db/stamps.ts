import { randomBytes } from 'node:crypto'
import { laterStamp, movesClock, nextStamp, type Stamp } from '#shared/mirror/stamp.ts'
import { change, query, type Reader, type Writer } from './database.ts'
import { storeFault } from './fault.ts'

/** The latest stamp that this computer made or saw. */
const latestStamp = (reader: Reader): Stamp => {
  const row = query<{ last_stamp: Stamp }>(reader, 'SELECT last_stamp FROM device').get()
  if (row === undefined) throw storeFault('internal', 'The journal does not know its latest stamp')
  return row.last_stamp
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
  change(writer, 'UPDATE device SET id = ?, last_stamp = ?').run(name, stamp)
  return stamp
}

/** Records stamps of other computers, so that those made here are later. */
export const observeStamps = (writer: Writer, stamps: readonly Stamp[]): void => {
  const seen = latestStamp(writer)
  const latest = stamps.filter(movesClock).reduce(laterStamp, seen)
  if (latest !== seen) change(writer, 'UPDATE device SET last_stamp = ?').run(latest)
}
