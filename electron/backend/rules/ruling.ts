import type { PositionsLive } from '#shared/api/positions.ts'
import type { AccountStanding } from '#shared/api/rules.ts'
import { createOddsThreads } from './odds-thread.ts'
import type { CopyingParts } from '../copier/copying.ts'
import { createAlertWatch } from './alert-watch.ts'
import { createAlerts, type Alerts } from './alerts.ts'
import { createRules, type Rules } from './service.ts'
import { createSeenSessions } from './seen-sessions.ts'

/** Where live positions come from. */
export type LivePositions = {
  /** Keeps a user's positions coming, whether a page reads them or not. */
  readonly watch: (userId: string, on: boolean) => void
  /** Reckons them anew by the rules of now, and tells of it. */
  readonly again: (userId: string) => Promise<void>
  readonly onLive: (hear: (userId: string, live: PositionsLive) => void) => void
}

/** Everything about rules of accounts. */
export type Ruling = {
  readonly rules: Rules
  readonly alerts: Alerts
  /** Follows positions from now on. To be called once. */
  readonly follow: (positions: LivePositions) => void
  /** A user is there. */
  readonly inUse: (userId: string) => void
  /** A user signed out in a browser. */
  readonly signedOut: (userId: string) => void
  /** Ends what runs, and settles once every alert that was heard is kept. */
  readonly stop: () => Promise<void>
}

/** Where alerts do not watch, positions are told for so long after a page read them, in ms: what is older may have changed untold. */
const liveForMs = 30_000

/** Joins rules, alerts and the threads of odds. */
export const startRuling = ({ journal, events, rights, log, now }: Pick<CopyingParts, 'journal' | 'events' | 'rights' | 'log' | 'now'>): Ruling => {
  const lives = new Map<string, PositionsLive>()
  const liveOf = (userId: string): readonly AccountStanding[] => {
    const live = lives.get(userId)
    if (live === undefined || (!watching.isOn(userId) && now() - live.at > liveForMs)) return []
    return live.accounts.filter(({ from }) => from === 'live').map(({ account, name, firm, currency, stage, passed, states, balance, dayNet, from, at, nearest }) => ({ account, name, firm, currency, stage, passed, states, balance, dayNet, from, at, nearest }))
  }
  let positions: LivePositions | null = null
  const refresh = async (userId: string): Promise<void> => {
    try {
      await positions?.again(userId)
    } catch (error) {
      // What was known by the old rules counts no more; the next word of the line brings what holds.
      lives.delete(userId)
      log.warn({ error }, 'Live positions were not reckoned by new rules')
    }
  }
  const odds = createOddsThreads()
  const seen = createSeenSessions(journal, log)
  const rules = createRules({ journal, events, seen, live: liveOf, refresh, runOdds: odds.run, now })
  const alerts = createAlerts({ journal, rules, events, changed: (userId) => watching.look(userId), log, now })
  const watching = createAlertWatch({ journal, alerts, rights, events, watch: (userId, on) => positions?.watch(userId, on), log, now })

  return {
    rules,
    alerts,
    follow: (followed) => {
      positions = followed
      positions.onLive((userId, live) => {
        lives.set(userId, live)
        alerts.hear(userId, live)
      })
      watching.begin()
    },
    inUse: watching.inUse,
    signedOut: watching.look,
    stop: async () => {
      await Promise.all([watching.stop(), seen.stop()])
      await odds.stop()
      await alerts.settled()
    },
  }
}
