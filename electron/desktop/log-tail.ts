import { open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Reads the last whole lines of the log files in `folder`, oldest first: at most `lines` of them, and `bytes` of text of each log. A missing folder has none. */
export const readLogTail = async (folder: string, most: { readonly lines: number; readonly bytes: number }): Promise<readonly string[]> => {
  const files = Map.groupBy(await newestFirst(folder), logOf)
  const ends = await Promise.all([...files.values()].map((ofLog) => endOfLog(ofLog, most)))
  return inTime(ends.flat()).slice(-most.lines)
}

// `fillbook.3.log` is the third file of the log `fillbook`.
const logOf = (path: string): string => basename(path).split('.')[0] ?? ''

// Several logs are written at once, each in order.
const inTime = (lines: readonly string[]): readonly string[] => {
  let last = ''
  const timed = lines.map((line) => ({ line, time: (last = /"time":"([^"]{20,30})"/.exec(line)?.[1] ?? last) }))
  return timed.toSorted((one, other) => (one.time < other.time ? -1 : Number(one.time > other.time))).map(({ line }) => line)
}

const endOfLog = async (newest: readonly string[], { lines, bytes }: { readonly lines: number; readonly bytes: number }): Promise<readonly string[]> => {
  const found: string[] = []
  let left = bytes
  for (const path of newest) {
    if (found.length >= lines || left <= 0) break
    const end = await endOf(path, left)
    left -= Buffer.byteLength(end)
    found.unshift(...end.split('\n').filter((line) => line.trim() !== ''))
  }
  return found.slice(-lines)
}

const newestFirst = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = await Promise.all(names.filter((name) => name.endsWith('.log')).map(async (name) => ({ path: join(folder, name), name, at: (await stat(join(folder, name))).mtimeMs })))
  return files.toSorted((one, other) => other.at - one.at || other.name.localeCompare(one.name, 'en', { numeric: true })).map(({ path }) => path)
}

const endOf = async (path: string, bytes: number): Promise<string> => {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - bytes)
    if (size === 0) return ''
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from })
    const text = buffer.toString('utf8', 0, bytesRead)
    // The first line may be cut off by the byte limit.
    const whole = from === 0 ? 0 : text.indexOf('\n') + 1
    return from > 0 && whole === 0 ? '' : text.slice(whole)
  } finally {
    await file.close()
  }
}
