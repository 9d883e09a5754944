import { dirname, join } from 'node:path'
import type { Log } from '#shared/base/log.ts'
import { startAnswering } from './answering.ts'
import { consentPlaces, setUpBrokerages } from './brokers/brokerages.ts'
import { createCloudIdentities } from './identity/cloud-identities.ts'
import { startCopying } from './copier/copying.ts'
import { startDemoMode } from './demo-mode.ts'
import { startGranting } from './plans/granting.ts'
import type { Backend, Host } from './host.ts'
import { setUpIdentities } from './identity/identities.ts'
import type { Listening } from './http/listen.ts'
import { startMirroring } from './mirror/mirroring.ts'
import { startRuling } from './rules/ruling.ts'
import { openSecrets } from './secrets/open-secrets.ts'
import { createEvents } from './events.ts'
import { startServing } from './serving.ts'
import type { Journal } from './journal/journal.ts'
import { startFault } from './start-problem.ts'
import { startSyncing } from './sync/syncing.ts'

/** What the program stands on once it has begun. */
export type Begun = {
  readonly server: Listening
  readonly log: Log
  /** Settles once the journal is open, which its end is looked after already. */
  readonly opening: Promise<Journal>
  /** Ends what was opened, the last first. */
  readonly opened: (() => Promise<unknown>)[]
  readonly stop: () => Promise<void>
}

/** Joins all parts of the program while its journal opens; rejects where one of them can't be used. */
export const joinParts = async ({ settings, paths, version, now, broken, startChild, comeForward, keepAwake, freshPort = false, roleOf, passwordCost }: Host, { server, log, opening, opened, stop }: Begun): Promise<Backend> => {
  const { dataDir } = settings
  const url = `http://127.0.0.1:${String(server.port)}`
  const keeper = await openSecrets({ mode: settings.secrets, profile: dataDir, folder: dataDir, onDamaged: (keptAs) => log.error({ keptAs }, 'The file of secrets was damaged') })
  if (!keeper.ok) throw startFault(keeper.error)
  const secrets = keeper.value
  const demo = settings.demoOffered ? await startDemoMode({ folder: join(dataDir, 'demo'), cloudEntry: paths.cloud, startChild, now, log }) : null
  if (demo !== null) opened.push(demo.stop)
  const journal = await opening
  await journal.write.forgetExpired({ at: now(), oauthStatesBefore: now() - 86_400_000 })

  const pushing = createEvents()
  const { cloudUrl } = settings
  const demoCloud = demo?.cloud ?? null
  const identities = await setUpIdentities({ settings, freshPort, passwordCost, secrets, journal, events: pushing, origin: () => url, now, log, inUse: (userId) => inUse(userId), entered: (userId) => entered(userId) })
  opened.push(identities.stop)
  const { identity, sessions } = identities
  const identityOf = createCloudIdentities({ journal, cloudUrl, demoCloud, tokenOf: identities.tokenOf })
  const mirroring = startMirroring({ journal, identityOf, cloudUrl, demoCloud, picturesFolder: join(dataDir, 'pictures'), events: pushing, now, log, broken: () => broken('mirror') })
  opened.push(mirroring.stop)
  const events = mirroring.listeningTo(pushing)
  const brokerages = await setUpBrokerages({ settings: settings.tradovate, secrets, demo, identityOf: cloudUrl === null ? null : identityOf, origin: () => url })
  const granting = startGranting({ journal, settings, identityOf, roleOf, origin: () => url, now })
  opened.push(granting.stop)
  const { rights, subscriptions, paymentReturns } = granting
  let noBackupReturns: (userId: string) => Promise<void> = () => Promise.resolve()
  const notRestoring = async (userId: string): Promise<void> => {
    await noBackupReturns(userId)
    await mirroring.notRestoring(userId)
  }
  const syncing = startSyncing({ journal, secrets, brokerages, demo, events, rights, notRestoring, tokensReplaced: (userId) => copying.tokensReplaced(userId), log, now, broken: () => broken('sync') })
  opened.push(syncing.stop)
  const { connections, keeper: tokens, runs } = syncing
  const ruling = startRuling({ journal, events, rights, log, now })
  opened.push(ruling.stop)
  const copying = await startCopying({ settings, migrationsFolder: join(dirname(paths.migrations), 'copier'), journal, keeper: tokens, rights, rules: ruling.rules, identityOf, events, log, now, keepAwake, broken: () => broken('copier') })
  opened.push(copying.stop)
  ruling.follow(copying.positions)
  // An account that was removed on another computer leaves no token behind here. One that the end of the program cut short is made up for by the hourly look.
  mirroring.onBrought((userId) => void connections.sweep(userId).catch((error: unknown) => log.warn({ error }, 'Logins without accounts were not swept')))
  const inUse = (userId: string): void => {
    mirroring.inUse(userId)
    rights.inUse(userId)
    ruling.inUse(userId)
  }
  const entered = (userId: string): void => void mirroring.now(userId).catch((error: unknown) => log.warn({ error }, 'The mirror was not told of a sign-in'))
  const installation = { identity: identity.kind, federated: identity.federated, secrets: secrets.kind, demoOffered: demo !== null, timeZone: settings.timeZone, version } as const
  const serving = await startServing({ journal, secrets, rights, dataDir, migrationsFolder: paths.migrations, events, mirroring, syncing, copying, ruling, log, port: server.port, now, identity, identityOf, sessions, installation, subscriptions, paymentReturns, demoMarket: demo })
  opened.push(serving.stop)
  noBackupReturns = serving.backingUp.backups.notRestoring
  const { launchTokens, stop: stopAnswering } = startAnswering(server, { services: serving.services, pages: paths.pages, comeForward: (place) => comeForward?.(place), log })
  opened.push(stopAnswering)
  identities.begin()
  serving.backingUp.begin()
  log.info({ port: server.port, version }, 'Fillbook started')

  return {
    url,
    launchUrl: async (who) => {
      const userId = who === 'demo' ? (await identity.signInDemo()).currentUser.uid : null
      return `${url}/?token=${launchTokens.mint(userId)}`
    },
    desk: serving.desk,
    woke: copying.woke,
    consent: { ...consentPlaces(brokerages, url), awaits: connections.awaits },
    syncNow: (userId) => runs.start({ userId, trigger: 'manual' }).ended,
    totals: (userId) => journal.read.totals({ userId }),
    supportFacts: () => journal.read.supportFacts(),
    mirrored: mirroring.drained,
    demo,
    stop,
  }
}
