import { dirname, join } from 'node:path'
import { err, ok, type Result } from '#shared/base/result.ts'
import { startAnswering } from './answering.ts'
import { consentPlaces, setUpBrokerages } from './brokerages.ts'
import { createCloudIdentities } from './cloud-identities.ts'
import { startCopying } from './copying.ts'
import { startDemoMode } from './demo-mode.ts'
import { startGranting } from './granting.ts'
import type { Backend, Host, StartProblem } from './host.ts'
import { setUpIdentities } from './identities.ts'
import { listen } from './http/listen.ts'
import { openLog } from './log.ts'
import { startMirroring } from './mirroring.ts'
import { startRuling } from './ruling.ts'
import { openSecrets } from './secrets/open-secrets.ts'
import { createEvents } from './services/events.ts'
import { startServing } from './serving.ts'
import { openJournal } from './store/open-journal.ts'
import { startFault, startProblemOf } from './start-problem.ts'
import { startSyncing } from './syncing.ts'

/** Starts the program for a front door: everything is joined here. What its user can mend comes back as problems; a bug throws. */
export const startBackend = async (host: Host): Promise<Result<Backend, readonly StartProblem[]>> => {
  const opened: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (let close = opened.pop(); close !== undefined; close = opened.pop()) await close()
  }
  try {
    return ok(await open(host, opened, stop))
  } catch (error) {
    await stop()
    const problem = startProblemOf(error, host.settings)
    if (problem === null) throw error
    return err([problem])
  }
}

const open = async ({ settings, paths, version, now, broken, startChild, comeForward, keepAwake, roleOf, passwordCost }: Host, opened: (() => Promise<unknown>)[], stop: () => Promise<void>): Promise<Backend> => {
  const { dataDir } = settings
  // First of all: a second start on the same port must not touch the journal of the first.
  const server = await listen(settings.port)
  opened.push(server.stop)
  const url = `http://127.0.0.1:${String(server.port)}`
  // What is written from here on is for its owner's eyes only; on Windows the rights of the user's folder hold.
  process.umask(0o077)
  const { log, close } = await openLog(join(dataDir, 'logs'), settings.logLevel)
  opened.push(close)
  const keeper = await openSecrets({ mode: settings.secrets, profile: dataDir, folder: dataDir, onDamaged: (keptAs) => log.error({ keptAs }, 'The file of secrets was damaged') })
  if (!keeper.ok) throw startFault(keeper.error)
  const secrets = keeper.value
  const journal = await openJournal({ file: join(dataDir, 'journal.db'), migrationsFolder: paths.migrations, backupFolder: join(dataDir, 'backups'), log, broken: () => broken('journal') })
  opened.push(journal.close)
  await journal.write.forgetExpired({ at: now(), oauthStatesBefore: now() - 86_400_000 })
  const demo = settings.demoOffered ? await startDemoMode({ folder: join(dataDir, 'demo'), cloudEntry: paths.cloud, startChild, now, log }) : null
  if (demo !== null) opened.push(demo.stop)

  const pushing = createEvents()
  const { cloudUrl } = settings
  const demoCloud = demo?.cloud ?? null
  const identities = await setUpIdentities({ settings, passwordCost, secrets, journal, events: pushing, origin: () => url, now, log, inUse: (userId) => inUse(userId), entered: (userId) => entered(userId) })
  opened.push(identities.stop)
  const { identity, sessions } = identities
  const identityOf = createCloudIdentities({ journal, cloudUrl, demoCloud, tokenOf: identities.tokenOf })
  const mirroring = startMirroring({ journal, identityOf, cloudUrl, demoCloud, picturesFolder: join(dataDir, 'pictures'), events: pushing, log, broken: () => broken('mirror') })
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
