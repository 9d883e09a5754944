import { ok } from '#shared/base/result.ts'
import { armedStateOf } from '#shared/copier/standing.ts'
import type { Desk } from './host.ts'
import type { JournalCalls } from './journal/journal.ts'
import type { Alerts } from './rules/alerts.ts'
import type { Copier } from './copier/service.ts'
import type { Events } from './events.ts'
import type { IdentityPort } from './identity/identity.ts'
import type { BrowserSession } from './identity/sessions.ts'
import type { SyncRuns } from './sync/service.ts'

type Deps = {
  /** The session of the browser that sends this `Cookie` header; null for none. */
  readonly sessionOf: (cookieHeader: string) => Promise<BrowserSession | null>
  readonly identity: Pick<IdentityPort, 'userOf'>
  readonly runs: Pick<SyncRuns, 'start' | 'running'>
  readonly read: Pick<JournalCalls['read'], 'receipts' | 'netOfDay'>
  readonly events: Pick<Events, 'listen'>
  readonly copier: Pick<Copier, 'live' | 'pause' | 'resumeAll'>
  readonly alerts: Pick<Alerts, 'settings'>
  /** UTC ms. */
  readonly now: () => number
}

/** The desktop's controls over the services behind the page: the same sessions, plans and runs. */
export const createDesk = ({ sessionOf, identity, runs, read, events, copier, alerts, now }: Deps): Desk => ({
  whoIs: async (header) => {
    const userId = (await sessionOf(header))?.userId ?? null
    const user = userId === null ? null : await identity.userOf(userId)
    return userId === null || user === null ? null : { userId, demo: user.demo }
  },
  sync: async (userId) => {
    const started = await runs.start(userId)
    return started.ok ? ok({ ended: started.value.ended }) : { ok: false, error: started.error.code }
  },
  glance: async (userId) => {
    const [[last], { timeZone, net }, live] = await Promise.all([read.receipts({ userId, limit: 1 }), read.netOfDay({ userId, at: now() }), copier.live(userId)])
    return {
      lastSync: last === undefined ? null : { at: Date.parse(last.endedAt), outcome: last.outcome },
      running: runs.running(userId),
      today: net,
      timeZone,
      copier: armedStateOf(live),
    }
  },
  pauseCopier: async (userId) => void (await copier.pause(userId, null)),
  resumeCopier: async (userId) => {
    const resumed = await copier.resumeAll(userId)
    return resumed.ok ? ok(null) : { ok: false, error: resumed.error.code }
  },
  wantsNotices: async (userId) => {
    const { on, system } = await alerts.settings(userId)
    return on && system
  },
  // No browser's session has this id, so events for a single session do not reach the desktop.
  listen: (userId, hear) => events.listen({ userId, sessionId: '', hear }),
})
