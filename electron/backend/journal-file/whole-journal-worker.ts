import { openSnapshot } from '../db/database.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { threadBody } from '../threads/thread-body.ts'
import { wholeJournal } from './whole-journal.ts'

/** Whose journal to read, and its file. */
export type WholeData = { readonly file: string; readonly userId: string }

/** The calls of the thread. */
export type WholeCalls = typeof calls

const bytesAtOnce = 256 * 1024

const { data, serve } = threadBody<WholeData>()
let lines: Generator<string> | null = null

const calls = {
  /** The next lines as UTF-8, each ended by a line feed; null at the end. */
  next: (): Uint8Array | null => {
    lines ??= wholeJournal(openSnapshot(data.file), data.userId)
    const parts: Buffer[] = []
    let size = 0
    for (let one = lines.next(); one.done !== true; one = lines.next()) {
      const bytes = Buffer.from(`${one.value}\n`)
      parts.push(bytes)
      size += bytes.length
      if (size >= bytesAtOnce) break
    }
    return size === 0 ? null : new Uint8Array(Buffer.concat(parts))
  },
}

serve(calls, { faultOf: sqliteFault })
