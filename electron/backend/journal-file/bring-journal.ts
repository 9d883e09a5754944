import type { ImportLine } from '#shared/mirror/journal-file.ts'
import type { MirrorRecord } from '#shared/mirror/record.ts'
import type { Reading } from '#shared/imports/reading.ts'
import type { Pictures } from '../pictures/pictures.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { JournalLine } from './journal-lines.ts'

/** A journal file being imported into a journal. */
export type Bringing = {
  readonly take: (line: JournalLine) => Promise<void>
  /** After the last line: activates the imports and settles everything. */
  readonly end: () => Promise<void>
  /** Drops the unfinished imports; what was merged so far stays. */
  readonly giveUp: () => Promise<void>
}

/** Records per write: many enough to cost little, few enough that others soon get their turn. */
const recordsAtOnce = 2_000

/** Starts importing a file into a user's journal; `now` is UTC ms. */
export const bringLines = async (parts: { readonly journal: Pick<JournalCalls, 'read' | 'write'>; readonly pictures: Pictures; readonly now: () => number }, userId: string): Promise<Bringing> => {
  const { journal: { read, write }, pictures, now } = parts
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
      for (const importId of begun) await write.dropImport({ userId, importId }).catch(() => undefined)
    },
  }
}
