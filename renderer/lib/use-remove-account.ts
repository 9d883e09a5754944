import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { useQueryClient } from '@tanstack/react-query'
import { callApi, invalidateRoutes } from './api.ts'
import { accountReadings, forgetAccount } from './forget-account.ts'
import { logFailure } from './log-failure.ts'
import { useUserId } from './session.ts'

const { removeFinance, removeTrade } = recordRoutes

/** An account to disconnect; `tokenDocId` names the stored token if known. */
export type LeavingAccount = { readonly accountId: string; readonly tokenDocId?: string }

/**
 * Disconnects an account: it and its trades leave the screens at once, then the program is called. Never rejects: a
 * failure is only logged, and the account shows again if it is still in the journal.
 */
export const useRemoveAccount = (): ((account: LeavingAccount) => Promise<void>) => {
  const client = useQueryClient()
  const userId = useUserId()
  return async ({ accountId, tokenDocId }) => {
    await forgetAccount(client, accountId)
    const steps = [
      { what: removeFinance.failure, call: () => callApi(removeFinance, { body: { userId, id: accountId } }) },
      { what: removeTrade.failure, call: () => callApi(removeTrade, { body: { userId, accountId } }) },
      { what: brokerageRoutes.tradovate.path, call: () => callApi(brokerageRoutes.tradovate, { body: { userId, action: 'removeToken', accountId, ...(tokenDocId === undefined ? {} : { tokenDocId }) } }) },
    ]
    for (const { what, call } of steps) {
      try {
        await call()
      } catch (failure) {
        logFailure(what, failure)
      }
    }
    await invalidateRoutes(client, ...accountReadings)
  }
}
