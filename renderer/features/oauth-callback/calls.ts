import { callApi } from '#renderer/lib/api.ts'
import { accountsAnswer, brokerageRoutes, exchangeAnswer } from '#shared/api/brokerage.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import type { ConnectCalls } from './connect.ts'

const { tradovate, endConsent } = brokerageRoutes

/** The calls of the contract that finish a connection of this user; throws 'No authenticated user' where nobody is signed in. */
export const connectCalls = (userId: string): ConnectCalls => {
  if (userId === '') throw new Error('No authenticated user')
  return {
    exchange: async (code, state) => exchangeAnswer.parse(await callApi(tradovate, { body: { userId, code, state: state ?? '' } })).returnTo,
    end: async (state) => (await callApi(endConsent, { body: state === null ? {} : { state } })).returnTo,
    accounts: async () => accountsAnswer.parse(await callApi(tradovate, { body: { userId, action: 'account' } })).accounts,
    finances: async () => (await callApi(recordRoutes.getFinances, { query: { userId } })).finances,
    saveFinance: (finance) => callApi(recordRoutes.addFinance, { body: { userId, finance } }),
  }
}
