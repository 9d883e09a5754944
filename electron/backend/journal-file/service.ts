import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { JournalFileProgress, journalFileRoutes, ReceivedJournal } from '#shared/api/journal-file.ts'
import { refuse, type Refused } from '#shared/api/refused.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { type ImportLine, type JournalFileHead, journalFileVersion } from '#shared/mirror/journal-file.ts'
import type { MirrorRecord } from '#shared/mirror/record.ts'
import { isStoreFault } from '../db/fault.ts'
import type { Events } from '../events.ts'
import type { Uploads } from '../imports/uploads.ts'
import type { Journal, JournalCalls } from '../journal/journal.ts'
import { createKeyedMutex } from '../mutex.ts'
import type { Pictures } from '../pictures/pictures.ts'
import { countHolds } from './count-holds.ts'
import { type JournalLine, readJournalLines } from './journal-lines.ts'

/** A journal file being imported into a journal. */
type JournalImport = {
  readonly take: (line: JournalLine) => Promise<void>
  /** After the last line: activates the imports and settles everything. */
  readonly end: () => Promise<void>
  /** Drops the unfinished imports; what was merged so far stays. */
  readonly giveUp: () => Promise<void>
}

/** Records per write: many enough to cost little, few enough that others soon get their turn. */
const recordsAtOnce = 2_000

/** Starts importing a file into a user's journal; `now` is UTC ms. */
const beginJournalImport = async ({ journal: { read, write }, pictures, now }: Pick<Deps, 'pictures' | 'now'> & { readonly journal: Pick<JournalCalls, 'read' | 'write'> }, userId: string): Promise<JournalImport> => {
  const known = new Map((await read.imports({ userId })).map(({ id, undoneAt }) => [id, undoneAt]))
  // A journal that has trading days keeps their time zone.
  const takesZone = (await read.mirror({ userId })).empty
  const begun = new Set<string>()
  const undone: (ImportLine & { readonly undoneAt: number })[] = []
  let importedSpecs: readonly string[] = []
  let records: MirrorRecord[] = []

  const flush = async (): Promise<void> => {
    const page = records
    records = []
    if (page.length > 0) await write.mergeJournalFile({ userId, at: now(), records: page, importedSpecs })
  }
  const takeRecord = async (record: MirrorRecord): Promise<void> => {
    // Pairs are in the file only for people to read: they are derived from fills.
    if (record.entity === 'pair' || (record.entity === 'profile' && !takesZone)) return
    records.push(record)
    if (records.length >= recordsAtOnce) await flush()
  }
  const takeImport = async ({ undoneAt, ...one }: ImportLine): Promise<void> => {
    const [isKnown, isUndone] = [known.has(one.id), known.get(one.id) !== null]
    if (undoneAt !== null) {
      if (!isKnown || !isUndone) undone.push({ ...one, undoneAt })
      return
    }
    if (isKnown) return
    const { id: importId, at, zone, account, files } = one
    begun.add(importId)
    await write.beginImport({ userId, importId, at, zone, account })
    for (const file of files) await write.addImportFile({ userId, importId, ...file })
  }

  return {
    take: async (line) => {
      if ('entity' in line) await takeRecord(line)
      else if ('importedSpecs' in line) importedSpecs = line.importedSpecs
      else if ('import' in line) await takeImport(line.import)
      else if ('picture' in line) await pictures.keep(userId, line.picture.bytes)
      else if (begun.has(line.readings.import)) await write.addReadings({ userId, importId: line.readings.import, place: line.readings.place, readings: line.readings.readings as readonly Reading[] })
    },
    end: async () => {
      await flush()
      await write.endJournalFile({ userId, at: now(), standing: [...begun], undone })
    },
    giveUp: async () => {
      for (const importId of begun) await write.deleteUnfinishedImport({ userId, importId }).catch(() => undefined)
    },
  }
}

type Imported = AnswerOf<typeof journalFileRoutes.importJournal>

/** Dependencies of journal files; `now` is UTC ms. */
type Deps = {
  readonly journal: Pick<Journal, 'read' | 'write' | 'whole'>
  readonly pictures: Pictures
  readonly uploads: Uploads
  readonly events: Pick<Events, 'push'>
  /** Backs up the journal before a merge, because a file may remove fills. */
  readonly keepBefore: (userId: string) => Promise<Result<string, Refused>>
  readonly now: () => number
}

/** Whole journals as files; their format is in `journal-file.ts` of `shared/mirror`. */
export type JournalFiles = ReturnType<typeof createJournalFiles>

export const createJournalFiles = ({ journal, pictures, uploads, events, keepBefore, now }: Deps) => {
  const { read } = journal
  const runExclusive = createKeyedMutex()

  async function* linesOf(userId: string, head: JournalFileHead): AsyncGenerator<Buffer> {
    const digest = createHash('sha256')
    let lines = 0
    const counted = (bytes: Buffer): Buffer => {
      digest.update(bytes)
      for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines += 1
      return bytes
    }
    const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
    yield counted(line(head))
    for await (const part of journal.whole({ userId })) yield counted(Buffer.from(part.buffer, part.byteOffset, part.byteLength))
    for (const { name } of await read.pictures({ userId })) {
      const file = await pictures.read(userId, name)
      if (file !== null) yield counted(line({ picture: { name, base64: file.content.toString('base64') } }))
    }
    yield line({ end: { lines, sha256: digest.digest('hex') } })
  }

  /** Reports how much of a file was read, each percent once. */
  const reported = (userId: string, phase: JournalFileProgress['phase'], bytes: number, source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => {
    let [done, percent] = [0, -1]
    const report = (): void => {
      const share = bytes === 0 ? 1 : Math.min(1, done / bytes)
      if (Math.floor(share * 100) === percent) return
      percent = Math.floor(share * 100)
      events.push(userId, { type: 'journal-file-progress', progress: { phase, share } })
    }
    return (async function* () {
      for await (const part of source) {
        report()
        yield part
        done += part.length
      }
      report()
    })()
  }

  const importFile = async (userId: string, id: string): Promise<Result<Imported, Refused>> => {
    const file = uploads.find(userId, id)
    if (file === null) return refuse('not-found')
    const kept = await keepBefore(userId)
    if (!kept.ok) return kept
    try {
      const before = await totalsOf(read, userId)
      const running = await beginJournalImport({ journal, pictures, now }, userId)
      try {
        const whole = await readJournalLines(reported(userId, 'importing', file.bytes, file.open()), running.take)
        // It was intact when uploaded: someone changed it on disk.
        if (!whole.ok) throw new Error('A file that was checked cannot be read any more')
        events.push(userId, { type: 'journal-file-progress', progress: { phase: 'settling', share: 0 } })
        await running.end()
      } catch (error) {
        await running.giveUp()
        if (isStoreFault(error) && error.code === 'no-profile') await pictures.forget(userId)
        throw error
      }
      return ok({ success: true, before, after: await totalsOf(read, userId) })
    } finally {
      events.push(userId, { type: 'journal-changed' })
      events.push(userId, { type: 'finances-changed' })
      await uploads.drop(userId, [id])
    }
  }

  return {
    /** The user's journal now, gzipped, and the file name to save it under. */
    write: async (userId: string): Promise<{ readonly name: string; readonly bytes: Readable }> => {
      const profile = await read.profile({ id: userId })
      const at = new Date(now()).toISOString()
      const head: JournalFileHead = { fillbook: 'journal', version: journalFileVersion, at, timeZone: profile?.timeZone ?? 'UTC' }
      const lines = Readable.from(linesOf(userId, head), { objectMode: false })
      const bytes = createGzip()
      lines.on('error', (error) => bytes.destroy(error))
      bytes.on('close', () => lines.destroy())
      return { name: `fillbook-${at.slice(0, 10)}.fillbook`, bytes: lines.pipe(bytes) }
    },
    /** Stores a streamed upload, in place of the user's previous one, and checks all of it. The journal does not change. */
    receive: async (userId: string, source: AsyncIterable<Uint8Array>): Promise<Result<ReceivedJournal, Refused>> => {
      await uploads.drop(userId)
      const kept = await uploads.keep(userId, source)
      if (!kept.ok) return refuse(kept.error === 'upload-too-large' ? 'journal-file-too-large' : kept.error)
      const { id } = kept.value
      const file = uploads.find(userId, id)
      if (file === null) return refuse('not-found')
      const { holds, add } = countHolds()
      const checked = await readJournalLines(reported(userId, 'checking', file.bytes, file.open()), add)
      if (checked.ok) return ok({ success: true, id, at: checked.value.at, timeZone: checked.value.timeZone, holds })
      await uploads.drop(userId, [id])
      return refuse(checked.error)
    },
    /** Merges an uploaded file into the user's journal. */
    importFile: (userId: string, id: string): Promise<Result<Imported, Refused>> => runExclusive(userId, () => importFile(userId, id)),
    drop: (userId: string, id: string): Promise<void> => uploads.drop(userId, [id]),
    /** Deletes the user's uploads, for example at sign-out. */
    leave: (userId: string): Promise<void> => {
      uploads.refuseIncoming(userId)
      return uploads.drop(userId)
    },
  }
}

const lineFeed = 0x0a

const totalsOf = async (read: Journal['read'], userId: string): Promise<Imported['before']> => {
  const { fills, pairs } = await read.totals({ userId })
  return { fills, pairs }
}
