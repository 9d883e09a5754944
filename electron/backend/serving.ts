import { join } from 'node:path'
import { largestJournalFile } from '#shared/api/journal-file.ts'
import { startBackingUp, type BackingUp } from './backups/backing-up.ts'
import type { Copying } from './copier/copying.ts'
import type { Desk } from './host.ts'
import { sessionByCookie } from './http/cookie.ts'
import type { Services } from './http/services.ts'
import { startImporting } from './imports/importing.ts'
import { createUploads } from './imports/uploads.ts'
import type { Mirroring } from './mirror/mirroring.ts'
import { createPictures } from './pictures/pictures.ts'
import { startReporting, type ReportingParts } from './reports/reporting.ts'
import type { Ruling } from './rules/ruling.ts'
import { createAccountDeletion, type AccountDeletionParts } from './identity/account-deletion.ts'
import { createDesk } from './desk.ts'
import { createOwnData } from './own-data/service.ts'
import { createJournalFiles } from './journal-file/service.ts'
import { createRecords } from './trades/service.ts'
import { createTradePictures } from './pictures/service.ts'
import type { Syncing } from './sync/syncing.ts'

/** What the services stand on. */
export type ServingParts = Pick<Services, 'identity' | 'sessions' | 'installation' | 'subscriptions' | 'paymentReturns' | 'demoMarket'> & Pick<ReportingParts, 'journal' | 'secrets' | 'rights' | 'events' | 'log' | 'now'> & {
  /** Who each profile is in its cloud; null where there is none for it. */
  readonly identityOf: AccountDeletionParts['identityOf']
  readonly dataDir: string
  readonly migrationsFolder: string
  readonly mirroring: Mirroring
  readonly syncing: Syncing
  readonly copying: Copying
  readonly ruling: Ruling
  /** The port that is listened on, by which browsers keep their cookies. */
  readonly port: number
}

/** Joins all that answers calls, the backups, and the desktop's own controls; `stop` ends what of it runs by itself. */
export const startServing = async ({ journal, secrets, rights, dataDir, migrationsFolder, events, mirroring, syncing, copying, ruling, log, port, now, identity: anybody, identityOf, sessions, installation, subscriptions, paymentReturns, demoMarket }: ServingParts): Promise<{ readonly services: Services; readonly desk: Desk; readonly backingUp: BackingUp; readonly stop: () => Promise<void> }> => {
  const { connections } = syncing
  const { copier, life } = copying
  const identity: typeof anybody = {
    ...anybody,
    signedOut: async (userId) => {
      // Whatever becomes of the copier, nobody is kept from leaving.
      await life.signedOut(userId).catch((error: unknown) => log.error({ error }, 'The copier was not paused at a sign-out'))
      await anybody.signedOut(userId)
      ruling.signedOut(userId)
    },
  }
  const forgetAll = async (userId: string): Promise<void> => {
    // Without its tokens nothing can be copied, whatever became of its groups.
    await life.forget(userId).catch((error: unknown) => log.error({ error }, 'Groups of a deleted account were not removed'))
    await reporting.forget(userId)
    await connections.forgetAll(userId)
  }
  const records = createRecords({ journal, events, now, sweepTokens: connections.sweep })
  const pictures = join(dataDir, 'pictures')
  const journalFiles = await createUploads({ folder: join(dataDir, 'journal-files'), now, largest: largestJournalFile })
  const reporting = await startReporting({ journal, secrets, events, rights, synced: syncing.runs.idle, log, now })
  const importing = await startImporting({ journal, folder: join(dataDir, 'imports'), alsoSwept: journalFiles, events, log, now })
  const backingUp = startBackingUp({ journal, dataDir, migrationsFolder, mirrors: mirroring, runs: syncing.runs, sweep: connections.sweep, timeZone: installation.timeZone, events, log, now })
  const { backups } = backingUp
  return {
    backingUp,
    services: {
      ...{ identity, sessions, events, connections, installation, subscriptions, paymentReturns, demoMarket },
      deleteAccount: createAccountDeletion({ journal, identity, identityOf, mirrors: mirroring, isCopying: life.isWorking, connections: { forgetAll }, backups, pictures: createPictures(pictures), sessions, events }),
      backups,
      records,
      ...{ copier, copierLedger: copying.ledger, positions: copying.positions, rules: ruling.rules, alerts: ruling.alerts, reports: reporting.reports },
      own: createOwnData({ journal, records, now }),
      read: journal.read,
      accounts: syncing.accounts,
      runs: syncing.syncRuns,
      history: syncing.history,
      mirrors: mirroring,
      pictures: createTradePictures({ folder: pictures, journal, now }),
      imports: importing.desk,
      journalFiles: createJournalFiles({ journal, pictures: createPictures(pictures), uploads: journalFiles, events, keepBefore: backups.makeBefore, now }),
    },
    desk: createDesk({ sessionOf: (header) => sessionByCookie(header, port, sessions), identity, runs: syncing.syncRuns, read: journal.read, events, copier, alerts: ruling.alerts, now }),
    stop: async () => {
      await backingUp.stop()
      await reporting.stop()
      await importing.stop()
    },
  }
}
