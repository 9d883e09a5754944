import type { ownDataRoutes } from '#shared/api/own-data.ts'
import { ok } from '#shared/base/result.ts'
import type { OwnData } from '../../services/journal/own-data.ts'
import type { Browser, Caller } from '../caller.ts'
import type { Handlers } from '../mount.ts'

const done = ok({ success: true as const })

/** What users say beside single trades. */
export const ownDataHandlers = (own: OwnData): Handlers<typeof ownDataRoutes, Browser, Caller> => ({
  dayNotes: async ({ caller, query }) => ok({ days: await own.dayNotes(caller.id, query) }),
  setDayNote: async ({ caller, body }) => ok({ success: true, day: await own.setDayNote(caller.id, body) }),
  commissions: async ({ caller }) => ok(await own.commissions(caller.id)),
  setCommission: async ({ caller, body }) => {
    const set = await own.setCommission(caller.id, body)
    return set.ok ? ok({ success: true, pairs: set.value }) : set
  },
  defaultStops: async ({ caller }) => ok({ stops: await own.defaultStops(caller.id) }),
  setDefaultStops: async ({ caller, body }) => {
    await own.setDefaultStops(caller.id, body.stops)
    return done
  },
  setCopyOf: async ({ caller, body }) => {
    const set = await own.setCopyOf(caller.id, body.accountId, body.leaderId)
    return set.ok ? done : set
  },
})
