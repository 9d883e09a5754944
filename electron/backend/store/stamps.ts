import { laterStamp, movesClock, nextStamp, type Stamp } from '#shared/mirror/stamp.ts'
import { change, query, type Reader, type Writer } from './database.ts'
import { storeFault } from './fault.ts'

type DeviceRow = { id: string; last_stamp: Stamp }

const deviceOf = (reader: Reader): DeviceRow => {
  const row = query<DeviceRow>(reader, 'SELECT id, last_stamp FROM device').get()
  if (row === undefined) throw storeFault('internal', 'The journal does not know which computer this is')
  return row
}

const keep = (writer: Writer, stamp: Stamp): void => {
  change(writer, 'UPDATE device SET last_stamp = ?').run(stamp)
}

/** Names this start of the program anew on the clock of stamps: a journal that was copied by hand then makes other stamps than the one it was copied from. */
export const newDevice = (writer: Writer): void => {
  change(writer, 'UPDATE device SET id = lower(hex(randomblob(4)))').run()
}

/** Makes the stamp of a change that the user makes at `at` (UTC ms): later than all that this computer made or saw. */
export const mintStamp = (writer: Writer, at: number): Stamp => {
  const { id, last_stamp } = deviceOf(writer)
  const stamp = nextStamp(last_stamp, at, id)
  keep(writer, stamp)
  return stamp
}

/** Sees stamps of other computers, so that those made here from now on are later. */
export const observeStamps = (writer: Writer, stamps: readonly Stamp[]): void => {
  const { last_stamp } = deviceOf(writer)
  const latest = stamps.filter(movesClock).reduce(laterStamp, last_stamp)
  if (latest !== last_stamp) keep(writer, latest)
}
