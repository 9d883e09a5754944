import type { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { err, ok } from '#shared/base/result.ts'
import type { JournalReading } from '../trades/service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

/** The journal compared with the broker's own figures. */
export const reconciliationHandlers = (read: JournalReading): Handlers<typeof reconciliationRoutes, Browser, Caller> => ({
  reconciliation: async ({ caller, query }) => ok(await read.reconciliationJson({ userId: caller.id, from: query.from ?? null, to: query.to ?? null, accounts: query.accounts })),
  reconciledDay: async ({ caller, query }) => {
    const day = await read.reconciledDay({ userId: caller.id, ...query })
    return day === null ? err({ code: 'not-found' }) : ok(day)
  },
})
