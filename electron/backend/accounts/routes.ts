import type { brokerageRoutes } from '#shared/api/brokerage.ts'
import { ok } from '#shared/base/result.ts'
import type { Accounts } from './service.ts'
import type { Connections } from './connections.ts'
import type { Records } from '../trades/service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { done } from '../http/done.ts'
import type { Handlers } from '../http/mount.ts'

/** Connecting accounts, and what came of it. */
export const brokerageHandlers = (parts: {
  readonly accounts: Accounts
  readonly connections: Connections
  readonly records: Records
}): Handlers<typeof brokerageRoutes, Browser, Caller> => {
  const { accounts, connections, records } = parts
  return {
    tradovate: async ({ caller: { id }, body }) => {
      switch (body.action) {
        case 'account':
          return ok({ success: true, accounts: await connections.accounts(id) })
        case 'checkTokenHealth':
          return ok({ success: true, ...(await connections.tokenHealth(id)) })
        case 'removeToken':
          await connections.removeAccount(id, body.accountId)
          records.accountsChanged(id)
          return done
        case undefined: {
          const exchanged = await connections.exchange(id, body)
          if (!exchanged.ok) return exchanged
          records.accountsChanged(id)
          return ok({ success: true, tokens: { access_token: 'kept-by-fillbook' }, ...exchanged.value })
        }
      }
    },
    beginConsent: ({ caller, body }) => connections.beginConsent(caller.id, body),
    connectKey: async ({ caller, body }) => {
      const connected = await connections.connectKey(caller.id, body)
      if (!connected.ok) return connected
      records.accountsChanged(caller.id)
      return done
    },
    databaseAccounts: ({ caller, body }) => connections.databaseAccounts(caller.id, body.path ?? null),
    connectDatabase: async ({ caller, body }) => {
      const connected = await connections.connectDatabase(caller.id, body)
      if (!connected.ok) return connected
      records.accountsChanged(caller.id)
      return done
    },
    endConsent: async ({ caller, body }) => ok(await connections.endConsent(caller.id, body)),
    connectedAccounts: async ({ caller }) => ok({ accounts: await accounts.connected(caller.id) }),
    syncGaps: async ({ caller }) => ok({ gaps: await accounts.gaps(caller.id) }),
    closeGap: async ({ caller, body }) => {
      const closed = await accounts.closeGap(caller.id, body)
      if (!closed.ok) return closed
      // Every open page asks for gaps again.
      records.accountsChanged(caller.id)
      return done
    },
  }
}
