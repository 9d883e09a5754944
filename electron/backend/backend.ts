import { join } from 'node:path'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { setUpBrokerages } from './brokerages.ts'
import { startDemoMode, type DemoMode } from './demo-mode.ts'
import type { Host, StartProblem } from './host.ts'
import { createApp } from './http/app.ts'
import { createLaunchTokens } from './http/launch.ts'
import { listen } from './http/listen.ts'
import { openLog } from './log.ts'
import { openSecrets } from './secrets/open-secrets.ts'
import { createEvents } from './services/events.ts'
import { createLocalIdentity } from './services/local-identity.ts'
import { createRecords } from './services/records.ts'
import { createSessions } from './services/sessions.ts'
import { openJournal } from './store/open-journal.ts'
import type { JournalTotals } from './store/rows.ts'
import { startFault, startProblemOf } from './start-problem.ts'
import { startSyncing } from './syncing.ts'

/** The running program. */
export type Backend = {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** An address that opens the program in one browser, once; for `demo` the browser is signed in to the demo profile. */
  readonly launchUrl: (who: 'anybody' | 'demo') => Promise<string>
  /** Syncs a profile, behind whatever run is under way, and gives the receipt. */
  readonly syncNow: (userId: string) => Promise<SyncReceipt>
  readonly totals: (userId: string) => Promise<JournalTotals>
  /** The demo's walk; null where the demo is not offered. */
  readonly demo: Pick<DemoMode, 'rewind' | 'stopsLeft'> | null
  /** Ends every stream and thread; what is being written is finished. */
  readonly stop: () => Promise<void>
}

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

const open = async ({ settings, paths, version, now, broken }: Host, opened: (() => Promise<unknown>)[], stop: () => Promise<void>): Promise<Backend> => {
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
  const demo = settings.demoOffered ? await startDemoMode({ folder: join(dataDir, 'demo'), now }) : null
  if (demo !== null) opened.push(demo.stop)

  const events = createEvents()
  const brokerages = await setUpBrokerages({ settings: settings.tradovate, secrets, demo, origin: () => url })
  const syncing = startSyncing({ journal, secrets, brokerages, demo, events, log, broken: () => broken('sync') })
  opened.push(syncing.stop)
  const { connections, runs } = syncing
  const identity = createLocalIdentity({ journal, now, timeZone: settings.timeZone })
  const sessions = createSessions({ journal, now })
  const launchTokens = createLaunchTokens()
  const stopping = new AbortController()
  opened.push(() => {
    stopping.abort()
    // Before all else: a call that is under way still finds its journal.
    return server.stop()
  })

  server.answer(
    createApp({
      services: {
        identity,
        sessions,
        events,
        records: createRecords({ journal, events, now, sweepTokens: connections.sweep }),
        read: journal.read,
        connections,
        runs: syncing.syncRuns,
        installation: { identity: 'local', secrets: secrets.kind, demoOffered: demo !== null, brokerageReady: brokerages.real() !== null, cloud: 'this-computer-only', timeZone: settings.timeZone, version },
      },
      launchTokens,
      pages: paths.pages,
      log,
      port: () => server.port,
      stopped: stopping.signal,
    }),
  )
  log.info({ port: server.port, version }, 'Fillbook started')

  return {
    url,
    launchUrl: async (who) => {
      const userId = who === 'demo' ? (await identity.signInDemo()).currentUser.uid : null
      return `${url}/?token=${launchTokens.mint(userId)}`
    },
    syncNow: (userId) => runs.start({ userId, trigger: 'manual' }).ended,
    totals: (userId) => journal.read.totals({ userId }),
    demo,
    stop,
  }
}
