import type { Log } from '#shared/base/log.ts'
import { createUploads, type Uploads } from './uploads.ts'
import type { Events } from '../events.ts'
import { createImportDesk, type ImportDesk } from './service.ts'
import { createImports } from './imports.ts'
import type { Journal } from '../journal/journal.ts'

const sweptEveryMs = 10 * 60_000
const keptUnusedMs = 60 * 60_000

/** Everything that brings exported files into the journal. */
export type Importing = { readonly desk: ImportDesk; readonly stop: () => Promise<void> }

/** What importing works with. */
export type ImportingParts = {
  readonly journal: Journal
  /** Where files lie until they are imported; what it holds from before goes. */
  readonly folder: string
  /** Other files that were sent and are swept with these. */
  readonly alsoSwept: Pick<Uploads, 'sweep'>
  readonly events: Events
  readonly log: Log
  /** The host's clock, UTC ms. */
  readonly now: () => number
}

/** Joins imports, the files that were sent, and the sweep of those that nobody imports. */
export const startImporting = async ({ journal, folder, alsoSwept, events, log, now }: ImportingParts): Promise<Importing> => {
  const uploads = await createUploads({ folder, now })
  const sweeping = setInterval(() => {
    const before = now() - keptUnusedMs
    Promise.all([uploads, alsoSwept].map(({ sweep }) => sweep(before))).catch((error: unknown) => log.warn({ error }, 'Files that nobody asks for were not swept'))
  }, sweptEveryMs).unref()
  return {
    desk: createImportDesk({ imports: createImports({ journal, now }), uploads, events }),
    stop: () => {
      clearInterval(sweeping)
      return Promise.resolve()
    },
  }
}
