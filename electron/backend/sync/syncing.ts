import { randomUUID } from 'node:crypto'
import type { Log } from '#shared/base/log.ts'
import { startHistory } from './bringing-history.ts'
import type { DemoMode } from '../demo-mode.ts'
import { lazily } from '../lazily.ts'
import { createTokenStore } from '../secrets/token-store.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { createAccounts, type Accounts } from '../accounts/service.ts'
import { createConnections, type Connections } from '../accounts/connections.ts'
import type { Events } from '../events.ts'
import type { History } from './history.ts'
import { demoUserId } from '../identity/identity.ts'
import type { Rights } from '../plans/rights.ts'
import { createSyncRuns, type SyncRuns } from './service.ts'
import { createTokenKeeper, type Brokerages, type TokenKeeper } from '../accounts/token-keeper.ts'
import type { Journal } from '../journal/journal.ts'
import { createRuns, type Runs } from './runs.ts'
import { startSchedule } from './schedule.ts'
import { startSyncThread } from './thread.ts'
import { systemTiming } from '../brokers/tradovate/timing.ts'

/** Everything that talks to a brokerage. */
export type Syncing = {
  readonly keeper: TokenKeeper
  readonly connections: Connections
  readonly accounts: Accounts
  readonly runs: Runs
  readonly syncRuns: SyncRuns
  readonly history: History
  /** Starts no more runs, gives up fetching, and lets the running transaction end. */
  readonly stop: () => Promise<void>
}

/** What syncing works with. */
export type SyncingParts = {
  readonly journal: Journal
  readonly secrets: Secrets
  readonly brokerages: Brokerages
  /** Null where the demo is not offered. */
  readonly demo: DemoMode | null
  readonly events: Events
  readonly rights: Rights
  /** Settles once no restore of the profile's journal is under way: a run before its end would fetch what is on its way. */
  readonly notRestoring: (userId: string) => Promise<void>
  /** Told of a user whose login has new tokens. */
  readonly tokensReplaced: (userId: string) => void
  readonly log: Log
  /** The host's clock, UTC ms. */
  readonly now: () => number
  /** Told where the sync thread dies. */
  readonly broken: () => void
}

/** Joins tokens, connections, the sync thread and its schedule; what happens is pushed to the pages of the user. */
export const startSyncing = ({ journal, secrets, brokerages, demo, events, rights, notRestoring, tokensReplaced, log, now, broken }: SyncingParts): Syncing => {
  const keeper = createTokenKeeper({ store: createTokenStore(secrets), journal, brokerages, timing: systemTiming })
  // It knows nothing of a login before its first use.
  const { calls: thread } = lazily(() => startSyncThread({ journal, keeper, log, broken }), { forget: () => Promise.resolve() })
  const walk = demo?.walk(thread.run, (receipt) => journal.write.saveReceipt({ userId: demoUserId, receipt, read: [] }))
  const runs = createRuns({
    run: async (request, progress) => {
      await notRestoring(request.userId)
      return (walk !== undefined && request.userId === demoUserId ? walk : thread.run)(request, progress)
    },
    newId: randomUUID,
    now: systemTiming.now,
    onProgress: (userId, progress) => events.push(userId, { type: 'sync-progress', progress }),
    onEnded: (userId, receipt) => {
      events.push(userId, { type: 'sync-ended', receipt })
      events.push(userId, { type: 'journal-changed' })
      events.push(userId, { type: 'finances-changed' })
      if (receipt.outcome !== 'failed') void history.afterSync(userId)
    },
    log,
  })
  const history = startHistory({ journal, report: thread.report, idle: runs.idle, rights, demo, events, log, now })
  const schedule = startSchedule({ journal, timing: systemTiming, start: runs.start, mayRun: (userId) => rights.holds(userId, 'autosync'), keepAlive: thread.keepAlive, log })
  const connections = createConnections({
    journal,
    keeper,
    timing: systemTiming,
    rights,
    connected: async ({ userId, loginId, history: wanted }) => {
      await thread.forget(loginId)
      tokensReplaced(userId)
      // The consent was given before the plan ended: it stands, but nothing is synced.
      if (!(await rights.holds(userId, 'autosync'))) return
      if (wanted) await history.want({ userId, loginId })
      const sole = (await journal.read.logins({ userId })).length === 1
      runs.start({ userId, trigger: 'connect', loginId, sole }).ended.catch(() => undefined)
    },
    keepAlive: thread.keepAlive,
    forgotten: thread.forget,
  })
  return {
    keeper,
    connections,
    accounts: createAccounts({ journal, runs, schedule, keeper, now }),
    runs,
    syncRuns: createSyncRuns({ runs, schedule, read: journal.read, rights }),
    history,
    stop: async () => {
      schedule.stop()
      const historyClosed = history.close()
      await thread.stop()
      await historyClosed
    },
  }
}
