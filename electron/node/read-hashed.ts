import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Reads a file from its start to its end; `over` gets its SHA-256 once it is read completely, null if reading ended early. */
export async function* readHashed(path: string, over: (digest: string | null) => void): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let isWhole = false
  try {
    for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(part)
      yield part
    }
    isWhole = true
  } finally {
    over(isWhole ? hash.digest('hex') : null)
  }
}
