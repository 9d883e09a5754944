import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { lost } from '../db/lost-journal.ts'
import { storeFault } from '../db/fault.ts'

// Formats: https://sqlite.org/fileformat2.html#the_write_ahead_log and https://sqlite.org/walformat.html
/** Length of a WAL's header, before its frames. */
export const logHeaderBytes = 32
/** Length of a frame's header, before its page. */
export const frameHeaderBytes = 24
const indexBytes = 136
const chunkBytes = 4 * 1024 * 1024

/** SQLite's checksum, or the two salts of a WAL: two words of 32 bits. */
type Pair = readonly [number, number]

const pairAt = (bytes: Buffer, at: number): Pair => [bytes.readInt32BE(at), bytes.readInt32BE(at + 4)]
const same = (one: Pair, other: Pair): boolean => one[0] === other[0] && one[1] === other[1]

/** The checksum over words from `from` to `to`, continued from a previous one. */
const sumOf = (words: Int32Array, from: number, to: number, before: Pair = [0, 0]): Pair => {
  let [first, second] = before
  for (let at = from; at < to; at += 2) {
    first = (first + (words[at] ?? 0) + second) | 0
    second = (second + (words[at + 1] ?? 0) + first) | 0
  }
  return [first, second]
}

/** The beginning of a file as bytes and as words of this computer; empty if the file does not exist. */
const headOf = (file: string, length: number): { readonly bytes: Buffer; readonly words: Int32Array } => {
  const memory = new ArrayBuffer(length)
  const bytes = Buffer.from(memory)
  let read = 0
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) {
    const opened = openSync(file, 'r')
    read = readSync(opened, bytes, 0, length, 0)
    closeSync(opened)
  }
  return { bytes: bytes.subarray(0, read), words: new Int32Array(memory) }
}

/** What the index says about its WAL: the number of frames up to the last commit, how many of them are already in the journal, and the salts of this generation of the WAL. */
type Index = { readonly frames: number; readonly backfilled: number; readonly salts: Pair }

/** Null if the index is missing or unreadable: a power cut can leave anything in it. */
const readIndex = (file: string): Index | null => {
  const { bytes, words } = headOf(file, indexBytes)
  if (bytes.length < indexBytes || !bytes.subarray(0, 48).equals(bytes.subarray(48, 96))) return null
  if (!same(sumOf(words, 0, 10), [bytes.readInt32LE(40), bytes.readInt32LE(44)])) return null
  return { frames: bytes.readUInt32LE(16), backfilled: bytes.readUInt32LE(96), salts: pairAt(bytes, 32) }
}

/** What a WAL contains: the salts of its header, null if that is damaged; the number of consecutive valid frames; and whether there is a frame of a later transaction after a gap. */
type Log = { readonly salts: Pair | null; readonly whole: number; readonly more: boolean }

const readLog = (file: string, pageBytes: number): Log => {
  const { bytes: header, words: headerWords } = headOf(file, logHeaderBytes + frameHeaderBytes)
  const headed = same(sumOf(headerWords, 0, 6), pairAt(header, 24))
  const salts = headed ? pairAt(header, 16) : pairAt(header, logHeaderBytes + 8)
  const frameBytes = frameHeaderBytes + pageBytes
  const chunk = Buffer.from(new ArrayBuffer(frameBytes * Math.ceil(chunkBytes / frameBytes)))
  const words = new Int32Array(chunk.buffer)
  // Each frame's checksum continues the previous frame's: if a frame matches its predecessor, it was written after it.
  let before = pairAt(header, 24)
  let [whole, gap, commits, more] = [0, !headed, 0, false]
  const look = (at: number): void => {
    const sum = pairAt(chunk, at + 16)
    // Frames of an earlier generation follow those of this one.
    const ofThisTurn = same(pairAt(chunk, at + 8), salts)
    const follows = ofThisTurn && same(sumOf(words, (at + frameHeaderBytes) / 4, (at + frameBytes) / 4, sumOf(words, at / 4, at / 4 + 2, before)), sum)
    if (!follows) gap = true
    if (!gap) whole += 1
    if (follows && commits > 0) more = true
    if (gap && ofThisTurn && chunk.readUInt32BE(at + 4) > 0) commits += 1
    before = sum
  }
  const log = openSync(file, 'r')
  try {
    for (let place = logHeaderBytes; ; place += chunk.length) {
      const frames = Math.floor(readSync(log, chunk, 0, chunk.length, place) / frameBytes)
      for (let index = 0; index < frames; index += 1) look(index * frameBytes)
      if (frames * frameBytes < chunk.length) return { salts: headed ? salts : null, whole, more }
    }
  } finally {
    closeSync(log)
  }
}

/**
 * Throws if a journal's WAL lacks committed data: `damaged-database`, or `lost-journal` if it is missing or belongs to
 * another file. SQLite reads a WAL up to the first invalid frame and overwrites the rest. That is right after a power
 * cut, and loses rows if the WAL was damaged. The difference is detectable because a commit is on disk (`synchronous =
 * FULL`) before the WAL's index records it, and before the next one begins. Call it before anyone opens the file,
 * because opening rebuilds the index.
 */
export const requireWholeLog = (file: string): void => {
  const index = readIndex(`${file}-shm`)
  const { bytes: head } = headOf(file, 20)
  const pageBytes = head.length < 20 ? 0 : head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16)
  // No journal yet, or not a database: opening it reports that.
  if (pageBytes < 512 || pageBytes % 512 !== 0) return
  const size = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const owed = index !== null && index.frames > index.backfilled
  if (size <= logHeaderBytes) {
    if (owed) throw lost('log-lost')
    return
  }
  const { salts, whole, more } = readLog(`${file}-wal`, pageBytes)
  // The first salt counts the WAL's generations. The index may be of an earlier generation, the WAL may not.
  if (owed && salts !== null && ((salts[0] - index.salts[0]) | 0) < 0) throw lost('log-lost')
  const known = index !== null && (salts === null || same(salts, index.salts)) ? index.frames : 0
  if (more || whole < known) throw storeFault('damaged-database', 'The log of the journal is damaged: it is left as it is')
}
