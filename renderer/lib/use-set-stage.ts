import { ruleRoutes, type AccountRules, type Stage } from '#shared/api/rules.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi, invalidateRoutes } from './api.ts'
import { rulesQuery } from './rules.ts'

/** Adopts the program's answer on one account's rules and refetches the standings. */
export const useTakeOverRules = (): ((rules: AccountRules) => Promise<void>) => {
  const client = useQueryClient()
  return async (rules) => {
    // A pending answer may be from before the change.
    await client.cancelQueries({ queryKey: rulesQuery.queryKey })
    client.setQueryData(
      rulesQuery.queryKey,
      (known) =>
        known && {
          accounts: known.accounts.map((one) => (one.account === rules.account ? rules : one)),
          standings: known.standings.map((one) => (one.account === rules.account ? { ...one, stage: rules.stage } : one)),
        },
    )
    await invalidateRoutes(client, ruleRoutes.rules, ruleRoutes.replay, ruleRoutes.odds)
  }
}

/** Sets an account's stage by hand, or with null resets it to its label and rules; it shows once the program has it. */
export const useSetStage = (onFailure: (failure: unknown) => void) => {
  const takeOver = useTakeOverRules()
  return useMutation({
    mutationFn: (body: { readonly account: string; readonly stage: Stage | null }) => callApi(ruleRoutes.setStage, { body }),
    onSuccess: ({ rules }) => takeOver(rules),
    onError: onFailure,
  })
}
