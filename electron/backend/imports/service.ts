import type { AnswerOf, BodyOf } from '#shared/api/route.ts'
import type { ImportProgress, importRoutes, ImportShown, ReadFile, SentUpload, SettledCounts } from '#shared/api/imports.ts'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { guessFormat } from '#shared/imports/guess-format.ts'
import { hasLocalTimes } from '#shared/imports/kind-facts.ts'
import { latestRow } from '#shared/imports/latest-row.ts'
import { formatKey, headerKey, issuerOfFormat, type ImportFormat } from '#shared/imports/mapped-format.ts'
import type { Uploads } from './uploads.ts'
import type { Events } from '../events.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { createImports, type FileRead, type ImportFile, type Watch, inspectFile, tryFormat } from './imports.ts'
import type { StoredImport } from './rows.ts'
import type { Settled } from '../db/rows.ts'

type Routes = typeof importRoutes
type ImportRequest = BodyOf<Routes['previewImport']>

type Work = { readonly userId: string; readonly uploads: readonly string[]; readonly ending: AbortController; progress: ImportProgress; unwanted: readonly string[] }

// Of the whole work; nobody can tell how long matching takes.
const readingShare = 0.7
const smallestStep = 0.01

type Deps = {
  readonly journal: JournalCalls
  readonly uploads: Uploads
  /** Whether a file that was sent is one of prices, by its first bytes. */
  readonly isPriceFile: (path: string, name: string) => boolean
  readonly events: Events
  /** UTC ms. */
  readonly now: () => number
}

/** Imports as the screens ask for them: files that were sent, what they would do, what they did. */
export type ImportService = ReturnType<typeof createImportService>

export const createImportService = ({ journal, uploads, isPriceFile, events, now }: Deps) => {
  const { read, write } = journal
  const imports = createImports({ journal, now })
  const works = new Map<string, Work>()

  const filesOf = (userId: string, wanted: ImportRequest['uploads']): { readonly files: readonly ImportFile[]; readonly bytes: number } | null => {
    const found = wanted.map(({ id, name, account = null, dates }) => ({ name, account, dates: dates === undefined ? null : { order: dates, ofThisFile: true }, upload: uploads.find(userId, id) }))
    const files = found.flatMap(({ name, account, dates, upload }) => (upload === null ? [] : [{ name, account, dates, open: upload.open, bytes: upload.bytes }]))
    return files.length < wanted.length ? null : { files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) }
  }

  const dropUploads = async (userId: string, ids: readonly string[]): Promise<void> => {
    const wanted = new Set<string>()
    for (const work of works.values()) {
      if (work.userId !== userId || work.progress.of !== 'import') continue
      work.unwanted = [...work.unwanted, ...ids.filter((id) => work.uploads.includes(id))]
      for (const id of work.uploads) wanted.add(id)
    }
    await uploads.drop(userId, ids.filter((id) => !wanted.has(id)))
  }

  /** Runs a work that can be watched and ended; its pages hear of every step, and of its end. */
  const watched = async <T>(userId: string, of: ImportProgress['of'], request: ImportRequest, run: (files: readonly ImportFile[], watch: Watch) => Promise<T>): Promise<Result<T, Refused>> => {
    const found = filesOf(userId, request.uploads)
    if (found === null) return refuse('not-found')
    const { work: id } = request
    if (works.has(id)) return refuse('invalid-request', { fields: [{ path: 'work', message: 'taken by another work' }] })
    const work: Work = { userId, uploads: request.uploads.map((upload) => upload.id), ending: new AbortController(), progress: { work: id, of, step: 'reading', overall: 0 }, unwanted: [] }
    works.set(id, work)
    const report = (ended: boolean): void => events.push(userId, { type: 'import-progress', progress: work.progress, ended })
    const advance = (step: ImportProgress['step'], overall: number): void => {
      if (step === work.progress.step && overall < work.progress.overall + smallestStep) return
      work.progress = { ...work.progress, step, overall }
      report(false)
    }
    let bytes = 0
    report(false)
    try {
      return ok(
        await run(found.files, {
          signal: work.ending.signal,
          onBytes: (more) => {
            bytes += more
            advance('reading', readingShare * Math.min(1, bytes / Math.max(1, found.bytes)))
          },
          onRead: () => advance('matching', readingShare),
        }),
      )
    } catch (error) {
      if (work.ending.signal.aborted) return refuse('import-cancelled')
      throw error
    } finally {
      works.delete(id)
      await dropUploads(userId, work.unwanted)
      report(true)
    }
  }

  const changed = (userId: string): void => {
    events.push(userId, { type: 'journal-changed' })
    events.push(userId, { type: 'finances-changed' })
  }

  const cancel = (userId: string, id: string): boolean => {
    const work = works.get(id)
    if (work?.userId !== userId || (work.progress.of === 'import' && work.progress.step === 'matching')) return false
    work.ending.abort()
    return true
  }

  return {
    saveUpload: async (userId: string, name: string, source: AsyncIterable<Uint8Array>): Promise<Result<SentUpload, Refused>> => {
      const kept = await uploads.keep(userId, source)
      if (!kept.ok) return refuse(kept.error)
      const { id } = kept.value
      const path = uploads.find(userId, id)?.path
      return ok({ id, name, prices: path !== undefined && isPriceFile(path, name) })
    },
    /** Deletes these; files that are being imported are deleted when the import ends, so that the user may leave the page. */
    dropUploads,
    /** Deletes all that a user has sent and not imported, as at the end of a session. */
    leave: async (userId: string): Promise<void> => {
      for (const [id, work] of works) if (work.userId === userId) cancel(userId, id)
      uploads.refuseIncoming(userId)
      await uploads.drop(userId)
    },
    preview: async (userId: string, request: ImportRequest): Promise<Result<AnswerOf<Routes['previewImport']>, Refused>> => {
      const found = await watched(userId, 'preview', request, (files, watch) => imports.preview(userId, files, request, watch))
      return found.ok ? ok({ ...found.value, files: found.value.files.map(shownFile) }) : found
    },
    add: async (userId: string, request: ImportRequest): Promise<Result<AnswerOf<Routes['addImport']>, Refused>> => {
      const ended = await watched(userId, 'import', request, (files, watch) => imports.add(userId, files, request, watch))
      if (!ended.ok) return ended
      const added = ended.value
      if (!added.ok) return ok({ success: true, imported: null, files: added.error.files.map(shownFile), open: [...added.error.open] })
      await uploads.drop(userId, request.uploads.map(({ id }) => id))
      changed(userId)
      const { id, files, settled } = added.value
      return ok({ success: true, imported: { id, settled: countsOf(settled) }, files: files.map(shownFile), open: [] })
    },
    inspect: async (userId: string, { upload, name }: BodyOf<Routes['inspectFile']>): Promise<Result<AnswerOf<Routes['inspectFile']>, Refused>> => {
      const kept = uploads.find(userId, upload)
      if (kept === null) return refuse('not-found')
      const facts = await inspectFile(kept.open())
      if (!facts.ok) return refuse('invalid-request', { fields: [{ path: 'upload', message: 'no columns to map' }] })
      const key = headerKey(facts.value.map(({ header }) => header))
      const saved = (await read.importFormats({ userId })).find((format) => formatKey(format) === key)
      const columns = facts.value.map(({ header, cells, values }) => ({ header, cells, values }))
      return ok({ columns, format: saved ?? guessFormat(facts.value, name.replace(/\.\w{1,4}$/, '')), saved: saved !== undefined })
    },
    tryFormat: async (userId: string, { upload, name, format, zone, dates }: BodyOf<Routes['tryFormat']>): Promise<Result<AnswerOf<Routes['tryFormat']>, Refused>> => {
      const kept = uploads.find(userId, upload)
      if (kept === null) return refuse('not-found')
      const { read, rows, symbols } = await tryFormat({ name, open: kept.open }, format, zone, { dates: dates === undefined ? null : { order: dates, ofThisFile: true }, latest: latestRow(name, now()) })
      return ok({ file: shownFile(read), rows: [...rows], symbols: [...symbols] })
    },
    formats: async (userId: string): Promise<AnswerOf<Routes['importFormats']>> => ({ formats: (await read.importFormats({ userId })).map((format) => ({ id: issuerOfFormat(format), format })) }),
    saveFormat: (userId: string, format: ImportFormat): Promise<void> => write.saveImportFormat({ userId, format }),
    removeFormat: (userId: string, id: string): Promise<void> => write.removeImportFormat({ userId, id }),
    /** False if there is no such work, or the import is active already. */
    cancel,
    undo: async (userId: string, id: string): Promise<Result<SettledCounts, Refused>> => {
      const undone = await write.undoImport({ userId, importId: id, at: now() })
      if (!undone.ok) return refuse(undone.error)
      changed(userId)
      return ok(countsOf(undone.value))
    },
    list: async (userId: string): Promise<AnswerOf<Routes['imports']>> => {
      const running = [...works.values()].find((work) => work.userId === userId && work.progress.of === 'import')
      return { imports: (await read.imports({ userId })).map(shownImport), running: running?.progress ?? null }
    },
  }
}

const shownFile = ({ name, outcome, refused }: FileRead): ReadFile => ({
  name,
  kind: outcome.ok ? outcome.value.kind : null,
  problem: outcome.ok ? null : outcome.error.code,
  format: outcome.ok ? (outcome.value.format?.name ?? null) : null,
  lacks: outcome.ok || outcome.error.kind === undefined || outcome.error.columns === undefined ? null : { kind: outcome.error.kind, columns: outcome.error.columns },
  otherReport: outcome.ok ? null : (outcome.error.report ?? null),
  openDate: outcome.ok ? null : (outcome.error.date ?? null),
  rows: outcome.ok ? outcome.value.rows : 0,
  accepted: outcome.ok ? outcome.value.accepted : 0,
  refused: outcome.ok ? outcome.value.refused : 0,
  refusedLines: refused.map(({ line, problem }) => ({ line, ...problem })),
  needsZone: outcome.ok && outcome.value.accepted > 0 && hasLocalTimes(outcome.value.kind),
})

const shownImport = ({ id, at, zone, undoneAt, fromBroker, files, accounts }: StoredImport): ImportShown => ({
  id, zone, fromBroker,
  at: new Date(at).toISOString(),
  undoneAt: undoneAt === null ? null : new Date(undoneAt).toISOString(),
  files: files.map(({ name, kind, rows, accepted, refused }) => ({ name, kind, rows, accepted, refused })),
  accounts: [...accounts],
})

const countsOf = ({ fills, pairs, trades, offTick }: Settled): SettledCounts => ({ fills, pairs, trades, offTick })
