import type { reportRoutes } from '#shared/api/reports.ts'
import { ok } from '#shared/base/result.ts'
import type { Reports } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

/** Reports and their narratives. */
export const reportHandlers = ({ reports }: { readonly reports: Reports }): Handlers<typeof reportRoutes, Browser, Caller> => ({
  reports: async ({ caller }) => ok(await reports.list(caller.id)),
  makeReport: async ({ caller, body, gone }) => {
    const made = await reports.make(caller.id, body, gone)
    return made.ok ? ok({ report: made.value }) : made
  },
  report: async ({ caller, query }) => {
    const found = await reports.one(caller.id, query.id)
    return found.ok ? ok({ report: found.value }) : found
  },
  reportTrades: ({ caller, query }) => reports.trades(caller.id, query),
  removeReport: async ({ caller, body }) => ok({ removed: await reports.remove(caller.id, body.id) }),
  previewNarrative: ({ caller, body }) => reports.narratives.preview(caller.id, body),
  writeNarrative: async ({ caller, body }) => {
    const started = await reports.narratives.write(caller.id, body)
    return started.ok ? ok({ narrative: started.value }) : started
  },
  cancelNarrative: async ({ caller, body }) => ok({ cancelled: await reports.narratives.cancel(caller.id, body.id) }),
  saveModel: async ({ caller, body }) => {
    const saved = await reports.saveModel(caller.id, body.model)
    return saved.ok ? ok({ settings: saved.value }) : saved
  },
  tryModel: ({ caller, gone }) => reports.tryModel(caller.id, gone),
  saveReportSchedule: async ({ caller, body }) => ok({ settings: await reports.saveSchedule(caller.id, body) }),
})
