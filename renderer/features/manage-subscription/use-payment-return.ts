import { callApi, type ApiFailure } from '#renderer/lib/api.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { useRenewEntitlement } from '#renderer/lib/use-entitlement.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

const { payments } = subscriptionRoutes
const changesAfterMs = [2_000, 5_000, 10_000]

/** The result of the checkout that the user returned from; `look` starts checking again. */
export type PaymentReturn = { readonly kind: 'nothing' | 'paid' | 'changed' | 'cancelled' | 'no-session' | Exclude<Look, 'active'> } | { readonly kind: 'failed'; readonly failure: ApiFailure }

type Over = 'paid' | 'changed' | 'cancelled'

/**
 * Follows up a checkout named in the address: polls the server until the payment is there, then removes it from the
 * address and refreshes the user's rights.
 */
export const usePaymentReturn = (): { readonly outcome: PaymentReturn; readonly look: () => void } => {
  const [query, setQuery] = useSearchParams()
  const [ended, setEnded] = useState<Over | null>(null)
  const userId = useUserId()
  const renew = useRenewEntitlement()
  const returned = returnIn(query)
  const sessionId = returned.kind === 'success' ? returned.sessionId : ''
  const { data, error, dataUpdatedAt, refetch } = useQuery<{ readonly active: boolean; readonly looks: number }, ApiFailure>({
    queryKey: [payments.path, { action: 'check-subscription', userId, sessionId }],
    queryFn: async ({ client, queryKey }) => {
      const answer = await callApi(payments, { body: { action: 'check-subscription', userId, sessionId } })
      const before = client.getQueryData<{ looks: number }>(queryKey)?.looks ?? 0
      return { active: 'active' in answer && answer.active, looks: before + 1 }
    },
    enabled: returned.kind === 'success',
    // Each return is checked separately.
    gcTime: 0,
    refetchInterval: ({ state }) => nextLookMs(state.data?.active, state.data?.looks ?? 0),
    refetchIntervalInBackground: true,
  })
  const end = useEffectEvent((as: Over) => {
    setEnded(as)
    setQuery({}, { replace: true })
    void renew()
  })
  const over = returned.kind === 'cancelled' || returned.kind === 'changed' ? returned.kind : returned.kind === 'success' && data?.active === true ? 'paid' : null
  useEffect(() => {
    if (over !== null) end(over)
  }, [over, dataUpdatedAt])
  // The message about a return ends with the next one, which may come from another window.
  usePushed('came-back', () => { setEnded(null) })
  useChangesSoon(ended === 'changed', renew)

  const look = (): void => void refetch()
  if (returned.kind === 'no-session') return { outcome: { kind: 'no-session' }, look }
  if (returned.kind !== 'success') return { outcome: { kind: ended ?? 'nothing' }, look }
  if (error !== null) return { outcome: { kind: 'failed', failure: error }, look }
  const found = lookOf(data?.active, data?.looks ?? 0)
  return { outcome: { kind: found === 'active' ? 'paid' : found }, look }
}

/** Refreshes the user's standing a few times if a change is expected whose webhook may arrive later. */
const useChangesSoon = (expected: boolean, renew: () => Promise<void>): void => {
  const ask = useEffectEvent(renew)
  useEffect(() => {
    if (!expected) return
    const asked = changesAfterMs.map((ms) => setTimeout(() => void ask(), ms))
    return () => {
      for (const timer of asked) clearTimeout(timer)
    }
  }, [expected])
}

/** A return from the payment provider, as in the address: `changed` means that a plan may have changed; `no-session` names no checkout. */
type AddressReturn = { readonly kind: 'nothing' | 'cancelled' | 'changed' | 'no-session' } | { readonly kind: 'success'; readonly sessionId: string }

/** Reads an address's query. */
export const returnIn = (query: URLSearchParams): AddressReturn => {
  const payment = query.get('payment')
  const sessionId = query.get('session_id')
  if (payment === 'cancelled' || payment === 'changed') return { kind: payment }
  if (payment !== 'success') return { kind: 'nothing' }
  return sessionId === null || sessionId === '' ? { kind: 'no-session' } : { kind: 'success', sessionId }
}

const lookAgainAfterMs = 3_000
const mostLooks = 10

/** When to check for a payment again, in ms, after `looks` checks without it; false after the last one. */
export const nextLookMs = (active: boolean | undefined, looks: number): number | false => (active === false && looks < mostLooks ? lookAgainAfterMs : false)

/** The state of an awaited payment. */
type Look = 'checking' | 'waiting' | 'late' | 'active'

/** The state by the last answer and the number of answers. */
export const lookOf = (active: boolean | undefined, looks: number): Look => {
  if (active === undefined) return 'checking'
  if (active) return 'active'
  return looks < mostLooks ? 'waiting' : 'late'
}
