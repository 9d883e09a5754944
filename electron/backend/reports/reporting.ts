import { setTimeout } from 'node:timers/promises'
import type { CopyingParts } from '../copier/copying.ts'
import { createPdfs } from './pdf-thread.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { createReportModels } from './report-models.ts'
import { createReportNarratives } from './report-narratives.ts'
import { createReportClock } from './report-schedule.ts'
import { createReports, type Reports } from './service.ts'
import type { Journal } from '../journal/journal.ts'

/** Everything about reports. */
export type Reporting = {
  readonly reports: Reports
  /** Ends what is written for a user, and forgets the key of the user's endpoint. */
  readonly forget: (userId: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** What reporting works with. */
export type ReportingParts = Pick<CopyingParts, 'events' | 'rights' | 'log' | 'now'> & {
  readonly journal: Journal
  readonly secrets: Secrets
  /** Settles once the sync that runs for a user has ended; at once where none runs. */
  readonly synced: (userId: string) => Promise<void>
}

/** Joins reports, narratives, endpoints and schedule. What a program that ended before was still writing is failed now. */
export const startReporting = async ({ journal, secrets, events, rights, synced, log, now }: ReportingParts): Promise<Reporting> => {
  await journal.write.endNarratives({ at: now() })
  const models = createReportModels({ journal, secrets })
  const narratives = createReportNarratives({ journal, models, rights, events, log, now })
  const reports = createReports({ journal, models, narratives, rights, events, rescheduled: () => clock.changed(), pdf: createPdfs(), log, now })
  const clock = createReportClock({ journal, reports, rights, synced, log, now, sleep: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }) })
  clock.begin()
  return {
    reports,
    forget: async (userId) => {
      await narratives.forget(userId)
      await models.forget(userId)
    },
    stop: async () => {
      await narratives.stop()
      await clock.stop()
    },
  }
}
