import type { positionRoutes } from '#shared/api/positions.ts'
import type { Positions } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

/** Reads and closes open positions. */
export const positionHandlers = ({ positions }: { readonly positions: Positions }): Handlers<typeof positionRoutes, Browser, Caller> => ({
  positions: ({ caller }) => positions.read(caller.id),
  closePosition: ({ caller, body }) => positions.close(caller.id, body.account, body.contract),
  flattenAccount: ({ caller, body }) => positions.flatten(caller.id, body.account),
})
