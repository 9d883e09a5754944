import type { brokerageRoutes } from '#shared/api/brokerage.ts'
import { ok } from '#shared/base/result.ts'
import type { Connections } from '../../services/connections.ts'
import type { JournalReading, Records } from '../../services/records.ts'
import type { Browser, Caller } from '../caller.ts'
import type { Handlers } from '../mount.ts'

/** Connecting accounts, and what came of it. */
export const brokerageHandlers = (parts: {
  readonly connections: Connections
  readonly records: Records
  readonly read: JournalReading
}): Handlers<typeof brokerageRoutes, Browser, Caller> => {
  const { connections, records, read } = parts
  return {
    tradovate: async ({ caller, body }) => {
      const { id } = caller
      switch (body.action) {
        case 'account':
          return ok({ success: true, accounts: await connections.accounts(id) })
        case 'checkTokenHealth':
          return ok({ success: true, ...(await connections.checkTokenHealth(id)) })
        case 'removeToken':
          await connections.removeToken(id, body.accountId, body.tokenDocId)
          return ok({ success: true })
        case undefined: {
          const exchanged = await connections.exchange(id, { code: body.code, state: body.state })
          return exchanged.ok ? ok({ success: true, tokens: { access_token: 'kept-by-fillbook' }, tokenDocId: exchanged.value.loginId, returnTo: exchanged.value.returnTo }) : exchanged
        }
      }
    },
    beginConsent: ({ caller, body }) => connections.begin(caller.id, body),
    endConsent: async ({ caller, body }) => ok({ returnTo: await connections.end(caller.id, body) }),
    connectedAccounts: async ({ caller }) => ok({ accounts: await read.connectedAccounts({ userId: caller.id }) }),
    setCarry: async ({ caller, body }) => {
      const set = await records.setCarry(caller.id, body.accountId, body.carry)
      return set.ok ? ok({ success: true }) : set
    },
  }
}
