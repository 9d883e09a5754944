import type { Log } from '#shared/base/log.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Alerts } from './alerts.ts'
import type { Events } from '../events.ts'
import { demoUserId } from '../demo-user.ts'
import type { Rights } from '../plans/rights.ts'
import { createKeyedMutex } from '../mutex.ts'

/** Watches positions for alerts, even if no page is open. */
export type AlertWatch = {
  /** Checks every profile of this computer, and again whenever something may have changed. */
  readonly begin: () => void
  /** Checks whether to watch a user's positions. */
  readonly look: (userId: string) => void
  /** A user is active: checks, but not too often. */
  readonly inUse: (userId: string) => void
  /** Settles once no check is running. */
  readonly stop: () => Promise<void>
}

/** Dependencies; `now` is UTC ms. */
type Deps = {
  readonly journal: Pick<JournalCalls, 'read'>
  readonly alerts: Pick<Alerts, 'settings'>
  readonly rights: Pick<Rights, 'holds'>
  readonly events: Pick<Events, 'watch'>
  readonly watch: (userId: string, on: boolean) => void
  readonly log: Pick<Log, 'warn'>
  readonly now: () => number
}

/** The interval of its own checks, ms: sign-ins and plans end without an event. */
const everyMs = 600_000
const notAgainForMs = 5_000

/** Watches while alerts are on, an account has rules, and its user is signed in on this computer with a suitable plan. */
export const createAlertWatch = ({ journal: { read }, alerts, rights, events, watch, log, now }: Deps): AlertWatch => {
  const watched = new Set<string>()
  const runExclusive = createKeyedMutex()
  let looking: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null

  const isWanted = async (userId: string): Promise<boolean> => {
    if ((await read.sessionCount({ userId, at: now() })) === 0) return false
    if (!(await alerts.settings(userId)).on || !(await rights.holds(userId, 'autosync'))) return false
    return read.anyRules({ userId })
  }
  const lookNow = async (userId: string): Promise<void> => {
    const wanted = await isWanted(userId)
    if (timer === null || wanted === watched.has(userId)) return
    if (wanted) watched.add(userId)
    else watched.delete(userId)
    watch(userId, wanted)
  }
  const logged = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => log.warn({ error }, 'deciding whether to watch for alerts failed'))
  const look = (userId: string): void => {
    if (timer !== null) looking = Promise.all([looking, logged(runExclusive(userId, () => lookNow(userId)))])
  }
  const askedAt = new Map<string, number>()
  const lookAtAll = async (): Promise<void> => {
    for (const userId of [demoUserId, ...(await read.realProfiles())]) look(userId)
  }
  events.watch((userId, { type }) => {
    if (type === 'rules-changed' || type === 'finances-changed') look(userId)
  })

  return {
    begin: () => {
      timer = setInterval(() => void logged(lookAtAll()), everyMs)
      timer.unref()
      void logged(lookAtAll())
    },
    look,
    inUse: (userId) => {
      if (watched.has(userId) || now() - (askedAt.get(userId) ?? 0) < notAgainForMs) return
      askedAt.set(userId, now())
      look(userId)
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer)
      timer = null
      await looking
    },
  }
}
