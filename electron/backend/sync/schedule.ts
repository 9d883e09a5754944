import type { Log } from '#shared/base/log.ts'
import { nextRun, type NextRun } from '#shared/sync/schedule.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Timing } from '../brokers/timing.ts'
import type { StartedRun, SyncRequest } from './service.ts'

/** A computer that slept keeps no timer, so the clock is looked at this often. */
const longestSleepMs = 60_000
const keepAliveEvery = 3_600_000

type Deps = {
  readonly journal: JournalCalls
  readonly timing: Timing
  readonly start: (request: SyncRequest) => StartedRun
  /** Whether the user's plan, as known now, includes automatic runs. */
  readonly mayRun: (userId: string) => Promise<boolean>
  /** Renews the due tokens of a user's logins. */
  readonly keepAlive: (userId: string) => Promise<void>
  readonly log: Log
}

/** The clockwork behind the automatic runs. The demo profile has none: the demo's clock does not move between syncs. */
export type Schedule = ReturnType<typeof startSchedule>

/** Starts the automatic runs of every profile that has connected logins. */
export const startSchedule = ({ journal, timing, start, mayRun, keepAlive, log }: Deps) => {
  const stopping = new AbortController()
  /** A run that could not even keep its receipt counts as tried, or it would be tried without a pause. */
  const triedAt = new Map<string, number>()
  let keptAliveAt = -Infinity

  const nextFor = async (userId: string, notBefore = -Infinity): Promise<NextRun> => {
    const now = timing.now()
    const { attempt, good } = await journal.read.lastRuns({ userId, until: now })
    const tried = triedAt.get(userId) ?? Infinity
    // The clock may have been put back since.
    const lastAttempt = tried > now ? attempt : Math.max(tried, attempt ?? tried)
    return nextRun({ now: Math.max(now, notBefore), lastAttempt, lastGood: good })
  }

  /** Makes every run that is due; answers when to look again. */
  const turn = async (): Promise<number> => {
    const users = await connectedUsers(journal)
    if (Math.abs(timing.now() - keptAliveAt) >= keepAliveEvery) {
      keptAliveAt = timing.now()
      await Promise.all(users.map(keepAlive))
    }
    let soonest = timing.now() + longestSleepMs
    for (const userId of users) {
      // Tokens are kept alive all the same; a plan that is bought meanwhile is seen at the next look.
      if (!(await mayRun(userId))) continue
      const due = await nextFor(userId)
      if (due.at <= timing.now()) {
        triedAt.set(userId, timing.now())
        // Its failure is in the log, and no reason to keep the other profiles waiting.
        await start({ userId, trigger: due.trigger }).ended.catch(() => undefined)
      }
      soonest = Math.min(soonest, (await nextFor(userId)).at)
    }
    return soonest
  }

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const wakeAt = await turn().catch((error: unknown) => {
        log.error({ error }, 'sync schedule failed')
        return timing.now() + longestSleepMs
      })
      await timing.sleep(Math.max(0, wakeAt - timing.now()), stopping.signal).catch(() => undefined)
    }
  }
  void loop()

  return {
    /** The next run for this user, or the first after `notBefore`, UTC milliseconds; null if nothing is connected, or the plan includes none. */
    nextAt: async (userId: string, notBefore?: number): Promise<number | null> => ((await connectedUsers(journal)).includes(userId) && (await mayRun(userId)) ? (await nextFor(userId, notBefore)).at : null),
    /** Starts nothing more; a run that is under way goes on. */
    stop: (): void => stopping.abort(),
  }
}

/** Profiles with a login that the broker still lets in. */
const connectedUsers = async (journal: JournalCalls): Promise<string[]> => {
  const logins = await journal.read.logins({})
  const users = [...new Set(logins.filter(({ status }) => status === 'ok').map(({ userId }) => userId))]
  const profiles = await Promise.all(users.map((id) => journal.read.profile({ id })))
  return profiles.flatMap((profile) => (profile === null || profile.demo ? [] : [profile.id]))
}
