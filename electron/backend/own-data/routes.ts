import type { leftOverRoutes } from '#shared/api/left-over.ts'
import type { ownDataRoutes } from '#shared/api/own-data.ts'
import { ok } from '#shared/base/result.ts'
import type { Currency } from '#shared/money/money.ts'
import type { OwnData } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { done, doneIf } from '../http/done.ts'
import type { Handlers } from '../http/mount.ts'

/** The user's data beyond single trades. */
export const ownDataHandlers = (own: OwnData): Handlers<typeof ownDataRoutes & typeof leftOverRoutes, Browser, Caller> => ({
  dayNotes: async ({ caller, query }) => ok({ days: await own.dayNotes(caller.id, query) }),
  setDayNote: async ({ caller, body }) => ok({ success: true, day: await own.setDayNote(caller.id, body) }),
  leftOverNotes: async ({ caller, query }) => ok({ notes: await own.leftOverNotes(caller.id, query) }),
  moveLeftOver: async ({ caller, body }) => {
    const moved = await own.moveLeftOver(caller.id, body.id, body.pairId)
    return moved.ok ? ok({ success: true, left: moved.value }) : moved
  },
  discardLeftOver: async ({ caller, body }) => doneIf(await own.discardLeftOver(caller.id, body.id)),
  commissions: async ({ caller }) => ok(await own.commissions(caller.id)),
  setCommission: async ({ caller, body }) => {
    const set = await own.setCommission(caller.id, body)
    return set.ok ? ok({ success: true, pairs: set.value }) : set
  },
  pointValues: async ({ caller }) => ok({ products: await own.pointValues(caller.id) }),
  setPointValue: async ({ caller, body: { product, pointValue } }) => {
    const set = await own.setPointValue(caller.id, { product, pointValue: pointValue && { ...pointValue, currency: pointValue.currency as Currency } })
    return set.ok ? ok({ success: true, pairs: set.value }) : set
  },
  defaultStops: async ({ caller }) => ok({ stops: await own.defaultStops(caller.id) }),
  setDefaultStops: async ({ caller, body }) => {
    await own.setDefaultStops(caller.id, body.stops)
    return done
  },
  rematched: async ({ caller }) => ok({ accounts: await own.rematched(caller.id) }),
  dismissRematched: async ({ caller }) => {
    await own.dismissRematched(caller.id)
    return done
  },
  setCopyOf: async ({ caller, body }) => doneIf(await own.setCopyOf(caller.id, body.accountId, body.leaderId)),
})
