import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiQuery, callApi, invalidateRoutes } from './api.ts'

const connectedQuery = apiQuery(brokerageRoutes.connectedAccounts)

/** Switches whether an account's positions are carried over midnight: the switch moves at once, and back where the program refuses. */
export const useSetCarry = (onFailure: (failure: unknown) => void) => {
  const client = useQueryClient()
  const show = (accountId: string, carry: boolean): void => {
    client.setQueryData(connectedQuery.queryKey, (known) => known && { accounts: known.accounts.map((account) => (account.id === accountId ? { ...account, carry } : account)) })
  }
  return useMutation({
    mutationFn: (body: { readonly accountId: string; readonly carry: boolean }) => callApi(brokerageRoutes.setCarry, { body }),
    onMutate: ({ accountId, carry }) => {
      show(accountId, carry)
    },
    onError: (failure, { accountId, carry }) => {
      show(accountId, !carry)
      onFailure(failure)
    },
    onSettled: () => invalidateRoutes(client, brokerageRoutes.connectedAccounts),
  })
}
