import type { Log } from '#shared/base/log.ts'
import type { DemoMode } from '../demo-mode.ts'
import type { Events } from '../events.ts'
import { createHistory, type History, type HistoryParts } from './history.ts'
import { demoUserId } from '../identity/identity.ts'
import { createImports } from '../imports/imports.ts'
import type { Journal } from '../journal/journal.ts'

/** What history is brought with. */
export type BringingParts = Pick<HistoryParts, 'report' | 'idle' | 'rights'> & {
  readonly journal: Journal
  /** Null where the demo is not offered. */
  readonly demo: DemoMode | null
  readonly events: Events
  readonly log: Log
  /** The host's clock, UTC ms. */
  readonly now: () => number
}

/** Joins history with its clock, which in the demo is the market's, and with the pages; what a program that ended had begun goes on at once. */
export const startHistory = ({ journal, report, idle, rights, demo, events, log, now }: BringingParts): History => {
  const history = createHistory({
    journal,
    imports: createImports({ journal, now }),
    ...{ report, idle, rights },
    now: (userId) => (demo !== null && userId === demoUserId ? demo.broker.clock.now() : now()),
    changed: (userId, login) => events.push(userId, { type: 'history-changed', login }),
    brought: (userId) => {
      events.push(userId, { type: 'journal-changed' })
      events.push(userId, { type: 'finances-changed' })
    },
    log,
  })
  void history.resume()
  return history
}
