import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { largestJournalFile } from '#shared/api/journal-file.ts'
import type { Log } from '#shared/base/log.ts'
import { err, ok } from '#shared/base/result.ts'
import { armedStateOf } from '#shared/copier/standing.ts'
import { createConnections } from './accounts/connections.ts'
import { createAccounts } from './accounts/service.ts'
import { createTokenKeeper, tokenCalls, type LoginOfUser } from './sync/token-keeper.ts'
import { backupThreads } from './backups/run-backup.ts'
import { createBackupClock } from './backups/schedule.ts'
import { createBackups } from './backups/service.ts'
import { consentPlaces, setUpBrokerages } from './brokerages.ts'
import { systemTiming } from './brokers/timing.ts'
import { createCloudClient } from './cloud/client.ts'
import { createCloudSubscriptions } from './cloud/subscriptions.ts'
import { createCopierAlerts } from './copier/copier-alerts.ts'
import { createLedger } from './copier/copier-ledger.ts'
import { createCopierLife } from './copier/copier-life.ts'
import { openCopierNotes } from './copier/copier-notes.ts'
import { startCopierThreads } from './copier/copier-threads.ts'
import { createPermits, leasesBy } from './copier/copier-permits.ts'
import { createCopier } from './copier/service.ts'
import { startDemoMode } from './demo-mode.ts'
import { createEvents } from './events.ts'
import type { Backend, Host } from './host.ts'
import { createApp } from './http/app.ts'
import { sessionByCookie } from './http/cookie.ts'
import { createLaunchTokens } from './http/launch.ts'
import type { Listening } from './http/listen.ts'
import type { Services } from './http/services.ts'
import { createAccountDeletion } from './identity/account-deletion.ts'
import { createCloudIdentities } from './identity/cloud-identities.ts'
import { demoUserId } from './demo-user.ts'
import { createLeaving } from './identity/leaving.ts'
import { unsavedCodeName } from './identity/recovery-codes.ts'
import { setUpIdentities } from './identity/service.ts'
import { createImports } from './imports/imports.ts'
import { createImportService } from './imports/service.ts'
import { createUploads, sweepUploads } from './imports/uploads.ts'
import { createJournalFiles } from './journal-file/service.ts'
import type { Journal } from './journal/journal.ts'
import { startMirroring } from './mirror/service.ts'
import { createOwnData } from './own-data/service.ts'
import { createPictures } from './pictures/pictures.ts'
import { createTradePictures } from './pictures/service.ts'
import { createPaymentReturns } from './plans/payment-returns.ts'
import { createRights } from './plans/rights.ts'
import { createEntitlements, demoRoles } from './plans/entitlements.ts'
import { createSubscriptions } from './plans/subscriptions.ts'
import type { PositionsNow } from './brokers/live.ts'
import { createPositions } from './positions/service.ts'
import { pricesFolder } from './prices/store/stored-excursions.ts'
import { createPriceFeeds } from './prices/price-feeds.ts'
import { createPriceThread } from './prices/price-thread.ts'
import { createPrices, isPriceFile } from './prices/service.ts'
import { createPdfs } from './reports/pdf-thread.ts'
import { createReportModels } from './reports/report-models.ts'
import { createReportNarratives } from './reports/report-narratives.ts'
import { createReportScheduler } from './reports/report-schedule.ts'
import { createReports } from './reports/service.ts'
import { startRuleWatch } from './rules/service.ts'
import { openSecrets } from './secrets/open-secrets.ts'
import { createTokenStore } from './secrets/token-store.ts'
import { startFault } from './start-fault.ts'
import { createFirstSyncs } from './sync/first-syncs.ts'
import { createHistory } from './sync/history.ts'
import { startSchedule } from './sync/schedule.ts'
import { createRuns, createSyncRuns, startSyncThread } from './sync/service.ts'
import { deleteSnapshots } from './brokers/ninjatrader/snapshot.ts'
import { watchDatabases } from './brokers/ninjatrader/watch.ts'
import { lazyThread } from './threads/start-thread.ts'
import { createRecords } from './trades/service.ts'

/** What `startBackend` has opened before the program is composed. */
export type Begun = {
  readonly server: Listening
  readonly log: Log
  /** Settles once the journal is open. A failure is already handled. */
  readonly opening: Promise<Journal>
  /** Functions that close what was opened, to be called last first. */
  readonly opened: (() => Promise<unknown>)[]
  readonly stop: () => Promise<void>
}

/** Calls of parts that are composed before the part that they call. */
type LaterCalls = {
  /** A user is active. */
  inUse: (userId: string) => void
  /** A user signed in. */
  entered: (userId: string) => void
  tokensReplaced: (userId: string) => void
  /** Whether copier orders of a login may still fill. */
  hasOrders: (login: LoginOfUser) => Promise<boolean>
  /** Settles once no backup of this user is being restored. */
  noBackupReturns: (userId: string) => Promise<void>
  /** The live positions of accounts whose login has a key. */
  livePositions: (userId: string, latest: PositionsNow) => void
  /** A sync or a fetch of history ended. */
  synced: (userId: string) => void
}

const dayMs = 86_400_000
/** Timeout for the cloud's answer about a plan, because a user is waiting, in ms. */
const subscriptionsTimeoutMs = 20_000

/** Composes the whole program, top to bottom; rejects if a part of it cannot start. */
export const composeApp = async (host: Host, { server, log, opening, opened, stop }: Begun): Promise<Backend> => {
  const { settings, paths, version, now, broken, startChild, comeForward, keepAwake = () => undefined, freshPort = false, roleOf = () => null, passwordCost } = host
  const { dataDir, cloudUrl, timeZone } = settings
  const origin = `http://127.0.0.1:${String(server.port)}`
  const logFailure = (work: Promise<unknown>, what: string): void => void work.catch((error: unknown) => log.warn({ error }, what))
  const sleep = (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal, ref: false })
  const picturesFolder = join(dataDir, 'pictures')
  const pictures = createPictures(picturesFolder)
  const demoFolder = join(dataDir, 'demo')
  const leaving = createLeaving(join(dataDir, 'leaving'))
  // Calls from earlier parts to later ones; nothing makes them before all are set, at the end.
  const lateCalls: LaterCalls = {
    synced: () => undefined,
    livePositions: () => undefined,
    inUse: () => undefined,
    entered: () => undefined,
    tokensReplaced: () => undefined,
    // Until the copier runs, assume open orders: a later sweep deletes the login.
    hasOrders: () => Promise.resolve(true),
    noBackupReturns: () => Promise.resolve(),
  }

  // Secrets, the demo, the journal
  const kept = await openSecrets({ mode: settings.secrets, profile: dataDir, folder: dataDir, onDamaged: (keptAs) => log.error({ keptAs }, 'secrets file was damaged') })
  if (!kept.ok) throw startFault(kept.error)
  const secrets = kept.value
  const demo = settings.demoOffered ? await startDemoMode({ folder: demoFolder, cloudEntry: paths.cloud, startChild, now, log }) : null
  if (demo !== null) opened.push(demo.stop)
  const demoCloud = demo?.cloud ?? null
  const journal = await opening
  const { read, write } = journal
  await write.deleteExpired({ at: now(), oauthStatesBefore: now() - dayMs })

  // Who users are, here and in the cloud
  const events = createEvents()
  const identities = await setUpIdentities({ settings, freshPort, passwordCost, secrets, journal, events, origin: () => origin, now, log, inUse: (userId) => lateCalls.inUse(userId), entered: (userId) => lateCalls.entered(userId) })
  opened.push(identities.stop)
  const { sessions } = identities
  const identityOf = createCloudIdentities({ journal, cloudUrl, demoCloud, tokenOf: identities.tokenOf })

  // The cloud mirror
  const mirroring = startMirroring({ journal, identityOf, cloudUrl, demoCloud, picturesFolder, events, now, log, broken: () => broken('mirror') })
  opened.push(mirroring.stop)
  // What is being deleted in the cloud must not be uploaded again.
  for (const userId of leaving.all()) await mirroring.end(userId)

  // Users' rights and payments
  const paymentReturns = createPaymentReturns(now)
  const subscriptionsOf = async (userId: string) => {
    const cloud = await identityOf(userId)
    return cloud === null ? null : createCloudSubscriptions(createCloudClient(cloud, subscriptionsTimeoutMs))
  }
  const entitlements = createEntitlements({ journal, cloudUrl, callsOf: subscriptionsOf, demoRole: demoRoles[settings.demoAccess], roleOf, now })
  opened.push(() => Promise.resolve(entitlements.stop()))
  const rights = createRights({ entitlements })
  const subscriptions = createSubscriptions({ entitlements, returns: paymentReturns, origin: () => origin, now })

  // Brokerages and sync: tokens, the thread, runs, history, the schedule, connections
  const brokerages = await setUpBrokerages({ settings: settings.tradovate, secrets, demo, identityOf: cloudUrl === null ? null : identityOf, origin: () => origin })
  const keeper = createTokenKeeper({ store: createTokenStore(secrets), journal, brokerages, firms: settings.projectx, timing: systemTiming })
  const databases = join(dataDir, 'ninjatrader')
  // A killed program leaves copies of databases behind.
  deleteSnapshots(databases)
  const liveAccounts = {
    positions: ({ userId, now: latest }: { readonly userId: string; readonly now: PositionsNow }) => lateCalls.livePositions(userId, latest),
    traded: (of: LoginOfUser) => logFailure(syncAfterFill(of), 'A sync after a fill could not start'),
  }
  // These calls do not start the thread: before its first run it knows no login.
  const beforeFirstRun = { forget: () => Promise.resolve(), stopBars: () => Promise.resolve(), positionsOf: () => Promise.resolve({ at: now(), accounts: [] }) }
  const { calls: syncThread } = lazyThread(() => startSyncThread({ journal, keeper, log, databases, live: liveAccounts, broken: () => broken('sync') }), beforeFirstRun)
  const demoRun = demo?.walk(syncThread.run, (receipt) => write.saveReceipt({ userId: demoUserId, receipt, read: [] }))
  const runs = createRuns({
    restored: async (userId) => {
      await lateCalls.noBackupReturns(userId)
      await mirroring.notRestoring(userId)
    },
    run: (request, progress) => (demoRun !== undefined && request.userId === demoUserId ? demoRun : syncThread.run)(request, progress),
    newId: randomUUID,
    now: systemTiming.now,
    events,
    afterRun: (userId, receipt) => {
      if (receipt.outcome !== 'failed') void history.afterSync(userId)
      lateCalls.synced(userId)
      watchAgain()
    },
    log,
  })
  const syncAfterFill = async ({ userId, loginId }: LoginOfUser): Promise<void> => {
    // A running sync may have read that account already.
    await runs.idle(userId)
    if (await rights.holds(userId, 'autosync')) await runs.start({ userId, trigger: 'fill', loginId }).ended
  }
  const history = createHistory({
    journal,
    imports: createImports({ journal, now }),
    report: syncThread.report, idle: runs.idle, rights,
    // In the demo the clock is the market's.
    now: (userId) => (demo !== null && userId === demoUserId ? demo.broker.clock.now() : now()),
    changed: (userId, login) => events.push(userId, { type: 'history-changed', login }),
    added: (userId) => {
      events.push(userId, { type: 'journal-changed' })
      events.push(userId, { type: 'finances-changed' })
      lateCalls.synced(userId)
    },
    log,
  })
  // Resumes what the previous run of the program had started.
  void history.resume()
  // A change of a NinjaTrader database starts a sync
  const databasesOfNinjatrader = watchDatabases({
    logins: async () => (await read.logins({})).filter(({ broker }) => broker === 'ninjatrader').map(({ id, userId, brokerUserId }) => ({ id, userId, file: brokerUserId })),
    changed: ({ id: loginId, userId }) => {
      void rights.holds(userId, 'autosync').then((may) => (may ? runs.start({ userId, trigger: 'fill', loginId }).ended.catch(() => undefined) : undefined))
    },
    log,
  })
  opened.push(() => Promise.resolve(databasesOfNinjatrader.stop()))
  const watchAgain = (): void => logFailure(databasesOfNinjatrader.renew(), 'Watching NinjaTrader databases failed')
  watchAgain()
  const schedule = startSchedule({ journal, timing: systemTiming, start: runs.start, mayRun: (userId) => rights.holds(userId, 'autosync'), keepAlive: syncThread.keepAlive, log })
  const connections = createConnections({
    journal,
    keeper,
    timing: systemTiming,
    rights,
    databases,
    connected: async ({ userId, loginId, history: wanted }) => {
      const connectedAt = now()
      await syncThread.forget(loginId)
      lateCalls.tokensReplaced(userId)
      watchAgain()
      // The consent was given before the plan ended: keep the connection, but do not sync.
      if (!(await rights.holds(userId, 'autosync'))) return
      if (wanted) await history.want({ userId, loginId })
      const sole = (await read.logins({ userId })).length === 1
      runs.start({ userId, trigger: 'connect', loginId, connectedAt, sole }).ended.catch(() => undefined)
    },
    keepAlive: syncThread.keepAlive,
    hasOrders: (login) => lateCalls.hasOrders(login),
    forgotten: async (loginId) => {
      await syncThread.forget(loginId)
      watchAgain()
    },
  })
  const accounts = createAccounts({ journal, runs, schedule, keeper, now })
  const syncRuns = createSyncRuns({ runs, nextAt: schedule.nextAt, read, rights })
  opened.push(async () => {
    schedule.stop()
    const historyClosed = history.close()
    await syncThread.stop()
    await historyClosed
  })

  // Rules of accounts
  const ruleWatch = startRuleWatch({ journal, events, rights, partly: createFirstSyncs({ read, runs, history }), log, now })
  opened.push(ruleWatch.stop)

  // The copier: its threads, leases, alerts, and live positions; armed groups resume automatically. Without its list of armed groups the program must not run
  const copierNotes = await openCopierNotes(join(dataDir, 'copier.json'))
  const { calls: copierThread, reads: ledgerReads, stop: stopCopierThreads } = startCopierThreads({
    settings: { file: join(dataDir, 'copier.db'), migrationsFolder: join(dirname(paths.migrations), 'copier'), backupFolder: join(dataDir, 'backups'), callsPerHour: settings.copierCallsPerHour },
    main: {
      ...tokenCalls(keeper),
      accounts: ({ userId }) => copierLife.accounts(userId),
      live: ({ userId, live }) => {
        events.push(userId, { type: 'copier', live })
        logFailure(copierAlerts.receive(userId, live), 'raising a copier alert failed')
      },
      positions: ({ userId, now: latest }) => positions.update(userId, 'lines', latest),
      armed: ({ groups }) => {
        keepAwake(groups.length > 0)
        permits.hold(groups)
        for (const userId of new Set(groups.map((group) => group.userId))) accountsMayHaveChanged(userId)
      },
      copied: async ({ userId, orders }) => {
        await write.markCopied({ userId, orders })
        events.push(userId, { type: 'journal-changed' })
      },
    },
    log,
    now,
    broken: () => broken('copier'),
  })
  const permits = createPermits({
    rights,
    leasesOf: leasesBy(identityOf),
    machine: copierNotes.machine,
    allow: ({ userId, id }, entries, elsewhere) => copierThread.allow({ userId, id, entries, elsewhere }),
    log,
    now,
  })
  const copierLife = createCopierLife({ calls: copierThread, read, notes: copierNotes, changed: (userId) => events.push(userId, { type: 'copier-changed' }) })
  const copierAlerts = createCopierAlerts({
    groups: async (userId) => (await copierThread.state({ userId })).groups,
    accounts: copierLife.accounts,
    push: (userId, alert) => events.push(userId, { type: 'copier-alert', alert }),
    log,
  })
  const positions = createPositions({ calls: copierThread, keyLogins: syncThread, rules: ruleWatch.rules, rights, events, accountsMayHaveChanged: copierLife.accountsMayHaveChanged, log, now })
  const accountsMayHaveChanged = (userId: string): void => logFailure(copierLife.accountsMayHaveChanged(userId), 'notifying the copier of changed accounts failed')
  events.watch((userId, event) => {
    if (event.type === 'finances-changed') accountsMayHaveChanged(userId)
  })
  const copier = createCopier({ calls: copierThread, rights, permits, notes: copierNotes, accounts: copierLife.accounts, events, now })
  opened.push(async () => {
    positions.stop()
    await stopCopierThreads()
    await permits.stop()
    keepAwake(false)
  })
  ruleWatch.follow(positions)
  // Deletes the tokens of an account that was removed on another computer. The hourly sweep finishes what a shutdown cut short.
  mirroring.onReceived((userId) => logFailure(connections.sweep(userId), 'sweeping logins without accounts failed'))

  // The journal's features
  const identity: typeof identities.identity = {
    ...identities.identity,
    signedOut: async (userId) => {
      // Trouble in the copier must not keep a user from signing out.
      await copierLife.signedOut(userId).catch((error: unknown) => log.error({ error }, 'copier was not paused at a sign-out'))
      await identities.identity.signedOut(userId)
      ruleWatch.signedOut(userId)
    },
  }
  const records = createRecords({ journal, events, now, sweepTokens: connections.sweep })
  const journalUploads = await createUploads({ folder: join(dataDir, 'journal-files'), now, largest: largestJournalFile })

  // Reports. Narratives that the previous run left unfinished are marked failed
  await write.failUnfinishedNarratives({ at: now() })
  const models = createReportModels({ journal, secrets })
  const narratives = createReportNarratives({ journal, models, rights, events, log, now })
  const reports = createReports({ journal, models, narratives, rights, events, onScheduleChange: () => reportScheduler.scheduleChanged(), pdf: createPdfs(), log, now })
  const reportScheduler = createReportScheduler({ journal, reports, rights, synced: runs.idle, log, now, sleep })
  reportScheduler.start()

  // Imports, prices, backups
  const importUploads = await createUploads({ folder: join(dataDir, 'imports'), now })
  const priceThread = createPriceThread({ folder: pricesFolder(dataDir), migrationsFolder: join(dirname(paths.migrations), 'prices') })
  const prices = createPrices({ read, port: journal.port, uploads: importUploads, thread: priceThread, changed: (userId) => events.push(userId, { type: 'prices-changed' }), log, now })
  opened.push(prices.stop)
  const priceFeeds = createPriceFeeds({
    read,
    bars: { read: syncThread.bars, stop: (userId) => syncThread.stopBars({ userId }) },
    thread: priceThread,
    secrets,
    databentoUrl: settings.databentoUrl,
    folder: pricesFolder(dataDir),
    progress: (userId, progress) => events.push(userId, { type: 'price-fetch', progress }),
    stored: prices.changed,
    timing: systemTiming,
    log,
  })
  opened.push(priceFeeds.stop)
  events.watch((userId, event) => {
    if (event.type === 'journal-changed') void prices.refresh(userId)
  })
  const stopSweeping = sweepUploads([importUploads, journalUploads], { now, log })
  const backupWork = backupThreads()
  const backups = createBackups({ journal, threads: backupWork, dataDir, folder: join(dataDir, 'backups'), timeZone, migrationsFolder: paths.migrations, mirrors: mirroring, runs, sweep: connections.sweep, events, log, now })
  const backupClock = createBackupClock({ backups, timeZone, log, now, sleep })
  opened.push(async () => {
    const clockStopped = backupClock.stop()
    await backupWork.close()
    await clockStopped
    await narratives.stop()
    await reportScheduler.stop()
    stopSweeping()
  })

  const deleteAll = async (userId: string): Promise<void> => {
    // Without its tokens nothing can be copied, even if deleting its groups fails.
    await copierLife.forget(userId).catch((error: unknown) => log.error({ error }, 'removing the groups of a deleted account failed'))
    await narratives.forget(userId)
    await models.deleteKey(userId)
    await connections.deleteAll(userId)
    await priceFeeds.forget(userId)
    await secrets.remove(unsavedCodeName(userId))
  }
  const deleteDemo = async (): Promise<void> => {
    // A running sync must not write into the next demo profile.
    await runs.idle(demoUserId)
    await (demo === null ? rm(demoFolder, { recursive: true, force: true }) : demo.forget())
  }
  const services: Services = {
    // Users and plans
    identity, sessions, events, subscriptions, paymentReturns,
    deleteAccount: createAccountDeletion({ journal, identity, identityOf, mirrors: mirroring, isCopying: copierLife.isWorking, connections: { deleteAll }, backups, pictures, prices, deleteDemo, leaving, sessions, events, log }),
    installation: { identity: identity.kind, federated: identity.federated, secrets: secrets.kind, demoOffered: demo !== null, timeZone, version },
    // Brokerages and sync
    connections, accounts, runs: syncRuns, history, demoMarket: demo,
    // The journal
    read, records, mirrors: mirroring, backups,
    imports: createImportService({ journal, uploads: importUploads, isPriceFile, events, now }),
    own: createOwnData({ journal, records, now }),
    pictures: createTradePictures({ folder: picturesFolder, journal, now }),
    journalFiles: createJournalFiles({ journal, pictures, uploads: journalUploads, events, keepBefore: backups.makeBefore, now }),
    // Copier, positions, rules, reports
    copier, copierLedger: createLedger({ reads: ledgerReads, fees: (userId) => read.knownFees({ userId }), now }), positions, prices, priceFeeds, rules: ruleWatch.rules, alerts: ruleWatch.alerts, reports,
  }
  const pricedBefore = new Set<string>()
  Object.assign(lateCalls, {
    livePositions: (userId: string, latest: PositionsNow) => positions.update(userId, 'keys', latest),
    synced: (userId: string) => {
      // The demo's market has its own prices.
      if (demo !== null && userId === demoUserId) void prices.fetch(userId, 'demo', demo.prints)
    },
    inUse: (userId: string) => {
      // Only once per user: after that, each change of the journal does it.
      if (!pricedBefore.has(userId)) void prices.refresh(userId).then(() => priceFeeds.resume(userId))
      pricedBefore.add(userId)
      mirroring.inUse(userId)
      rights.inUse(userId)
      ruleWatch.inUse(userId)
    },
    entered: (userId: string) => logFailure(mirroring.now(userId), 'starting the mirror after a sign-in failed'),
    tokensReplaced: (userId: string) => logFailure(copierLife.tokensReplaced(userId), 'notifying the copier of new tokens failed'),
    hasOrders: async (login: { readonly userId: string; readonly loginId: string }) => {
      // First the groups drop what was removed, so that no more entries are sent.
      await copierLife.accountsMayHaveChanged(login.userId)
      return copierThread.hasOrdersIn(login)
    },
    noBackupReturns: backups.notRestoring,
  } satisfies typeof lateCalls)

  await services.deleteAccount.finish()

  // The web server, last to open and first to close
  const launchTokens = createLaunchTokens()
  const stopping = new AbortController()
  server.answer(createApp({ services, launchTokens, pages: paths.pages, comeForward: (route) => comeForward?.(route), log, port: () => server.port, stopped: stopping.signal }))
  opened.push(() => {
    stopping.abort()
    // A running call still has its journal.
    return server.stop()
  })
  identities.begin()
  backupClock.begin()
  log.info({ port: server.port, version }, 'Fillbook started')

  return {
    url: origin,
    launchUrl: async (who) => {
      const userId = who === 'demo' ? (await identity.signInDemo()).currentUser.uid : null
      return `${origin}/?token=${launchTokens.mint(userId)}`
    },
    // The same sessions, plans and runs as those of the page.
    desktop: {
      whoIs: async (header) => {
        const userId = (await sessionByCookie(header, server.port, sessions))?.userId ?? null
        const user = userId === null ? null : await identity.userOf(userId)
        return userId === null || user === null ? null : { userId, demo: user.demo }
      },
      sync: async (userId) => {
        const started = await syncRuns.start(userId)
        return started.ok ? ok({ ended: started.value.ended }) : err(started.error.code)
      },
      glance: async (userId) => {
        const [[last], { timeZone, net }, live] = await Promise.all([read.receipts({ userId, limit: 1 }), read.netOfDay({ userId, at: now() }), copier.live(userId)])
        return {
          lastSync: last === undefined ? null : { at: Date.parse(last.endedAt), outcome: last.outcome },
          running: syncRuns.running(userId),
          today: net,
          timeZone,
          copier: armedStateOf(live),
        }
      },
      pauseCopier: async (userId) => void (await copier.pause(userId, null)),
      resumeCopier: async (userId) => {
        const resumed = await copier.resumeAll(userId)
        return resumed.ok ? ok(null) : err(resumed.error.code)
      },
      wantsNotices: async (userId) => {
        const { on, system } = await ruleWatch.alerts.settings(userId)
        return on && system
      },
      // No browser's session has this id, so events for a single session do not reach the desktop.
      listen: (userId, listener) => events.listen({ userId, sessionId: '', receive: listener }),
    },
    woke: () => {
      permits.look()
      logFailure(copierThread.woke(), 'notifying the copier that the computer woke failed')
    },
    consent: { ...consentPlaces(brokerages, origin), awaits: connections.awaits },
    syncNow: (userId) => runs.start({ userId, trigger: 'manual' }).ended,
    totals: (userId) => read.totals({ userId }),
    supportFacts: () => read.supportFacts(),
    mirrored: mirroring.drained,
    demo,
    stop,
  }
}
