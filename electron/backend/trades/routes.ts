import type { logbookRoutes, recordRoutes } from '#shared/api/journal.ts'
import { ok } from '#shared/base/result.ts'
import type { JournalReading, Records } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

const done = ok({ success: true as const })

/** The records of the journal, under the paths that the spec fixes, and the way back of a removal. */
export const recordHandlers = ({ records, read }: { readonly records: Records; readonly read: JournalReading }): Handlers<typeof recordRoutes & typeof logbookRoutes, Browser, Caller> => ({
  getTrades: async ({ caller }) => ok(await read.tradesJson({ userId: caller.id })),
  addTrade: async ({ caller, body }) => {
    const added = await records.addTrade(caller.id, body.trade)
    return added.ok ? ok({ success: true, trade: added.value }) : added
  },
  removeTrade: async ({ caller, body }) => {
    if ('accountId' in body) {
      await records.removeTradesOfAccount(caller.id, body.accountId)
      return done
    }
    const removed = await records.removeTrade(caller.id, body.id)
    return removed.ok ? done : removed
  },
  restoreTrade: async ({ caller, body }) => {
    const restored = await records.restoreTrade(caller.id, body.id)
    return restored.ok ? done : restored
  },
  tagTrades: async ({ caller, body }) => ok({ changed: [...(await records.tagTrades(caller.id, body))] }),
  saveTrades: ({ caller, body }) => records.saveTrades(caller.id, body.edits),
  updateTrade: async ({ caller, body }) => {
    const updated = await records.updateTrade(caller.id, body.id, body.updates)
    return updated.ok ? ok({ success: true, trade: updated.value }) : updated
  },
  getFinances: async ({ caller }) => ok({ success: true, finances: await read.finances({ userId: caller.id }) }),
  addFinance: async ({ caller, body }) => ok({ success: true, finance: await records.addFinance(caller.id, body.finance) }),
  removeFinance: async ({ caller, body }) => {
    const removed = await records.removeFinance(caller.id, body.id)
    return removed.ok ? done : removed
  },
  addFill: async ({ caller, body }) => {
    const added = await records.addFill(caller.id, body.fill)
    return added.ok ? done : added
  },
})
