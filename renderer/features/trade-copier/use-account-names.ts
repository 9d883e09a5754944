import { apiQuery } from '#renderer/lib/api.ts'
import { brokerageRoutes, type ConnectedAccount } from '#shared/api/brokerage.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

const none: readonly ConnectedAccount[] = []

/** The connected accounts by key; a removed account is named by its key. */
export const useAccountNames = () => {
  const { data } = useQuery(apiQuery(brokerageRoutes.connectedAccounts))
  const accounts = data?.accounts ?? none
  return useMemo(() => {
    const byKey = new Map(accounts.map((account) => [account.id, account]))
    const logins = new Map(accounts.map(({ loginId, loginName }) => [loginId, loginName]))
    return {
      accountOf: (key: string): ConnectedAccount | null => byKey.get(key) ?? null,
      nameOf: (key: string): string => byKey.get(key)?.name ?? key.split(':').at(-1) ?? key,
      loginOf: (loginId: string): string => logins.get(loginId) ?? loginId,
    }
  }, [accounts])
}
