import { parentPort, workerData } from 'node:worker_threads'
import { openSnapshot } from '../db/database.ts'
import type { StoreFaultCode } from '../db/fault.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { wholeJournal } from './whole-journal.ts'

/** Whose journal is read, and where it lies. */
export type WholeOrder = { readonly file: string; readonly userId: string }

/** The next lines as UTF-8, each ended by a line feed; null at the end. */
export type WholePart = { readonly ok: true; readonly lines: Uint8Array | null } | { readonly ok: false; readonly code: StoreFaultCode; readonly message: string }

const bytesAtOnce = 256 * 1024

if (parentPort === null) throw new Error('This is the body of a thread')
const parent = parentPort
const { file, userId } = workerData as WholeOrder
let lines: Generator<string> | null = null

const nextPart = (): Uint8Array<ArrayBuffer> | null => {
  lines ??= wholeJournal(openSnapshot(file), userId)
  const parts: Buffer[] = []
  let size = 0
  for (let one = lines.next(); one.done !== true; one = lines.next()) {
    const bytes = Buffer.from(`${one.value}\n`)
    parts.push(bytes)
    size += bytes.length
    if (size >= bytesAtOnce) break
  }
  return size === 0 ? null : new Uint8Array(Buffer.concat(parts))
}

parent.on('message', () => {
  try {
    const part = nextPart()
    parent.postMessage({ ok: true, lines: part } satisfies WholePart, part === null ? [] : [part.buffer])
  } catch (error) {
    const { code, message } = sqliteFault(error)
    parent.postMessage({ ok: false, code, message } satisfies WholePart)
  }
})
