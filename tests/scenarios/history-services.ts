import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createUploads } from '#backend/imports/uploads.ts'
import type { Pictures } from '#backend/pictures/pictures.ts'
import { createBackups } from '#backend/backups/service.ts'
import type { Events } from '#backend/events.ts'
import { createImportService } from '#backend/imports/service.ts'
import { isPriceFile } from '#backend/prices/service.ts'
import { createJournalFiles } from '#backend/journal-file/service.ts'
import { createOwnData } from '#backend/own-data/service.ts'
import { createRecords } from '#backend/trades/service.ts'
import { createTradePictures } from '#backend/pictures/service.ts'
import { createRules } from '#backend/rules/service.ts'
import { backupWork } from '#backend/backups/backup-work.ts'
import type { JournalCalls, WholeJournal } from '#backend/journal/journal.ts'
import { silent } from '../helpers/copier-samples.ts'
import { migrationsFolder } from '../helpers/store.ts'
import type { HeldMirror } from './history-mirror.ts'

/** What the services of a computer stand on. */
export type HistoryDeps = { readonly journal: JournalCalls & WholeJournal; readonly events: Events; readonly mirror: HeldMirror; readonly pictures: Pictures; readonly dataDir: string; /** UTC ms. */ readonly now: () => number }

/** Whatever works on threads of its own in the program works on this one. */
const backupThreads = Object.fromEntries(Object.entries(backupWork).map(([name, work]) => [name, async (order: never): Promise<unknown> => work(order)])) as never

/** The services of one computer, joined as the program joins them. */
export const joinHistoryServices = async ({ journal, events, mirror, pictures, dataDir, now }: HistoryDeps) => {
  const sweep = (): Promise<void> => Promise.resolve()
  const records = createRecords({ journal, events, now, sweepTokens: sweep })
  const uploads = await createUploads({ folder: join(dataDir, 'imports'), now })
  const backups = createBackups({
    dataDir, folder: join(dataDir, 'backups'), timeZone: 'America/New_York', migrationsFolder, sweep, events, now, log: silent,
    journal: { ...journal, refuseWrites: () => { throw new Error('The journal is damaged') } },
    threads: backupThreads,
    mirrors: { end: mirror.end, resume: mirror.begin },
    runs: { running: () => null, idle: () => Promise.resolve() },
    removeFile: (file) => rm(file, { recursive: true, force: true }),
    renameFile: rename,
    fileExists: existsSync,
    freeBytes: () => null,
  })
  return {
    records, backups, mirror,
    read: journal.read,
    own: createOwnData({ journal, records, now }),
    desk: createImportService({ journal, uploads, isPriceFile, events, now }),
    rules: createRules({ journal, events, seen: { of: () => Promise.resolve(new Map()), keep: () => undefined }, live: () => [], keepLive: () => undefined, refresh: () => Promise.resolve(), runOdds: () => Promise.resolve(null), now }),
    tradePictures: createTradePictures({ folder: join(dataDir, 'pictures'), journal, now }),
    journalFiles: createJournalFiles({ journal, pictures, uploads, events, keepBefore: backups.makeBefore, now }),
  }
}

/** They, joined. */
export type HistoryServices = Awaited<ReturnType<typeof joinHistoryServices>>
