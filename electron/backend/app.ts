import { dirname, join } from 'node:path'
import { largestJournalFile } from '#shared/api/journal-file.ts'
import type { Log } from '#shared/base/log.ts'
import { startBackingUp } from './backups/backing-up.ts'
import { consentPlaces, setUpBrokerages } from './brokers/brokerages.ts'
import { startCopying } from './copier/copying.ts'
import { startDemoMode } from './demo-mode.ts'
import { createDesk } from './desk.ts'
import { createEvents } from './events.ts'
import type { Backend, Host } from './host.ts'
import { createApp } from './http/app.ts'
import { sessionByCookie } from './http/cookie.ts'
import { createLaunchTokens } from './http/launch.ts'
import type { Listening } from './http/listen.ts'
import type { Services } from './http/services.ts'
import { createAccountDeletion } from './identity/account-deletion.ts'
import { createCloudIdentities } from './identity/cloud-identities.ts'
import { setUpIdentities } from './identity/identities.ts'
import { startImporting } from './imports/importing.ts'
import { createUploads } from './imports/uploads.ts'
import { createJournalFiles } from './journal-file/service.ts'
import type { Journal } from './journal/journal.ts'
import { startMirroring } from './mirror/mirroring.ts'
import { createOwnData } from './own-data/service.ts'
import { createPictures } from './pictures/pictures.ts'
import { createTradePictures } from './pictures/service.ts'
import { startGranting } from './plans/granting.ts'
import { startReporting } from './reports/reporting.ts'
import { startRuling } from './rules/ruling.ts'
import { openSecrets } from './secrets/open-secrets.ts'
import { startFault } from './start-problem.ts'
import { startSyncing } from './sync/syncing.ts'
import { createRecords } from './trades/service.ts'

/** What `startBackend` has opened by the time the program is composed. */
export type Begun = {
  readonly server: Listening
  readonly log: Log
  /** Settles once the journal is open; its end is looked after already. */
  readonly opening: Promise<Journal>
  /** Closes what was opened, the last first. */
  readonly opened: (() => Promise<unknown>)[]
  readonly stop: () => Promise<void>
}

const dayMs = 86_400_000

/** Composes the whole program, top to bottom; rejects where a part of it cannot be used. */
export const composeApp = async (host: Host, { server, log, opening, opened, stop }: Begun): Promise<Backend> => {
  const { settings, paths, version, now, broken, startChild, comeForward, keepAwake, freshPort = false, roleOf, passwordCost } = host
  const { dataDir, cloudUrl } = settings
  const origin = `http://127.0.0.1:${String(server.port)}`
  const pictures = createPictures(join(dataDir, 'pictures'))
  // Later parts that earlier ones call back into; nothing calls before all are there.
  const later: { inUse: (userId: string) => void; entered: (userId: string) => void; tokensReplaced: (userId: string) => void; noBackupReturns: (userId: string) => Promise<void> } = {
    inUse: () => undefined,
    entered: () => undefined,
    tokensReplaced: () => undefined,
    noBackupReturns: () => Promise.resolve(),
  }

  // Secrets, the demo, the journal
  const keeper = await openSecrets({ mode: settings.secrets, profile: dataDir, folder: dataDir, onDamaged: (keptAs) => log.error({ keptAs }, 'The file of secrets was damaged') })
  if (!keeper.ok) throw startFault(keeper.error)
  const secrets = keeper.value
  const demo = settings.demoOffered ? await startDemoMode({ folder: join(dataDir, 'demo'), cloudEntry: paths.cloud, startChild, now, log }) : null
  if (demo !== null) opened.push(demo.stop)
  const demoCloud = demo?.cloud ?? null
  const journal = await opening
  await journal.write.forgetExpired({ at: now(), oauthStatesBefore: now() - dayMs })

  // Who users are, here and in the cloud
  const pushing = createEvents()
  const identities = await setUpIdentities({ settings, freshPort, passwordCost, secrets, journal, events: pushing, origin: () => origin, now, log, inUse: (userId) => later.inUse(userId), entered: (userId) => later.entered(userId) })
  opened.push(identities.stop)
  const { sessions } = identities
  const identityOf = createCloudIdentities({ journal, cloudUrl, demoCloud, tokenOf: identities.tokenOf })

  // The mirror in the cloud, and what users may do
  const mirroring = startMirroring({ journal, identityOf, cloudUrl, demoCloud, picturesFolder: join(dataDir, 'pictures'), events: pushing, now, log, broken: () => broken('mirror') })
  opened.push(mirroring.stop)
  const events = mirroring.listeningTo(pushing)
  const granting = startGranting({ journal, settings, identityOf, roleOf, origin: () => origin, now })
  opened.push(granting.stop)
  const { rights, subscriptions, paymentReturns } = granting

  // Brokerages, sync, rules, the copier
  const brokerages = await setUpBrokerages({ settings: settings.tradovate, secrets, demo, identityOf: cloudUrl === null ? null : identityOf, origin: () => origin })
  const notRestoring = async (userId: string): Promise<void> => {
    await later.noBackupReturns(userId)
    await mirroring.notRestoring(userId)
  }
  const syncing = startSyncing({ journal, secrets, brokerages, demo, events, rights, notRestoring, tokensReplaced: (userId) => later.tokensReplaced(userId), log, now, broken: () => broken('sync') })
  opened.push(syncing.stop)
  const { connections, runs } = syncing
  const ruling = startRuling({ journal, events, rights, log, now })
  opened.push(ruling.stop)
  const copying = await startCopying({ settings, migrationsFolder: join(dirname(paths.migrations), 'copier'), journal, keeper: syncing.keeper, rights, rules: ruling.rules, identityOf, events, log, now, keepAwake, broken: () => broken('copier') })
  opened.push(copying.stop)
  ruling.follow(copying.positions)
  // An account that was removed on another computer leaves no token behind here. What the end of the program cut short is made up for by the hourly sweep.
  mirroring.onBrought((userId) => void connections.sweep(userId).catch((error: unknown) => log.warn({ error }, 'Logins without accounts were not swept')))

  // The journal's features
  const identity: typeof identities.identity = {
    ...identities.identity,
    signedOut: async (userId) => {
      // Whatever becomes of the copier, nobody is kept from leaving.
      await copying.life.signedOut(userId).catch((error: unknown) => log.error({ error }, 'The copier was not paused at a sign-out'))
      await identities.identity.signedOut(userId)
      ruling.signedOut(userId)
    },
  }
  const records = createRecords({ journal, events, now, sweepTokens: connections.sweep })
  const journalUploads = await createUploads({ folder: join(dataDir, 'journal-files'), now, largest: largestJournalFile })
  const reporting = await startReporting({ journal, secrets, events, rights, synced: runs.idle, log, now })
  const importing = await startImporting({ journal, folder: join(dataDir, 'imports'), alsoSwept: journalUploads, events, log, now })
  const backingUp = startBackingUp({ journal, dataDir, migrationsFolder: paths.migrations, mirrors: mirroring, runs, sweep: connections.sweep, timeZone: settings.timeZone, events, log, now })
  opened.push(async () => {
    await backingUp.stop()
    await reporting.stop()
    await importing.stop()
  })
  const forgetAll = async (userId: string): Promise<void> => {
    // Without its tokens nothing can be copied, whatever became of its groups.
    await copying.life.forget(userId).catch((error: unknown) => log.error({ error }, 'Groups of a deleted account were not removed'))
    await reporting.forget(userId)
    await connections.forgetAll(userId)
  }
  const { backups } = backingUp
  const services: Services = {
    // Users and plans
    identity, sessions, events, subscriptions, paymentReturns,
    deleteAccount: createAccountDeletion({ journal, identity, identityOf, mirrors: mirroring, isCopying: copying.life.isWorking, connections: { forgetAll }, backups, pictures, sessions, events }),
    installation: { identity: identity.kind, federated: identity.federated, secrets: secrets.kind, demoOffered: demo !== null, timeZone: settings.timeZone, version },
    // Brokerages and sync
    connections, accounts: syncing.accounts, runs: syncing.syncRuns, history: syncing.history, demoMarket: demo,
    // The journal
    read: journal.read, records, imports: importing.desk, mirrors: mirroring, backups,
    own: createOwnData({ journal, records, now }),
    pictures: createTradePictures({ folder: join(dataDir, 'pictures'), journal, now }),
    journalFiles: createJournalFiles({ journal, pictures, uploads: journalUploads, events, keepBefore: backups.makeBefore, now }),
    // Copier, positions, rules, reports
    copier: copying.copier, copierLedger: copying.ledger, positions: copying.positions, rules: ruling.rules, alerts: ruling.alerts, reports: reporting.reports,
  }
  Object.assign(later, {
    inUse: (userId: string) => {
      mirroring.inUse(userId)
      rights.inUse(userId)
      ruling.inUse(userId)
    },
    entered: (userId: string) => void mirroring.now(userId).catch((error: unknown) => log.warn({ error }, 'The mirror was not told of a sign-in')),
    tokensReplaced: copying.tokensReplaced,
    noBackupReturns: backups.notRestoring,
  } satisfies typeof later)

  // The web server, last to open and first to close
  const launchTokens = createLaunchTokens()
  const stopping = new AbortController()
  server.answer(createApp({ services, launchTokens, pages: paths.pages, comeForward: (place) => comeForward?.(place), log, port: () => server.port, stopped: stopping.signal }))
  opened.push(() => {
    stopping.abort()
    // A call that is under way still finds its journal.
    return server.stop()
  })
  identities.begin()
  backingUp.begin()
  log.info({ port: server.port, version }, 'Fillbook started')

  return {
    url: origin,
    launchUrl: async (who) => {
      const userId = who === 'demo' ? (await identity.signInDemo()).currentUser.uid : null
      return `${origin}/?token=${launchTokens.mint(userId)}`
    },
    desk: createDesk({ sessionOf: (header) => sessionByCookie(header, server.port, sessions), identity, runs: syncing.syncRuns, read: journal.read, events, copier: copying.copier, alerts: ruling.alerts, now }),
    woke: copying.woke,
    consent: { ...consentPlaces(brokerages, origin), awaits: connections.awaits },
    syncNow: (userId) => runs.start({ userId, trigger: 'manual' }).ended,
    totals: (userId) => journal.read.totals({ userId }),
    supportFacts: () => journal.read.supportFacts(),
    mirrored: mirroring.drained,
    demo,
    stop,
  }
}
